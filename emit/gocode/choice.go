package gocode

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// A choice is what is done by the name of a field.
type choice struct {
	// cases are the names for which the same is done, in the order in which they came, and byText finds one by what is
	// done.
	cases  []choiceCase
	byText map[string]int
	// other is what is done for all other names; nil for nothing.
	other []jen.Code
}

type choiceCase struct {
	names, body []jen.Code
}

// add says what is done for a name; no code for nothing.
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

// does reports whether anything is done for one of the names.
func (c *choice) does() bool {
	return len(c.cases) > 1 || len(c.cases) == 1 && len(c.cases[0].body) > 0
}

// code chooses by the variable name; nil where nothing is done for any.
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
