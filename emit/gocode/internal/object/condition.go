package object

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// A Condition is a boolean expression of generated code, which also knows its opposite: so no negation is written where
// an operator of its own says the same.
type Condition struct {
	// yes is the code of a simple condition, and no that of its opposite.
	yes, no jen.Code
	// compared and operator are the left side and the operator of a comparison; "" for other conditions.
	compared, operator string
	// language is set for a condition that an automaton can answer.
	language *Language
	// Joined is && or ||, the operator between the parts of any other condition. Without parts, && is always true and
	// || never.
	Joined string
	Parts  []Condition
}

// Holds returns a condition whose code is a call, a variable or a field.
func Holds(code jen.Code) Condition { return Condition{yes: code, no: jen.Op("!").Add(code)} }

// opposites are the operators of comparisons, each with its opposite. For floats, < is not the opposite of >=.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// Compares returns a comparison of values that are not floats.
func Compares(x jen.Code, operator string, y jen.Code) Condition {
	return Condition{yes: jen.Add(x).Op(operator).Add(y), no: jen.Add(x).Op(opposites[operator]).Add(y),
		compared: Source(x), operator: operator}
}

var (
	Always = Condition{Joined: "&&"}
	Never  = Condition{Joined: "||"}
)

// IsAlways reports whether the condition always holds.
func (c Condition) IsAlways() bool { return c.Joined == "&&" && len(c.Parts) == 0 }

// IsNever reports whether the condition never holds.
func (c Condition) IsNever() bool { return c.Joined == "||" && len(c.Parts) == 0 }

// AllOf returns the condition that all of some hold, which are evaluated in this order.
func AllOf(conditions ...Condition) Condition { return join("&&", conditions) }

// AnyOf returns the condition that one of some holds.
func AnyOf(conditions ...Condition) Condition { return join("||", conditions) }

// Factored returns the condition that all of some hold, in any order. What is the first alternative of several is
// evaluated once.
func Factored(conditions []Condition) Condition {
	var out []Condition
	var firsts []string
	rests := map[string][]Condition{}
	for _, c := range AllOf(conditions...).All() {
		if c.Joined == "" || len(c.Parts) < 2 {
			out, firsts = append(out, c), append(firsts, "")
			continue
		}
		first := c.Parts[0].Source()
		if rests[first] == nil {
			out, firsts = append(out, c.Parts[0]), append(firsts, first)
		}
		rests[first] = append(rests[first], AnyOf(c.Parts[1:]...))
	}
	for i, first := range firsts {
		if rest := rests[first]; rest != nil {
			out[i] = AnyOf(out[i], Factored(rest))
		}
	}
	return AllOf(out...)
}

// join joins conditions, each of them once. One that decides the result is the result.
func join(operator string, conditions []Condition) Condition {
	out := Condition{Joined: operator}
	var seen []string
	for _, c := range conditions {
		parts := []Condition{c}
		switch {
		case c.Joined == operator:
			parts = c.Parts
		case c.IsAlways(), c.IsNever():
			return c
		}
		for _, p := range parts {
			if text := p.Source(); !slices.Contains(seen, text) {
				out.Parts, seen = append(out.Parts, p), append(seen, text)
			}
		}
	}
	if len(out.Parts) == 1 {
		return out.Parts[0]
	}
	return out
}

// Opposite returns the condition that this one does not hold.
func (c Condition) Opposite() Condition {
	if c.Joined == "" {
		return Condition{yes: c.no, no: c.yes, compared: c.compared, operator: opposites[c.operator],
			language: c.language.opposite()}
	}
	out := Condition{Joined: map[string]string{"&&": "||", "||": "&&"}[c.Joined]}
	for _, p := range c.Parts {
		out.Parts = append(out.Parts, p.Opposite())
	}
	return out
}

// All returns the conditions that all hold.
func (c Condition) All() []Condition {
	if c.Joined == "&&" {
		return c.Parts
	}
	return []Condition{c}
}

// Code returns the expression, in one line.
func (c Condition) Code() *jen.Statement { return c.text(false) }

// Lines returns the expression with as many parts in each line as fit.
func (c Condition) Lines() *jen.Statement { return c.text(true) }

// lineWidth is the number of characters after which a line of conditions ends.
const lineWidth = 100

func (c Condition) text(isLong bool) *jen.Statement {
	switch {
	case c.Joined == "":
		return jen.Add(c.yes)
	case len(c.Parts) == 0:
		return jen.Lit(c.Joined == "&&")
	}
	out := jen.Null()
	equal := map[string]string{"&&": "==", "||": "!="}[c.Joined]
	var compared []string
	width := 0
	for i, p := range c.Parts {
		code := p.Code()
		source := Source(code)
		size := len(source) - strings.LastIndexByte(source, '\n')
		if i > 0 {
			out = out.Op(c.Joined)
			if width += size; isLong && (width > lineWidth || size < len(source)) {
				out, width = out.Line(), size
			}
		} else {
			width = size
		}
		if isLong && len(source) > lineWidth {
			code = p.Lines()
		}
		switch {
		case c.Joined == "&&" && p.Joined == "||" && len(p.Parts) > 1:
			code = jen.Parens(code)
		case p.operator == equal && slices.Contains(compared, p.compared): // go vet suspects a mistake
			code = Runtime("IsSo").Call(code)
		case p.operator == equal:
			compared = append(compared, p.compared)
		}
		out = out.Add(code)
	}
	return out
}

// Given returns the condition where others hold: it leaves out what these say already.
func (c Condition) Given(known ...Condition) Condition {
	var texts []string
	for _, k := range known {
		texts = append(texts, k.Source())
	}
	return AllOf(slices.DeleteFunc(slices.Clone(c.All()), func(p Condition) bool {
		return slices.Contains(texts, p.Source())
	})...)
}

// Source returns the text of the expression.
func (c Condition) Source() string { return Source(c.Code()) }
