package symbolic

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// An Error is a part of a rule that has no value for some object that the schema accepts, although nothing that it
// reads is absent: int(self.port) for "http". The API server's code has evaluated the rule for the object.
type Error struct {
	// ID is the part, in the AST of the rule, and Message is the text of the API server's evaluator.
	ID      int64
	Message string
	// Field is the path of the field whose value makes the part fail.
	Field schema.Path
	Value any
	// Always is set if the part fails for all values of the field, because of its pattern.
	Always bool
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
	parts, texts := partsOf(r), sync.OnceValue(func() []string { return m.textsOf(r) })
	for _, at := range m.at(r.Place) {
		m.operands = nil
		v := m.evalRule(r, at)
		operands := m.operands // later ones are those of other rules
		for _, f := range v.fails {
			if _, known := found[f.read.id]; known || f.read.kind != Otherwise || parts[f.read.id] == nil {
				continue
			}
			t := errorTrial{o, m, r, parts[f.read.id], "", texts}
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
	// texts are those that the rule itself names or accepts.
	texts func() []string
}

// find looks for an object in which the part is evaluated: first for one for which nothing else fails.
func (t errorTrial) find(when, alone formula) (Error, bool) {
	for _, f := range []formula{t.m.and(when, alone), when} {
		if _, ok := t.m.witness(f, noRule, nil); !ok {
			continue
		}
		t.m.touch(requiredToo)
		if in, ok := t.m.witness(f, noRule, nil); ok {
			if e, ok := t.tryAll(in); ok {
				return e, true
			}
		}
	}
	return Error{}, false
}

// tryAll puts values into the fields that the part reads.
func (t errorTrial) tryAll(in example) (Error, bool) {
	for _, name := range slices.Sorted(maps.Keys(t.m.places)) {
		if p := t.m.places[name]; !p.old && reads(t.key, name) {
			if e, ok := t.try(in, p); ok {
				return e, true
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
		e := Error{t.part.ID(), "", fieldPath(p), value, t.neverReads(p), Object{object, old}}
		if message, ok := t.server.failure(&e.Object, t.rule, t.part, p.steps()); ok {
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

// failure returns the error of a part of a rule for an object: the schema accepts the object, and no other rule that
// reads the field with the given names is false.
func (s *server) failure(o *Object, r *expr.Rule, part ast.Expr, field []string) (message string, ok bool) {
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
		if errors.As(err, &fault) && (fault.NodeID() == part.ID() || isIndexError(err, r, part, fault.NodeID())) {
			return err.Error(), true
		}
	}
	return "", false
}

// isIndexError reports whether an error is that of an index, although the evaluator names an expression that reads
// more of the item: a[i].b is one read to it.
func isIndexError(err error, r *expr.Rule, index ast.Expr, at int64) (isOne bool) {
	if index.AsCall().FunctionName() != operators.Index || !strings.HasPrefix(err.Error(), "index out of bounds") {
		return false
	}
	ast.PostOrderVisit(r.Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		for whole := e; whole.ID() == at && !isOne; {
			switch {
			case e.Kind() == ast.SelectKind:
				e = e.AsSelect().Operand()
			case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Index:
				e = e.AsCall().Args()[0]
			default:
				return
			}
			isOne = e.ID() == index.ID()
		}
	}))
	return isOne
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
