package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

// maxListed is how many names a note lists before it stops.
const maxListed = 30

// syntaxError restates what the parser says first. What it expected is a list of all tokens there are, which helps
// nobody.
func syntaxError(e *expression, issue *common.Error) diag.Diagnostic {
	message, _, _ := strings.Cut(strings.TrimPrefix(issue.Message, "Syntax error: "), " expecting ")
	d := diag.Errorf(e.at(issue), compileFault, "syntax error: %s", message)
	start := offset(e.text.V, issue.Location)
	rest := e.text.V[start:]
	switch {
	case strings.IndexAny(rest, "“”‘’") == 0:
		d.HelpText = "this is a typographic quotation mark, as gofmt makes of '' in a comment; " +
			"write '…' or \"…\" around strings"
	case strings.HasPrefix(rest, "&&&") || strings.HasPrefix(rest, "& ") ||
		strings.HasPrefix(message, "token recognition error at: '& "):
		d.HelpText = "and is written &&"
	case strings.HasPrefix(message, "token recognition error") && badEscape(rest):
		d.HelpText = "CEL does not know this escape: write r'…' around a regular expression, or double each backslash"
	case strings.HasPrefix(message, "token recognition error") && strings.Count(rest, rest[:1])%2 == 1 &&
		(rest[0] == '\'' || rest[0] == '"'):
		d.HelpText = "the closing quotation mark is missing"
	case strings.HasPrefix(rest, "= ") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="):
		d.HelpText = "equality is written =="
	case strings.Contains(message, "'<EOF>'"):
		d.Message = "syntax error: the " + e.part + " ends too early"
		if open := strings.Count(e.text.V, "(") - strings.Count(e.text.V, ")"); open > 0 {
			d.HelpText = "a closing parenthesis is missing"
		}
	case strings.HasPrefix(issue.Message, "invalid argument to has() macro"):
		d.Message = message
		d.HelpText = "has() asks for a field, as in has(self.field); of a map write 'key' in self.map"
	case strings.HasPrefix(rest, "and ") || strings.HasPrefix(rest, "or ") || strings.HasPrefix(rest, "not "):
		d.HelpText = "write && for and, || for or, ! for not"
	}
	if d.HelpText == "" {
		d.HelpText = keywordHelp(e.text.V, start)
	}
	return d
}

// badEscape reports whether a text begins with a string in which a backslash stands before a letter that is no escape.
func badEscape(text string) bool {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return false
	}
	for i := 1; i+1 < len(text) && text[i] != text[0]; i++ {
		if text[i] == '\\' {
			if !strings.ContainsRune(`abfnrtv\\?"'`+"`"+`xXuU01234567`, rune(text[i+1])) {
				return true
			}
			i++
		}
	}
	return false
}

// keywordHelp shows how a field is written whose name is a word of CEL's own.
func keywordHelp(text string, start int) string {
	word := strings.TrimPrefix(token(text[start:]), ".")
	escaped, ok := kubecel.Escape(word)
	if !ok || escaped == word || start == 0 || text[start] != '.' && text[start-1] != '.' {
		return ""
	}
	return fmt.Sprintf("%q is a word of CEL; the field is written %s", word, escaped)
}

// crashes begins what is said of an expression on which the compiler panics.
const crashes = "the API server's CEL compiler crashes on it: "

// compileError says what the type checker says, with the types and the names that it is about.
func compileError(e *expression, seen *inspection, issue *common.Error) diag.Diagnostic {
	d := diag.Errorf(e.at(issue), compileFault, "%s", issue.Message)
	expr := seen.exprs[issue.ExprID]
	switch {
	case strings.HasPrefix(issue.Message, crashes):
		d.Span, d.AlsoPaths = e.text.At, []string{""} // the API server's own refusal has no path
		d.HelpText = "write it in another way: an optional entry of a list cannot be of type dyn, for one"
	case strings.HasPrefix(issue.Message, "undefined field "):
		undefinedField(e, seen, issue, &d)
	case strings.HasPrefix(issue.Message, "undeclared reference to "):
		undeclared(e, seen, issue, &d)
	case strings.HasPrefix(issue.Message, "found no matching overload ") && expr != nil && expr.Kind() == ast.CallKind:
		noOverload(seen, expr, &d)
	case strings.HasPrefix(issue.Message, "type '") &&
		strings.HasSuffix(issue.Message, "' does not support field selection"):
		if expr != nil && expr.Kind() == ast.SelectKind {
			d.Message = fmt.Sprintf("%s has no fields, so that there is no %q",
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

// invalidLiteral says why a text in the rule is no regular expression, duration or timestamp, which the compiler keeps
// to itself.
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
		d.Message = fmt.Sprintf("%q is no regular expression", text)
		if _, err := regexp.Compile(text); err != nil {
			d.Notes = append(d.Notes, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		d.HelpText = "write it in the syntax of RE2, which cannot look ahead or back and has no back references"
	case "duration":
		d.Message, d.HelpText = fmt.Sprintf("%q is no duration", text), "write one such as 1h30m, 10s or 100ms"
	case "timestamp":
		d.Message, d.HelpText = fmt.Sprintf("%q is no timestamp", text), "write one such as 2024-01-31T12:00:00Z"
	}
}

var selfTypes = regexp.MustCompile(`\b` + selfType + `\b`)

// undefinedField lists the fields that there are.
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
			" has no fields that CEL sees; what is only preserved as unknown is invisible to rules")
		return
	}
	d.Notes = append(d.Notes, "in scope on "+shown(operand)+": "+listed(fields))
	start := offset(e.text.V, issue.Location)
	if escaped := escapedField(e.text.V[start:], fields); escaped != "" {
		d.HelpText = fmt.Sprintf("CEL reads %q as an operator; write %s", separatorOf(escaped), escaped)
		return
	}
	if near := diag.Near(name, fields); near != "" {
		d.HelpText = diag.Meant(near)
	}
}

// nameEnd is where the name ends that an undefined field is but the first part of, since CEL reads the rest as
// operators; 0 for all other issues.
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

// operandOf is what a field is selected from.
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

// escapedField finds the field whose unescaped name stands at the beginning of a text, such as a-b, which CEL takes for
// a difference.
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

// undeclared names what may have been meant by a name that stands alone.
func undeclared(e *expression, seen *inspection, issue *common.Error, d *diag.Diagnostic) {
	name := quotedName(issue.Message)
	variables, functions := seen.names(issue.ExprID)
	expr := seen.exprs[issue.ExprID]
	if expr != nil && expr.Kind() == ast.CallKind {
		d.Message = fmt.Sprintf("there is no function %q", name)
		if name == "len" || name == "length" || name == "count" {
			d.HelpText = "the number of items or characters is size(…), or ….size()"
			return
		}
		if near := diag.Near(name, functions); near != "" {
			d.HelpText = diag.Meant(near)
		}
		return
	}
	d.Message = fmt.Sprintf("undeclared name %q", name)
	if slices.Contains([]string{"math", "base64", "cel"}, name) {
		d.HelpText = "no API server has the functions of " + name
		return
	}
	d.Notes = append(d.Notes, "in scope: "+listed(variables))
	fields := seen.fields(e.envs.decl.CelType())
	if near := diag.Near(name, append(variables, "true", "false", "null")); near != "" {
		d.HelpText = diag.Meant(near)
	} else if slices.Contains(fields, name) {
		d.HelpText = "fields are read from self: write self." + name
	} else if near := diag.Near(name, fields); near != "" {
		d.HelpText = "fields are read from self; did you mean self." + near + "?"
	}
}

// noOverload names the types that an operator or a function was given, and those that it takes.
func noOverload(seen *inspection, expr ast.Expr, d *diag.Diagnostic) {
	call := expr.AsCall()
	var given []string
	for _, arg := range operands(expr) {
		given = append(given, typeName(seen.types[arg.ID()]))
	}
	name := call.FunctionName()
	if operator := operatorOf(name); operator != "" {
		d.Message = fmt.Sprintf("operator %q does not apply to %s", operator, strings.Join(given, " and "))
		d.HelpText = conversion(operator, given)
		if field := indexedField(call); operator == "[]" && field != "" {
			d.HelpText = "fields of objects are read by name: write ." + field
		}
		return
	}
	if call.IsMemberFunction() {
		d.Message = fmt.Sprintf("%s has no function %q for (%s)", given[0], name, strings.Join(given[1:], ", "))
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
		d.Notes = append(d.Notes, "there is "+listed(slices.Compact(forms)))
	}
}

// indexedField is how the field is written that an object is asked for like a map, as in self['my-field'].
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

// operatorOf is how an operator is written, "" for functions.
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

// conversion shows how two operands come to be of one type.
func conversion(operator string, given []string) string {
	if len(given) != 2 || operator == "in" || operator == "[]" {
		return ""
	}
	has := func(a, b string) bool {
		return given[0] == a && given[1] == b || given[0] == b && given[1] == a
	}
	switch {
	case operator == "+" && has("int", "string"):
		return "write the number into the text, as in 'at %d'.format([…]): " +
			"string(…) has no bound that its cost could be estimated by"
	case has("int", "string"):
		return "convert the string with int(…), or the integer with string(…)"
	case has("int", "double"):
		return "convert the integer with double(…)"
	case has("bool", "string"):
		return "write true or false without quotation marks"
	case has("timestamp", "string"):
		return "make a timestamp of the text with timestamp(…)"
	case has("duration", "string"):
		return "make a duration of the text with duration(…)"
	case has("quantity", "string"), has("semver", "string"):
		kind := given[0]
		if kind == "string" {
			kind = given[1]
		}
		const help = "make a %s of the text with %s(…), and compare with isLessThan, isGreaterThan or =="
		return fmt.Sprintf(help, kind, kind)
	case slices.Contains(given, "null"):
		return "absent fields are not null; ask with has(…)"
	case strings.HasPrefix(given[0], "optional ") || strings.HasPrefix(given[1], "optional "):
		return "take the value out of the optional with .orValue(…) or .value()"
	}
	return ""
}

// lacking names what servers before a version lack.
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
	d := diag.Errorf(e.at(issue), tooNew,
		"%q is known from Kubernetes %s on, and the CRD is for %s", what, first, e.versions)
	isMacro := slices.Contains([]string{"all", "exists", "exists_one", "existsOne", "map", "filter"}, what)
	if isMacro || strings.HasPrefix(issue.Message, "found no matching overload") {
		d.Message = fmt.Sprintf("%q takes these arguments from Kubernetes %s on, and the CRD is for %s",
			nameOf(what), first, e.versions)
	}
	if escaped, ok := kubecel.Escape(what); ok && escaped != what {
		return d.Help("write %s, which all versions know", escaped)
	} else if first <= kube.Latest() {
		return d.Help("write the %s without it, or leave out older versions with %skube=%s", e.part,
			check.In(e.text.At).Choose("crd:", "--"), kube.Range{First: first, Last: max(first, e.versions.Last)})
	}
	return d.Help("write the %s without it", e.part)
}

// nameOf is a function's name as it is written.
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

// quotedName is the first name in single quotes.
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

// shown is an expression as a short text: paths as they are written, all else by a word.
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
