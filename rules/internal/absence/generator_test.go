package absence

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"

	"github.com/crdproof/crdproof/rules/expr"
)

// A generator makes random schemas, rules and objects.
type generator struct {
	*rand.Rand
	rules   int
	oldSelf bool
	// pairs allows nested macros over the same list.
	pairs bool
	// looped are the lists and maps that the macros around an expression iterate over.
	looped []string
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// schema returns a random object with rules.
func (g *generator) schema(t testing.TB) *apiext.JSONSchemaProps {
	g.oldSelf = g.chance(25)
	props := g.objectSchema(2)
	g.addRules(t, props, 1+g.IntN(3))
	return props
}

func (g *generator) objectSchema(depth int) *apiext.JSONSchemaProps {
	out := &apiext.JSONSchemaProps{Type: "object", Properties: map[string]apiext.JSONSchemaProps{}}
	names := []string{"a", "b", "c", "d"}[:2+g.IntN(3)]
	for _, name := range names {
		p := g.anySchema(depth - 1)
		switch {
		case g.chance(20):
			out.Required = append(out.Required, name)
		case g.chance(10) && p.Type == "string":
			p.Default = &apiext.JSON{Raw: []byte(`"A"`)}
		case g.chance(10):
			p.Nullable = true
		}
		out.Properties[name] = *p
	}
	if g.chance(15) {
		for _, name := range names[:2] {
			out.OneOf = append(out.OneOf, apiext.JSONSchemaProps{Required: []string{name}})
		}
		if g.chance(50) {
			out.AnyOf, out.OneOf = out.OneOf, nil
		}
	}
	return out
}

func (g *generator) anySchema(depth int) *apiext.JSONSchemaProps {
	if depth > 0 && g.chance(60) {
		switch g.IntN(4) {
		case 0:
			return g.objectSchema(depth)
		case 1:
			return &apiext.JSONSchemaProps{Type: "array",
				Items: &apiext.JSONSchemaPropsOrArray{Schema: g.objectSchema(depth)}}
		case 2:
			return &apiext.JSONSchemaProps{Type: "object",
				AdditionalProperties: &apiext.JSONSchemaPropsOrBool{Schema: g.objectSchema(depth), Allows: true}}
		default:
			return &apiext.JSONSchemaProps{Type: "object",
				AdditionalProperties: &apiext.JSONSchemaPropsOrBool{Schema: g.anySchema(0), Allows: true}}
		}
	}
	switch g.IntN(5) {
	case 0:
		return &apiext.JSONSchemaProps{Type: "boolean"}
	case 1:
		return &apiext.JSONSchemaProps{Type: "integer"}
	case 2:
		return &apiext.JSONSchemaProps{Type: "array",
			Items: &apiext.JSONSchemaPropsOrArray{Schema: &apiext.JSONSchemaProps{Type: "string"}}}
	case 3:
		return &apiext.JSONSchemaProps{Type: "string", Enum: []apiext.JSON{{Raw: []byte(`"A"`)}, {Raw: []byte(`"B"`)}}}
	}
	return &apiext.JSONSchemaProps{Type: "string"}
}

// addRules adds rules that compile to a node, and sometimes to those below.
func (g *generator) addRules(t testing.TB, p *apiext.JSONSchemaProps, n int) {
	for _, name := range sortedKeys(p.Properties) {
		child := p.Properties[name]
		switch {
		case !g.chance(30):
		case child.Type == "object" && child.Properties != nil:
			g.addRules(t, &child, 1)
		case child.Type == "array" && child.Items.Schema.Properties != nil:
			oldSelf := g.oldSelf
			g.oldSelf = false // the old and new items of such lists cannot be matched
			g.addRules(t, child.Items.Schema, 1)
			g.oldSelf = oldSelf
		}
		p.Properties[name] = child
	}
	s := structuralOf(t, p)
	decl := celmodel.SchemaDeclType(s, false)
	for tries := 0; n > 0 && tries < 200; tries++ {
		r := apiext.ValidationRule{Rule: g.rule(s), Message: fmt.Sprintf("R%d", g.rules)}
		if g.chance(20) && g.oldSelf {
			yes := true
			r.OptionalOldSelf = &yes
		}
		if g.chance(30) {
			r.MessageExpression = g.message(s)
			if _, _, err := compileAt(decl, r.MessageExpression, r.OptionalOldSelf != nil); err != nil {
				continue
			}
		}
		_, ast, err := compileAt(decl, r.Rule, r.OptionalOldSelf != nil)
		if err != nil || ast.OutputType().String() != "bool" || r.OptionalOldSelf != nil &&
			!expr.UsesOldSelf(ast) {
			continue
		}
		n--
		g.rules++
		p.XValidations = append(p.XValidations, r)
	}
}

// A typed expression is one with the schema of its value.
type typed struct {
	text   string
	schema *structural.Structural
}

func (g *generator) rule(s *structural.Structural) string {
	vars := []typed{{"self", s}}
	if g.oldSelf && g.chance(50) {
		vars = append(vars, typed{g.one("oldSelf", "oldSelf.value()"), s})
	}
	return g.boolean(vars, 3)
}

// message is a string.
func (g *generator) message(s *structural.Structural) string {
	vars := []typed{{"self", s}}
	if g.oldSelf {
		vars = append(vars, typed{g.one("oldSelf", "oldSelf.value()"), s})
	}
	for range 20 {
		switch p := g.path(vars); p.schema.Type {
		case "string":
			return "'is ' + " + g.one(p.text, "(has("+p.text+") ? "+p.text+" : 'none')")
		case "integer":
			return "'is ' + string(" + p.text + ")"
		}
	}
	return "'x'"
}

func (g *generator) boolean(vars []typed, depth int) string {
	if depth > 0 && g.chance(75) {
		a, b := g.boolean(vars, depth-1), g.boolean(vars, depth-1)
		switch g.IntN(8) {
		case 0, 1:
			return "(" + a + " && " + b + ")"
		case 2, 3:
			return "(" + a + " || " + b + ")"
		case 4:
			return "!" + a
		case 5:
			return "(" + a + " ? " + b + " : " + g.boolean(vars, depth-1) + ")"
		case 6:
			return "(" + a + g.one(" == ", " != ") + b + ")"
		default:
			return g.guarded(vars, depth)
		}
	}
	return g.condition(vars, depth)
}

// guarded is a condition with a guard that may be the right one.
func (g *generator) guarded(vars []typed, depth int) string {
	p := g.path(vars)
	if p.text == "self" || p.text == "oldSelf" || !isSelect(p.text) {
		return g.boolean(vars, depth-1)
	}
	inner := g.about(p, vars, depth-1)
	return "(" + g.one("has("+p.text+") && "+inner, "!has("+p.text+") || "+inner, inner+" && has("+p.text+")",
		"has("+p.text+") ? "+inner+" : true") + ")"
}

func isSelect(text string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '.':
			return true
		case c == ')' || c == ']' || c == ' ':
			return false
		}
	}
	return false
}

// path is a variable, or a part of one.
func (g *generator) path(vars []typed) typed {
	p := vars[g.IntN(len(vars))]
	for p.schema.Type == "object" && p.schema.Properties != nil && (p.text == "self" || g.chance(80)) {
		p = g.field(p)
	}
	return p
}

func (g *generator) field(p typed) typed {
	name := g.one(sortedKeys(p.schema.Properties)...)
	child := p.schema.Properties[name]
	return typed{p.text + "." + name, &child}
}

func (g *generator) condition(vars []typed, depth int) string {
	p := g.path(vars)
	if isSelect(p.text) && g.chance(25) {
		return "has(" + p.text + ")"
	}
	if isSelect(p.text) && p.schema.Type == "string" && g.chance(15) {
		i := len(p.text) - 1
		for p.text[i] != '.' {
			i--
		}
		return p.text[:i] + ".?" + p.text[i+1:] +
			g.one(".orValue('') == 'A'", ".hasValue()", " == optional.of('A')", ".optMap(v, v == 'A').orValue(true)",
				".value() == 'A'", ".orValue('B') != 'B'")
	}
	return g.about(p, vars, depth)
}

// about is a condition on a value.
func (g *generator) about(p typed, vars []typed, depth int) string {
	s := p.schema
	switch {
	case s.Type == "boolean":
		return g.one(p.text, p.text+" == true", "!"+p.text)
	case s.Type == "integer":
		return p.text + g.one(" == 1", " > 0", " <= 1", " != 2", " in [0, 1]")
	case s.Type == "string":
		return p.text + g.one(" == 'A'", " != 'A'", " == 'B'", " in ['A', 'B']", ".size() > 1")
	case (s.Type == "array" || s.AdditionalProperties != nil) && !g.pairs && slices.Contains(g.looped, p.text):
		return p.text + g.one(".size() == 0", ".size() > 1")
	case s.Type == "array":
		g.looped = append(g.looped, p.text)
		defer func() { g.looped = g.looped[:len(g.looped)-1] }()
		item := typed{g.one("x", "y"), s.Items}
		inner := g.boolean(append([]typed{item}, vars...), depth-1)
		if s.Items.Type == "string" && g.chance(50) {
			return p.text + g.one("[0] == 'A'", "[1] == 'A'", ".size() > 1", ".size() == 0")
		}
		switch g.IntN(8) {
		case 0:
			return p.text + ".all(" + item.text + ", " + inner + ")"
		case 1:
			return p.text + ".exists(" + item.text + ", " + inner + ")"
		case 2:
			return p.text + ".exists_one(" + item.text + ", " + inner + ")"
		case 3:
			return p.text + ".filter(" + item.text + ", " + inner + ").all(" + item.text + ", " +
				g.boolean([]typed{item}, depth-1) + ")"
		case 4:
			return "(" + p.text + ".size() > 0 && " + g.about(typed{p.text + "[0]", s.Items}, vars, depth-1) + ")"
		case 5:
			return p.text + g.one(".size() == 0", ".size() > 1", " == []")
		case 6:
			return g.about(typed{p.text + "[0]", s.Items}, vars, depth-1)
		default:
			return p.text + ".all(i, " + item.text + ", " + inner + ")"
		}
	case s.AdditionalProperties != nil:
		g.looped = append(g.looped, p.text)
		defer func() { g.looped = g.looped[:len(g.looped)-1] }()
		value := typed{p.text + g.one("['k']", "['l']", ".k"), s.AdditionalProperties.Structural}
		switch g.IntN(5) {
		case 0:
			return g.about(value, vars, depth-1)
		case 1:
			return "('k' in " + p.text + " && " + g.about(value, vars, depth-1) + ")"
		case 2:
			return p.text + ".all(k, " + g.about(typed{p.text + "[k]", value.schema}, vars, depth-1) + ")"
		case 3:
			return p.text + ".exists(k, v, " + g.boolean(append([]typed{{"v", value.schema}}, vars...), depth-1) + ")"
		default:
			return p.text + g.one(".size() == 0", ".exists(k, k == 'k')", ".size() > 1")
		}
	case s.Properties != nil:
		return g.about(g.field(p), vars, depth)
	}
	return "true"
}

// object returns a random value of a schema.
func (g *generator) object(s *structural.Structural) any {
	switch s.Type {
	case "object":
		out := map[string]any{}
		if s.AdditionalProperties != nil {
			for _, key := range []string{"k", "l", "m"} {
				if g.chance(40) {
					out[key] = g.object(s.AdditionalProperties.Structural)
				}
			}
			return out
		}
		for _, name := range sortedKeys(s.Properties) {
			child := s.Properties[name]
			switch {
			case child.Nullable && g.chance(30):
				out[name] = nil
			case s.ValueValidation != nil && slices.Contains(s.ValueValidation.Required, name) || g.chance(50):
				out[name] = g.object(&child)
			}
		}
		return out
	case "array":
		out := []any{}
		for range g.IntN(3) {
			out = append(out, g.object(s.Items))
		}
		return out
	case "boolean":
		return g.chance(50)
	case "integer":
		return int64(g.IntN(3))
	}
	if s.ValueValidation != nil && len(s.ValueValidation.Enum) > 0 {
		return g.one("A", "B")
	}
	return g.one("A", "B", "CC", "D")
}
