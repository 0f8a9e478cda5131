package support

import (
	"strconv"
	"strings"
	"sync"
)

// Costs counts what the rules of a package cost. It reads an expression when it is first needed.
type Costs struct {
	// Data has a line for each expression: "rule" or "message" and its position in RuleSet, the name of the structure
	// of self, and the expression as a JSON array of steps. A step is the kind, the id of CEL, and:
	//
	//	const     the value, nothing for null, or the type and the text of a uint, a double, bytes or a type
	//	ident     the name
	//	select    an object and the name of a field; has is the same for has()
	//	call      the function, the class of its cost, how it is called, its position in Functions from 1, and the
	//	          arguments
	//	list      the positions of optional items, and the items
	//	map       the positions of optional values, and keys and values in turn
	//	fold      the names of the accumulator and of two variables; the range, the first accumulator, the
	//	          condition, the step and the result
	Data string
	// Functions are those that expressions call.
	Functions []func(args []any) any
	// Types has the structures.
	Types *Types

	mutex sync.Mutex
	known map[string]*costExpression
}

// A costExpression is an expression with the structure of self.
type costExpression struct {
	self *Type
	step *costStep
}

func (c *Costs) cost(position int, isMessage bool, value, old any, most uint64) (cost uint64) {
	name := "rule"
	if isMessage {
		name = "message"
	}
	e := c.expression(name + strconv.Itoa(position))
	run := costRun{most: most, self: JSONValue(value, e.self)}
	switch o, isOptional := old.(Optional); {
	case isOptional && o.set:
		run.old = Optional{readJSON(o.val, e.self), true}
	case isOptional:
		run.old = o
	case old == nil:
		run.old = MessageOld(nil)
	default:
		run.old = JSONValue(old, e.self)
	}
	defer func() {
		cost = run.cost
		if r := recover(); r != nil {
			if _, ok := r.(costEnd); !ok {
				panic(r)
			}
		}
	}()
	run.step(e.step, nil)
	return run.cost
}

// expression reads an expression.
func (c *Costs) expression(name string) *costExpression {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if e := c.known[name]; e != nil {
		return e
	}
	for line := range strings.Lines(c.Data) {
		text, ok := strings.CutPrefix(line, name+" ")
		if !ok {
			continue
		}
		self, text, _ := strings.Cut(strings.TrimSuffix(text, "\n"), " ")
		members, _ := decode([]byte(`{"step":`+text+`}`), nil, nil, nil)
		p := costPlanner{functions: c.Functions}
		if c.known == nil {
			c.known = map[string]*costExpression{}
		}
		c.known[name] = &costExpression{c.Types.Type(self), p.step(members["step"])}
		return c.known[name]
	}
	panic(changedHelpers)
}

// A costStep is a step of an evaluation.
type costStep struct {
	kind costKind
	id   int64
	// value is that of a constant, or the items of a list in which one is looked up.
	value any
	// attribute is that of a variable with its fields.
	attribute *costAttribute
	// name, class and function are those of a call.
	name, class string
	function    func(args []any) any
	// isSequential is set if a call does not evaluate the second of two arguments after the first has failed.
	// accumulates is set for the step of a macro that adds to its list.
	isSequential, accumulates bool
	args                      []*costStep
	// isOptional says which items of a literal may be missing.
	isOptional []bool
	fold       *costFold
}

// A costKind is the kind of a step.
type costKind uint8

const (
	costConstant costKind = iota
	costAttributeStep
	costPresence
	costAnd
	costOr
	costListStep
	costMapStep
	costFoldStep
	// costMember looks up an item of a constant list.
	costMember
	// costOptional is or() or orValue().
	costOptional
	costCall
	// costTolerant is the condition of a macro, which accepts failures.
	costTolerant
	// costInsert adds to the map of a macro.
	costInsert
)

// A costAttribute is a variable, the result of a step, or one of two attributes that a condition chooses, with fields
// and indices.
type costAttribute struct {
	id         int64
	name       string
	operand    *costStep
	condition  *costStep
	yes, no    *costAttribute
	qualifiers []*costQualifier
}

// A costQualifier is a field or an index.
type costQualifier struct {
	id        int64
	key       any
	attribute *costAttribute
	// isTest is set for has(), and isStep for an index that is the result of a step.
	isOptional, isTest, isStep bool
}

// A costFold is a comprehension.
type costFold struct {
	accuName, name, secondName            string
	values, init, condition, step, result *costStep
}

// lastID returns the id under which the result of a step is kept.
func (s *costStep) lastID() int64 {
	if s.kind == costAttributeStep {
		return s.attribute.lastID()
	}
	return s.id
}

func (a *costAttribute) lastID() int64 {
	switch {
	case a.condition != nil && a.yes.lastID() == a.no.lastID():
		return a.yes.lastID()
	case len(a.qualifiers) > 0:
		return a.qualifiers[len(a.qualifiers)-1].id
	}
	return a.id
}

// add adds a field or an index: to both if a condition chooses.
func (a *costAttribute) add(q *costQualifier) {
	if a.condition != nil {
		a.yes.add(q)
		a.no.add(q)
		return
	}
	a.qualifiers = append(a.qualifiers, q)
}

// A costPlanner makes steps as cel-go does (interpreter/planner.go, and the optimizations of decorators.go).
type costPlanner struct {
	functions []func(args []any) any
	// accumulators are the names of those in scope.
	accumulators []string
}

// step plans a step of the data of Costs.
func (p *costPlanner) step(data any) *costStep {
	list := dataOf[[]any](data)
	kind, id, rest := dataOf[string](list[0]), dataOf[int64](list[1]), list[2:]
	switch kind {
	case "const":
		return &costStep{id: id, value: costValueOf(rest)}
	case "ident":
		return attributeStep(&costAttribute{id: id, name: dataOf[string](rest[0])})
	case "select", "has":
		return p.selection(id, p.step(rest[0]), dataOf[string](rest[1]), kind == "has")
	case "call":
		return p.call(id, rest)
	case "list", "map":
		return p.literal(id, rest, kind == "map")
	case "fold":
		return p.fold(id, rest)
	}
	panic(changedHelpers)
}

// costValueOf returns a constant.
func costValueOf(data []any) any {
	switch len(data) {
	case 0:
		return nil
	case 1:
		return data[0]
	}
	text := dataOf[string](data[1])
	switch data[0] {
	case "uint":
		return StringToUint(text).val
	case "double":
		return StringToDouble(text).val
	case "bytes":
		return []byte(text)
	case "type":
		return TypeName(text)
	}
	panic(changedHelpers)
}

func attributeStep(a *costAttribute) *costStep {
	return &costStep{kind: costAttributeStep, attribute: a}
}

// attributeOf returns the attribute of a step, nil for another one.
func (s *costStep) attributeOf() *costAttribute {
	if s.kind == costAttributeStep || s.kind == costPresence {
		return s.attribute
	}
	return nil
}

// asAttribute returns the attribute of a step, to which fields are added.
func (s *costStep) asAttribute() *costAttribute {
	if a := s.attributeOf(); a != nil {
		return a
	}
	return &costAttribute{id: s.lastID(), operand: s}
}

func (p *costPlanner) selection(id int64, object *costStep, name string, isTest bool) *costStep {
	a := object.asAttribute()
	a.add(&costQualifier{id: id, key: name, isTest: isTest})
	if isTest {
		return &costStep{kind: costPresence, id: id, attribute: a}
	}
	return attributeStep(a)
}

// steps plans several steps.
func (p *costPlanner) steps(data []any) (out []*costStep) {
	for _, d := range data {
		out = append(out, p.step(d))
	}
	return out
}

// call plans a call of an operator, or of a function.
func (p *costPlanner) call(id int64, data []any) *costStep {
	s := &costStep{kind: costCall, id: id, name: dataOf[string](data[0]), class: dataOf[string](data[1])}
	s.isSequential = data[2] == "sequential"
	if position := dataOf[int64](data[3]); position > 0 {
		s.function = p.functions[position-1]
	}
	s.args = p.steps(data[4:])
	switch s.name {
	case "_&&_":
		s.kind = costAnd
	case "_||_":
		s.kind = costOr
	case "or", "orValue":
		s.kind = costOptional
	case "@not_strictly_false":
		s.kind = costTolerant
	case "cel.@mapInsert":
		s.kind = costInsert
	case "_?_:_":
		return attributeStep(&costAttribute{id: id, condition: s.args[0], yes: s.args[1].asAttribute(),
			no: s.args[2].asAttribute()})
	case "_[_]", "_[?_]", "_?._":
		return p.index(s, s.name != "_[_]")
	}
	return p.optimized(s, data[2] == "fold")
}

// index plans an index.
func (p *costPlanner) index(s *costStep, isOptional bool) *costStep {
	a, index := s.args[0].asAttribute(), s.args[1]
	q := &costQualifier{id: s.id, isOptional: isOptional}
	switch {
	case index.kind == costConstant:
		q.key = index.value
	case index.attributeOf() != nil:
		q.attribute = index.attributeOf()
	default:
		q.attribute, q.isStep = &costAttribute{id: s.id, operand: index}, true
	}
	a.add(q)
	return attributeStep(a)
}

// optimized plans a call of constants, or of one list of constants: isFolded is set for functions that cel-go
// evaluates before.
func (p *costPlanner) optimized(s *costStep, isFolded bool) *costStep {
	switch {
	case !isFolded:
	case len(s.args) == 1 && s.args[0].kind == costConstant:
		return &costStep{id: s.id, value: s.function([]any{s.args[0].value})}
	case len(s.args) == 2 && s.args[1].kind == costConstant:
		list, ok := s.args[1].value.(List)
		if ok && len(list.Items) == 0 {
			return &costStep{id: s.id, value: false}
		}
		for _, item := range list.Items {
			switch item.(type) {
			case bool, int64, uint64, float64, string:
			default:
				ok = false
			}
		}
		if ok {
			return &costStep{kind: costMember, id: s.id, args: s.args[:1], value: list.Items}
		}
	}
	if s.name == "_+_" && len(p.accumulators) > 0 {
		a := s.args[0].attributeOf()
		s.accumulates = a != nil && len(a.qualifiers) == 0 && strings.HasPrefix(a.name, "@") &&
			a.name == p.accumulators[len(p.accumulators)-1]
	}
	return s
}

// literal plans a list or a map. One of constants is a constant.
func (p *costPlanner) literal(id int64, data []any, isMap bool) *costStep {
	s := &costStep{kind: costListStep, id: id, args: p.steps(data[1:])}
	if isMap {
		s.kind = costMapStep
	}
	s.isOptional = make([]bool, len(s.args))
	for _, i := range dataOf[[]any](data[0]) {
		s.isOptional[dataOf[int64](i)] = true
	}
	var values []any
	for _, arg := range s.args {
		if arg.kind != costConstant {
			return s
		}
		values = append(values, arg.value)
	}
	if isMap {
		return &costStep{id: id, value: MapLiteral(values...)}
	}
	return &costStep{id: id, value: ListLiteral(values...)}
}

// fold plans a comprehension.
func (p *costPlanner) fold(id int64, data []any) *costStep {
	f := &costFold{accuName: dataOf[string](data[0]), name: dataOf[string](data[1]),
		secondName: dataOf[string](data[2])}
	f.init, f.values = p.step(data[4]), p.step(data[3])
	p.accumulators = append(p.accumulators, f.accuName)
	f.condition, f.step, f.result = p.step(data[5]), p.step(data[6]), p.step(data[7])
	p.accumulators = p.accumulators[:len(p.accumulators)-1]
	return &costStep{kind: costFoldStep, id: id, fold: f}
}
