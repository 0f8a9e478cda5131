package expr

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	kubecel "k8s.io/apiserver/pkg/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/internal/slips"
)

// A typed text is one that parses, with the types of its parts.
type typed struct {
	*expression
	text string
	seen *inspection
	out  []slips.Edit
}

// typedEdits are edits of a text that follow from the types of its parts.
func (e *expression) typedEdits(at attempt) []slips.Edit {
	env := e.envs.envFor(e.versions.Last, e.optional)
	parsed, issues := env.Parse(at.text)
	if issues.Err() != nil {
		return nil
	}
	t := &typed{expression: e, text: at.text, seen: inspect(env, e.envs.decl, parsed)}
	if at.stage == returns {
		t.truth(parsed.NativeRep().Expr())
		return t.out
	}
	t.keys()
	for _, issue := range at.issues[:min(len(at.issues), 3)] {
		expr := t.seen.exprs[issue.ExprID]
		switch {
		case expr == nil:
		case strings.HasPrefix(issue.Message, "undefined field "):
			t.field(expr, issue)
		case strings.HasPrefix(issue.Message, "expected type 'bool' but found"):
			t.condition(expr, issue)
		case strings.HasPrefix(issue.Message, "undeclared reference to ") && expr.Kind() == ast.IdentKind:
			t.name(expr, issue)
		case strings.HasPrefix(issue.Message, "undeclared reference to "):
			t.function(issue)
		case expr.Kind() == ast.CallKind:
			t.call(expr, issue)
		}
	}
	return t.out
}

// keys puts keys of maps in brackets that are written as fields.
func (t *typed) keys() {
	for _, m := range dottedKey.FindAllStringSubmatchIndex(t.text, -1) {
		path := t.text[m[2]:m[3]]
		for i, c := range path {
			if c == '.' && strings.ContainsAny(path[i:], "-/") {
				const words = "a key of a map that is not a name is in brackets"
				t.add(words, m[2]+i, m[3], "['"+path[i+1:]+"']")
			}
		}
	}
}

// dottedKey is a path with characters that CEL takes for operators.
var dottedKey = regexp.MustCompile(`(\bself(?:\.\w+)+(?:[-/.]\w+)*)`)

// condition asks a value whose truth is used whether it is one that other languages take for true.
func (t *typed) condition(e ast.Expr, issue *common.Error) {
	part, start, end, ok := slips.Condition(t.text, offset(t.text, issue.Location))
	if !ok {
		return
	}
	typ := t.seen.types[e.ID()]
	for _, asked := range truthOf(part, typ) {
		t.add(fmt.Sprintf("%s is %s, not a condition", part, typeName(typ)), start, end, asked)
	}
}

// add adds an edit that replaces some bytes.
func (t *typed) add(words string, start, end int, text string) {
	t.out = append(t.out, slipOf(words, start, end, t.text[:start]+text+t.text[end:]))
}

// field corrects the name of a field.
func (t *typed) field(e ast.Expr, issue *common.Error) {
	operand := operandOf(e)
	if operand == nil {
		return
	}
	name, start := quotedName(issue.Message), offset(t.text, issue.Location)
	fields := t.seen.fields(t.seen.types[operand.ID()])
	at := start + strings.Index(t.text[start:], name)
	if escaped := escapedField(t.text[start:], fields); escaped != "" {
		raw, _ := kubecel.Unescape(escaped)
		t.add("", at, at+len(raw), escaped)
	}
	if similar := similarName(name, fields); similar != "" {
		t.add("", at, at+len(name), similar)
	}
}

// similarName returns the name that differs in case or separators alone, or else the nearest one.
func similarName(name string, names []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", "dash", "").Replace(s))
	}
	if i := slices.IndexFunc(names, func(other string) bool { return plain(other) == plain(name) }); i >= 0 {
		return names[i]
	}
	return diag.Near(name, names)
}

// name corrects a name that is not declared: a field without self, or a string without quotation marks.
func (t *typed) name(e ast.Expr, issue *common.Error) {
	name, start := quotedName(issue.Message), offset(t.text, issue.Location)
	end := start + len(name)
	variables, _ := t.seen.names(issue.ExprID)
	if fields := t.seen.fields(t.envs.decl.CelType()); slices.Contains(fields, name) {
		t.add(fmt.Sprintf("%q is a field: a path begins with self", name), start, end, "self."+name)
	}
	isAbsent := slices.Contains([]string{"nil", "none", "null", "nullptr", "undefined"}, strings.ToLower(name))
	rest := t.text[start:]
	if after := strings.TrimPrefix(rest, name); !isAbsent && after != rest && !strings.HasPrefix(after, ".") {
		whole := wordAt.FindString(rest)
		t.add(fmt.Sprintf("undeclared name %q: a text is in quotation marks", name),
			start, start+len(whole), "'"+whole+"'")
	}
	if near := diag.Near(name, append(variables, "true", "false", "null")); near != "" {
		t.add("", start, end, near)
	}
}

// wordAt is a text that people write without quotation marks.
var wordAt = regexp.MustCompile(`^\w+(?:-\w+)*`)

// function corrects the name of a function.
func (t *typed) function(issue *common.Error) {
	_, functions := t.seen.names(issue.ExprID)
	name := quotedName(issue.Message)
	at := strings.LastIndex(t.text[:offset(t.text, issue.Location)], name)
	if near := similarName(name, functions); near != "" && at >= 0 {
		t.add("", at, at+len(name), near)
	}
}

// call corrects an operator whose operands do not fit.
func (t *typed) call(e ast.Expr, issue *common.Error) {
	call := e.AsCall()
	start := offset(t.text, issue.Location)
	operator := operatorOf(call.FunctionName())
	var given []*types.Type
	for _, arg := range operands(e) {
		given = append(given, t.seen.types[arg.ID()])
	}
	switch operator {
	case "&&", "||":
		if left, right, from, to, ok := slips.Around(t.text, start, true); ok {
			t.truths(left, right, from, to, operator, given)
		}
	case "!":
		t.truthAfter(start, given)
	case "in":
		if left, right, from, to, ok := slips.Around(t.text, start, false); ok && len(given) == 2 {
			t.contains(left, right, from, to, given)
		}
	case "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%":
		if left, right, from, to, ok := slips.Around(t.text, start, false); ok && len(given) == 2 {
			t.operands(left, right, from, to, operator, given)
		}
	case "":
		t.member(call, issue)
	}
}

// member corrects the name of a function that its value does not have.
func (t *typed) member(call ast.CallExpr, issue *common.Error) {
	name := call.FunctionName()
	functions := []string{"contains", "startsWith", "endsWith", "matches", "size"}
	if near := similarName(name, functions); near != "" && near != name {
		at := strings.LastIndex(t.text[:offset(t.text, issue.Location)], name)
		t.add("", max(at, 0), max(at, 0)+len(name), near)
	}
	if call.IsMemberFunction() {
		target := call.Target()
		typ := t.seen.types[target.ID()]
		at := strings.LastIndex(t.text[:offset(t.text, issue.Location)], "."+name)
		if at >= 0 && typ != nil && typ.Kind() == types.StructKind {
			for _, field := range t.keyFields(typ) {
				t.add("the value is an object: use one of its fields", at, at, "."+field)
			}
		}
	}
}

// contains corrects a text that is looked up in a list of objects, in a list of another type, or in a text.
func (t *typed) contains(left, right string, start, end int, given []*types.Type) {
	const words = "the list has objects: compare one of their fields"
	t.fieldsOf(left, given[0], start, start+len(left))
	switch list := given[1]; {
	case list == nil:
	case list.Kind() == types.StringKind:
		t.add("in looks into lists and maps: a text has contains()", start, end, right+".contains("+left+")")
	case list.Kind() == types.ListKind:
		for _, field := range t.keyFields(list.Parameters()[0]) {
			t.add(words, start, end, right+".exists(x, x."+field+" == "+left+")")
		}
		t.add("in looks for one item", start, end, left+".all(x, x in "+right+")")
	case list.Kind() == types.StructKind && isQuoted(left):
		if escaped, ok := kubecel.Escape(unquote(left)); ok {
			t.add("in looks into lists and maps: a field has has()", start, end, "has("+right+"."+escaped+")")
		}
	}
	for _, literal := range otherLiterals(left) {
		t.add(fmt.Sprintf("%s is not of the type of the items", left), start, end, literal+" in "+right)
	}
}

// fieldsOf reads a field of an object that is used as a scalar.
func (t *typed) fieldsOf(object string, typ *types.Type, start, end int) {
	if typ == nil || typ.Kind() != types.StructKind || t.text[start:end] != object {
		return
	}
	for _, field := range t.keyFields(typ) {
		t.add(object+" is an object: compare one of its fields", start, end, object+"."+field)
	}
}

// keyFields are the fields that tell objects apart, the likeliest first.
func (t *typed) keyFields(item *types.Type) []string {
	fields := t.seen.fields(item)
	var out []string
	for _, name := range []string{"name", "key", "id", "type", "value"} {
		if slices.Contains(fields, name) {
			out = append(out, name)
		}
	}
	for _, f := range fields {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

func isQuoted(s string) bool {
	return len(s) > 1 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0]
}
func unquote(s string) string { return s[1 : len(s)-1] }

// otherLiterals are what a literal is as one of another type.
func otherLiterals(s string) []string {
	if isQuoted(s) {
		return []string{unquote(s)}
	}
	out := []string{"'" + s + "'"}
	if _, err := strconv.Atoi(s); err == nil {
		out = append(out, s+".0")
	} else if s != "true" && s != "false" {
		return nil
	}
	return out
}

// operands corrects the operands of a comparison or a calculation.
func (t *typed) operands(left, right string, start, end int, operator string, given []*types.Type) {
	a, b := typeName(given[0]), typeName(given[1])
	words := fmt.Sprintf("%s is %s, not %s", left, a, b)
	if b != a {
		t.fieldsOf(left, given[0], start, start+len(left))
		t.fieldsOf(right, given[1], end-len(right), end)
	}
	set := func(x, y string) { t.add(words, start, end, x+" "+operator+" "+y) }
	for _, literal := range otherLiterals(right) {
		t.add(words, start, end, left+" "+operator+" "+literal)
	}
	for _, literal := range otherLiterals(left) {
		t.add(fmt.Sprintf("%s is %s, not %s", right, b, a), start, end, literal+" "+operator+" "+right)
	}
	isEmpty := slices.Contains([]string{"''", `""`, "0", "{}", "[]"}, right)
	if empty := emptiness[operator]; empty != "" && isEmpty {
		t.add(words, start, end, "size("+left+") "+empty)
	}
	for _, function := range []string{"duration", "timestamp"} {
		switch {
		case a == "string" && b == function:
			set(function+"("+left+")", right)
		case a == function && b == "string":
			set(left, function+"("+right+")")
		}
	}
	for _, function := range []string{"quantity", "semver"} {
		x, y := left, right
		switch {
		case a == "string" && b == function:
			x = function + "(" + left + ")"
		case a == function && b == "string":
			y = function + "(" + right + ")"
		case a != function || b != function:
			continue
		}
		t.add(function+" values have functions for comparisons", start, end, compared(operator, x, y))
	}
	switch {
	case a == "int" && b == "double":
		set("double("+left+")", right)
	case a == "double" && b == "int":
		set(left, "double("+right+")")
	case a == "list of string" || a == "list of int" || a == "list of any":
		t.add(words, start, end, "size("+left+") "+operator+" "+right)
	case a == "string" && b == "int" && operator != "+":
		if operator != "==" && operator != "!=" {
			set("size("+left+")", right)
		}
		set(left, "string("+right+")")
	case a == "int" && b == "string" && operator != "+":
		set("string("+left+")", right)
	}
}

var number = regexp.MustCompile(`^[0-9.]+$`)

// emptiness is what a comparison with an empty value says about the size.
var emptiness = map[string]string{"==": "== 0", "!=": "> 0", ">": "> 0"}

// compared writes the comparison of two values with functions for it.
func compared(operator, left, right string) string {
	switch operator {
	case "<":
		return left + ".isLessThan(" + right + ")"
	case ">":
		return left + ".isGreaterThan(" + right + ")"
	}
	return left + ".compareTo(" + right + ") " + operator + " 0"
}

// truths asks operands of && and || that are not conditions whether they have a value.
func (t *typed) truths(left, right string, start, end int, operator string, given []*types.Type) {
	for i, part := range []string{left, right} {
		if i >= len(given) || given[i] == nil ||
			given[i].Kind() == types.BoolKind || given[i].Kind() == types.ErrorKind {
			continue
		}
		for _, asked := range truthOf(part, given[i]) {
			sides := []string{left, right}
			sides[i] = asked
			words := fmt.Sprintf("%s is %s, not a condition", part, typeName(given[i]))
			t.add(words, start, end, sides[0]+" "+operator+" "+sides[1])
		}
	}
}

// truthAfter does the same for the operand of !.
func (t *typed) truthAfter(start int, given []*types.Type) {
	part := operandAt.FindString(t.text[start+1:])
	if part == "" || len(given) != 1 || given[0] == nil {
		return
	}
	for _, asked := range truthOf(part, given[0]) {
		negated := "!" + asked
		if strings.Contains(asked, " ") {
			negated = strings.NewReplacer("> 0", "== 0", "!= 0", "== 0", "!=", "==").Replace(asked)
		}
		words := fmt.Sprintf("%s is %s, not a condition", part, typeName(given[0]))
		t.add(words, start, start+1+len(part), negated)
	}
}

// operandAt is a path.
var operandAt = regexp.MustCompile(`^\w+(?:\.\w+)*`)

// truth does the same for a whole rule.
func (t *typed) truth(e ast.Expr) {
	part, typ := strings.TrimSpace(t.text), t.seen.types[e.ID()]
	if operandAt.FindString(part) != part {
		return
	}
	for _, asked := range truthOf(part, typ) {
		t.add(fmt.Sprintf("the rule is %s, not a condition", typeName(typ)), 0, len(t.text), asked)
	}
}

// truthOf asks whether a value is one that other languages take for true.
func truthOf(part string, typ *types.Type) []string {
	if typ == nil || isQuoted(part) || number.MatchString(part) {
		return nil
	}
	isField := operandAt.FindString(part) == part && strings.Contains(part, ".")
	var out []string
	switch typ.Kind() {
	case types.StringKind:
		out = append(out, part+" != ''")
	case types.ListKind, types.MapKind:
		out = append(out, "size("+part+") > 0")
	case types.IntKind, types.DoubleKind:
		out = append(out, part+" != 0")
	case types.StructKind:
		if isField {
			out = append(out, "has("+part+")")
		}
	case types.OpaqueKind:
		if typ.TypeName() == types.OptionalType.TypeName() {
			out = append(out, part+".hasValue()")
		}
	}
	return out
}
