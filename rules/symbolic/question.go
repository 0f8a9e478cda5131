package symbolic

import (
	"context"
	"maps"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// An Answer is that to a question about all objects of a schema. Yes and No are certain: that an object exists,
// since the API server's code has evaluated one; that no object exists, since a formula cannot hold.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	Yes
	No
)

// String returns "yes", "no" or "unknown".
func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// not returns the answer to the opposite question.
func (a Answer) not() Answer { return [...]Answer{Unknown, No, Yes}[a] }

// Outcomes is a set of what a rule may do with an object.
type Outcomes uint8

// The outcomes.
const (
	True Outcomes = 1 << iota
	False
	// Fails has no value, but an error. The API server rejects the object with it.
	Fails
)

// A Claim is about what a rule does with an object: one of several outcomes.
type Claim struct {
	Rule     *expr.Rule
	Outcomes Outcomes
}

// An Object shows an answer. Old is the object before the update, nil if the object is created.
type Object struct{ Object, Old map[string]any }

// Objects are all objects that a schema accepts and for which no rule of a list is false, as they are after defaulting.
// The values of apiVersion, kind and metadata are any strings. Objects before an update satisfy the schema and those
// rules that do not compare, too.
//
// Budgets on the cost of rules do not count: a rule that is too expensive for an object still has an outcome.
type Objects struct {
	ctx       context.Context
	structure *structural.Structural
	rules     []expr.Rule
	server    *server
	// budget is that of all questions together; nil if each has its own.
	budget *effort.Budget
}

// Accepted returns those of the objects for which no rule fails either: an API server accepts no others.
func (o *Objects) Accepted() *Objects {
	out, server := *o, *o.server
	server.demandsTrue = true
	out.server = &server
	return &out
}

// Of returns the objects of a schema and of some of its rules.
func Of(ctx context.Context, structure *structural.Structural, rules []expr.Rule) *Objects {
	return &Objects{ctx: ctx, structure: structure, rules: rules, server: newServer(structure, rules)}
}

// Within returns the objects with a budget for the steps of all questions about them. Beyond it, answers are unknown.
func (o *Objects) Within(budget *effort.Budget) *Objects {
	out := *o
	out.budget = budget
	return &out
}

// Exists answers whether there is an object with a value for which all claims hold: claims about rules of one place. If
// the answer is Yes, it returns such an object.
func (o *Objects) Exists(claims ...Claim) (Answer, *Object) { return o.existsAny([][]Claim{claims}) }

// existsAny answers the same about several lists of claims, of which one must hold.
func (o *Objects) existsAny(cases [][]Claim) (Answer, *Object) {
	return o.answer(question{
		at: cases[0][0].Rule.Place,
		says: func(m *model, at *place) formula {
			out := never
			for _, claims := range cases {
				out = m.or(out, m.claimed(at, claims))
			}
			return out
		},
		holds: func(v evaluated) bool {
			return slices.ContainsFunc(cases, func(claims []Claim) bool { return o.server.holds(claims, v) })
		},
	})
}

// Violates answers whether there is an object with a value at a place that other validations do not accept: those of
// junctors, such as oneOf. If the answer is Yes, it returns such an object.
func (o *Objects) Violates(at *schema.Place, other *structural.ValueValidation) (Answer, *Object) {
	alone := &structural.Structural{ValueValidation: other}
	return o.answer(question{
		at: at,
		says: func(m *model, at *place) formula {
			return m.and(m.itself(at), m.not(m.and(m.junctors(at, other), m.properties(at, other))))
		},
		holds: func(v evaluated) bool {
			validator := validation.NewSchemaValidatorFromOpenAPI(alone.ToKubeOpenAPI())
			return len(validation.ValidateCustomResource(nil, v.self, validator)) > 0
		},
	})
}

// A question is whether a value at a place has a property: says says when it has, and holds reports whether one has.
type question struct {
	at    *schema.Place
	says  func(m *model, at *place) formula
	holds func(v evaluated) bool
}

func (o *Objects) answer(q question) (Answer, *Object) {
	named := map[string]names{}
	for {
		before := maps.Clone(named)
		answer, found := o.ask(named, q)
		if answer == Yes || maps.EqualFunc(named, before, isSameNames) {
			return answer, found
		}
		// Expressions name items and keys that were not looked at one by one.
	}
}

func isSameNames(x, y names) bool { return x.items == y.items && len(x.keys) == len(y.keys) }

// ask answers a question in a new model.
func (o *Objects) ask(named map[string]names, q question) (Answer, *Object) {
	s := newSearch(o.ctx, o.structure)
	if o.budget != nil {
		s.budget = o.budget
	}
	m := s.newModel(o.rules, named)
	m.decides, m.demandsTrue = true, o.server.demandsTrue
	answer, touched := No, onlyNamed
	for _, at := range m.at(q.at) {
		all := q.says(m, at)
		for range effort.SymbolicTries.Most {
			in, ok := m.witness(all, noRule, nil)
			if !ok {
				break
			}
			answer = Unknown
			if touched == onlyNamed { // an object has more than what rules read
				touched = requiredToo
				m.touch(touched)
				continue
			}
			for _, as := range styles() {
				object, old := m.objects(in, as)
				if found := (&Object{object, old}); o.server.confirms(found, q) {
					return Yes, found
				}
			}
			if touched == requiredToo {
				touched = wholeObject
				m.touch(touched)
				continue
			}
			all = m.and(all, m.not(m.like(all, in)))
		}
	}
	if m.full || m.doubtful {
		answer = Unknown
	}
	return answer, nil
}

// claimed says when claims hold at a place.
func (m *model) claimed(at *place, claims []Claim) formula {
	out := always
	for _, c := range claims {
		if c.Rule.UsesOldSelf && at.isBelowItem() {
			m.doubt() // items are matched by their keys
		}
		v := m.evalRule(c.Rule, at)
		out = m.and(out, m.given(c.Rule, at), m.among(v, c.Outcomes))
	}
	return out
}

// among says when a value is one of some outcomes.
func (m *model) among(v value, outcomes Outcomes) formula {
	out := never
	for _, o := range []struct {
		outcome Outcomes
		when    func(value) formula
	}{{True, m.succeeds}, {False, m.rejects}, {Fails, m.failing}} {
		if outcomes&o.outcome != 0 {
			out = m.or(out, o.when(v))
		}
	}
	return out
}

// like says when everything that a formula depends on is as in an example.
func (m *model) like(f formula, in example) formula {
	out := always
	for _, c := range m.asked(f) {
		condition := m.decide(decision{c, never, always})
		if !in[c] {
			condition = m.not(condition)
		}
		out = m.and(out, condition)
	}
	return out
}

// Keeps answers whether a rule may take the place of another one: it has the same value wherever the other one has a
// value, and one of some outcomes where the other one fails. The object shows that it may not.
func (o *Objects) Keeps(original, other *expr.Rule, failed Outcomes) (Answer, *Object) {
	answer, object := o.existsAny([][]Claim{
		{{original, True}, {other, False | Fails}},
		{{original, False}, {other, True | Fails}},
		{{original, Fails}, {other, (True | False | Fails) &^ failed}},
	})
	return answer.not(), object
}

// isBelowItem reports whether a place is in an item of a list, or in a value of a map.
func (p *place) isBelowItem() bool {
	for ; p.above != nil; p = p.above {
		if p.step.kind != toProperty {
			return true
		}
	}
	return false
}
