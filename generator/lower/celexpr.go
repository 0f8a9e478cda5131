package lower

import (
	"slices"
	"strconv"
	"strings"
)

// An expr is an expression of the CEL that markers become. The zero expr is not an expression. It is printed as
// Kubernetes and controller-gen print rules, with single quotes and on one line. cel-go's printer writes another form,
// and the rules in CRDs must not change with its version.
type expr struct {
	kind exprKind
	// text is an identifier or a literal as it is written, the name of a field, function or macro, or an operator.
	text string
	args []expr
}

type exprKind uint8

const (
	noExpr exprKind = iota
	// atomExpr is an identifier or a literal.
	atomExpr
	// writtenExpr is a rule that a user has written out.
	writtenExpr
	// fieldExpr is args[0].text, indexExpr is args[0][args[1]].
	fieldExpr
	indexExpr
	// callExpr is text(args…), methodExpr is args[0].text(args[1:]…).
	callExpr
	methodExpr
	// listExpr is [args…].
	listExpr
	// chainExpr is one or more args joined by the operator text.
	chainExpr
	// notExpr is !args[0], groupExpr is (args[0]), choiceExpr is args[0] ? args[1] : args[2].
	notExpr
	groupExpr
	choiceExpr
)

func self() expr    { return ident("self") }
func oldSelf() expr { return ident("oldSelf") }

// ident is an identifier, or a literal other than a text.
func ident(name string) expr { return expr{kind: atomExpr, text: name} }

func integer(n int64) expr { return ident(strconv.FormatInt(n, 10)) }

// celText is a string literal of CEL.
func celText(s string) expr {
	quoted := strconv.Quote(s)
	inner := strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return ident("'" + strings.ReplaceAll(inner, "'", `\'`) + "'")
}

func (e expr) field(name string) expr { return expr{fieldExpr, name, []expr{e}} }
func (e expr) at(key expr) expr       { return expr{indexExpr, "", []expr{e, key}} }

func call(function string, args ...expr) expr { return expr{callExpr, function, args} }

func (e expr) call(method string, args ...expr) expr {
	return expr{methodExpr, method, append([]expr{e}, args...)}
}

// all is the macro that requires a condition for all elements of e.
func (e expr) all(variable string, condition expr) expr {
	return e.call("all", ident(variable), condition)
}

// list is a literal of a list.
func list(items ...expr) expr { return expr{kind: listExpr, args: items} }

// written is a rule that a user has written out.
func written(rule string) expr { return expr{kind: writtenExpr, text: rule} }

// negation is !e, also where not finds a shorter form.
func negation(e expr) expr { return expr{notExpr, "", []expr{e}} }

func has(e expr) expr  { return call("has", e) }
func size(e expr) expr { return call("size", e) }

// compare joins two operands, which bind closer than the operator.
func compare(x expr, operator string, y expr) expr { return chain(operator, x, y) }

func and(terms ...expr) expr { return chain("&&", terms...) }
func or(terms ...expr) expr  { return chain("||", terms...) }

// chain joins terms as they are: wrap one that needs parentheses with operand first.
func chain(operator string, terms ...expr) expr {
	if len(terms) == 1 {
		return terms[0]
	}
	return expr{chainExpr, operator, terms}
}

func choice(condition, then, otherwise expr) expr {
	return expr{choiceExpr, "?", []expr{condition, then, otherwise}}
}

func group(e expr) expr { return expr{groupExpr, "", []expr{e}} }

// not is the contrary of a condition.
func not(e expr) expr {
	opposite := map[string]string{"==": "!=", "!=": "==", ">": "<="}[e.text]
	if e.kind == chainExpr && len(e.args) == 2 && opposite != "" && !slices.ContainsFunc(e.args, expr.isSpaced) {
		return expr{chainExpr, opposite, e.args}
	}
	return negation(operand(e))
}

// operand makes a condition usable beside any operator.
func operand(e expr) expr {
	if e.isSpaced() {
		return group(e)
	}
	return e
}

// operandOf makes a condition usable beside "&&", or after "||".
func operandOf(operator string, e expr) expr {
	other := "||"
	if operator == "||" {
		other = "&&"
	}
	if e.contains(other) || e.contains("?") {
		return group(e)
	}
	return e
}

func (e expr) isNone() bool { return e.kind == noExpr }

// isSpaced reports whether an expression is written with spaces, and reads better in parentheses beside others.
func (e expr) isSpaced() bool {
	switch e.kind {
	case atomExpr, writtenExpr:
		return strings.Contains(e.text, " ")
	case chainExpr, choiceExpr:
		return true
	}
	hasComma := e.kind == methodExpr && len(e.args) > 2 || (e.kind == callExpr || e.kind == listExpr) && len(e.args) > 1
	return hasComma || slices.ContainsFunc(e.args, expr.isSpaced)
}

// contains reports whether an operator occurs anywhere in an expression.
func (e expr) contains(operator string) bool {
	if e.kind == writtenExpr {
		return strings.Contains(e.text, " "+operator+" ")
	}
	if (e.kind == chainExpr || e.kind == choiceExpr) && e.text == operator {
		return true
	}
	return slices.ContainsFunc(e.args, func(arg expr) bool { return arg.contains(operator) })
}

// before is the expression of the values before an update.
func (e expr) before() expr {
	if e.kind == atomExpr && e.text == "self" {
		return oldSelf()
	}
	args := make([]expr, len(e.args))
	for i, arg := range e.args {
		args[i] = arg.before()
	}
	e.args = args
	return e
}

// String writes the expression.
func (e expr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e expr) write(b *strings.Builder) {
	write := func(open string, args []expr, separator, end string) {
		b.WriteString(open)
		for i, arg := range args {
			if i > 0 {
				b.WriteString(separator)
			}
			arg.write(b)
		}
		b.WriteString(end)
	}
	switch e.kind {
	case atomExpr, writtenExpr:
		b.WriteString(e.text)
	case fieldExpr:
		write("", e.args, "", "."+e.text)
	case indexExpr:
		write("", e.args, "[", "]")
	case callExpr:
		write(e.text+"(", e.args, ", ", ")")
	case methodExpr:
		write("", e.args[:1], "", "."+e.text+"(")
		write("", e.args[1:], ", ", ")")
	case listExpr:
		write("[", e.args, ", ", "]")
	case chainExpr:
		write("", e.args, " "+e.text+" ", "")
	case notExpr:
		write("!", e.args, "", "")
	case groupExpr:
		write("(", e.args, "", ")")
	case choiceExpr:
		write("", e.args[:1], "", " ? ")
		write("", e.args[1:], " : ", "")
	}
}
