// Package operand finds operations in rules whose operands have another meaning than CEL knows: values that may be
// integers or strings, which have no type in CEL, and text that means a quantity or a duration.
package operand

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
)

var (
	mixed = &diag.Check{
		ID: "cel-int-or-string", Severity: diag.Warning,
		Doc: "A rule uses a value that may be an integer or a string, such as a quantity, like a value of one type. " +
			"CEL has no type for it, so the rule compiles, but the operation fails or has another meaning for some values.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self.storage.isGreaterThan(quantity('10Gi'))\"\n" +
			"type Spec struct {\n\tStorage resource.Quantity `json:\"storage\"`\n}",
		Good: "// +kubebuilder:validation:XValidation:rule=\"quantity(string(self.storage))." +
			"isGreaterThan(quantity('10Gi'))\"\n" +
			"type Spec struct {\n\tStorage resource.Quantity `json:\"storage\"`\n}",
	}
	textual = &diag.Check{
		ID: "cel-text-order", Severity: diag.Warning,
		Doc: "A rule compares text with < or >, although the text means a duration or a quantity. As text, '10m' is " +
			"less than '9m'.",
		Bad:  "// +kubebuilder:validation:XValidation:rule=\"self < '10m'\"\nTimeout string `json:\"timeout\"`",
		Good: "// +kubebuilder:validation:XValidation:rule=\"duration(self) < duration('10m')\"\nTimeout string `json:\"timeout\"`",
	}
)

// Checks is the table of this package's checks.
func Checks() []*diag.Check { return []*diag.Check{mixed, textual} }

// Check reports such operations in the rules of a version's schema.
func Check(rules []expr.Rule) (out []diag.Diagnostic) {
	for i := range rules {
		if rules[i].Checked != nil {
			for _, d := range find(&rules[i]) {
				out = expr.Merge(out, d)
			}
		}
	}
	return out
}

// An issue is an operation to report, with its range in the text.
type issue struct {
	check      *diag.Check
	message    string
	note       string
	start, end int
	// instead is the text to write, "" if there is none that is always meant.
	instead string
}

// A finder looks for issues in one rule.
type finder struct {
	rule   *expr.Rule
	source *expr.Source
	types  map[int64]*types.Type
	// typed are the texts of the values whose type the rule asks for.
	typed  map[string]bool
	issues []issue
}

func find(r *expr.Rule) (out []diag.Diagnostic) {
	native := r.Checked.NativeRep()
	f := &finder{rule: r, source: expr.SourceOf(r.Checked), types: native.TypeMap(), typed: map[string]bool{}}
	ast.PostOrderVisit(native.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "type" {
			f.typed[f.source.Cut(e.AsCall().Args()[0])] = true
		}
	}))
	f.visit(native.Expr(), scope{"self": r.Place.Schema, "oldSelf": r.Place.Schema})
	help := f.changed()
	for _, i := range f.issues {
		d := diag.Errorf(r.Source.Rule.Range(i.start, i.end), i.check, "%s", i.message).In(r.Path() + ".rule")
		if i.note != "" {
			d = d.Note("%s", i.note)
		}
		if i.instead != "" {
			d = d.Help("change the rule to %s", help)
		}
		d.For = r.Source.Use()
		out = append(out, d)
	}
	return out
}

// changed is the rule with all issues fixed that have a fix.
func (f *finder) changed() string {
	issues := slices.Clone(f.issues)
	slices.SortFunc(issues, func(a, b issue) int { return a.start - b.start })
	var out strings.Builder
	end := 0
	for _, i := range issues {
		if i.instead != "" && i.start >= end {
			out.WriteString(f.source.Text[end:i.start] + i.instead)
			end = i.end
		}
	}
	return out.String() + f.source.Text[end:]
}

// A scope is the schemas of the names in an expression.
type scope map[string]*schema.Schema

func (f *finder) visit(e ast.Expr, in scope) {
	switch e.Kind() {
	case ast.CallKind:
		f.call(e, in)
	case ast.ComprehensionKind:
		c := e.AsComprehension()
		f.visit(c.IterRange(), in)
		inner := scope{}
		for name, s := range in {
			inner[name] = s
		}
		inner[c.IterVar()] = nil
		if s := f.schemaOf(c.IterRange(), in); s != nil && s.Items != nil && !c.HasIterVar2() {
			inner[c.IterVar()] = s.Items
		}
		for _, part := range []ast.Expr{c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
			f.visit(part, inner)
		}
		return
	}
	for _, part := range expr.Operands(e) {
		f.visit(part, in)
	}
}

// schemaOf is the schema of the value that an expression reads, nil if it reads none.
func (f *finder) schemaOf(e ast.Expr, in scope) *schema.Schema {
	switch e.Kind() {
	case ast.IdentKind:
		return in[e.AsIdent()]
	case ast.SelectKind:
		s := f.schemaOf(e.AsSelect().Operand(), in)
		if s == nil || e.AsSelect().IsTestOnly() {
			return nil
		}
		name := e.AsSelect().FieldName()
		if raw, ok := kubecel.Unescape(name); ok {
			name = raw
		}
		if p := s.Property(name); p != nil {
			return p
		}
		return s.AdditionalProperties
	case ast.CallKind:
		call := e.AsCall()
		if call.FunctionName() != operators.Index {
			return nil
		}
		if s := f.schemaOf(call.Args()[0], in); s != nil && s.Items != nil {
			return s.Items
		} else if s != nil {
			return s.AdditionalProperties
		}
	}
	return nil
}

// mixedOf is the schema of an operand that may be an integer or a string, nil for others, and for those whose type the
// rule asks for.
func (f *finder) mixedOf(e ast.Expr, in scope) *schema.Schema {
	if s := f.schemaOf(e, in); isMixed(s) && !f.typed[f.source.Cut(e)] {
		return s
	}
	return nil
}

func isMixed(s *schema.Schema) bool { return s != nil && s.IntOrString != nil && s.IntOrString.V }

// isQuantity reports whether a schema has the pattern of quantities (k8s.io/apimachinery/pkg/api/resource), as
// controller-gen writes it.
func isQuantity(s *schema.Schema) bool {
	return s != nil && strings.Contains(s.Pattern.V, "([KMGTPE]i)|[numkMGTPE]")
}

// integerFails is what happens to an operation on text.
const integerFails = "for an integer, the API server rejects the object with \"no such overload\""

// ofQuantities are the methods of quantities, ofText those of strings that no other type of CEL has, and fromText the
// functions that only take a string.
var (
	ofQuantities = []string{
		"isGreaterThan", "isLessThan", "compareTo", "add", "sub", "asInteger", "isInteger", "asApproximateFloat", "sign",
	}
	ofText = []string{
		"startsWith", "endsWith", "contains", "matches", "size", "lowerAscii", "upperAscii", "replace", "split",
		"substring", "trim", "indexOf", "lastIndexOf", "find", "findAll", "charAt",
	}
	fromText = []string{"quantity", "isQuantity", "url", "isURL", "ip", "isIP", "cidr", "isCIDR", "semver", "isSemver"}
)

func (f *finder) call(e ast.Expr, in scope) {
	call := e.AsCall()
	args := call.Args()
	name := call.FunctionName()
	switch {
	case call.IsMemberFunction() && slices.Contains(ofQuantities, name):
		if s := f.schemaOf(call.Target(), in); isMixed(s) {
			target := f.source.Cut(call.Target())
			f.report(call.Target(), mixed, fmt.Sprintf("%s needs a quantity, but %s is an integer or a string", name, target),
				"the API server rejects every object with \"no such overload\"", asQuantity(target))
		}
	case call.IsMemberFunction() && slices.Contains(ofText, name):
		if f.mixedOf(call.Target(), in) != nil {
			target := f.source.Cut(call.Target())
			f.report(call.Target(), mixed, fmt.Sprintf("%s needs a string, but %s may be an integer", name, target),
				integerFails, "string("+target+")")
		}
	case len(args) == 1 && !call.IsMemberFunction() && slices.Contains(fromText, name):
		if f.mixedOf(args[0], in) != nil {
			value := f.source.Cut(args[0])
			f.report(args[0], mixed, fmt.Sprintf("%s needs a string, but %s may be an integer", name, value),
				integerFails, "string("+value+")")
		}
	case len(args) == 2:
		f.comparison(e, name, args[0], args[1], in)
	}
}

func asQuantity(text string) string { return "quantity(string(" + text + "))" }

var symbols = map[string]string{
	operators.Less: "<", operators.LessEquals: "<=", operators.Greater: ">", operators.GreaterEquals: ">=",
	operators.Equals: "==", operators.NotEquals: "!=",
}

// withUnit matches a number with a unit of quantities.
var withUnit = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([KMGTPE]i|[numkMGTPE])$`)

func (f *finder) comparison(e ast.Expr, function string, a, b ast.Expr, in scope) {
	symbol := symbols[function]
	if symbol == "" {
		return
	}
	isOrder := symbol != "==" && symbol != "!="
	left, right := f.mixedOf(a, in), f.mixedOf(b, in)
	literal, of := text(b), a
	if literal == "" {
		literal, of = text(a), b
	}
	x, y := f.source.Cut(a), f.source.Cut(b)
	switch {
	case left == nil && right == nil:
		if isOrder && literal != "" && f.isText(a) && f.isText(b) && f.schemaOf(of, in) != nil {
			f.textual(e, symbol, a, b, literal)
		}
	case isQuantity(left) || isQuantity(right):
		if !isOrder && literal == "" {
			return // two quantities, or one and a number, may be meant to be written in the same way
		}
		quantity := func(e ast.Expr, text string) string {
			if e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == types.StringType {
				return "quantity(" + text + ")"
			}
			return asQuantity(text)
		}
		f.report(e, mixed, fmt.Sprintf("%s does not compare the values of quantities", symbol),
			"a quantity is an integer or a string: strings are compared as text, and integers only with numbers",
			fmt.Sprintf("%s.compareTo(%s) %s 0", quantity(a, x), quantity(b, y), symbol))
	case isOrder && literal != "":
		f.report(e, mixed, fmt.Sprintf("%s may be an integer, which cannot be compared with a string", f.source.Cut(of)),
			"strings are compared as text", "")
	case isOrder && left != nil && right != nil:
		f.report(e, mixed, fmt.Sprintf("%s and %s may be an integer and a string, which cannot be compared", x, y),
			"the API server then rejects the object with \"no such overload\"", "")
	case isOrder:
		value := x
		if right != nil {
			value = y
		}
		f.report(e, mixed, fmt.Sprintf("%s may be a string, which cannot be compared with a number", value),
			"for a string, the API server rejects the object with \"no such overload\"",
			fmt.Sprintf("(type(%s) == string || %s %s %s)", value, x, symbol, y))
	}
}

// textual reports an order of texts, one of which is a literal that means a duration or a quantity.
func (f *finder) textual(e ast.Expr, symbol string, a, b ast.Expr, literal string) {
	x, y := f.source.Cut(a), f.source.Cut(b)
	if _, err := time.ParseDuration(literal); err == nil && strings.ContainsAny(literal, "smhnuµ") {
		f.report(e, textual, fmt.Sprintf("%s compares the text of durations", symbol), "",
			fmt.Sprintf("duration(%s) %s duration(%s)", x, symbol, y))
	} else if withUnit.MatchString(literal) {
		f.report(e, textual, fmt.Sprintf("%s compares the text of quantities", symbol), "",
			fmt.Sprintf("quantity(%s).compareTo(quantity(%s)) %s 0", x, y, symbol))
	}
}

func (f *finder) report(e ast.Expr, check *diag.Check, message, note, instead string) {
	if first, last, ok := f.source.Span(e); ok {
		start, end := f.source.Bytes(first, last)
		f.issues = append(f.issues, issue{check, message, note, start, end, instead})
	}
}

func (f *finder) isText(e ast.Expr) bool {
	t := f.types[e.ID()]
	return t != nil && t.Kind() == types.StringKind
}

// text is the value of a literal of text, "" for other expressions.
func text(e ast.Expr) string {
	if e.Kind() == ast.LiteralKind && e.AsLiteral().Type() == types.StringType {
		return string(e.AsLiteral().(types.String))
	}
	return ""
}
