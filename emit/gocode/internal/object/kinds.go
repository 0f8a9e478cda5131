package object

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"
)

// A kindCase is the code for values of some kinds.
type kindCase struct {
	kinds []JSONKind
	body  []jen.Code
	// inside is set if the body uses x, the value with the type of its kind. Then it serves only one kind.
	inside bool
}

// switchKinds writes a switch over the kind of the variable value; x is the value with its type. One of the cases is
// for values that no decoder returns; it is the default.
func switchKinds(do func(k JSONKind) (body []jen.Code, inside bool)) []jen.Code {
	var cases []kindCase
	byText := map[string]int{}
	for _, k := range jsonKinds {
		body, inside := do(k)
		if !inside {
			text := fmt.Sprintf("%#v", jen.Block(body...))
			if i, ok := byText[text]; ok {
				cases[i].kinds = append(cases[i].kinds, k)
				continue
			}
			byText[text] = len(cases)
		}
		cases = append(cases, kindCase{[]JSONKind{k}, body, inside})
	}
	if len(cases) == 1 {
		return cases[0].body
	}
	at := slices.IndexFunc(cases, func(c kindCase) bool { return slices.Contains(c.kinds, "other") })
	rest, others := cases[at], slices.Delete(slices.Clone(cases), at, at+1)
	if len(others) == 1 && len(others[0].kinds) == 1 && others[0].kinds[0] != "null" {
		return oneKind(others[0], rest)
	}
	var clauses []jen.Code
	uses := false
	for _, c := range others {
		types := make([]jen.Code, len(c.kinds))
		for i, k := range c.kinds {
			types[i] = k.code()
		}
		uses = uses || c.inside
		clauses = append(clauses, jen.Case(types...).Block(c.body...))
	}
	if len(rest.body) > 0 {
		clauses = append(clauses, jen.Default().Block(rest.body...))
	}
	subject := jen.Id("value").Assert(jen.Type())
	if uses {
		subject = jen.Id("x").Op(":=").Add(subject)
	}
	return []jen.Code{jen.Switch(subject).Block(clauses...)}
}

// oneKind is switchKinds for one kind and the rest.
func oneKind(one, rest kindCase) []jen.Code {
	x := "_"
	if one.inside {
		x = "x"
	}
	assertion := jen.List(jen.Id(x), jen.Id("ok")).Op(":=").Id("value").Assert(one.kinds[0].code())
	switch {
	case len(one.body) == 0:
		return []jen.Code{jen.If(assertion, jen.Op("!").Id("ok")).Block(rest.body...)}
	case len(rest.body) == 0:
		return []jen.Code{jen.If(assertion, jen.Id("ok")).Block(one.body...)}
	}
	otherwise := jen.If(jen.Op("!").Id("ok")).Block(append(slices.Clip(rest.body), jen.Return())...)
	return append([]jen.Code{assertion, otherwise}, one.body...)
}
