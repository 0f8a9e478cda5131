package suite

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// A constraint is a rule or a validation of a CRD that an object can break.
type constraint struct {
	at diag.Span
	// field is the field that it is about, keyword what it is, and text the rule, or what is demanded.
	field, keyword, text string

	// rule is the number of a rule among all constraints of its version, name the field that is required.
	rule int
	name string
	// breaks reports whether a value breaks a validation; nil for rules, required fields and list types.
	breaks func(value any) bool
}

// Keywords that are looked at in a way of their own.
const (
	wordRule     = "x-kubernetes-validations"
	wordRequired = "required"
	wordListType = "x-kubernetes-list-type"
)

// A branch is a place of a version's schema with the constraints on its values. What stands inside of anyOf, oneOf, allOf and not
// belongs to these.
type branch struct {
	place         *schema.Place
	own           []*constraint
	properties    map[string]*branch
	items, values *branch
}

// constraints lists what a version demands, with the branches that lead there.
func constraints(root *schema.Schema) (*branch, []*constraint) {
	var all []*constraint
	tree := grow(&schema.Place{Schema: root}, &all)
	return tree, all
}

func grow(p *schema.Place, all *[]*constraint) *branch {
	b := &branch{place: p, own: ownConstraints(p), properties: map[string]*branch{}}
	for _, c := range b.own {
		if c.keyword == wordRule {
			c.rule = len(*all)
		}
		*all = append(*all, c)
	}
	for _, child := range p.Children() {
		switch child.Step {
		case schema.InProperty:
			b.properties[child.Name] = grow(child, all)
		case schema.InItems:
			b.items = grow(child, all)
		case schema.InValues:
			b.values = grow(child, all)
		}
	}
	return b
}

// ownConstraints are those of one schema. What no object can break is none: the type with its format of numbers, which decides what can
// be written at all; bounds of zero; required fields that have a default or that every object has.
func ownConstraints(p *schema.Place) (out []*constraint) {
	s := p.Schema
	add := func(at diag.Span, keyword, text string, alone *schema.Schema) *constraint {
		if !at.IsValid() {
			at = p.At()
		}
		c := &constraint{at: at, field: p.Field(), keyword: keyword, text: text}
		if alone != nil {
			c.breaks = breaker(alone)
		}
		out = append(out, c)
		return c
	}
	for _, r := range s.Required {
		if !alwaysThere(p, r.V) {
			c := add(r.At, wordRequired, r.V, nil)
			c.name = r.V
		}
	}
	if len(s.Enum) > 0 {
		add(s.Enum[0].At, "enum", enumText(s.Enum), &schema.Schema{Enum: s.Enum})
	}
	for _, n := range []struct {
		name  string
		bound *schema.Number
		alone schema.Schema
	}{
		{"minimum", s.Minimum, schema.Schema{Minimum: s.Minimum, ExclusiveMinimum: s.ExclusiveMinimum}},
		{"maximum", s.Maximum, schema.Schema{Maximum: s.Maximum, ExclusiveMaximum: s.ExclusiveMaximum}},
		{"multipleOf", s.MultipleOf, schema.Schema{MultipleOf: s.MultipleOf}},
	} {
		if n.bound != nil {
			add(n.bound.At, n.name, n.bound.V, &n.alone)
		}
	}
	for _, n := range []struct {
		name  string
		bound *schema.Int
		alone schema.Schema
	}{
		{"minLength", s.MinLength, schema.Schema{MinLength: s.MinLength}}, {"maxLength", s.MaxLength, schema.Schema{MaxLength: s.MaxLength}},
		{"minItems", s.MinItems, schema.Schema{MinItems: s.MinItems}}, {"maxItems", s.MaxItems, schema.Schema{MaxItems: s.MaxItems}},
		{"minProperties", s.MinProperties, schema.Schema{MinProperties: s.MinProperties}},
		{"maxProperties", s.MaxProperties, schema.Schema{MaxProperties: s.MaxProperties}},
	} {
		if n.bound != nil && (n.bound.V > 0 || strings.HasPrefix(n.name, "max")) {
			add(n.bound.At, n.name, strconv.FormatInt(n.bound.V, 10), &n.alone)
		}
	}
	if s.Pattern.V != "" {
		add(s.Pattern.At, "pattern", s.Pattern.V, &schema.Schema{Pattern: s.Pattern})
	}
	if s.Format.V != "" && s.Type.V == "string" {
		c := add(s.Format.At, "format", s.Format.V, &schema.Schema{Type: s.Type, Format: s.Format})
		if !c.breaks("") && !c.breaks("\x00") { // API servers know no such format, or accept everything
			out = out[:len(out)-1]
		}
	}
	if s.ListType.V == "set" || s.ListType.V == "map" {
		add(s.ListType.At, wordListType, s.ListType.V, nil)
	}
	return append(append(out, junctors(p)...), ruleConstraints(p)...)
}

func junctors(p *schema.Place) (out []*constraint) {
	s := p.Schema
	not := []*schema.Schema{}
	if s.Not != nil {
		not = append(not, s.Not)
	}
	for _, j := range []struct {
		name  string
		list  []*schema.Schema
		alone schema.Schema
	}{
		{"allOf", s.AllOf, schema.Schema{AllOf: s.AllOf}}, {"anyOf", s.AnyOf, schema.Schema{AnyOf: s.AnyOf}},
		{"oneOf", s.OneOf, schema.Schema{OneOf: s.OneOf}}, {"not", not, schema.Schema{Not: s.Not}},
	} {
		if len(j.list) == 0 {
			continue
		}
		at := j.list[0].At
		if !at.IsValid() {
			at = p.At()
		}
		out = append(out, &constraint{at: at, field: p.Field(), keyword: j.name, breaks: breaker(&j.alone)})
	}
	return out
}

func ruleConstraints(p *schema.Place) (out []*constraint) {
	for _, r := range p.Schema.Rules {
		at := r.Rule.At
		if !at.IsValid() {
			at = r.At
		}
		if !at.IsValid() {
			at = p.At()
		}
		out = append(out, &constraint{at: at, field: p.Field(), keyword: wordRule, text: r.Rule.V})
	}
	return out
}

// alwaysThere reports whether no object can lack a field once it comes to be validated.
func alwaysThere(p *schema.Place, name string) bool {
	if p.Above == nil && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
		return true
	}
	property := p.Schema.Property(name)
	return property != nil && property.Default != nil
}

// breaker makes a function of a schema with one keyword that reports whether API servers find a value to break it.
func breaker(alone *schema.Schema) func(any) bool {
	validator := sync.OnceValue(func() validation.SchemaValidator {
		var props apiextensions.JSONSchemaProps
		if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(kube.Props(alone), &props, nil); err != nil {
			panic(err) // the CRD is served, so that it could be converted before
		}
		v, _, err := validation.NewSchemaValidator(&props)
		if err != nil {
			panic(err) // as above
		}
		return v
	})
	return func(value any) bool { return !validator().Validate(value).IsValid() }
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// enumText are the first few values of an enum.
func enumText(values []schema.EnumValue) string {
	var out []string
	for _, v := range values {
		out = append(out, string(kube.AppendJSON(nil, v.Value)))
	}
	return inWords(out)
}
