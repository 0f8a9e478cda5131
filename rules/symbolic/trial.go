package symbolic

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types/ref"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

// values are what a person may write in a field by mistake, and texts of its pattern that the function does not read.
func (t errorTrial) values(p *place) (out []any) {
	name := t.part.AsCall().FunctionName()
	switch {
	case p.schema.Type == "integer" && failsForNumbers(name):
		for _, n := range t.numbers(p) {
			out = append(out, n)
		}
	case p.schema.Type == "array" && (name == "min" || name == "max" || name == operators.Index):
		out = append(out, []any{})
	case p.schema.Type == "string" || p.schema.XIntOrString:
		if len(trialsOf(name)) == 0 {
			return nil
		}
		if v := p.schema.ValueValidation; v != nil && len(v.Enum) > 0 {
			for _, e := range v.Enum {
				out = append(out, e.Object)
			}
			return out
		}
		for _, text := range slices.Concat(trialsOf(name), t.words(p, name), t.texts()) {
			out = append(out, text)
		}
	}
	return out
}

// failsForNumbers reports whether an operator or a function fails for some integers.
func failsForNumbers(name string) bool {
	return slices.Contains([]string{operators.Divide, operators.Modulo, operators.Index, "substring", "charAt", "uint"},
		name)
}

// numbers are small ones, bounds of the field, and those that the rule names.
func (t errorTrial) numbers(p *place) []int64 {
	out := []int64{0, -1, 1, 10, 100}
	low, top := p.numbers()
	for _, bound := range []int64{low, top} {
		if -1e6 < bound && bound < 1e6 {
			out = append(out, bound)
		}
	}
	for _, e := range literals(t.part) {
		if n, ok := e.Value().(int64); ok {
			out = append(out, n, -n)
		}
	}
	return out
}

// textsOf are texts that the functions accept that a rule asks before it reads a text, and texts that it names.
func (m *model) textsOf(r *expr.Rule) (out []string) {
	root := r.Checked.NativeRep().Expr()
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind {
			out = append(out, accepted(e.AsCall().FunctionName())...)
		}
	}))
	for _, e := range literals(root) {
		text, ok := e.Value().(string)
		if !ok || int64(len(text)) > effort.SymbolicSize.Most {
			continue
		}
		out = append(out, text, text+"a")
		if p, err := regular.Compile(text, m.budget); err == nil {
			out = append(out, m.word(regular.Query{Match: []*regular.Pattern{p}, MaxLength: -1})...)
		}
	}
	return out
}

// literals are those in an expression.
func literals(root ast.Expr) (out []ref.Val) {
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.LiteralKind {
			out = append(out, e.AsLiteral())
		}
	}))
	return out
}

// accepted are texts for which a function is true.
func accepted(function string) []string {
	switch function {
	case "isQuantity":
		return []string{"1Gi", "1.5"}
	case "isURL":
		return []string{"https://example.com"}
	case "isIP":
		return []string{"10.0.0.1"}
	case "isCIDR":
		return []string{"10.0.0.0/8"}
	case "isSemver":
		return []string{"1.2.3"}
	}
	return nil
}

// MayFail reports whether an operator or a function fails for some values of its operands that a person may write.
func MayFail(function string) bool {
	return failsForNumbers(function) || function == "min" || function == "max" || len(trialsOf(function)) > 0
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
	case operators.Index: // of what a function makes of the text, such as split()
		return []string{"", "abc"}
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
	case "double":
		return `^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?$`
	case "duration":
		return schema.DurationPattern
	case "timestamp":
		return `^[0-9]{4}-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]([.][0-9]+)?` +
			`(Z|[+-][0-2][0-9]:[0-5][0-9])$`
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

// words returns texts of the pattern of a field: a short one, and one that a function cannot read.
func (t errorTrial) words(p *place, function string) []string {
	q, readable, ok := t.patterns(p, function)
	if !ok {
		return nil
	}
	short := t.m.word(q)
	if readable == nil {
		return short
	}
	q.Avoid = []*regular.Pattern{readable}
	return append(short, t.m.word(q)...)
}

// word returns a text, none if it takes too many steps to find one.
func (m *model) word(q regular.Query) []string {
	word, answer := regular.Find(q, effort.SymbolicText.N(), m.budget)
	if answer != regular.Found {
		return nil
	}
	return []string{word}
}

// neverReads reports whether the pattern of a field matches no text that the function of the part reads.
func (t errorTrial) neverReads(p *place) bool {
	function := t.part.AsCall().FunctionName()
	q, readable, ok := t.patterns(p, function)
	if !ok || readable == nil || t.key != function+"("+p.name+",)" {
		return false
	}
	q.Match = append(q.Match, readable)
	_, answer := regular.Find(q, effort.SymbolicText.N(), t.m.budget)
	return answer == regular.None
}

// patterns returns the texts that a field with a pattern may have, and those that a function reads if that is known.
func (t errorTrial) patterns(p *place, function string) (q regular.Query, readable *regular.Pattern, ok bool) {
	v := p.schema.ValueValidation
	if v == nil || v.Pattern == "" {
		return q, nil, false
	}
	match, err := regular.Compile(v.Pattern, t.m.budget)
	if text := ReadablePattern(function); text != "" && err == nil {
		readable, err = regular.Compile(text, t.m.budget)
	}
	low, top := p.lengths()
	q = regular.Query{Match: []*regular.Pattern{match}, MinLength: limited(low), MaxLength: limited(top)}
	return q, readable, err == nil
}
