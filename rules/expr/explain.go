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
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

// maxListed is how many names a note lists before it stops.
const maxListed = 30

// crashes begins the message about an expression on which the compiler panics.
const crashes = "the API server's CEL compiler panics: "

// compileError restates an error of the type checker, with the types and the names that it is about.
func compileError(e *expression, seen *inspection, issue *common.Error) diag.Diagnostic {
	d := diag.Errorf(e.tokenAt(issue), compileFault, "%s", issue.Message)
	expr := seen.exprs[issue.ExprID]
	switch {
	case strings.HasPrefix(issue.Message, crashes):
		d.Span, d.AlsoPaths = e.text.At, []string{""} // the API server's own error has no path
		d.HelpText = "rewrite it: for example, an optional list entry cannot have the type dyn"
	case strings.HasPrefix(issue.Message, "undefined field "):
		undefinedField(e, seen, issue, &d)
	case strings.HasPrefix(issue.Message, "undeclared reference to "):
		undeclared(e, seen, issue, &d)
	case lacksOptional(e, seen, issue):
		d.Span = e.atFunction(issue, expr.AsCall().FunctionName())
		d.Message = fmt.Sprintf("oldSelf has no function %q without optionalOldSelf", expr.AsCall().FunctionName())
		d.HelpText = check.In(e.text.At).Choose("add optionalOldSelf=true to the marker",
			"add optionalOldSelf: true to the rule")
	case strings.HasPrefix(issue.Message, "found no matching overload ") && expr != nil && expr.Kind() == ast.CallKind:
		noOverload(e, seen, issue, &d)
	case strings.HasPrefix(issue.Message, "type '") &&
		strings.HasSuffix(issue.Message, "' does not support field selection"):
		if expr != nil && expr.Kind() == ast.SelectKind {
			d.Message = fmt.Sprintf("%s has no field %q",
				typeName(seen.types[expr.AsSelect().Operand().ID()]), expr.AsSelect().FieldName())
		}
	case strings.HasPrefix(issue.Message, "invalid ") && strings.HasSuffix(issue.Message, " argument"):
		invalidLiteral(seen, issue, &d)
	case strings.HasPrefix(issue.Message, "expected type '"):
		d.Message = selfTypes.ReplaceAllString(issue.Message, "object")
	}
	d.Message = selfTypes.ReplaceAllString(d.Message, "self")
	return d
}

// invalidLiteral explains why a string in the rule is not a regular expression, duration or timestamp, which the
// compiler does not report.
func invalidLiteral(seen *inspection, issue *common.Error, d *diag.Diagnostic) {
	function := strings.TrimSuffix(strings.TrimPrefix(issue.Message, "invalid "), " argument")
	literal := seen.exprs[issue.ExprID]
	if literal == nil || literal.Kind() != ast.LiteralKind {
		return
	}
	text, ok := literal.AsLiteral().Value().(string)
	if !ok {
		return
	}
	switch function {
	case "matches":
		d.Message = fmt.Sprintf("invalid regular expression %q", text)
		if _, err := regexp.Compile(text); err != nil {
			d.Notes = append(d.Notes, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		d.HelpText = "use RE2 syntax, which has no lookahead, lookbehind or backreferences"
	case "duration":
		d.Message, d.HelpText = fmt.Sprintf("invalid duration %q", text), "use a duration such as 1h30m, 10s or 100ms"
	case "timestamp":
		d.Message, d.HelpText = fmt.Sprintf("invalid timestamp %q", text), "use a timestamp such as "+
			"2024-01-31T12:00:00Z"
	}
}

var selfTypes = regexp.MustCompile(`\b` + selfType + `\b`)

// undefinedField lists the fields that exist.
func undefinedField(e *expression, seen *inspection, issue *common.Error, d *diag.Diagnostic) {
	name := quotedName(issue.Message)
	d.Message = fmt.Sprintf("undefined field %q", name)
	operand := operandOf(seen.exprs[issue.ExprID])
	if operand == nil {
		return
	}
	fields := seen.fields(seen.types[operand.ID()])
	if len(fields) == 0 {
		d.Notes = append(d.Notes, typeName(seen.types[operand.ID()])+
			" has no fields that CEL can access; rules cannot read unknown fields that are preserved")
		if isMetadata := strings.HasSuffix(shown(operand), ".metadata"); isMetadata &&
			slices.Contains([]string{"annotations", "finalizers", "labels", "name", "namespace"}, name) {
			d.HelpText = check.In(e.text.At).Choose("run with crd:generateEmbeddedObjectMeta=true, or "+
				"describe the embedded metadata with +crdproof:embeddedObjectMeta", "declare its fields in the schema")
		}
		return
	}
	d.Notes = append(d.Notes, "fields of "+shown(operand)+": "+listed(fields))
	start := offset(e.text.V, issue.Location)
	if escaped := escapedField(e.text.V[start:], fields); escaped != "" {
		d.Span = e.text.Range(start+len("."), nameEnd(e, seen, issue))
		d.Notes = append(d.Notes, fmt.Sprintf("CEL reads %q as an operator", separatorOf(escaped)))
		*d = d.Write(escaped)
		return
	}
	if near := diag.Near(name, fields); near != "" {
		*d = d.Meant(near)
	}
}

// nameEnd returns the end of a name whose first part CEL reads as an undefined field and whose rest as operators; 0 for
// all other issues.
func nameEnd(e *expression, seen *inspection, issue *common.Error) int {
	operand := operandOf(seen.exprs[issue.ExprID])
	if operand == nil || !strings.HasPrefix(issue.Message, "undefined field ") {
		return 0
	}
	start := offset(e.text.V, issue.Location)
	escaped := escapedField(e.text.V[start:], seen.fields(seen.types[operand.ID()]))
	raw, ok := kubecel.Unescape(escaped)
	if escaped == "" || !ok {
		return 0
	}
	return start + len(".") + len(raw)
}

// operandOf returns what a field is selected from.
func operandOf(e ast.Expr) ast.Expr {
	switch {
	case e == nil:
		return nil
	case e.Kind() == ast.SelectKind:
		return e.AsSelect().Operand()
	case e.Kind() == ast.CallKind && len(e.AsCall().Args()) == 2: // .?field
		return e.AsCall().Args()[0]
	}
	return nil
}

// escapedField finds the field whose unescaped name begins a text, such as a-b, which CEL reads as a difference.
func escapedField(text string, fields []string) string {
	text = strings.TrimLeft(text, ".?")
	best, length := "", 0
	for _, f := range fields {
		if raw, ok := kubecel.Unescape(f); ok && raw != f && len(raw) > length && strings.HasPrefix(text, raw) {
			best, length = f, len(raw)
		}
	}
	return best
}

func separatorOf(escaped string) string {
	for _, s := range [][2]string{{"__dash__", "-"}, {"__slash__", "/"}, {"__dot__", "."}} {
		if strings.Contains(escaped, s[0]) {
			return s[1]
		}
	}
	return "__"
}

// undeclared suggests what was meant by an undeclared name.
func undeclared(e *expression, seen *inspection, issue *common.Error, d *diag.Diagnostic) {
	name := quotedName(issue.Message)
	variables, functions := seen.names(issue.ExprID)
	expr := seen.exprs[issue.ExprID]
	if expr != nil && expr.Kind() == ast.CallKind {
		d.Message = fmt.Sprintf("unknown function %q", name)
		d.Span = e.atFunction(issue, name)
		if name == "len" || name == "length" || name == "count" {
			*d = d.Meant("size")
			return
		}
		if near := diag.Near(name, functions); near != "" {
			*d = d.Meant(near)
		}
		return
	}
	d.Message = fmt.Sprintf("undeclared name %q", name)
	if slices.Contains([]string{"math", "base64", "cel"}, name) {
		d.Notes = append(d.Notes, "API servers do not provide the functions of "+name)
		return
	}
	d.Notes = append(d.Notes, "available names: "+listed(variables))
	fields := seen.fields(e.envs.decl.CelType())
	if near := diag.Near(name, append(variables, "true", "false", "null")); near != "" {
		*d = d.Meant(near)
	} else if slices.Contains(fields, name) {
		d.HelpText = "write self." + name
	} else if near := diag.Near(name, fields); near != "" {
		*d = d.Meant("self." + near)
	}
}

// lacksOptional reports whether an issue is about a function of optionals on oldSelf in a rule without optionalOldSelf.
func lacksOptional(e *expression, seen *inspection, issue *common.Error) bool {
	expr := seen.exprs[issue.ExprID]
	if e.optional || e.part != partRule || expr == nil || expr.Kind() != ast.CallKind ||
		!strings.HasPrefix(issue.Message, "found no matching overload ") {
		return false
	}
	call := expr.AsCall()
	isFunction := slices.Contains([]string{"hasValue", "value", "or", "orValue"}, call.FunctionName())
	return isFunction && call.IsMemberFunction() && call.Target().Kind() == ast.IdentKind &&
		call.Target().AsIdent() == apicel.OldScopedVarName
}

// lacking reports what servers before a version do not know.
func lacking(e *expression, issue *common.Error, first kube.Minor) diag.Diagnostic {
	start := offset(e.text.V, issue.Location)
	what := quotedName(issue.Message)
	if what == "" || strings.HasPrefix(issue.Message, "Syntax error") ||
		strings.HasPrefix(issue.Message, "unsupported syntax") {
		what = token(e.text.V[start:])
	}
	if strings.HasPrefix(what, ".?") {
		what = ".?"
	}
	if strings.HasPrefix(issue.Message, untyped) {
		return diag.Errorf(e.tokenAt(issue), tooNew, "the target of optMap or optFlatMap contains a value of no "+
			"certain type, which requires Kubernetes %s, but the CRD must work on %s", first, e.versions).
			Help("rewrite the %s without it, or drop older versions with %s", e.part, e.from(first))
	}
	d := diag.Errorf(e.text.Range(start, start+len(token(e.text.V[start:]))), tooNew,
		"%q requires Kubernetes %s, but the CRD must work on %s", what, first, e.versions)
	isMacro := slices.Contains([]string{"all", "exists", "exists_one", "existsOne", "map", "filter"}, what)
	if isMacro || strings.HasPrefix(issue.Message, "found no matching overload") {
		d.Message = fmt.Sprintf("%q with these arguments requires Kubernetes %s, but the CRD must work on %s",
			nameOf(what), first, e.versions)
	}
	if strings.HasPrefix(e.text.V[start:], "(") {
		d.Span = e.atFunction(issue, what)
	}
	if escaped, ok := kubecel.Escape(what); ok && escaped != what {
		d.Span = e.tokenAt(issue)
		return d.Write(escaped)
	} else if first <= kube.Latest() {
		return d.Help("rewrite the %s without it, or drop older versions with %s", e.part, e.from(first))
	}
	return d.Help("rewrite the %s without it", e.part)
}

// untyped begins the message about a value that is checked twice, with another type the second time
// (kube.OptionalMacros).
const untyped = "incompatible type already exists"

// from returns the option for the versions of the range from one on.
func (e *expression) from(first kube.Minor) string {
	return check.In(e.text.At).Kube(kube.Range{First: first, Last: max(first, e.versions.Last)}.String())
}

// nameOf returns a function's name as it is written.
func nameOf(function string) string {
	if operator := operatorOf(function); operator != "" {
		return operator
	}
	return function
}

func lastName(field string) string {
	field = strings.TrimRight(field, "[]*")
	return field[strings.LastIndexByte(field, '.')+1:]
}

// quotedName returns the first name in single quotes.
func quotedName(message string) string {
	_, rest, _ := strings.Cut(message, "'")
	name, _, _ := strings.Cut(rest, "'")
	return name
}

// listed joins names for a note.
func listed(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + fmt.Sprintf(", and %d more", len(names)-maxListed)
	}
	return strings.Join(names, ", ")
}

// shown returns an expression as a short text: paths as they are written, and a word for anything else.
func shown(e ast.Expr) string {
	switch e.Kind() {
	case ast.IdentKind:
		return e.AsIdent()
	case ast.SelectKind:
		return shown(e.AsSelect().Operand()) + "." + e.AsSelect().FieldName()
	case ast.CallKind:
		if call := e.AsCall(); call.FunctionName() == "_[_]" {
			return shown(call.Args()[0]) + "[…]"
		}
	}
	return "it"
}
