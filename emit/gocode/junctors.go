package gocode

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// writeJunctors writes the statements for anyOf, oneOf, allOf and not, in the order of the API server. Their schemas
// are functions of their own; which of them are asked, and which errors are reported, is decided in emit/support.
func (c *checks) writeJunctors() (body []jen.Code) {
	for _, j := range []struct {
		keyword string
		schemas []*schema.Schema
		counted bool
	}{{"anyOf", c.s.AnyOf, true}, {"oneOf", c.s.OneOf, true}, {"allOf", c.s.AllOf, c.counted}} {
		if len(j.schemas) == 0 {
			continue
		}
		arguments := []jen.Code{jen.Id("value")}
		for i, s := range j.schemas {
			arguments = append(arguments,
				jen.Id(c.alternative(s, j.counted, c.at.alternative(j.keyword, strconv.Itoa(i+1)))))
		}
		body = append(body, jen.Id("v").Dot(j.keyword).Call(arguments...))
	}
	if c.s.Not != nil {
		body = append(body, jen.Id("v").Dot("not").
			Call(jen.Id("value"), jen.Id(c.alternative(c.s.Not, false, c.at.alternative("not", "")))))
	}
	return body
}

// alternative returns the function for a schema of a junctor, which has to have one.
func (c *checks) alternative(s *schema.Schema, counted bool, at place) string {
	if name := c.w.check(s, counted, at); name != "" {
		return name
	}
	return "crdAnything"
}
