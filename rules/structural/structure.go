package structural

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// structureRows are the checks of types, and of keywords that a CRD may not use or not together.
func structureRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "type-unknown", Verdict: true,
				Doc:  "A type is one of array, boolean, integer, number, object and string. What may be null is nullable.",
				Bad:  "// +kubebuilder:validation:Type=str\nName string `json:\"name,omitempty\"`",
				Good: "// +kubebuilder:validation:Type=string\nName string `json:\"name,omitempty\"`",
			},
			ofSchema: checkTypeKnown,
		},
		{
			Check: diag.Check{
				ID: "type-missing", Verdict: true,
				Doc: "Every property, every item and every value of a map has a type outside of allOf, anyOf, oneOf and not, unless it is " +
					"an integer or a string, or keeps unknown fields.",
				Bad:  "// +kubebuilder:validation:Schemaless\nAny apiextensionsv1.JSON `json:\"any,omitempty\"`",
				Good: "// +kubebuilder:validation:Schemaless\n// +kubebuilder:pruning:PreserveUnknownFields\nAny apiextensionsv1.JSON `json:\"any,omitempty\"`",
			},
			ofSchema: checkTypeMissing,
		},
		{
			Check: diag.Check{
				ID: "root-type", Verdict: true,
				Doc:  "The schema of a version is that of an object.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: string}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object}",
			},
			ofSchema: checkRootType,
		},
		{
			Check: diag.Check{
				ID: "items-missing", Verdict: true,
				Doc:  "An array says what its items are.",
				Bad:  "// +kubebuilder:validation:Schemaless\n// +kubebuilder:validation:Type=array\nList apiextensionsv1.JSON `json:\"list,omitempty\"`",
				Good: "List []string `json:\"list,omitempty\"`",
			},
			ofSchema: checkItems,
		},
		{
			Check: diag.Check{
				ID: "values-and-properties", Verdict: true,
				Doc:  "An object has named properties or is a map whose values have one schema, not both.",
				Bad:  "type: object\nproperties:\n  a: {type: string}\nadditionalProperties: {type: string}",
				Good: "type: object\nadditionalProperties: {type: string}",
			},
			ofSchema: checkValues,
		},
		{
			Check: diag.Check{
				ID: "values-at-root", Verdict: true,
				Doc:  "The root of a version's schema is no map.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, additionalProperties: {type: string}}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, properties: {spec: {type: object, additionalProperties: {type: string}}}}",
			},
			ofSchema: checkValuesAtRoot,
		},
		{
			Check: diag.Check{
				ID: "nullable-root", Verdict: true,
				Doc:  "An object as a whole cannot be null.",
				Bad:  "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, nullable: true}",
				Good: "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object}",
			},
			ofSchema: checkNullableRoot,
		},
		{
			Check: diag.Check{
				ID: "keyword-forbidden", Verdict: true,
				Doc:  "CRDs have but a part of OpenAPI: no $ref and definitions, no lists of items, no patternProperties, no uniqueItems.",
				Bad:  "type: array\nuniqueItems: true\nitems: {type: string}",
				Good: "type: array\nx-kubernetes-list-type: set\nitems: {type: string}",
			},
			ofSchema: checkForbidden,
		},
		{
			Check: diag.Check{
				ID: "root-keyword", Verdict: true,
				Doc: "Where status is a subresource, its schema is cut out of the root's, which therefore has but descriptions, properties, " +
					"required and rules.",
				Bad:  "// +kubebuilder:subresource:status\n// +kubebuilder:validation:MinProperties=3\ntype Widget struct { … }",
				Good: "// +kubebuilder:subresource:status\n// +kubebuilder:validation:XValidation:rule=\"has(self.status) || has(self.spec)\"\ntype Widget struct { … }",
			},
			ofSchema: checkRootKeywords,
		},
	}
}

func schemaTypes() []string {
	return []string{"array", "boolean", "integer", "number", "object", "string"}
}

func checkTypeKnown(n *node) []finding {
	if n.Nested || n.s.Type.V == "" || isOneOf(n.s.Type.V, schemaTypes()) {
		return nil
	}
	return one(n.unknownType())
}

func checkTypeMissing(n *node) []finding {
	if n.Nested || !lacksType(n.s) || other(n.s, "$ref") != nil {
		return nil
	}
	return one(n.noType())
}

// lacksType reports whether a schema outside of junctors has to state a type and does not. That of an embedded resource is
// looked at with it.
func lacksType(s *schema.Schema) bool {
	return s.Type.V == "" && !isSet(s.IntOrString) && !isSet(s.PreserveUnknownFields) && !isSet(s.EmbeddedResource)
}

func checkRootType(n *node) []finding {
	if !n.isRoot() || n.s.Type.V == "" || n.s.Type.V == "object" {
		return nil
	}
	return one(n.rootNoObject())
}

func checkItems(n *node) []finding {
	if n.Nested || n.s.Type.V != "array" || n.s.Items != nil || other(n.s, "items") != nil {
		return nil
	}
	return one(n.noItems())
}

// hasValues reports whether a schema says anything of the values of a map but that all are permitted.
func hasValues(s *schema.Schema) bool {
	return s.AdditionalProperties != nil || other(s, "additionalProperties") != nil
}

func checkValues(n *node) []finding {
	if len(n.s.Properties) == 0 || !hasValues(n.s) {
		return nil
	}
	if n.Nested && n.s.AdditionalProperties != nil && !n.inNestedValues() {
		return nil // there are no maps in junctors in any case
	}
	return one(n.valuesAndProperties())
}

func checkValuesAtRoot(n *node) []finding {
	if !n.isRoot() || !hasValues(n.s) && !n.s.AdditionalAllowed {
		return nil
	}
	return one(n.valuesAtRoot())
}

func checkNullableRoot(n *node) []finding {
	if !n.isRoot() || !isSet(n.s.Nullable) {
		return nil
	}
	return one(n.nullableRoot())
}

func checkForbidden(n *node) []finding {
	var out []finding
	if isSet(n.s.UniqueItems) {
		out = append(out, n.uniqueItems())
	}
	if p := n.s.PreserveUnknownFields; p != nil && !p.V {
		out = append(out, n.preservesNot(p))
	}
	for _, k := range n.s.Other {
		if why := forbidden(k); why != "" {
			out = append(out, n.forbidden(k, why))
		}
	}
	return out
}

// forbidden says what to do instead of using a keyword that CRDs do not have, "" where it does no harm.
func forbidden(k schema.Verbatim) string {
	isEmpty := k.Value.Text == "" && len(k.Value.Members) == 0
	switch k.Name {
	case "$ref":
		return "write out the schema that it refers to"
	case "definitions", "patternProperties", "id", "$schema":
		if isEmpty {
			return ""
		}
	case "dependencies", "additionalItems":
	case "items":
		return "give one schema for all items"
	default:
		return ""
	}
	switch k.Name {
	case "definitions":
		return "write out the schemas where they are used"
	case "patternProperties":
		return "use additionalProperties, and check the keys with a rule: self.all(key, key.matches('…'))"
	case "dependencies":
		return "use a rule: !has(self.a) || has(self.b)"
	}
	return "remove it"
}

func checkRootKeywords(n *node) []finding {
	if !n.isRoot() || !n.in.hasStatus() {
		return nil
	}
	var out []finding
	for _, k := range keywords(n.s) {
		o := other(n.s, k.name)
		isToldOrAbsent := o != nil && (forbidden(*o) != "" || isOneOf(k.name, []string{"id", "$schema"}))
		// Other checks report a root that is nullable or a map.
		if k.row.AtRoot || isToldOrAbsent || isOneOf(k.name, []string{"nullable", "additionalProperties"}) {
			continue
		}
		out = append(out, n.notAtRoot(k))
	}
	return out
}

// alsoRoot is the path of the error that the API server reports for the root as well, where status is a subresource.
func (n *node) alsoRoot() []string {
	if n.isRoot() && n.in.hasStatus() {
		return []string{n.key("")}
	}
	return nil
}

// alsoSelectable is the path of the error that the API server reports as well where fields are to be selected by in a
// schema that has no structural form. The internal version has no index where there is but one version.
func (n *node) alsoSelectable() []string {
	if len(n.in.SelectableFields) == 0 {
		return nil
	}
	if len(n.in.of.Versions) == 1 {
		return []string{"spec.schema.openAPIV3Schema"}
	}
	return []string{n.in.key("schema.openAPIV3Schema")}
}
