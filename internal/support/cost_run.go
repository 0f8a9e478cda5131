package support

// This file evaluates expressions step by step, as cel-go's interpreter does, and counts what its cost tracker counts
// (cel-go, interpreter/runtimecost.go). The tracker finds the operands of a call by the ids of steps, which may be
// duplicates, so this code keeps the same stack.

// A costRun is one evaluation.
type costRun struct {
	cost, most uint64
	stack      []costValue
	self, old  any
	// isMuted is set for the fields of a variable with a dot before its name, which the tracker does not see.
	isMuted bool
}

// A costValue is the result of a step with an id.
type costValue struct {
	id    int64
	value any
}

// costEnd ends an evaluation, as a panic: it costs too much, or cel-go's own code fails.
type costEnd struct{}

// A costFrame has the variables of a comprehension.
type costFrame struct {
	above *costFrame
	fold  *costFold
	// first and second are the values of the variables, and accu is the accumulator, which is evaluated when it is
	// first read.
	first, second, accu any
	hasAccu, isResult   bool
}

// variable returns the value of a variable.
func (r *costRun) variable(name string, f *costFrame) any {
	for ; f != nil && name[0] != '.'; f = f.above {
		switch {
		case name == f.fold.accuName:
			if !f.hasAccu {
				f.hasAccu, f.accu = true, newAccumulator(r.step(f.fold.init, f.above))
			}
			return f.accu
		case f.isResult:
		case name == f.fold.name:
			return f.first
		case name == f.fold.secondName:
			return f.second
		}
	}
	switch name {
	case "self", ".self":
		return r.self
	case "oldSelf", ".oldSelf":
		return r.old
	}
	return &Failure{"no such attribute(s): " + name}
}

// newAccumulator returns the first value of an accumulator, to which steps add.
func newAccumulator(value any) any {
	if m, ok := value.(*celMap); ok && len(m.entries) == 0 {
		return &celMap{index: map[any]int{}}
	}
	return Named(value)
}

// step evaluates a step, and counts it.
func (r *costRun) step(s *costStep, f *costFrame) any {
	var value any
	switch s.kind {
	case costConstant:
		value = s.value
	case costAttributeStep, costPresence:
		value = r.resolve(s.attribute, f)
		r.countAttribute(s)
	case costAnd, costOr:
		value = r.junction(s, f)
		for _, arg := range s.args {
			r.drop(arg.lastID())
		}
	case costListStep, costMapStep:
		value = r.literal(s, f)
	case costFoldStep:
		value = r.loop(s.fold, f)
		r.drop(s.fold.values.lastID())
	case costMember:
		value = InConstants(r.step(s.args[0], f), s.value.([]any))
	case costOptional:
		value = r.alternative(s, f)
	default:
		value = r.call(s, f)
	}
	r.push(s.lastID(), value)
	return value
}

// goesOn ends the evaluation if cel-go's own code has failed.
func goesOn(value any) {
	if err, ok := value.(*Failure); ok && err.ends() {
		panic(costEnd{})
	}
}

// push keeps the result of a step.
func (r *costRun) push(id int64, value any) {
	if r.isMuted {
		return
	}
	goesOn(value)
	r.stack = append(r.stack, costValue{id, value})
	if r.cost > r.most {
		panic(costEnd{})
	}
}

// drop removes the last result with an id, and all that follow.
func (r *costRun) drop(id int64) {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].id == id {
			r.stack = r.stack[:i]
			return
		}
	}
}

// operands removes the results of steps, and returns them if all are there.
func (r *costRun) operands(args []*costStep) ([]any, bool) {
	out := make([]any, len(args))
next:
	for n := len(args) - 1; n >= 0; n-- {
		id := args[n].lastID()
		for i := len(r.stack) - 1; i >= 0; i-- {
			if r.stack[i].id == id {
				out[n], r.stack = r.stack[i].value, r.stack[:i]
				continue next
			}
		}
		return nil, false
	}
	return out, true
}

// countAttribute counts a variable with its fields: a condition has no cost of its own, nor has has().
func (r *costRun) countAttribute(s *costStep) {
	if a := s.attribute; a.condition != nil {
		r.drop(a.no.lastID())
		r.drop(a.yes.lastID())
		r.drop(a.condition.lastID())
	} else {
		r.drop(a.lastID())
		r.cost++
	}
	if s.kind == costPresence {
		r.cost--
	}
}

// junction evaluates && or ||.
func (r *costRun) junction(s *costStep, f *costFrame) any {
	decisive := s.kind == costOr
	var failure *Failure
	for _, arg := range s.args {
		switch x := r.step(arg, f).(type) {
		case bool:
			if x == decisive {
				return x
			}
		case *Failure:
			if failure == nil {
				failure = x
			}
		default:
			failure = noSuchOverload
		}
	}
	if failure != nil {
		return failure
	}
	return !decisive
}

// literal evaluates a list or a map.
func (r *costRun) literal(s *costStep, f *costFrame) any {
	const ofList, ofMap = 10, 30
	values := make([]any, 0, len(s.args))
	var failure *Failure
	for i, arg := range s.args {
		value := r.step(arg, f)
		if failure, _ = value.(*Failure); failure != nil {
			break
		}
		if s.isOptional[i] {
			value = EntryIf{Value: value}
		}
		values = append(values, value)
	}
	made := any(failure)
	switch {
	case failure != nil:
	case s.kind == costMapStep:
		made = MapLiteral(values...)
	default:
		made = ListLiteral(values...)
	}
	goesOn(made)
	r.operands(s.args)
	if r.cost += ofList; s.kind == costMapStep {
		r.cost += ofMap - ofList
	}
	return made
}

// alternative evaluates or() and orValue() of an optional value.
func (r *costRun) alternative(s *costStep, f *costFrame) any {
	other := func() any { return r.step(s.args[1], f) }
	if s.name == "or" {
		return OptionalOr(r.step(s.args[0], f), other)
	}
	return OptionalOrValue(r.step(s.args[0], f), other)
}

// call evaluates a function.
func (r *costRun) call(s *costStep, f *costFrame) any {
	args := make([]any, len(s.args))
	var failure *Failure
	for i, arg := range s.args {
		args[i] = r.step(arg, f)
		if err, ok := args[i].(*Failure); ok && failure == nil {
			if failure = err; s.isSequential || len(args) > 2 {
				break
			}
		}
	}
	value := any(failure)
	switch {
	case s.kind == costTolerant: // of macros: a failure does not end a loop
		value = failure != nil || args[0] != false
	case failure != nil:
	case s.kind == costInsert:
		value = inserted(args)
	case s.accumulates:
		value = appended(args, s.function)
	default:
		value = s.function(args)
	}
	goesOn(value)
	if operands, ok := r.operands(s.args); ok {
		r.cost += callCost(s.class, operands, value)
	}
	return value
}

// inserted adds the entries of the step of a macro to its map.
func inserted(args []any) any {
	m, ok := args[0].(*celMap)
	if !ok {
		return noSuchOverload
	}
	var err *Failure
	if len(args) > 2 {
		err = m.insert(args[1], args[2])
	} else {
		eachPair(args[1], func(key, value any) bool {
			err = m.insert(key, value)
			return err == nil
		})
	}
	if err != nil {
		return err
	}
	return m
}

// appended adds the item of the step of a macro to its list.
func appended(args []any, add func(args []any) any) any {
	list, ok := args[0].(List)
	more, isList := args[1].(List)
	if !ok || !isList || list.Type != nil || list.made != nil || more.Type != nil {
		return add(args)
	}
	return List{Items: append(list.Items, more.Items...)}
}

// loop evaluates a comprehension.
func (r *costRun) loop(c *costFold, above *costFrame) any {
	values := r.step(c.values, above)
	f := &costFrame{above: above, fold: c}
	next := func(first, second any) bool {
		f.first, f.second = first, second
		if r.step(c.condition, f) == false {
			return false
		}
		accu := r.step(c.step, f)
		f.accu, f.hasAccu = accu, true
		return true
	}
	var err *Failure
	if c.secondName == "" {
		err = forEach(values, func(x any) bool { return next(x, nil) })
	} else {
		err = eachPair(values, next)
	}
	if err != nil {
		return err
	}
	f.isResult = true
	return r.step(c.result, f)
}

// resolve evaluates a variable, or another value, with its fields.
func (r *costRun) resolve(a *costAttribute, f *costFrame) any {
	var object any
	switch {
	case a.condition != nil:
		switch x := r.step(a.condition, f).(type) {
		case bool:
			if x {
				return r.resolve(a.yes, f)
			}
			return r.resolve(a.no, f)
		case *Failure:
			return x
		}
		return noSuchOverload
	case a.operand != nil:
		object = r.step(a.operand, f)
	default:
		object = r.variable(a.name, f)
	}
	if err, ok := object.(*Failure); ok {
		return err
	}
	if a.operand == nil && a.name[0] == '.' {
		defer func(before bool) { r.isMuted = before }(r.isMuted)
		r.isMuted = true
	}
	return r.qualify(object, a.qualifiers, f)
}

// qualify looks up one field or index after another.
func (r *costRun) qualify(object any, qualifiers []*costQualifier, f *costFrame) any {
	o, isOptional := object.(Optional)
	if isOptional {
		if !o.set {
			return o
		}
		object = o.val
	}
	for _, q := range qualifiers {
		isOptional = isOptional || q.isOptional
		value, isThere, err := r.lookUp(q, object, f)
		if err == nil && !isThere && !isOptional && !q.isTest {
			err = &Failure{"no such key"}
		}
		if isThere || !isOptional {
			r.countQualifier(q, value)
		}
		switch {
		case err != nil:
			return err
		case !isThere && isOptional:
			return Optional{}
		}
		object = value // an item that cannot be read is a value
	}
	if isOptional {
		return Optional{object, true}
	}
	return object
}

// lookUp evaluates a field or an index, and reports whether it is there: has() is always there, unless it is about an
// optional value.
func (r *costRun) lookUp(q *costQualifier, object any, f *costFrame) (value any, isThere bool, err *Failure) {
	key := q.key
	if q.attribute != nil {
		key = r.resolve(q.attribute, f)
		if err, ok := key.(*Failure); ok {
			return nil, false, err
		}
	}
	value, isThere, err = lookUp(object, key)
	switch {
	case err != nil:
		return nil, false, err
	case q.isTest:
		value = isThere
	}
	return value, isThere, nil
}

// countQualifier counts a field or an index.
func (r *costRun) countQualifier(q *costQualifier, value any) {
	if r.isMuted {
		return
	}
	if q.isStep {
		r.drop(q.id)
	}
	r.cost++
	r.push(q.id, value)
}
