package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
)

// noOverload names the types that an operator or a function was given, and those that it takes.
func noOverload(e *expression, seen *inspection, issue *common.Error, d *diag.Diagnostic) {
	expr := seen.exprs[issue.ExprID]
	call := expr.AsCall()
	var given []string
	for _, arg := range operands(expr) {
		given = append(given, typeName(seen.types[arg.ID()]))
	}
	name := call.FunctionName()
	if operator := operatorOf(name); operator != "" {
		d.Message = fmt.Sprintf("operator %q does not apply to %s", operator, strings.Join(given, " and "))
		d.HelpText = conversion(operator, given)
		if slices.Contains(given, "null") {
			presence(e, issue, d)
		}
		if field := indexedField(call); operator == "[]" && field != "" {
			start := offset(e.text.V, issue.Location)
			d.Span = e.text.Range(start, start+len(enclosed(e.text.V[start:], '[', ']')))
			*d = d.Write("." + field)
		}
		return
	}
	d.Span = e.atFunction(issue, name)
	if call.IsMemberFunction() {
		d.Message = fmt.Sprintf("%s has no function %q with arguments (%s)", given[0], name,
			strings.Join(given[1:], ", "))
		if len(given) == 1 {
			d.Message = fmt.Sprintf("%s has no function %q", given[0], name)
		}
	} else {
		d.Message = fmt.Sprintf("function %q does not apply to (%s)", name, strings.Join(given, ", "))
	}
	if f := seen.env.Functions()[name]; f != nil {
		var forms []string
		for _, o := range f.OverloadDecls() {
			var args []string
			for _, t := range o.ArgTypes() {
				args = append(args, typeName(t))
			}
			if o.IsMemberFunction() {
				forms = append(forms, fmt.Sprintf("%s.%s(%s)", args[0], name, strings.Join(args[1:], ", ")))
			} else {
				forms = append(forms, fmt.Sprintf("%s(%s)", name, strings.Join(args, ", ")))
			}
		}
		slices.Sort(forms)
		d.Notes = append(d.Notes, "available: "+listed(slices.Compact(forms)))
	}
}

// The operands of a comparison with null, before and after the operator.
var (
	pathBefore = regexp.MustCompile(`([A-Za-z_][\w.]*(?:\[[^\[\]]*\][\w.]*)*)\s*$`)
	pathAfter  = regexp.MustCompile(`^([A-Za-z_][\w.]*(?:\[[^\[\]]*\][\w.]*)*)`)
)

// presence suggests has() for a comparison with null, at the whole comparison.
func presence(e *expression, issue *common.Error, d *diag.Diagnostic) {
	at := offset(e.text.V, issue.Location)
	operator := token(e.text.V[at:])
	before := pathBefore.FindStringSubmatchIndex(e.text.V[:at])
	rest := strings.TrimLeft(e.text.V[at+len(operator):], " \t\r\n")
	after := pathAfter.FindString(rest)
	if before == nil || after == "" || operator != "==" && operator != "!=" {
		return
	}
	path := e.text.V[before[2]:before[3]]
	if path == "null" {
		path = after
	}
	dot := strings.LastIndexByte(path, '.')
	switch {
	case path == apicel.OldScopedVarName:
		d.HelpText = "remove the comparison: API servers run a rule with oldSelf only on updates"
	case dot > 0 && dot > strings.LastIndexByte(path, ']'):
		d.Span = e.text.Range(before[2], len(e.text.V)-len(rest)+len(after))
		*d = d.Write("has(" + path + ")")
		if operator == "==" {
			*d = d.Write("!has(" + path + ")")
		}
	}
}

// indexedField returns the name in CEL of a field that is read with brackets, as in self['my-field'].
func indexedField(call ast.CallExpr) string {
	if len(call.Args()) != 2 || call.Args()[1].Kind() != ast.LiteralKind {
		return ""
	}
	name, ok := call.Args()[1].AsLiteral().Value().(string)
	if escaped, escapable := kubecel.Escape(name); ok && escapable {
		return escaped
	}
	return ""
}

// operatorOf returns how an operator is written, "" for functions.
func operatorOf(function string) string {
	switch function {
	case "_?_:_":
		return "?:"
	case "_[_]":
		return "[]"
	case "@in":
		return "in"
	}
	if strings.Trim(function, "_") != function || function == "!_" || function == "-_" {
		return strings.Trim(function, "_")
	}
	return ""
}

// conversion suggests how to convert two operands to one type.
func conversion(operator string, given []string) string {
	if len(given) != 2 || operator == "in" || operator == "[]" {
		return ""
	}
	has := func(a, b string) bool {
		return given[0] == a && given[1] == b || given[0] == b && given[1] == a
	}
	switch {
	case operator == "+" && has("int", "string"):
		return "format the number, as in 'at %d'.format([self.port]): the cost of string() cannot be estimated"
	case has("int", "string"):
		return "convert the string with int(), or the integer with string()"
	case has("int", "double"):
		return "convert the integer with double()"
	case has("bool", "string"):
		return "write true or false without quotation marks"
	case has("timestamp", "string"):
		return "convert the string with timestamp()"
	case has("duration", "string"):
		return "convert the string with duration()"
	case has("quantity", "string"), has("semver", "string"):
		kind := given[0]
		if kind == "string" {
			kind = given[1]
		}
		return fmt.Sprintf("convert the string with %s(), and compare with isLessThan, isGreaterThan or ==", kind)
	case slices.Contains(given, "null"):
		return "use has() instead: an absent field is not null"
	case strings.HasPrefix(given[0], "optional ") || strings.HasPrefix(given[1], "optional "):
		return "get the value of the optional with .orValue() or .value()"
	}
	return ""
}
