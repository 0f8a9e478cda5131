package object

import "github.com/dave/jennifer/jen"

// Method returns a method of the state of a validation, as a function.
func Method(name string) jen.Code {
	return jen.Parens(jen.Op("*").Add(Runtime("Validation"))).Dot(name)
}

func literals(list []string) (out []jen.Code) {
	for _, text := range list {
		out = append(out, jen.Lit(text))
	}
	return out
}

// InLine returns a function with one statement, in one line.
func InLine(signature *jen.Statement, statement jen.Code) jen.Code {
	return jen.Add(signature).Custom(jen.Options{Open: "{ ", Close: " }"}, statement)
}

// Source returns the text of code.
func Source(code jen.Code) string { return jen.Add(code).GoString() }
