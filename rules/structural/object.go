package structural

import (
	"reflect"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// objectRows are the checks of what is an object of Kubernetes, of a version's own and of embedded ones, and of the other
// extensions of types.
func objectRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "metadata-restricted", Verdict: true,
				Doc: "The metadata, kind and apiVersion are the API server's business: a CRD may restrict the name and the generateName of " +
					"its objects, and nothing else.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          metadata: {type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          metadata: {type: object, properties: {name: {type: string, maxLength: 40}}}",
			},
			ofSchema: checkObjectMeta,
		},
		{
			Check: diag.Check{
				ID: "embedded-resource", Verdict: true,
				Doc:  "An embedded resource is an object with properties or one that keeps unknown fields; it is no map, and no part of metadata.",
				Bad:  "// +kubebuilder:validation:EmbeddedResource\nTemplate map[string]string `json:\"template,omitempty\"`",
				Good: "// +kubebuilder:validation:EmbeddedResource\n// +kubebuilder:pruning:PreserveUnknownFields\nTemplate runtime.RawExtension `json:\"template,omitempty\"`",
			},
			ofSchema: checkEmbedded,
		},
		{
			Check: diag.Check{
				ID: "int-or-string", Verdict: true,
				Doc:  "What is an integer or a string has no fields, neither unknown ones nor those of a resource.",
				Bad:  "// +kubebuilder:pruning:PreserveUnknownFields\nPort intstr.IntOrString `json:\"port,omitempty\"`",
				Good: "Port intstr.IntOrString `json:\"port,omitempty\"`",
			},
			ofSchema: checkIntOrString,
		},
	}
}

func checkObjectMeta(n *node) []finding {
	if n.Nested || !n.isRoot() && !isSet(n.s.EmbeddedResource) {
		return nil
	}
	var out []finding
	for _, p := range n.s.Properties {
		want := "string"
		switch p.Name {
		case "metadata":
			want = "object"
		case "kind", "apiVersion":
		default:
			continue
		}
		child := &node{Place: &schema.Place{Schema: p.Schema, Above: n.Place, Step: schema.InProperty, Name: p.Name}, s: p.Schema, in: n.in}
		if p.Schema.Type.V != want && !lacksType(p.Schema) {
			out = append(out, child.metaType(want))
		}
		if k := restriction(p.Schema); p.Name == "metadata" && n.isRoot() && k != nil {
			out = append(out, child.metaRestricted(*k))
		}
	}
	return out
}

// restriction returns what a schema of metadata says beyond the type and the names, nil where that is nothing.
func restriction(s *schema.Schema) *keyword {
	bare := *kube.Props(s)
	bare.Type, bare.Default = "", nil
	delete(bare.Properties, "name")
	delete(bare.Properties, "generateName")
	if len(bare.Properties) == 0 {
		bare.Properties = nil
	}
	if reflect.DeepEqual(bare, apiext.JSONSchemaProps{}) {
		return nil
	}
	for _, k := range keywords(s) {
		if !isOneOf(k.name, []string{"type", "default", "properties"}) {
			return &k
		}
	}
	for _, p := range s.Properties {
		if p.Name != "name" && p.Name != "generateName" {
			return &keyword{name: p.Name, at: p.Schema.At}
		}
	}
	return &keyword{name: "metadata", at: s.At}
}

func checkEmbedded(n *node) []finding {
	if n.Nested || !isSet(n.s.EmbeddedResource) {
		return nil
	}
	var out []finding
	if n.s.Type.V != "object" {
		out = append(out, n.embeddedType())
	}
	if hasValues(n.s) || n.s.AdditionalAllowed {
		out = append(out, n.embeddedMap())
	}
	if len(n.s.Properties) == 0 && !isSet(n.s.PreserveUnknownFields) {
		out = append(out, n.embeddedEmpty())
	}
	if meta := metaAbove(n.Place); meta != nil {
		out = append(out, n.embeddedInMeta(meta.Name))
	}
	return out
}

// metaAbove returns the nearest place at or above one that is metadata, kind or apiVersion of an object of Kubernetes, or nil.
func metaAbove(p *schema.Place) *schema.Place {
	for ; p != nil; p = p.Above {
		if p.Step == schema.InProperty && isMetaField(p.Name) && (p.Above.Above == nil || isSet(p.Above.Schema.EmbeddedResource)) {
			return p
		}
	}
	return nil
}

func checkIntOrString(n *node) []finding {
	if n.Nested || !isSet(n.s.IntOrString) {
		return nil
	}
	var out []finding
	if p := n.s.PreserveUnknownFields; isSet(p) {
		out = append(out, n.intOrStringWith("x-kubernetes-preserve-unknown-fields", p))
	}
	if e := n.s.EmbeddedResource; isSet(e) {
		out = append(out, n.intOrStringWith("x-kubernetes-embedded-resource", e))
	}
	return out
}
