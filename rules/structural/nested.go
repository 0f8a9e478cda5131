package structural

import (
	"reflect"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// nestedRows are the checks of what stands in allOf, anyOf, oneOf and not (KEP-2335): it validates values and describes no
// structure.
func nestedRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "nested-keyword", Verdict: true,
				Doc: "Inside allOf, anyOf, oneOf and not a schema says nothing of types, defaults, descriptions, null, maps, metadata " +
					"or merging, and has no rules: what fields there are, and of which type, is said outside.",
				Bad:  "type: object\nproperties:\n  a: {type: string}\nanyOf:\n- properties:\n    a: {type: string, minLength: 1}",
				Good: "type: object\nproperties:\n  a: {type: string}\nanyOf:\n- properties:\n    a: {minLength: 1}",
			},
			ofSchema: checkNestedKeywords,
		},
		{
			Check: diag.Check{
				ID: "nested-unknown", Verdict: true,
				Doc: "A field that allOf, anyOf, oneOf or not of the root speaks of is one that the schema outside has.",
				Bad: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n" +
					"      openAPIV3Schema: {type: object, properties: {spec: {type: object}}, not: {properties: {sepc: {minProperties: 3}}}}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n" +
					"      openAPIV3Schema: {type: object, properties: {spec: {type: object}}, not: {properties: {spec: {minProperties: 3}}}}",
			},
			ofSchema: checkNestedStructure,
		},
		{
			Check: diag.Check{
				ID: "nested-idle", Severity: diag.Warning,
				Doc: "Below the root, API servers accept a field that only allOf, anyOf, oneOf or not speaks of, but prune it from every " +
					"object: what is said of it always holds, and not refuses everything.",
				Bad:  "type: object\nproperties:\n  name: {type: string}\nnot:\n  properties:\n    nmae: {pattern: x}",
				Good: "type: object\nproperties:\n  name: {type: string}\nnot:\n  properties:\n    name: {pattern: x}",
			},
			ofSchema: checkNestedIdle,
		},
		{
			Check: diag.Check{
				ID: "nested-required", Severity: diag.Warning,
				Doc: "A field that allOf, anyOf, oneOf or not requires, and that the schema outside does not have, is pruned from every " +
					"object: the requirement never holds.",
				Bad:  "type: object\nproperties:\n  name: {type: string}\n  id: {type: string}\nanyOf:\n- required: [nmae]\n- required: [id]",
				Good: "type: object\nproperties:\n  name: {type: string}\n  id: {type: string}\nanyOf:\n- required: [name]\n- required: [id]",
			},
			ofSchema: checkNestedRequired,
		},
	}
}

// checkNestedKeywords looks for keywords that validation of pkg/apiserver/schema forbids inside of junctors.
func checkNestedKeywords(n *node) []finding {
	if !n.Nested || n.inNestedValues() {
		return nil
	}
	var out []finding
	for _, k := range keywords(n.s) {
		if k.row.Structural && !n.isHarmless(k.name) {
			out = append(out, n.nestedKeyword(k))
		}
	}
	if n.s.Property("metadata") != nil {
		out = append(out, n.nestedMetadata())
	}
	return out
}

// inNestedValues reports whether a node is part of the values of a map that stand inside of a junctor. There are no such
// maps, and what they would hold is not looked at.
func (n *node) inNestedValues() bool {
	for p := n.Place; p != nil && p.Nested; p = p.Above {
		if p.Step == schema.InValues && p.Above.Nested {
			return true
		}
	}
	return false
}

// isHarmless reports whether a keyword inside of a junctor is one that the API server permits: one that says nothing, and the
// types in the two ways to write that a value is an integer or a string.
func (n *node) isHarmless(keyword string) bool {
	switch keyword {
	case "type":
		return n.isIntOrStringType()
	case "default":
		return n.s.Default.Value.Kind == schema.Null
	case "x-kubernetes-preserve-unknown-fields":
		return !n.s.PreserveUnknownFields.V // which is told as such
	case "additionalProperties":
		return n.s.AdditionalProperties == nil && !n.s.AdditionalAllowed
	}
	return false
}

// isIntOrStringType reports whether the node is one of two in an anyOf that permits integers and strings, right below a
// schema outside of junctors or in its first allOf.
func (n *node) isIntOrStringType() bool {
	above := n.Above
	if n.Step != schema.InAnyOf || !isIntOrString(above.Schema.AnyOf) {
		return false
	}
	return !above.Nested || above.Step == schema.InAllOf && above.Index == 0 && !above.Above.Nested
}

func isIntOrString(anyOf []*schema.Schema) bool {
	if len(anyOf) != 2 {
		return false
	}
	for i, name := range []string{"integer", "string"} {
		if !reflect.DeepEqual(kube.Props(anyOf[i]), &apiext.JSONSchemaProps{Type: name}) {
			return false
		}
	}
	return true
}

// checkNestedStructure looks at junctors of the root alone, as the API server does (complete.go).
func checkNestedStructure(n *node) []finding {
	if !n.junctorOfRoot() {
		return nil
	}
	outside, path := n.unknownOutside()
	if outside == nil {
		return nil
	}
	return one(n.nestedUnknown(outside, path))
}

func checkNestedIdle(n *node) []finding {
	outside, _ := n.unknownOutside()
	if outside == nil || n.junctorOfRoot() || isOpen(outside) || isMetaField(n.Name) && isSet(outside.EmbeddedResource) || outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return nil
	}
	return one(n.nestedIdle(outside))
}

// unknownOutside returns, for a field or for items of which a junctor speaks, the schema outside that does not have them, and
// the path where it would. The schema is nil where it has them, or where the same was said of a field above.
func (n *node) unknownOutside() (outside *schema.Schema, path string) {
	if !n.Nested || n.Step != schema.InProperty && n.Step != schema.InItems || n.inNestedValues() {
		return nil, ""
	}
	s, path := structure(n.Place)
	if s != nil {
		return nil, ""
	}
	outside, _ = structure(n.Above)
	return outside, path
}

// junctorOfRoot reports whether the outermost junctor around a node belongs to the root.
func (n *node) junctorOfRoot() bool {
	p := n.Place
	for p != nil && p.Nested && p.Above.Nested {
		p = p.Above
	}
	return p != nil && p.Nested && p.Above.Above == nil
}

func checkNestedRequired(n *node) []finding {
	if !n.Nested || len(n.s.Required) == 0 {
		return nil
	}
	outside, path := structure(n.Place)
	if outside == nil || isOpen(outside) || outside.AdditionalAllowed || outside.AdditionalProperties != nil {
		return nil
	}
	var out []finding
	for i, r := range n.s.Required {
		if outside.Property(r.V) == nil && !(isMetaField(r.V) && (path == "" || isSet(outside.EmbeddedResource))) {
			out = append(out, n.nestedRequired(i, r, outside))
		}
	}
	return out
}
