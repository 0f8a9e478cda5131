package structural

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// structureRows returns the checks of types, and of keywords that a CRD may not use, or not together.
func structureRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "type-unknown"}, reason{"type", notSupported, "", explainType}),
		explained(diag.Check{ID: "type-missing"}, reason{"type", required, "must not be empty*", explainNoType}),
		explained(diag.Check{ID: "root-type"},
			reason{"type", invalid, "must be object at the root", explainRootType}),
		explained(diag.Check{ID: "items-missing"}, reason{"items", required, "must be specified", explainNoItems}),
		explained(diag.Check{ID: "values-and-properties"},
			reason{"additionalProperties", forbidden, "* mutual exclusive", explainValues}),
		explained(diag.Check{ID: "values-at-root"},
			reason{"additionalProperties", forbidden, "must not be used at the root", explainValuesAtRoot}),
		explained(diag.Check{ID: "nullable-root"},
			reason{"nullable", forbidden, "nullable cannot be true at the root", explainNullableRoot}),
		{Check: diag.Check{ID: "keyword-forbidden", Verdict: true}, Needs: session.EachSchema, Run: checkForbidden},
		explained(diag.Check{ID: "root-keyword"},
			reason{"", invalid, "only [*", explainRootKeywords},
			reason{"type", invalid, "only \"object\" is allowed*", explainRootKeywords},
		),
	}
}

func explainType(r *rejection) {
	t := r.Schema.Type
	switch {
	case r.Nested: // types are not allowed there anyway
	case t.V == "null":
		r.errorf(t.At, "unknown type \"null\"").
			Help("write the type of the other values, and add %s", r.Write().Set("nullable", "true"))
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
			AddKey(r.Write().Set("type", "object"))
		return
	}
	help := r.Write().Choose("set its type", "add type: "+impliedType(r.Schema))
	if isEither(r.Schema.AnyOf) || isEither(r.Schema.OneOf) {
		help = r.Write().Choose("set its type", "add x-kubernetes-int-or-string: true")
	}
	if isMeta := schema.IsMetaField(r.Place.Name) && r.Place.Above.Schema.EmbeddedResource.True(); !isMeta {
		help += ", or add " + r.Write().Set("x-kubernetes-preserve-unknown-fields", "true") + " to permit every value"
	}
	r.errorf(r.Place.At(), "%s has no type", what(r.Place)).Help("%s", help)
}

// isEither reports whether alternatives are for an integer and for a string.
func isEither(alternatives []*schema.Schema) bool {
	types := map[string]bool{}
	for _, s := range alternatives {
		types[s.Type.V] = true
	}
	return len(types) == 2 && types["integer"] && types["string"]
}

// impliedType returns the type to which a keyword of a schema applies, or string.
func impliedType(s *schema.Schema) string {
	for _, k := range schema.Keywords() {
		if k.Of != "" && k.IsSet(s) {
			return k.Of
		}
	}
	return "string"
}

// lacksType reports whether a schema outside of junctors needs a type and has none. The type of an embedded resource is
// checked with the resource.
func lacksType(s *schema.Schema) bool {
	return s.Type.V == "" && !s.IntOrString.True() && !s.PreserveUnknownFields.True() && !s.EmbeddedResource.True()
}

func explainRootType(r *rejection) {
	t := r.Schema.Type
	r.errorf(t.At, "the schema of version %s must have the type object, got %s", r.Version.Name.V, t.V).
		WriteKey(r.Write().Set("type", "object"))
}

func explainNoItems(r *rejection) {
	if other(r.Schema, "items") == nil {
		r.errorf(r.Schema.Type.At, "the items of array %s have no schema", what(r.Place)).
			Help("%s", r.Write().Choose("change the type to a slice, such as []string", "add items: {type: string}"))
	}
}

// hasValues reports whether a schema constrains the values of a map.
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
		r.errorf(at, "%s has both properties and additionalProperties: false", what(r.Place)).
			Help("remove it: unknown fields are pruned anyway").Do(diag.Remove, "").Also(alsoRoot(r.Pass)...)
	case !r.Nested || inNestedValues(r.Place): // maps are not allowed in junctors anyway
		r.errorf(at, "%s has both properties and additionalProperties", what(r.Place)).
			Help("remove properties or additionalProperties").Also(alsoRoot(r.Pass)...)
	}
}

func explainValuesAtRoot(r *rejection) {
	r.errorf(valuesAt(r.Schema), "the root of a schema cannot be a map").Help("move the map into a field").
		Also(alsoRoot(r.Pass)...)
}

func explainNullableRoot(r *rejection) {
	r.errorf(r.Schema.Nullable.At, "the root of a schema cannot be nullable").
		DropKey(r.Write().Name("nullable")).
		Also(alsoRoot(r.Pass)...)
}

// checkForbidden explains no rejections: the API server reports $schema only if nothing else is wrong.
func checkForbidden(p *session.Pass) {
	const preserve = "x-kubernetes-preserve-unknown-fields"
	if u := p.Schema.UniqueItems; u.True() {
		p.Reportf(p.At(u.At), p.Key("uniqueItems"),
			"the API server rejects uniqueItems: true, since checking it takes quadratic time").
			Help("%s", insteadOfUnique(p))
	}
	if f := p.Schema.PreserveUnknownFields; f != nil && !f.V {
		p.Reportf(p.At(f.At), p.Key(preserve), "%s: false is not allowed", preserve).
			Help("remove it: unknown fields are pruned anyway").Do(diag.Remove, "").Also(alsoSelectable(p)...)
	}
	for _, k := range p.Schema.Other {
		help := instead(k)
		switch at := p.At(k.At); {
		case help == "":
		case k.Name == "items":
			p.Reportf(at, p.Key(k.Name), "items must be one schema, not a list of schemas").Help("%s", help).
				Also(alsoSelectable(p)...)
		case k.Name == "$schema":
			p.Reportf(at, p.Version.Key("schema.openAPIV3Schema"), "%s is not supported in CRDs", k.Name).
				Help("%s", help)
		default:
			p.Reportf(at, p.Key(k.Name), "%s is not supported in CRDs", k.Name).Help("%s", help).Also(alsoRoot(p)...).
				Also(alsoSelectable(p)...)
		}
	}
}

// insteadOfUnique suggests a set, if the items are scalars. In Go, the marker of a list inside a list is not on that
// list.
func insteadOfUnique(p *session.Pass) string {
	items := p.Schema.Items
	isInner := p.Write().Choose("Go", "") != "" && p.Step != schema.InProperty
	if isInner || items != nil && (items.Type.V == "array" || items.Type.V == "object") {
		return p.Write().Choose("remove the marker", "remove it")
	}
	return "write " + p.Write().Set("x-kubernetes-list-type", "set")
}

// instead returns what to do instead of using a keyword that CRDs do not support, "" if it does no harm.
func instead(k schema.Verbatim) string {
	isEmpty := k.Value.Text == "" && len(k.Value.Members) == 0
	if isEmpty && slices.Contains([]string{"definitions", "patternProperties", "id", "$schema"}, k.Name) {
		return ""
	}
	return map[string]string{
		"$ref": "copy the schema that it refers to", "items": "write one schema for all items",
		"dependencies": "replace it with a rule, such as !has(self.a) || has(self.b)", "additionalItems": "remove it",
		"definitions": "move the schemas to where they are used",
		"patternProperties": "use additionalProperties, and check the keys with a rule, such as " +
			"self.all(key, key.matches('^[a-z]+$'))",
		"id": "remove it", "$schema": "remove it",
	}[k.Name]
}

// mayBeAtRoot reports whether a keyword at the root is permitted if status is a subresource, or reported by another
// check.
func mayBeAtRoot(s *schema.Schema, name string) bool {
	if k := schema.KeywordOf(name); k != nil && k.AtRoot || name == "nullable" || name == "additionalProperties" {
		return true
	}
	o := other(s, name)
	return o != nil && (instead(*o) != "" || name == "id" || name == "$schema")
}

// explainRootKeywords reports all keywords: the API server stops at the first, and at a wrong type.
func explainRootKeywords(r *rejection) {
	for _, k := range keywords(r.Schema) {
		if mayBeAtRoot(r.Schema, k.name) {
			continue
		}
		help := "use a rule, or move it to a field"
		switch {
		case slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, k.name):
			help = "move it to a field, such as spec, or use a rule"
		case strings.HasPrefix(k.name, "x-kubernetes-"):
			help = "remove " + r.Write().Name(k.name)
		}
		r.Reportf(r.At(k.at), r.Key(""), "%s is not allowed at the root of a schema if status is a subresource",
			k.name).
			Help("%s", help)
	}
}

// alsoRoot returns the path of the error that the API server reports for the root as well if status is a subresource.
func alsoRoot(p *session.Pass) []string {
	if isRoot(p.Place) && hasStatus(p.Version) {
		return []string{p.Key("")}
	}
	return nil
}

// alsoSelectable returns the path of the error that the API server also reports if a schema without a structural form
// has selectable fields. The internal version has no index if there is only one version.
func alsoSelectable(p *session.Pass) []string {
	switch {
	case len(p.Version.SelectableFields) == 0:
		return nil
	case len(p.Versions) == 1:
		return []string{"spec.schema.openAPIV3Schema"}
	}
	return []string{p.Version.Key("schema.openAPIV3Schema")}
}
