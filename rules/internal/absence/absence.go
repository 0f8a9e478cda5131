// Package absence finds rules of a CRD that read what an object may lack: an optional field without has(), a key that
// a map may not have, an item beyond the end of a list. The API server rejects such an object with "no such key"
// instead of the rule's message.
//
// Package symbolic evaluates the rules for all objects at once: a read is reported if it can fail for an object that
// the schema accepts, and for which no other rule is false, because then the object is rejected anyway. So the meaning
// of an expression matters, not its form: guards work through &&, ||, ?:, !, ==, macros and optionals, in the rule
// itself, in another rule of the same object, or in a oneOf.
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
	"github.com/crdproof/crdproof/rules/symbolic"
)

// A Read is a part of an expression that fails for some object that the schema accepts and for which no rule is false,
// though other rules may fail too.
type Read struct {
	symbolic.Failure
	// Start and End are the range of the part in the expression, in bytes; Text is the part itself.
	Start, End int
	Text       string
	// Guard is a condition under which the part can be read, as in has(self.ttl); "" if there is none.
	Guard string
}

// A Finding has the reads of one expression, in the order of the text.
type Finding struct {
	Rule *expr.Rule
	// Message is set for the reads of the messageExpression. If one fails, the API server reports the plain message.
	Message bool
	Reads   []Read
	// Never is set for a rule that is true for no new object on which it is evaluated.
	Never bool
	// Meant is set for a rule that is meant to reject the objects for which it fails: it is false for them if empty
	// values take the place of the absent ones. Requires is set for another rule that no object without the field
	// passes.
	Meant, Requires bool
	// Fix is the whole rule with guards, so that it reads no absent values. It has the value of the rule wherever the
	// rule has one, and is false where the rule reads an absent value. Lenient is true there instead. Each is "" if
	// guards are not enough, or if this is not certain.
	Fix, Lenient string
}

// Find looks through all rules of a version's schema. undecided says from which rule on not all is known, nil if all is
// known.
func Find(
	ctx context.Context, structure *structural.Structural, rules []expr.Rule,
) (found []Finding, undecided *symbolic.Undecided) {
	e := symbolic.Evaluate(ctx, structure, rules)
	type part struct {
		rule int
		Finding
	}
	var parts []part
	for i := range rules {
		for _, message := range []bool{false, true} {
			if f, ok := findingOf(e, rules, i, message); ok {
				parts = append(parts, part{i, f})
			}
		}
	}
	for i := range parts {
		if p := &parts[i]; !p.Message {
			p.Never = e.RejectsAll(p.rule)
		}
	}
	proofs := effort.New(ctx, effort.AbsenceProofs)
	for i := range parts {
		p := &parts[i]
		if !p.Message {
			g := guarding{e, p.rule, &p.Finding, symbolic.Of(ctx, structure, without(rules, p.rule)).Within(proofs)}
			g.complete()
		}
		found = append(found, p.Finding)
	}
	return found, e.Undecided
}

func without(rules []expr.Rule, i int) []expr.Rule { return slices.Delete(slices.Clone(rules), i, i+1) }

// findingOf returns the finding about a rule or its messageExpression; ok is unset if neither reads absent values.
func findingOf(e *symbolic.Evaluation, rules []expr.Rule, rule int, message bool) (f Finding, ok bool) {
	f = Finding{Rule: &rules[rule], Message: message}
	checked := f.Rule.Checked
	if message {
		checked = f.Rule.Message
	}
	f.Reads = described(e.Failures(rule, message), checked)
	return f, len(f.Reads) > 0
}

// described returns reads in the order of the text, with their positions and guards.
func described(failures []symbolic.Failure, checked *cel.Ast) []Read {
	if len(failures) == 0 {
		return nil
	}
	var out []Read
	text, parts := sourceOf(checked), map[int64]ast.Expr{}
	ast.PostOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) { parts[e.ID()] = e }))
	for _, f := range failures {
		read := Read{Failure: f}
		read.locate(text, parts[f.ID])
		out = append(out, read)
	}
	slices.SortStableFunc(out, func(x, y Read) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	out = slices.CompactFunc(out, func(x, y Read) bool { return x.Start == y.Start && x.End == y.End })
	// If a function of oldSelf always fails, other failures in it do not matter.
	inside := func(r, s Read) bool {
		return s.Kind == symbolic.Unwrapped && s.Start <= r.Start && r.End <= s.End && r.End-r.Start < s.End-s.Start
	}
	all := slices.Clone(out)
	return slices.DeleteFunc(out, func(r Read) bool {
		return slices.ContainsFunc(all, func(s Read) bool { return inside(r, s) })
	})
}

// guarding is the work on one rule that reads absent values.
type guarding struct {
	e    *symbolic.Evaluation
	rule int
	*Finding
	// objects are those that the other rules accept.
	objects *symbolic.Objects
}

// complete finds the rules that may take the place of the one that reads absent values, and what the author means.
func (g *guarding) complete() {
	if !g.Never { // guards would only change the message
		g.Fix = g.first(false, symbolic.False|symbolic.Fails)
	}
	g.Lenient = g.first(true, symbolic.True|symbolic.Fails)
	g.Meant = g.meansToReject()
	g.Requires = !g.Meant && g.requires()
}

// first returns the first rule with guards that keeps the results of the rule, and has one of some outcomes where the
// rule fails: other values than absent ones may make it fail.
func (g *guarding) first(absent bool, outcomes symbolic.Outcomes) string {
	var tried []string
	for _, how := range choices(absent) {
		text, checked := g.guarded(how)
		if text == "" || slices.Contains(tried, text) {
			continue
		}
		tried = append(tried, text)
		other := *g.Rule
		other.Checked = checked
		if answer, _ := g.objects.Keeps(g.Rule, &other, outcomes); answer == symbolic.Yes {
			return text
		}
	}
	return ""
}

// guarded writes the rule with guards for its reads, "" if it takes more than guards, or too many steps. Behind the
// first guards it is evaluated further, to other reads.
func (g *guarding) guarded(how choice) (text string, checked *cel.Ast) {
	length, checked, reads := len(g.Rule.Source.Rule.V), g.Rule.Checked, g.Reads
	if int64(length) > effort.AbsenceFixed.Most {
		return "", nil
	}
	for range effort.AbsenceGuards.Most {
		if !g.e.Spend(length * len(reads)) {
			break
		}
		if text = sourceOf(checked).repaired(reads, checked.NativeRep(), how); text == "" {
			break
		}
		if checked = g.Rule.Instead(text); checked == nil {
			break
		}
		failures, decided := g.e.FailuresOf(checked, g.rule)
		if !decided {
			break
		}
		if reads = described(failures, checked); len(reads) == 0 {
			return text, checked
		}
	}
	return "", nil
}
