// Package absence finds rules of a CRD that read what an object may lack: an optional field without has(), a key that
// a map may not have, an item beyond the end of a list. The API server rejects such an object with "no such key"
// instead of the rule's message.
//
// The package examines all objects at once. It evaluates a rule once, by the laws of CEL, to formulas over conditions
// such as "spec.ttl is present" and "spec.mode is 'A'": when the rule is true, and when which read makes it fail. The
// schema and the other rules also become formulas: the schema accepts the object, and no other rule is false, because
// then the object is rejected anyway. A read is reported if the formula of its failure can be true together with all
// of these. So the meaning of an expression matters, not its form: guards work through &&, ||, ?:, !, ==, macros and
// optionals, in the rule itself, in another rule of the same object, or in a oneOf.
//
// The result is exact for presence, for comparisons with constants and for sizes, with these limits, which the tests
// found by a comparison with the API server's own evaluator. One item of a list represents all items, and another one
// represents "some other" item; items with a literal index represent themselves. So what a macro states about pairs of
// items is not understood. Functions of strings and numbers may return any value, but always the same for the same
// arguments.
package absence

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
)

// Kind is the kind of a read that may fail.
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
)

// A Read is a part of an expression that fails for some object that the schema accepts and for which no rule is false,
// though other rules may fail too.
type Read struct {
	Kind Kind
	// Start and End are the range of the part in the expression, in bytes; Text is the part itself.
	Start, End int
	Text       string
	// Guard is a condition under which the part can be read, as in has(self.ttl); "" if there is none.
	Guard string

	id int64
	in example
}

// A Finding are the reads of one expression, in the order of the text.
type Finding struct {
	Rule *expr.Rule
	// Message is set for the reads of the messageExpression. If one fails, the API server reports the plain message.
	Message bool
	Reads   []Read
	// Never is set for a rule that is true for no new object on which it is evaluated.
	Never bool
	// Fix is the whole rule with guards, so that it reads no absent values; "" if guards are not enough.
	Fix string
}

// Find looks through all rules of a version's schema. undecided says from which rule on not all is known, nil if all is
// known.
func Find(
	ctx context.Context, structure *structural.Structural, rules []expr.Rule,
) (found []Finding, undecided *Undecided) {
	a := newSearch(ctx, structure).newAnalysis(rules)
	type part struct {
		rule int
		Finding
	}
	var parts []part
	for i := range rules {
		for _, message := range []bool{false, true} {
			f := Finding{Rule: &rules[i], Message: message, Reads: a.reads(i, a.judged[i], message)}
			if len(f.Reads) > 0 {
				parts = append(parts, part{i, f})
			}
		}
		a.check(i)
	}
	for _, p := range parts {
		a.complete(p.rule, &p.Finding)
		found = append(found, p.Finding)
	}
	return found, a.undecided
}

// complete adds to the finding about a rule what needs further steps.
func (a *analysis) complete(rule int, f *Finding) {
	if !f.Message {
		f.Never = a.isNever(rule)
		a.check(rule)
		f.Fix = a.fix(rule, f.Reads)
	}
}

// Undecided is the first rule that is not decided, and the budget that was exceeded.
type Undecided struct {
	Rule   *expr.Rule
	Budget *effort.Budget
}

// An analysis are the rules of a schema, evaluated.
type analysis struct {
	*model
	*search
	// judged are the rules at each of the places that stand for all of their schema.
	judged [][]judged
	// undecided is set once something is not decided.
	undecided *Undecided
}

// judged is a rule at one place: where it is evaluated at all, to what, and to what its messageExpression is.
type judged struct {
	at            *place
	given         formula
	rule, message value
}

// newAnalysis evaluates the rules, and where one may fail and items or keys are named, once more with these looked at
// one by one:
// that shows less of what fails, not more.
func (s *search) newAnalysis(rules []expr.Rule) *analysis {
	named := map[string]names{}
	a := s.judgedAll(rules, named)
	if len(named) > 0 && a.mayFail() {
		a = s.judgedAll(rules, named)
	}
	return a
}

func (a *analysis) mayFail() bool {
	for _, places := range a.judged {
		for _, j := range places {
			if a.and(j.given, a.failing(j.rule)) != never || a.and(j.given, a.failing(j.message)) != never {
				return true
			}
		}
	}
	return false
}

func (s *search) judgedAll(rules []expr.Rule, named map[string]names) *analysis {
	a := &analysis{model: s.newModel(rules, named), search: s}
	for i := range rules {
		var list []judged
		if !a.full {
			list = a.judge(i)
		}
		a.judged = append(a.judged, list)
		a.check(i)
	}
	return a
}

// check records that a rule is not decided if a budget is exceeded.
func (a *analysis) check(rule int) {
	if !a.full || a.undecided != nil {
		return
	}
	for _, b := range []*effort.Budget{a.budget, a.room} {
		if b.Exceeded() {
			a.undecided = &Undecided{&a.rules[rule], b}
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
		j := judged{at: at, given: m.itself(at), rule: m.evalRule(r, at)}
		if r.UsesOldSelf && !isOptional(r) {
			j.given = m.and(j.given, m.itself(m.before(at)))
		}
		if r.Message != nil {
			j.message = m.evalMessage(r, at)
		}
		out = append(out, j)
	}
	return out
}

// isNever reports whether a rule is evaluated to true for no object that is created.
func (a *analysis) isNever(i int) bool {
	for _, j := range a.judged[i] {
		created := a.and(j.given, a.not(a.oldRoot.exists))
		if _, ok := a.witness(created, i, j.at); !ok {
			return false // nothing to be created at all, or nothing known
		}
		if _, ok := a.witness(a.and(created, a.succeeds(j.rule)), -1, nil); ok {
			return false
		}
	}
	return !a.full
}

// reads lists the reads of a rule that are to blame for its failures.
func (m *model) reads(i int, judged []judged, message bool) []Read {
	found := map[readID]example{}
	for _, j := range judged {
		given, fails := j.given, j.rule.fails
		if message {
			given, fails = m.and(given, m.rejects(j.rule)), j.message.fails
		}
		m.blame(found, m.within(given, fails), i, j.at)
	}
	switch {
	case len(found) == 0:
		return nil
	case message:
		return described(found, m.rules[i].Message)
	}
	return described(found, m.rules[i].Checked)
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

// described are reads in the order of the text, with their positions and guards.
func described(found map[readID]example, checked *cel.Ast) []Read {
	var out []Read
	text, parts := sourceOf(checked), map[int64]ast.Expr{}
	ast.PostOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) { parts[e.ID()] = e }))
	for id, in := range found {
		read := Read{Kind: id.kind, id: id.id, in: in}
		read.locate(text, parts[id.id])
		out = append(out, read)
	}
	slices.SortFunc(out, func(x, y Read) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End), cmp.Compare(x.id, y.id))
	})
	out = slices.CompactFunc(out, func(x, y Read) bool { return x.Start == y.Start && x.End == y.End })
	// If a function of oldSelf always fails, other failures in it do not matter.
	inside := func(r, s Read) bool {
		return s.Kind == Unwrapped && s.Start <= r.Start && r.End <= s.End && r.End-r.Start < s.End-s.Start
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(r Read) bool {
		return slices.ContainsFunc(all, func(s Read) bool { return inside(r, s) })
	})
}

// fix writes a rule with guards for its reads, "" if it takes more than guards, or too many steps. Behind the first
// guards it is evaluated further, to other reads.
func (a *analysis) fix(i int, reads []Read) string {
	length := len(a.rules[i].Source.Rule.V)
	if int64(length) > effort.AbsenceFixed.Most {
		return ""
	}
	if a.changed == nil {
		a.changed = slices.Clone(a.rules)
	}
	rules := a.changed
	defer func() { rules[i].Checked = a.rules[i].Checked }()
	for range effort.AbsenceGuards.Most {
		if !a.budget.Spend(length * len(reads)) {
			return ""
		}
		text := sourceOf(rules[i].Checked).repaired(reads, rules[i].Checked.NativeRep())
		if text == "" {
			return ""
		}
		if rules[i].Checked = rules[i].Instead(text); rules[i].Checked == nil {
			return ""
		}
		m := a.newModel(rules, a.named)
		reads = m.reads(i, m.judge(i), false)
		switch {
		case m.full:
			return ""
		case len(reads) == 0:
			return text
		}
	}
	return ""
}
