package structural

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/session"
)

// structureRows are the checks of types, and of keywords that a CRD may not use or not together.
func structureRows() []session.Row {
	return []session.Row{
		explained(diag.Check{
			ID:   "type-unknown",
			Doc:  "A type is one of array, boolean, integer, number, object and string. What may be null is nullable.",
			Bad:  "// +kubebuilder:validation:Type=str\nName string `json:\"name,omitempty\"`",
			Good: "// +kubebuilder:validation:Type=string\nName string `json:\"name,omitempty\"`",
		}, reason{"type", notSupported, "", explainType}),
		explained(diag.Check{
			ID: "type-missing",
			Doc: "Every property, every item and every value of a map has a type outside of allOf, anyOf, oneOf and " +
				"not, unless it is an integer or a string, or keeps unknown fields.",
			Bad: "// +kubebuilder:validation:Schemaless\nAny apiextensionsv1.JSON `json:\"any,omitempty\"`",
			Good: "// +kubebuilder:validation:Schemaless\n// +kubebuilder:pruning:PreserveUnknownFields\n" +
				"Any apiextensionsv1.JSON `json:\"any,omitempty\"`",
		}, reason{"type", required, "must not be empty*", explainNoType}),
		explained(diag.Check{
			ID:   "root-type",
			Doc:  "The schema of a version is that of an object.",
			Bad:  inSchema + "{type: string}",
			Good: inSchema + "{type: object}",
		}, reason{"type", invalid, "must be object at the root", explainRootType}),
		explained(diag.Check{
			ID:  "items-missing",
			Doc: "An array says what its items are.",
			Bad: "// +kubebuilder:validation:Schemaless\n// +kubebuilder:validation:Type=array\n" +
				"List apiextensionsv1.JSON `json:\"list,omitempty\"`",
			Good: "List []string `json:\"list,omitempty\"`",
		}, reason{"items", required, "must be specified", explainNoItems}),
		explained(diag.Check{
			ID:   "values-and-properties",
			Doc:  "An object has named properties or is a map whose values have one schema, not both.",
			Bad:  "type: object\nproperties:\n  a: {type: string}\nadditionalProperties: {type: string}",
			Good: "type: object\nadditionalProperties: {type: string}",
		}, reason{"additionalProperties", forbidden, "* mutual exclusive", explainValues}),
		explained(diag.Check{
			ID:   "values-at-root",
			Doc:  "The root of a version's schema is no map.",
			Bad:  inSchema + "{type: object, additionalProperties: {type: string}}",
			Good: inSchema + "{type: object, properties: {spec: {type: object, additionalProperties: {type: string}}}}",
		}, reason{"additionalProperties", forbidden, "must not be used at the root", explainValuesAtRoot}),
		explained(diag.Check{
			ID:   "nullable-root",
			Doc:  "An object as a whole cannot be null.",
			Bad:  inSchema + "{type: object, nullable: true}",
			Good: inSchema + "{type: object}",
		}, reason{"nullable", forbidden, "nullable cannot be true at the root", explainNullableRoot}),
		{Check: diag.Check{
			ID: "keyword-forbidden", Verdict: true,
			Doc: "CRDs have but a part of OpenAPI: no $ref and definitions, no lists of items, no " +
				"patternProperties, no uniqueItems.",
			Bad:  "type: array\nuniqueItems: true\nitems: {type: string}",
			Good: "type: array\nx-kubernetes-list-type: set\nitems: {type: string}",
		}, Needs: session.EachSchema, Run: checkForbidden},
		explained(diag.Check{
			ID: "root-keyword",
			Doc: "Where status is a subresource, its schema is cut out of the root's, which therefore has but " +
				"descriptions, properties, required and rules.",
			Bad: "// +kubebuilder:subresource:status\n// +kubebuilder:validation:MinProperties=3\ntype Widget " +
				"struct { … }",
			Good: "// +kubebuilder:subresource:status\n" +
				"// +kubebuilder:validation:XValidation:rule=\"has(self.status) || has(self.spec)\"\ntype Widget " +
				"struct { … }",
		},
			reason{"", invalid, "only [*", explainRootKeywords},
			reason{"type", invalid, "only \"object\" is allowed*", explainRootKeywords},
		),
	}
}

func explainType(r *rejection) {
	t := r.Schema.Type
	switch {
	case r.Nested: // where there are no types in any case
	case t.V == "null":
		r.errorf(t.At, "null is no type").
			Help("state the type of the other values, and add %s", r.Write().Set("nullable", "true"))
	default:
		r.unknown("type", t, r.supported())
	}
}

func explainNoType(r *rejection) {
	if other(r.Schema, "$ref") != nil {
		return
	}
	if isRoot(r.Place) {
		r.errorf(r.Place.At(), "the schema of version %s has no type", r.Version.Name.V).
			Help("add %s", r.Write().Set("type", "object"))
		return
	}
	r.errorf(r.Place.At(), "%s has no type", what(r.Place)).Help("add %s, or, if every value is permitted, %s",
		r.Write().Set("type", "…"), r.Write().Set("x-kubernetes-preserve-unknown-fields", "true"))
}

// lacksType reports whether a schema outside of junctors has to state a type and does not. That of an embedded
// resource is looked at with it.
func lacksType(s *schema.Schema) bool {
	return s.Type.V == "" && !isSet(s.IntOrString) && !isSet(s.PreserveUnknownFields) && !isSet(s.EmbeddedResource)
}

func explainRootType(r *rejection) {
	t := r.Schema.Type
	r.errorf(t.At, "the schema of version %s is that of %s, but objects are objects", r.Version.Name.V,
		typePhrase(t.V)).
		Help("write %s", r.Write().Set("type", "object"))
}

func explainNoItems(r *rejection) {
	if other(r.Schema, "items") == nil {
		r.errorf(r.Schema.Type.At, "%s is an array, but nothing says what its items are", what(r.Place)).
			Help("%s", r.Write().Choose("use a slice type, such as []string", "add items: {type: …}"))
	}
}

// hasValues reports whether a schema says anything of the values of a map but that all are permitted.
func hasValues(s *schema.Schema) bool {
	return s.AdditionalProperties != nil || other(s, "additionalProperties") != nil
}

func valuesAt(s *schema.Schema) diag.Span {
	if s.AdditionalProperties != nil {
		return s.AdditionalProperties.At
	}
	if k := other(s, "additionalProperties"); k != nil {
		return k.At
	}
	return diag.Span{}
}

func explainValues(r *rejection) {
	at := valuesAt(r.Schema)
	switch {
	case r.Schema.AdditionalProperties == nil:
		r.errorf(at, "%s has additionalProperties: false beside properties", what(r.Place)).
			Help("remove it: unknown fields are pruned anyway").Also(alsoRoot(r.Pass)...)
	case !r.Nested || inNestedValues(r.Place): // there are no maps in junctors in any case
		r.errorf(at, "%s has named properties and is a map at the same time", what(r.Place)).
			Help("keep properties or additionalProperties; unknown fields are pruned anyway").Also(alsoRoot(r.Pass)...)
	}
}

func explainValuesAtRoot(r *rejection) {
	r.errorf(valuesAt(r.Schema), "the root of a schema cannot be a map").Help("move the map into a field").
		Also(alsoRoot(r.Pass)...)
}

func explainNullableRoot(r *rejection) {
	r.errorf(r.Schema.Nullable.At, "an object as a whole cannot be null").Help("remove %s", r.Write().Name("nullable")).
		Also(alsoRoot(r.Pass)...)
}

// checkForbidden explains no rejections: the API server says nothing of $schema while anything else is wrong.
func checkForbidden(p *session.Pass) {
	const preserve = "x-kubernetes-preserve-unknown-fields"
	if u := p.Schema.UniqueItems; isSet(u) {
		p.Reportf(p.At(u.At), p.Key("uniqueItems"),
			"the API server refuses uniqueItems: true, since checking it costs the square of the list").
			Help("use %s", p.Write().Set("x-kubernetes-list-type", "set"))
	}
	if f := p.Schema.PreserveUnknownFields; f != nil && !f.V {
		p.Reportf(p.At(f.At), p.Key(preserve), "%s is true or left out", preserve).
			Help("remove it: unknown fields are pruned anyway").Also(alsoSelectable(p)...)
	}
	for _, k := range p.Schema.Other {
		help := instead(k)
		switch at := p.At(k.At); {
		case help == "":
		case k.Name == "items":
			p.Reportf(at, p.Key(k.Name), "items is a list of schemas").Help("%s", help).Also(alsoSelectable(p)...)
		case k.Name == "$schema":
			p.Reportf(at, p.Version.Key("schema.openAPIV3Schema"), "CRDs have no %s", k.Name).Help("%s", help)
		default:
			p.Reportf(at, p.Key(k.Name), "CRDs have no %s", k.Name).Help("%s", help).Also(alsoRoot(p)...).
				Also(alsoSelectable(p)...)
		}
	}
}

// instead says what to do instead of using a keyword that CRDs do not have, "" where it does no harm.
func instead(k schema.Verbatim) string {
	isEmpty := k.Value.Text == "" && len(k.Value.Members) == 0
	if isEmpty && slices.Contains([]string{"definitions", "patternProperties", "id", "$schema"}, k.Name) {
		return ""
	}
	return map[string]string{
		"$ref": "write out the schema that it refers to", "items": "give one schema for all items",
		"dependencies": "use a rule: !has(self.a) || has(self.b)", "additionalItems": "remove it",
		"definitions": "write out the schemas where they are used",
		"patternProperties": "use additionalProperties, and check the keys with a rule: self.all(key, " +
			"key.matches('…'))",
		"id": "remove it", "$schema": "remove it",
	}[k.Name]
}

// mayBeAtRoot reports whether a keyword at the root is permitted where status is a subresource, or reported by
// another check.
func mayBeAtRoot(s *schema.Schema, name string) bool {
	if k := schema.KeywordOf(name); k != nil && k.AtRoot || name == "nullable" || name == "additionalProperties" {
		return true
	}
	o := other(s, name)
	return o != nil && (instead(*o) != "" || name == "id" || name == "$schema")
}

// explainRootKeywords names all keywords: the API server stops at the first, and at a type that is wrong.
func explainRootKeywords(r *rejection) {
	for _, k := range keywords(r.Schema) {
		if mayBeAtRoot(r.Schema, k.name) {
			continue
		}
		help := "say it with a rule, or of a field"
		switch {
		case slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, k.name):
			help = "say it of a field, such as spec, or with a rule"
		case strings.HasPrefix(k.name, "x-kubernetes-"):
			help = "remove " + r.Write().Name(k.name)
		}
		r.Reportf(r.At(k.at), r.Key(""), "the root of a schema has no %s where status is a subresource", k.name).
			Help("%s", help)
	}
}

// alsoRoot is the path of the error that the API server reports for the root as well, where status is a subresource.
func alsoRoot(p *session.Pass) []string {
	if isRoot(p.Place) && hasStatus(p.Version) {
		return []string{p.Key("")}
	}
	return nil
}

// alsoSelectable is the path of the error that the API server reports as well where fields are to be selected by in a
// schema that has no structural form. The internal version has no index where there is but one version.
func alsoSelectable(p *session.Pass) []string {
	switch {
	case len(p.Version.SelectableFields) == 0:
		return nil
	case len(p.Versions) == 1:
		return []string{"spec.schema.openAPIV3Schema"}
	}
	return []string{p.Version.Key("schema.openAPIV3Schema")}
}
