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
	// Fix is the whole rule with guards, so that it reads no absent values; "" if guards are not enough.
	Fix string
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
	for _, p := range parts {
		complete(e, p.rule, &p.Finding)
		found = append(found, p.Finding)
	}
	return found, e.Undecided
}

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

// complete adds to the finding about a rule what needs further steps.
func complete(e *symbolic.Evaluation, rule int, f *Finding) {
	if !f.Message {
		f.Never = e.RejectsAll(rule)
		f.Fix = fix(e, rule, f)
	}
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

// fix writes a rule with guards for its reads, "" if it takes more than guards, or too many steps. Behind the first
// guards it is evaluated further, to other reads.
func fix(e *symbolic.Evaluation, rule int, f *Finding) string {
	length, checked, reads := len(f.Rule.Source.Rule.V), f.Rule.Checked, f.Reads
	if int64(length) > effort.AbsenceFixed.Most {
		return ""
	}
	for range effort.AbsenceGuards.Most {
		if !e.Spend(length * len(reads)) {
			return ""
		}
		text := sourceOf(checked).repaired(reads, checked.NativeRep())
		if text == "" {
			return ""
		}
		if checked = f.Rule.Instead(text); checked == nil {
			return ""
		}
		failures, decided := e.FailuresOf(checked, rule)
		if !decided {
			return ""
		}
		if reads = described(failures, checked); len(reads) == 0 {
			return text
		}
	}
	return ""
}
