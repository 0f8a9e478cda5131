package symbolic

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// An Error is a part of a rule that has no value for some object that the schema accepts, although nothing that it reads
// is absent: int(self.port) for "http". The API server's code has evaluated the rule for the object.
type Error struct {
	// ID is the part, in the AST of the rule, and Message is the text of the API server's evaluator.
	ID      int64
	Message string
	// Field is the path of the field whose value makes the part fail.
	Field schema.Path
	Value any
	Object
}

// Errors returns the parts of a rule that fail for values that a person may write: those of trials. Other rules accept
// the object, or do not read the field.
func (o *Objects) Errors(r *expr.Rule) []Error {
	named, found := map[string]names{}, map[int64]Error{}
	for {
		before := maps.Clone(named)
		o.findErrors(r, named, found)
		if maps.EqualFunc(named, before, isSameNames) {
			break
		}
	}
	var out []Error
	for _, id := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[id])
	}
	return out
}

// findErrors looks for errors at all places of a rule, in a new model.
func (o *Objects) findErrors(r *expr.Rule, named map[string]names, found map[int64]Error) {
	s := newSearch(o.ctx, o.structure)
	if o.budget != nil {
		s.budget = o.budget
	}
	m := s.newModel(o.rules, named)
	m.decides = true
	parts := partsOf(r)
	for _, at := range m.at(r.Place) {
		m.operands = nil
		v := m.evalRule(r, at)
		operands := m.operands // later ones are those of other rules
		for _, f := range v.fails {
			if _, known := found[f.read.id]; known || f.read.kind != Otherwise || parts[f.read.id] == nil {
				continue
			}
			t := errorTrial{o, m, r, parts[f.read.id], ""}
			for _, t.key = range operands[f.read.id] {
				if e, ok := t.find(m.and(m.given(r, at), f.when), m.alone(v.fails, f)); ok {
					found[e.ID] = e
					break
				}
			}
		}
	}
}

// alone says when no other part of a rule fails.
func (m *model) alone(fails []failure, f failure) formula {
	out := always
	for _, g := range fails {
		if g.read != f.read {
			out = m.and(out, m.not(g.when))
		}
	}
	return out
}

// partsOf are the calls of a rule by their number.
func partsOf(r *expr.Rule) map[int64]ast.Expr {
	out := map[int64]ast.Expr{}
	ast.PostOrderVisit(r.Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind {
			out[e.ID()] = e
		}
	}))
	return out
}

// An errorTrial is the search for an object for which one part of a rule fails. The key says what it is applied to.
type errorTrial struct {
	*Objects
	m    *model
	rule *expr.Rule
	part ast.Expr
	key  string
}

// find looks for an object in which the part is evaluated: first for one for which nothing else fails.
func (t errorTrial) find(when, alone formula) (Error, bool) {
	for _, f := range []formula{t.m.and(when, alone), when} {
		if _, ok := t.m.witness(f, noRule, nil); !ok {
			continue
		}
		t.m.touchAll(t.m.root)
		t.m.touchAll(t.m.oldRoot)
		in, ok := t.m.witness(f, noRule, nil)
		if !ok {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(t.m.places)) {
			if p := t.m.places[name]; !p.old && reads(t.key, name) {
				if e, ok := t.try(in, p); ok {
					return e, true
				}
			}
		}
	}
	return Error{}, false
}

// reads reports whether a key is about a place.
func reads(key, name string) bool {
	for i := strings.Index(key, name); i >= 0 && i < len(key); {
		end := i + len(name)
		if end == len(key) || strings.IndexByte(",)] ", key[end]) >= 0 {
			return true
		}
		next := strings.Index(key[end:], name)
		if next < 0 {
			break
		}
		i = end + next
	}
	return false
}

// try puts values that may fail into a field of an example.
func (t errorTrial) try(in example, p *place) (Error, bool) {
	for _, value := range t.values(p) {
		if !t.m.spend(1) {
			break
		}
		b := &builder{m: t.m, in: in, number: map[string]int{}, given: map[string]any{p.name: value}}
		object, _ := b.build(t.m.root.name, t.m.root.schema).(map[string]any)
		var old map[string]any
		if b.holds("update") {
			old, _ = b.build(t.m.oldRoot.name, t.m.oldRoot.schema).(map[string]any)
		}
		e := Error{t.part.ID(), "", fieldPath(p), value, Object{object, old}}
		if message, ok := t.server.failure(&e.Object, t.rule, e.ID, p.steps()); ok {
			e.Message = message
			return e, true
		}
	}
	return Error{}, false
}

// fieldPath returns the path of a place from the root of the object, to any item or key that is not named.
func fieldPath(p *place) (path schema.Path) {
	for ; p.above != nil; p = p.above {
		step := schema.Key(p.step.name)
		if p.step.kind == toItem || p.step.kind == toValue && p.step.name == anyOther {
			step = schema.Item(schema.AnyItem)
		}
		path = append(schema.Path{step}, path...)
	}
	return path
}

// steps returns the names of the properties that lead to a place.
func (p *place) steps() (out []string) {
	for ; p.above != nil; p = p.above {
		if p.step.kind == toProperty {
			out = append([]string{p.step.name}, out...)
		}
	}
	return out
}

// values are what a person may write in a field by mistake, and texts of its pattern that the function does not read.
func (t errorTrial) values(p *place) []any {
	name := t.part.AsCall().FunctionName()
	isText := p.schema.Type == "string" || p.schema.XIntOrString
	switch isDivision := name == operators.Divide || name == operators.Modulo; {
	case p.schema.Type == "integer" && isDivision:
		return []any{int64(0)}
	case p.schema.Type == "integer" && name == operators.Index:
		return []any{int64(1), int64(10)}
	case p.schema.Type == "array" && (name == "min" || name == "max"):
		return []any{[]any{}}
	case !isText || len(trialsOf(name)) == 0:
		return nil
	}
	var out []any
	for _, text := range append(trialsOf(name), t.words(p, name)...) {
		out = append(out, text)
	}
	return out
}

// MayFail reports whether an operator or a function fails for some values of its operands that a person may write.
func MayFail(function string) bool {
	switch function {
	case operators.Divide, operators.Modulo, operators.Index, "min", "max":
		return true
	}
	return len(trialsOf(function)) > 0
}

// trialsOf are texts for which a function fails.
func trialsOf(function string) []string {
	switch function {
	case "int", "uint":
		return []string{"abc", "1.5", "10%", ""}
	case "double":
		return []string{"abc", "1,5", "10%", ""}
	case "bool":
		return []string{"yes", "on", ""}
	case "quantity":
		return []string{"10GB", "abc", "1,5", ""}
	case "asInteger":
		return []string{"1.5", "500m"}
	case "duration":
		return []string{"7d", "5 minutes", "10", ""}
	case "timestamp":
		return []string{"2026-01-31", "tomorrow", ""}
	case "url":
		return []string{"example.com", "abc", ""}
	case "ip", "containsIP", "ip.isCanonical":
		return []string{"localhost", "10.0.0.0/8", ""}
	case "cidr", "containsCIDR":
		return []string{"10.0.0.1", "10.0.0.0/33", ""}
	case "semver":
		return []string{"v1.2", "latest", ""}
	case "matches", "find", "findAll":
		return []string{"*.example.com", "["}
	case "substring", "charAt":
		return []string{"", "a"}
	}
	return nil
}

// ReadablePattern returns a pattern of all texts that a function may read, "" if there is none. Those that match may
// still be too large.
func ReadablePattern(function string) string {
	switch function {
	case "int":
		return `^[+-]?[0-9]+$`
	case "uint":
		return `^[0-9]+$`
	case "bool":
		return `^(1|t|T|true|TRUE|True|0|f|F|false|FALSE|False)$`
	case "quantity":
		return schema.QuantityPattern
	case "duration":
		return schema.DurationPattern
	}
	return ""
}

// Checker returns the function that reports whether another function reads a text, "" if there is none.
func Checker(function string) string {
	switch function {
	case "quantity":
		return "isQuantity"
	case "url":
		return "isURL"
	case "ip":
		return "isIP"
	case "cidr":
		return "isCIDR"
	case "semver":
		return "isSemver"
	}
	return ""
}

// relateFailure assumes when a function fails: where the condition does not hold that a guard would ask for.
func (m *model) relateFailure(e ast.Expr, name string, args []thing, checked *ast.AST, fails formula) {
	if !m.decides || len(args) == 0 || e.Kind() != ast.CallKind { // a map literal has no operand
		return
	}
	call := e.AsCall()
	operand := call.Target()
	if !call.IsMemberFunction() {
		operand = call.Args()[0]
	}
	isText := checked.GetType(operand.ID()).Kind() == types.StringKind
	called := func(function string, args ...string) formula {
		return m.condition("true " + m.known(function+"("+strings.Join(args, ",")+",)"))
	}
	var keys []string
	for _, a := range args {
		keys = append(keys, a.key())
	}
	switch pattern := ReadablePattern(name); {
	case Checker(name) != "" && isText:
		m.assume(always, m.same(m.not(called(Checker(name), keys...)), fails), -1, nil)
	case pattern != "" && isText:
		text := constant{types.String(pattern)}.key()
		m.assume(always, m.or(called("matches", keys[0], text), fails), -1, nil)
	case name == "asInteger":
		m.assume(always, m.or(called("isInteger", keys[0]), fails), -1, nil)
	case (name == operators.Divide || name == operators.Modulo) && checked.GetType(e.ID()).Kind() == types.IntKind:
		m.assume(m.equal(args[1], constant{types.Int(0)}), fails, -1, nil)
	case name == "min" || name == "max":
		m.assume(m.not(m.atLeast(m.size(args[0]), 1)), fails, -1, nil)
	}
}

// words returns texts of the pattern of a field that a function cannot read.
func (t errorTrial) words(p *place, function string) []string {
	v := p.schema.ValueValidation
	if v == nil || v.Pattern == "" || ReadablePattern(function) == "" {
		return nil
	}
	match, err := regular.Compile(v.Pattern, t.m.budget)
	avoid, avoidErr := regular.Compile(ReadablePattern(function), t.m.budget)
	if err != nil || avoidErr != nil {
		return nil
	}
	low, top := p.lengths()
	q := regular.Query{Match: []*regular.Pattern{match}, Avoid: []*regular.Pattern{avoid}, MinLength: limited(low),
		MaxLength: limited(top)}
	word, answer := regular.Find(q, effort.SymbolicText.N(), t.m.budget)
	if answer != regular.Found {
		return nil
	}
	return []string{word}
}

// failure returns the error of a part of a rule for an object: the schema accepts the object, and no other rule that
// reads the field with the given names is false.
func (s *server) failure(o *Object, r *expr.Rule, part int64, field []string) (message string, ok bool) {
	for _, object := range []map[string]any{o.Object, o.Old} {
		if object != nil && !s.accepts(object) {
			return "", false
		}
	}
	for i := range s.rules {
		other := &s.rules[i]
		if !readsField(other, field) {
			continue
		}
		for _, v := range s.values(o, other.Place) {
			if outcome, _ := s.evaluate(other, v); outcome == False {
				return "", false
			}
		}
	}
	for _, v := range s.values(o, r.Place) {
		_, err, _ := s.run(r, v)
		var fault *types.Err
		if errors.As(err, &fault) && fault.NodeID() == part {
			return err.Error(), true
		}
	}
	return "", false
}

// readsField reports whether a rule may read a field: it names all properties that lead to it from the place of the
// rule.
func readsField(r *expr.Rule, field []string) bool {
	depth := 0
	for p := r.Place; p.Above != nil; p = p.Above {
		if p.Step == schema.InProperty {
			depth++
		}
	}
	if depth > len(field) {
		return false
	}
	isAbsent := func(name string) bool { return !isWordOf(r.Source.Rule.V, name) }
	return !slices.ContainsFunc(field[depth:], isAbsent)
}

// isWordOf reports whether a text has a name that is not a part of a longer one.
func isWordOf(text, name string) bool {
	isLetter := func(c byte) bool {
		return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	for i := 0; i+len(name) <= len(text); i++ {
		end := i + len(name)
		if text[i:end] == name && (i == 0 || !isLetter(text[i-1])) && (end == len(text) || !isLetter(text[end])) {
			return true
		}
	}
	return false
}
