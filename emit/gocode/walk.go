package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// state calls a method of v, the state of a validation.
func state(method string, arguments ...jen.Code) *jen.Statement {
	return jen.Id("v").Dot(method).Call(arguments...)
}

// method is a method of the state of a validation, as a function.
func method(name string) jen.Code { return jen.Parens(jen.Op("*").Id("crdValidation")).Dot(name) }

// visit steps into a value, checks it, and steps out.
func visit(step string, to, check jen.Code) []jen.Code {
	path := func() *jen.Statement { return jen.Id("v").Dot("path") }
	return []jen.Code{path().Dot(step).Call(to), check, path().Dot("leave").Call()}
}

// texts are the literals of a list of strings.
func texts(list []schema.Text) (out []jen.Code) {
	for _, t := range list {
		out = append(out, jen.Lit(t.V))
	}
	return out
}

func literals(list []string) (out []jen.Code) {
	for _, text := range list {
		out = append(out, jen.Lit(text))
	}
	return out
}
