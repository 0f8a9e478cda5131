package symbolic

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
)

// Kind is the kind of a part of an expression that may fail.
type Kind uint8

// The kinds of reads, with the message of the API server's evaluator if one fails.
const (
	// Field is a property of an object: "no such key". Null counts as absent.
	Field Kind = iota
	// Key is a key of a map: "no such key".
	Key
	// Item is an item of a list: "index out of bounds".
	Item
	// Value is the value of an optional: "optional.none() dereference".
	Value
	// OldSelf is oldSelf in a messageExpression without an old value: "no such attribute".
	OldSelf
	// Unwrapped is a function of optionals on oldSelf in the messageExpression of a rule with optionalOldSelf: "no such
	// overload". The API server compiles it for an optional, and gives it the bare value.
	Unwrapped
	// Otherwise is any other error. Only questions count them.
	Otherwise
)

// A Failure is a part of an expression that fails for some object that the schema accepts and for which no rule is
// false, though other rules may fail too.
type Failure struct {
	Kind Kind
	// ID is the part, in the AST of the expression.
	ID int64

	in example
}

// An Evaluation has the rules of a schema, evaluated for all of its objects.
type Evaluation struct {
	// Undecided is the first rule that is not decided; nil if all are.
	Undecided *Undecided

	*model
	*search
	// judged are the rules at each of the places that represent all of their schema.
	judged [][]judged
}

// Undecided is a rule that is not decided, and the budget that was exceeded.
type Undecided struct {
	Rule   *expr.Rule
	Budget *effort.Budget
}

// judged is a rule at one place: when it is evaluated at all, to what, and to what its messageExpression is.
type judged struct {
	at            *place
	given         formula
	rule, message value
}

// Evaluate evaluates the rules of a schema. If one may fail and items or keys are named, it does so once more with
// these looked at one by one: that shows less of what fails, not more.
func Evaluate(ctx context.Context, structure *structural.Structural, rules []expr.Rule) *Evaluation {
	s := newSearch(ctx, structure)
	named := map[string]names{}
	e := s.evaluate(rules, named)
	if len(named) > 0 && e.mayFail() {
		e = s.evaluate(rules, named)
	}
	return e
}

func (e *Evaluation) mayFail() bool {
	for _, places := range e.judged {
		for _, j := range places {
			if e.and(j.given, e.failing(j.rule)) != never || e.and(j.given, e.failing(j.message)) != never {
				return true
			}
		}
	}
	return false
}

func (s *search) evaluate(rules []expr.Rule, named map[string]names) *Evaluation {
	e := &Evaluation{model: s.newModel(rules, named), search: s}
	for i := range rules {
		var list []judged
		if !e.full {
			list = e.judge(i)
		}
		e.judged = append(e.judged, list)
		e.check(i)
	}
	return e
}

// check records that a rule is not decided if a budget is exceeded.
func (e *Evaluation) check(rule int) {
	if !e.full || e.Undecided != nil {
		return
	}
	for _, b := range []*effort.Budget{e.budget, e.room} {
		if b.Exceeded() {
			e.Undecided = &Undecided{&e.rules[rule], b}
		}
	}
}

// judge evaluates a rule where it is written.
func (m *model) judge(i int) (out []judged) {
	r := &m.rules[i]
	if r.Checked == nil {
		return nil
	}
	for _, at := range m.at(r.Place) {
		j := judged{at: at, given: m.given(r, at), rule: m.evalRule(r, at)}
		if r.Message != nil {
			j.message = m.evalMessage(r, at)
		}
		out = append(out, j)
	}
	return out
}

// given says when a rule is evaluated at a place.
func (m *model) given(r *expr.Rule, at *place) formula {
	if r.UsesOldSelf && !isOptional(r) {
		return m.and(m.itself(at), m.itself(m.before(at)))
	}
	return m.itself(at)
}

// Failures returns the failures that explain all failures of a rule, or of its messageExpression, by the part.
func (e *Evaluation) Failures(rule int, message bool) []Failure {
	defer e.check(rule)
	return e.failures(rule, e.judged[rule], message)
}

func (m *model) failures(rule int, list []judged, message bool) (out []Failure) {
	found := map[readID]example{}
	for _, j := range list {
		given, fails := j.given, j.rule.fails
		if message {
			given, fails = m.and(given, m.rejects(j.rule)), j.message.fails
		}
		m.blame(found, m.within(given, fails), rule, j.at)
	}
	for read, in := range maps.All(found) {
		out = append(out, Failure{read.kind, read.id, in})
	}
	slices.SortFunc(out, func(x, y Failure) int { return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.Kind, y.Kind)) })
	return out
}

// blame finds an example for each failure to report: first for those that occur alone, and then for what is left
// unexplained.
func (m *model) blame(found map[readID]example, fails []failure, rule int, at *place) {
	explained := never
	for _, alone := range []bool{true, false} {
		for _, f := range fails {
			when := m.and(f.when, m.not(explained))
			for _, g := range fails {
				if alone && g.when != f.when {
					when = m.and(when, m.not(g.when))
				}
			}
			if in, ok := m.witness(when, rule, at); ok {
				found[f.read] = in
				explained = m.or(explained, f.when)
			}
		}
	}
}

// FailuresOf returns the failures of an expression in place of a rule. decided is unset if a budget is exceeded.
func (e *Evaluation) FailuresOf(checked *cel.Ast, rule int) (fails []Failure, decided bool) {
	if e.changed == nil {
		e.changed = slices.Clone(e.rules)
	}
	e.changed[rule].Checked = checked
	defer func() { e.changed[rule].Checked = e.rules[rule].Checked }()
	m := e.newModel(e.changed, e.named)
	fails = m.failures(rule, m.judge(rule), false)
	return fails, !m.full
}

// RejectsAll reports whether a rule is true for no object that is created, though there are some.
func (e *Evaluation) RejectsAll(rule int) bool {
	defer e.check(rule)
	for _, j := range e.judged[rule] {
		created := e.and(j.given, e.not(e.oldRoot.exists))
		if _, ok := e.witness(created, rule, j.at); !ok {
			return false // nothing to be created at all, or nothing known
		}
		if _, ok := e.witness(e.and(created, e.succeeds(j.rule)), noRule, nil); ok {
			return false
		}
	}
	return !e.full
}

// Spend counts steps of the caller, and reports whether they may be taken.
func (e *Evaluation) Spend(steps int) bool { return e.budget.Spend(steps) }

// Example makes an object for which a part fails, and the one before the update, nil if it is created.
func (e *Evaluation) Example(f Failure) (object, old map[string]any) { return e.objects(f.in, style{}) }
