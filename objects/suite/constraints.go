package suite

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A constraint is a rule or a validation of a CRD that an object can break.
type constraint struct {
	at diag.Span
	// field is the field that it constrains, keyword its keyword, and text the rule or the keyword's value.
	field, keyword, text string

	// rule is set for rules, and index is theirs among all constraints of their version; name is the field that is
	// required.
	rule  *schema.Rule
	index int
	name  string
	// breaks reports whether a value violates a validation; it is nil for rules, required fields and list types.
	breaks func(value any) bool
	// isBroken is set once a case violates it.
	isBroken atomic.Bool
}

// Keywords that need code of their own.
const (
	wordRule     = "x-kubernetes-validations"
	wordRequired = "required"
	wordListType = "x-kubernetes-list-type"
)

// A branch is a place of a version's schema with the constraints on its values. Constraints inside anyOf, oneOf, allOf
// and not are part of these keywords.
type branch struct {
	own           []*constraint
	properties    map[string]*branch
	items, values *branch
}

// grow makes the branch of a place, and appends its constraints and those of its children to a list.
func grow(p *schema.Place, all *[]*constraint) *branch {
	b := &branch{own: ownConstraints(p), properties: map[string]*branch{}}
	for _, c := range b.own {
		if c.keyword == wordRule {
			c.index = len(*all)
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

// ownConstraints returns those of one schema. It leaves out what no object can violate: the type and the formats of
// numbers, which decide what can be written at all; bounds of zero; required fields that have a default or that every
// object has.
func ownConstraints(p *schema.Place) (out []*constraint) {
	s := p.Schema
	rows := schema.Keywords()
	for i := range rows {
		if k := &rows[i]; k.Validates && k.IsSet(s) {
			out = append(out, validations(p, k)...)
		}
	}
	if s.ListType.V == "set" || s.ListType.V == "map" {
		out = append(out, newConstraint(p, s.ListType.At, wordListType, s.ListType.V))
	}
	for i := range s.Rules {
		r := &s.Rules[i]
		at := r.Rule.At
		if !at.IsValid() {
			at = r.At
		}
		c := newConstraint(p, at, wordRule, r.Rule.V)
		c.rule = r
		out = append(out, c)
	}
	return out
}

func newConstraint(p *schema.Place, at diag.Span, keyword, text string) *constraint {
	if !at.IsValid() {
		at = p.At()
	}
	return &constraint{at: at, field: p.Field(), keyword: keyword, text: text}
}

// validations returns the constraints of a keyword of a schema.
func validations(p *schema.Place, k *schema.Keyword) (out []*constraint) {
	s := p.Schema
	c := newConstraint(p, k.At(s), k.Name, "")
	var alone schema.Schema
	k.Copy(&alone, s)
	switch at := k.Field.(type) {
	case schema.Many[schema.Text]: // required fields
		for _, r := range *at(s) {
			if !alwaysThere(p, r.V) {
				c := newConstraint(p, r.At, k.Name, r.V)
				c.name = r.V
				out = append(out, c)
			}
		}
		return out
	case schema.One[schema.Flag], schema.ItemsField, schema.Many[schema.Property]:
		return nil // they are part of a limit, or places with constraints of their own
	case schema.One[schema.Int]:
		n := (*at(s)).V
		if n <= 0 && strings.HasPrefix(k.Name, "min") {
			return nil
		}
		c.text = strconv.FormatInt(n, 10)
	case schema.One[schema.Number]:
		c.text = (*at(s)).V
		alone.ExclusiveMinimum, alone.ExclusiveMaximum = s.ExclusiveMinimum, s.ExclusiveMaximum
	case schema.Many[schema.Value]:
		c.text = enumText(*at(s))
	case schema.TextField:
		c.text = at(s).V
		if k.Name == "format" {
			alone.Type = s.Type
		}
	}
	c.breaks = breaker(&alone)
	if k.Name == "format" && (s.Type.V != "string" || !c.breaks("") && !c.breaks("\x00")) {
		return nil // API servers do not know this format, or accept every value
	}
	return []*constraint{c}
}

// alwaysThere reports whether every object has a field when it is validated.
func alwaysThere(p *schema.Place, name string) bool {
	if p.Above == nil && schema.IsMetaField(name) {
		return true
	}
	property := p.Schema.Property(name)
	return property != nil && property.Default != nil
}

// breaker returns a function that reports whether a value violates a schema with one keyword.
func breaker(alone *schema.Schema) func(any) bool {
	validator := sync.OnceValue(func() validation.SchemaValidator {
		var props apiextensions.JSONSchemaProps
		err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(kube.Props(alone), &props, nil)
		if err != nil {
			panic(err) // the CRD is served, so it has been converted before
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

// enumText returns the list of the first few values of an enum.
func enumText(values []schema.Value) string {
	var out []string
	for _, v := range values {
		out = append(out, string(kube.AppendJSON(nil, v)))
	}
	return inWords(out)
}
