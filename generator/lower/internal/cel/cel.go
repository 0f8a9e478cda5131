// Package cel writes the CEL that markers become: expressions as trees, printed as Kubernetes prints rules.
package cel

import (
	"slices"
	"strconv"
	"strings"
)

// An Expr is an expression of the CEL that markers become. The zero expr is not an expression. It is printed as
// Kubernetes and controller-gen print rules, with single quotes and on one line. cel-go's printer writes another form,
// and the rules in CRDs must not change with its version.
type Expr struct {
	kind exprKind
	// text is an identifier or a literal as it is written, the name of a field, function or macro, or an operator.
	text string
	args []Expr
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

// Self and OldSelf return the value that a rule is on, and the one before an update.
func Self() Expr    { return Ident("self") }
func OldSelf() Expr { return Ident("oldSelf") }

// Ident returns an identifier, or a literal other than a text.
func Ident(name string) Expr { return Expr{kind: atomExpr, text: name} }

// Int returns an integer literal.
func Int(n int64) Expr { return Ident(strconv.FormatInt(n, 10)) }

// Text returns a string literal of CEL.
func Text(s string) Expr {
	quoted := strconv.Quote(s)
	inner := strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return Ident("'" + strings.ReplaceAll(inner, "'", `\'`) + "'")
}

// Raw returns a string literal of CEL without escapes, if the text can be written as one.
func Raw(s string) Expr {
	if strings.ContainsFunc(s, func(c rune) bool { return c == '\'' || !strconv.IsPrint(c) }) {
		return Text(s)
	}
	return Ident("r'" + s + "'")
}

// Field returns a field of e, At its element at a key.
func (e Expr) Field(name string) Expr { return Expr{fieldExpr, name, []Expr{e}} }
func (e Expr) At(key Expr) Expr       { return Expr{indexExpr, "", []Expr{e, key}} }

// Call returns a call of a function.
func Call(function string, args ...Expr) Expr { return Expr{callExpr, function, args} }

// Call returns a call of a method of e.
func (e Expr) Call(method string, args ...Expr) Expr {
	return Expr{methodExpr, method, append([]Expr{e}, args...)}
}

// All returns the macro that requires a condition for all elements of e.
func (e Expr) All(variable string, condition Expr) Expr {
	return e.Call("all", Ident(variable), condition)
}

// List returns a literal of a list.
func List(items ...Expr) Expr { return Expr{kind: listExpr, args: items} }

// Written returns a rule that a user has written out.
func Written(rule string) Expr { return Expr{kind: writtenExpr, text: rule} }

// Negation returns !e, also where not finds a shorter form.
func Negation(e Expr) Expr { return Expr{notExpr, "", []Expr{e}} }

// Has and Size return calls of these functions.
func Has(e Expr) Expr  { return Call("has", e) }
func Size(e Expr) Expr { return Call("size", e) }

// Compare joins two operands, which bind closer than the operator.
func Compare(x Expr, operator string, y Expr) Expr { return Chain(operator, x, y) }

// And and Or join terms as they are.
func And(terms ...Expr) Expr { return Chain("&&", terms...) }
func Or(terms ...Expr) Expr  { return Chain("||", terms...) }

// Chain joins terms as they are: wrap one that needs parentheses with operand first.
func Chain(operator string, terms ...Expr) Expr {
	if len(terms) == 1 {
		return terms[0]
	}
	return Expr{chainExpr, operator, terms}
}

// Choice returns condition ? then : otherwise.
func Choice(condition, then, otherwise Expr) Expr {
	return Expr{choiceExpr, "?", []Expr{condition, then, otherwise}}
}

// Group returns e in parentheses.
func Group(e Expr) Expr { return Expr{groupExpr, "", []Expr{e}} }

// Not returns the contrary of a condition.
func Not(e Expr) Expr {
	opposite := map[string]string{"==": "!=", "!=": "==", ">": "<="}[e.text]
	if e.kind == chainExpr && len(e.args) == 2 && opposite != "" && !slices.ContainsFunc(e.args, Expr.isSpaced) {
		return Expr{chainExpr, opposite, e.args}
	}
	return Negation(Operand(e))
}

// Operand makes a condition usable beside any operator.
func Operand(e Expr) Expr {
	if e.isSpaced() {
		return Group(e)
	}
	return e
}

// OperandOf makes a condition usable beside "&&", or after "||".
func OperandOf(operator string, e Expr) Expr {
	other := "||"
	if operator == "||" {
		other = "&&"
	}
	if e.contains(other) || e.contains("?") {
		return Group(e)
	}
	return e
}

// IsNone reports whether e is the zero Expr.
func (e Expr) IsNone() bool { return e.kind == noExpr }

// isSpaced reports whether an expression is written with spaces, and reads better in parentheses beside others.
func (e Expr) isSpaced() bool {
	switch e.kind {
	case atomExpr, writtenExpr:
		return strings.Contains(e.text, " ")
	case chainExpr, choiceExpr:
		return true
	}
	hasComma := e.kind == methodExpr && len(e.args) > 2 || (e.kind == callExpr || e.kind == listExpr) &&
		len(e.args) > 1
	return hasComma || slices.ContainsFunc(e.args, Expr.isSpaced)
}

// contains reports whether an operator occurs anywhere in an expression.
func (e Expr) contains(operator string) bool {
	if e.kind == writtenExpr {
		return strings.Contains(e.text, " "+operator+" ")
	}
	if (e.kind == chainExpr || e.kind == choiceExpr) && e.text == operator {
		return true
	}
	return slices.ContainsFunc(e.args, func(arg Expr) bool { return arg.contains(operator) })
}

// Before returns the expression of the values before an update.
func (e Expr) Before() Expr {
	if e.kind == atomExpr && e.text == "self" {
		return OldSelf()
	}
	args := make([]Expr, len(e.args))
	for i, arg := range e.args {
		args[i] = arg.Before()
	}
	e.args = args
	return e
}

// String writes the expression.
func (e Expr) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

func (e Expr) write(b *strings.Builder) {
	write := func(open string, args []Expr, separator, end string) {
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
