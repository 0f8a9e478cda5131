package structural

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// nestedRows returns the checks of schemas in allOf, anyOf, oneOf and not (KEP-2335), which validate values and
// describe no structure.
func nestedRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "nested-keyword"},
			reason{"*", forbidden, "must be * to be structural", explainNestedKeyword},
			reason{"", forbidden, "must not be specified in a nested context", explainNestedMetadata},
		),
		{Check: diag.Check{ID: "nested-unknown", Verdict: true},
			Needs: session.EachSchema, Run: checkNestedStructure},
		{Check: diag.Check{ID: "nested-idle", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkNestedIdle},
		{Check: diag.Check{ID: "nested-required", Severity: diag.Warning},
			Needs: session.EachSchema, Run: checkNestedRequired},
	}
}

// junctor names the junctor that a nested place lies in.
func junctor(p *schema.Place) string {
	for ; p != nil; p = p.Above {
		switch p.Step {
		case schema.InAllOf:
			return "allOf"
		case schema.InAnyOf:
			return "anyOf"
		case schema.InOneOf:
			return "oneOf"
		case schema.InNot:
			return "not"
		}
	}
	return ""
}

// ofIntOrString are the alternatives that the API server permits for an int-or-string, in their order (complete.go).
const ofIntOrString = "[{type: integer}, {type: string}]"

// explainTypes explains types inside of the junctor of an int-or-string, and of a value that should be one. The API
// server reports each type, the finding is about all.
func explainTypes(r *rejection) bool {
	above := r.Place.Above
	if r.Rejection.Field != "type" || r.Place.Step != schema.InAnyOf && r.Place.Step != schema.InOneOf || above.Nested {
		return false
	}
	list := above.Schema.AnyOf
	if r.Place.Step == schema.InOneOf {
		list = above.Schema.OneOf
	}
	if !above.Schema.IntOrString.True() || len(list) != 2 || !isEither(list) {
		return false
	}
	if r.Schema != list[0] {
		return true
	}
	name := junctor(r.Place)
	help := "write anyOf: " + ofIntOrString
	switch {
	case !isBareType(list[0]) || !isBareType(list[1]):
		help = fmt.Sprintf("put the other keywords on %s instead, where each applies to integers or to strings only",
			what(above))
	case name == "oneOf":
		help = "remove oneOf: x-kubernetes-int-or-string permits both types"
	}
	r.errorf(r.Schema.Type.At, "the API server permits types of an int-or-string only as anyOf: %s, in this order",
		ofIntOrString).Help("%s", help).Also(strings.Replace(r.Rejection.Path, name+"[0]", name+"[1]", 1))
	return true
}

// isBareType reports whether a schema has a type and nothing else.
func isBareType(s *schema.Schema) bool { return schema.Same(s, &schema.Schema{Type: s.Type}) }

func explainNestedKeyword(r *rejection) {
	if explainTypes(r) {
		return
	}
	name := r.Rejection.Field
	at := diag.Span{}
	for _, k := range keywords(r.Schema) {
		if k.name == name {
			at = k.at
		}
	}
	f := r.errorf(at, "%s is not allowed inside %s, which only validates values", name, junctor(r.Place)).
		Help("move it to %s outside of %s", what(r.Place), junctor(r.Place))
	switch name {
	case "type":
		isAlternative := r.Place.Step == schema.InAnyOf || r.Place.Step == schema.InOneOf
		switch s := outside(r.Place); {
		case s == nil || !s.IntOrString.True() && s.Type.V == "" || junctor(r.Place) == "not":
		case isBareType(r.Schema) && isAlternative:
			f.Help("remove the alternative, since %s says the type", what(r.Place))
		default:
			f.Help("remove it: %s says the type", what(r.Place)).Do(diag.Remove, "")
		}
	case "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type":
		f.Also(topologyPaths(r)...)
	case "title", "description":
		f.Help("remove it").Do(diag.Remove, "")
	}
}

// topologyPaths returns the fields of the API server's further errors about list types and map types inside of a
// junctor.
func topologyPaths(r *rejection) []string {
	var out []string
	for _, other := range r.Rejection.All {
		if strings.HasPrefix(other.Path, r.Key("")+".") && other.Path != r.Rejection.Path &&
			(strings.Contains(other.Message, "x-kubernetes-list-") ||
				strings.Contains(other.Message, "x-kubernetes-map-type")) {
			out = append(out, other.Path)
		}
	}
	return out
}

func explainNestedMetadata(r *rejection) {
	r.errorf(r.Place.At(), "%s cannot constrain metadata", junctor(r.Place)).
		Help("use a rule, such as self.metadata.name.startsWith('a'), or constrain the name outside of %s",
			junctor(r.Place))
}

// inNestedValues reports whether a place is part of the values of a map inside of a junctor. Such maps are not allowed,
// and their values are not checked.
func inNestedValues(p *schema.Place) bool {
	for ; p != nil && p.Nested; p = p.Above {
		if p.Step == schema.InValues && p.Above.Nested {
			return true
		}
	}
	return false
}

// checkNestedStructure looks only at junctors of the root, as the API server does (complete.go), which reports the
// schema outside.
func checkNestedStructure(p *session.Pass) {
	if junctorOfRoot(p.Place) {
		if outside, path := unknownOutside(p.Place); outside != nil {
			reportUnknown(p, p.Version.Key("schema.openAPIV3Schema")+path, outside, "")
		}
	}
}

func checkNestedIdle(p *session.Pass) {
	outside, _ := unknownOutside(p.Place)
	if outside == nil || junctorOfRoot(p.Place) || isOpen(outside) ||
		schema.IsMetaField(p.Name) && outside.EmbeddedResource.True() || !mayHave(p.Place) ||
		outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return
	}
	reportUnknown(p, p.Key(""), outside, ": the API server prunes it, so its constraints always hold")
}

// mayHave reports whether values of the types above a place in a junctor can have it: fields or items.
func mayHave(p *schema.Place) bool {
	jsonType := "array"
	if p.Step == schema.InProperty {
		jsonType = "object"
	}
	return slices.Contains(typesAt(p.Above), jsonType)
}

// reportUnknown reports a junctor that constrains what the schema outside does not have, and the consequence.
func reportUnknown(p *session.Pass, path string, outside *schema.Schema, consequence string) {
	j := junctor(p.Place)
	if p.Step != schema.InProperty {
		p.Reportf(p.At(), path, "%s constrains items, which the schema outside does not have%s", j, consequence).
			Help("add items outside of %s", j)
		return
	}
	p.Reportf(p.At(), path, "%s constrains the field %q, which the schema outside does not have%s", j, p.Name,
		consequence).
		Help("%s", near(p.Name, outside.PropertyNames(), "add it to properties outside of "+j)).
		Changes(diag.AcceptsOther, "%s has an effect", j)
}

// unknownOutside returns, for a field or for items that a junctor constrains, the schema outside that does not have
// them, and the path where it would. The schema is nil if it has them, or if a field above is unknown already.
func unknownOutside(p *schema.Place) (outside *schema.Schema, path string) {
	if !p.Nested || p.Step != schema.InProperty && p.Step != schema.InItems || inNestedValues(p) {
		return nil, ""
	}
	s, path := structure(p)
	if s != nil {
		return nil, ""
	}
	outside, _ = structure(p.Above)
	return outside, path
}

// junctorOfRoot reports whether the outermost junctor around a place belongs to the root.
func junctorOfRoot(p *schema.Place) bool {
	for p != nil && p.Nested && p.Above.Nested {
		p = p.Above
	}
	return p != nil && p.Nested && isRoot(p.Above)
}

func checkNestedRequired(p *session.Pass) {
	if !p.Nested || len(p.Schema.Required) == 0 {
		return
	}
	outside, path := structure(p.Place)
	if outside == nil || isOpen(outside) || outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return
	}
	j, effect := junctor(p.Place), "the condition never holds"
	if j == "not" {
		effect = "it forbids nothing"
	}
	for i, r := range p.Schema.Required {
		isMeta := schema.IsMetaField(r.V) && (path == "" || outside.EmbeddedResource.True())
		if outside.Property(r.V) == nil && !isMeta {
			p.Reportf(p.At(r.At), p.Key(fmt.Sprintf("required[%d]", i)),
				"%s requires %q, which the schema outside does not have: %s", j, r.V, effect).
				Help("%s", near(r.V, outside.PropertyNames(), "add it to properties outside of "+j)).
				Changes(diag.AcceptsOther, "%s has an effect", j)
		}
	}
}
