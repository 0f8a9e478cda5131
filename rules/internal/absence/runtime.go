package absence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

var celRuntime = &diag.Check{ID: "cel-runtime", Severity: diag.Warning}

// runtimeErrors reports the parts of rules that fail for values that a person may write.
func runtimeErrors(ctx context.Context, structure *structural.Structural, rules []expr.Rule) (out []diag.Diagnostic) {
	budget := effort.New(ctx, effort.RuntimeErrors)
	for i := range rules {
		r := &rules[i]
		if r.Checked == nil || r.Unreached || r.Place.Schema.Incomplete != 0 || r.Source.Made || !mayFail(r) {
			continue
		}
		objects := symbolic.Of(ctx, structure, without(rules, i)).Within(budget)
		found := slices.DeleteFunc(objects.Errors(r), func(e symbolic.Error) bool { return isUndecodable(r.Place, &e) })
		if budget.Exceeded() {
			return append(out, budget.Undecided(r.Source.Rule.At, "whether this rule and those after it fail for "+
				"values that the schema accepts").In(r.Path()+".rule").Hurting(diag.Unlikely))
		}
		if len(found) == 0 {
			continue
		}
		f := runtimeFinding{rule: r, source: sourceOf(r.Checked), found: found}
		if !slices.ContainsFunc(found, func(e symbolic.Error) bool { return e.Always }) {
			g := guarding{symbolic.Evaluate(ctx, structure, rules), i, &Finding{Rule: r, Reads: f.reads()}, objects}
			f.fix = g.first(false, symbolic.False|symbolic.Fails)
		}
		out = append(out, f.diagnostics()...)
	}
	return out
}

// isUndecodable reports whether a value is not a quantity or a duration, although the field is of that type in Go. Then
// it is a matter of the field, not of each rule that reads it.
func isUndecodable(p *schema.Place, e *symbolic.Error) bool {
	for p.Above != nil {
		p = p.Above
	}
	s := p.Schema
	for _, step := range e.Field {
		if s == nil {
			return false
		}
		s = cmp.Or(s.Below(step), s.AdditionalProperties)
	}
	text, isText := e.Value.(string)
	if s == nil || !isText {
		return false
	}
	_, err := resource.ParseQuantity(text)
	return s.Origin == schema.Quantity && err != nil ||
		!s.Origin.Decodes(&schema.Value{Kind: schema.String, Text: text})
}

// mayFail reports whether a rule calls a function that fails for some values.
func mayFail(r *expr.Rule) bool {
	fails := false
	ast.PostOrderVisit(r.Checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		fails = fails || e.Kind() == ast.CallKind && symbolic.MayFail(e.AsCall().FunctionName())
	}))
	return fails
}

// A runtimeFinding has the parts of a rule that fail.
type runtimeFinding struct {
	rule *expr.Rule
	*source
	found []symbolic.Error
	// fix is the rule with guards, "" if there is none that is certain.
	fix string
}

// reads are the failing parts, as parts to guard.
func (f *runtimeFinding) reads() (out []Read) {
	for _, e := range f.found {
		read := Read{Failure: symbolic.Failure{Kind: symbolic.Otherwise, ID: e.ID}}
		read.locate(f.source, find(f.rule.Checked.NativeRep().Expr(), e.ID))
		out = append(out, read)
	}
	return out
}

// diagnostics reports each part once, with a value for which it fails.
func (f *runtimeFinding) diagnostics() (out []diag.Diagnostic) {
	var seen []string
	for i, read := range f.reads() {
		e := f.found[i]
		if slices.Contains(seen, read.Text) {
			continue
		}
		seen = append(seen, read.Text)
		value := fmt.Sprint(e.Value)
		switch v := e.Value.(type) {
		case string:
			value = strconv.Quote(v)
		case []any:
			value = "empty"
		}
		complaint := e.Message
		if message := f.rule.Source.Message.V; message != "" {
			complaint += " evaluating rule: " + message
		}
		when := fmt.Sprintf("if %s is %s", e.Field, value)
		if e.Always {
			when = fmt.Sprintf("for every %s that its pattern matches, such as %s", e.Field, value)
		}
		d := diag.Errorf(f.rule.Source.Rule.Range(read.Start, read.End), celRuntime, "%s fails %s", read.Text, when).
			In(f.rule.Path()+".rule").
			Note("the API server rejects such an object with %q", complaint)
		switch {
		case f.fix != "" && len(f.fix) <= maxShown:
			d = d.Help("change the rule to %s", f.fix).Do(diag.Rewrite, f.fix)
		case read.Guard != "" && !e.Always:
			d = d.Help("check %s first", read.Guard)
		}
		d = d.CausedBy(diag.Span{}, f.rule.Source.Rule.V) // a project repeats its rules
		if _, isText := e.Value.(string); isText && f.rule.Source.Message.V != "" {
			d = d.Hurting(diag.Unlikely) // the error ends with the rule's message, which says what to write
		}
		d.For = f.rule.Source.Use()
		out = append(out, d)
	}
	return out
}

// guardOfCall writes the condition under which a call does not fail.
func (s *source) guardOfCall(e ast.Expr) (g guard, ok bool) {
	call := e.AsCall()
	parts := callOperands(call)
	name, first := call.FunctionName(), s.cut(parts[0])
	last := s.cut(parts[len(parts)-1])
	switch name {
	case operators.Divide, operators.Modulo:
		return guard{last + " != 0", last + " == 0"}, true
	case operators.Index:
		if n, ok := literalOf(parts[1]); ok && n >= 0 {
			return guard{"size(" + first + ") > " + last, "size(" + first + ") <= " + last}, true
		}
		if last == "size("+first+") - 1" || last == first+".size() - 1" {
			return guard{"size(" + first + ") > 0", "size(" + first + ") == 0"}, true
		}
		within := "0 <= " + last + " && " + last + " < size(" + first + ")"
		return guard{within, "(" + last + " < 0 || size(" + first + ") <= " + last + ")"}, true
	case "min", "max":
		return guard{"size(" + first + ") > 0", "size(" + first + ") == 0"}, true
	case "quantity", "url", "ip", "cidr", "semver":
		holds := symbolic.Checker(name) + "(" + s.list(parts) + ")"
		return guard{holds, "!" + holds}, true
	case "asInteger":
		return guard{first + ".isInteger()", "!" + first + ".isInteger()"}, true
	case "substring", "charAt":
		return s.guardOfPositions(parts), true
	case "uint":
		if s.checked.GetType(parts[0].ID()).Kind() == types.IntKind {
			return guard{first + " >= 0", first + " < 0"}, true
		}
		fallthrough
	case "int", "bool", "double", "duration", "timestamp":
		quote := "'"
		if strings.Contains(symbolic.ReadablePattern(name), `\`) {
			quote = "r'"
		}
		holds := first + ".matches(" + quote + symbolic.ReadablePattern(name) + "')"
		return guard{holds, "!" + holds}, true
	}
	return guard{}, false
}

// guardOfPositions writes that positions are within a text, and in their order. What literals say needs no guard.
func (s *source) guardOfPositions(parts []ast.Expr) guard {
	var within, outside []string
	least, known := "0", int64(0)
	for _, e := range parts[1:] {
		position := s.cut(e)
		n, isKnown := literalOf(e)
		if !isKnown || known < 0 || n < known {
			within, outside = append(within, least+" <= "+position), append(outside, position+" < "+least)
		}
		if least, known = position, n; !isKnown {
			known = -1
		}
	}
	size := "size(" + s.cut(parts[0]) + ")"
	within, outside = append(within, least+" <= "+size), append(outside, size+" < "+least)
	if len(outside) == 1 {
		return guard{within[0], outside[0]}
	}
	return guard{strings.Join(within, " && "), "(" + strings.Join(outside, " || ") + ")"}
}

// literalOf returns the value of an integer that is written.
func literalOf(e ast.Expr) (int64, bool) {
	if e.Kind() != ast.LiteralKind {
		return 0, false
	}
	n, ok := e.AsLiteral().Value().(int64)
	return n, ok
}

// list writes expressions with commas between them.
func (s *source) list(parts []ast.Expr) (out string) {
	for i, e := range parts {
		if i > 0 {
			out += ", "
		}
		out += s.cut(e)
	}
	return out
}
