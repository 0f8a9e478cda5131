package gocode

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// A choice is code that depends on the name of a field.
type choice struct {
	// cases are the names with the same code, in the order of their first use, and byText finds a case by its code.
	cases  []choiceCase
	byText map[string]int
	// other is the code for all other names; nil for nothing.
	other []jen.Code
}

type choiceCase struct {
	names, body []jen.Code
}

// add sets the code for a name.
func (c *choice) add(name string, body ...jen.Code) {
	if c.byText == nil {
		c.byText = map[string]int{}
	}
	text := fmt.Sprintf("%#v", jen.Block(body...))
	i, ok := c.byText[text]
	if !ok {
		i = len(c.cases)
		c.byText[text] = i
		c.cases = append(c.cases, choiceCase{body: body})
	}
	c.cases[i].names = append(c.cases[i].names, jen.Lit(name))
}

// does reports whether there is code for one of the names.
func (c *choice) does() bool {
	return len(c.cases) > 1 || len(c.cases) == 1 && len(c.cases[0].body) > 0
}

// code is a switch over the variable name; nil if there is no code.
func (c *choice) code() []jen.Code {
	if len(c.cases) == 0 || !c.does() && c.other == nil {
		return c.other
	}
	return []jen.Code{jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
		for _, one := range c.cases {
			if len(one.body) > 0 || c.other != nil {
				g.Case(one.names...).Block(one.body...)
			}
		}
		if c.other != nil {
			g.Default().Block(c.other...)
		}
	})}
}
