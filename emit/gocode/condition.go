package gocode

import (
	"slices"

	"github.com/dave/jennifer/jen"
)

// A condition is a boolean expression of generated code, which also knows its opposite: so no negation is written where
// an operator of its own says the same.
type condition struct {
	// is is the code of a simple condition, and not that of its opposite.
	is, not jen.Code
	// compared and operator are the left side and the operator of a comparison; "" for other conditions.
	compared, operator string
	// language is set for a condition that an automaton can answer.
	language *language
	// joined is && or ||, the operator between the parts of any other condition. Without parts, && is always true and
	// || never.
	joined string
	parts  []condition
}

// holds is a condition whose code is a call, a variable or a field.
func holds(code jen.Code) condition { return condition{is: code, not: jen.Op("!").Add(code)} }

// opposites are the operators of comparisons, each with its opposite. For floats, < is not the opposite of >=.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// compares is a comparison of values that are not floats.
func compares(x jen.Code, operator string, y jen.Code) condition {
	return condition{is: jen.Add(x).Op(operator).Add(y), not: jen.Add(x).Op(opposites[operator]).Add(y),
		compared: source(x), operator: operator}
}

var (
	always = condition{joined: "&&"}
	never  = condition{joined: "||"}
)

func (c condition) isAlways() bool { return c.joined == "&&" && len(c.parts) == 0 }
func (c condition) isNever() bool  { return c.joined == "||" && len(c.parts) == 0 }

// allOf is the condition that all of some hold, which are evaluated in this order.
func allOf(conditions ...condition) condition { return join("&&", conditions) }

// anyOf is the condition that one of some holds.
func anyOf(conditions ...condition) condition { return join("||", conditions) }

// factored is the condition that all of some hold, in any order. What is the first alternative of several is evaluated
// once.
func factored(conditions []condition) condition {
	var out []condition
	var firsts []string
	rests := map[string][]condition{}
	for _, c := range allOf(conditions...).all() {
		if c.joined == "" || len(c.parts) < 2 {
			out, firsts = append(out, c), append(firsts, "")
			continue
		}
		first := c.parts[0].source()
		if rests[first] == nil {
			out, firsts = append(out, c.parts[0]), append(firsts, first)
		}
		rests[first] = append(rests[first], anyOf(c.parts[1:]...))
	}
	for i, first := range firsts {
		if rest := rests[first]; rest != nil {
			out[i] = anyOf(out[i], factored(rest))
		}
	}
	return allOf(out...)
}

// join joins conditions, each of them once. One that decides the result is the result.
func join(operator string, conditions []condition) condition {
	out := condition{joined: operator}
	var seen []string
	for _, c := range conditions {
		parts := []condition{c}
		switch {
		case c.joined == operator:
			parts = c.parts
		case c.isAlways(), c.isNever():
			return c
		}
		for _, p := range parts {
			if text := p.source(); !slices.Contains(seen, text) {
				out.parts, seen = append(out.parts, p), append(seen, text)
			}
		}
	}
	if len(out.parts) == 1 {
		return out.parts[0]
	}
	return out
}

// opposite is the condition that this one does not hold.
func (c condition) opposite() condition {
	if c.joined == "" {
		return condition{is: c.not, not: c.is, compared: c.compared, operator: opposites[c.operator],
			language: c.language.opposite()}
	}
	out := condition{joined: map[string]string{"&&": "||", "||": "&&"}[c.joined]}
	for _, p := range c.parts {
		out.parts = append(out.parts, p.opposite())
	}
	return out
}

// all are the conditions that all hold.
func (c condition) all() []condition {
	if c.joined == "&&" {
		return c.parts
	}
	return []condition{c}
}

// code is the expression, in one line.
func (c condition) code() *jen.Statement { return c.text(false) }

// lines is the expression with a line for each part.
func (c condition) lines() *jen.Statement { return c.text(true) }

func (c condition) text(isLong bool) *jen.Statement {
	switch {
	case c.joined == "":
		return jen.Add(c.is)
	case len(c.parts) == 0:
		return jen.Lit(c.joined == "&&")
	}
	out := jen.Null()
	equal := map[string]string{"&&": "==", "||": "!="}[c.joined]
	var compared []string
	for i, p := range c.parts {
		if i > 0 {
			out = out.Op(c.joined)
			if isLong {
				out = out.Line()
			}
		}
		code := p.code()
		switch {
		case c.joined == "&&" && p.joined == "||" && len(p.parts) > 1:
			code = jen.Parens(code)
		case p.operator == equal && slices.Contains(compared, p.compared): // go vet suspects a mistake
			code = jen.Id("crdIsSo").Call(code)
		case p.operator == equal:
			compared = append(compared, p.compared)
		}
		out = out.Add(code)
	}
	return out
}

// source is the text of the expression.
func (c condition) source() string { return source(c.code()) }
