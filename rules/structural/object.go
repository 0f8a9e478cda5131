package structural

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// objectRows returns the checks of Kubernetes objects, those of a version and embedded ones, and of the other
// extensions of types.
func objectRows() []session.Row {
	return []session.Row{
		explained(diag.Check{ID: "metadata-restricted"},
			reason{"type", invalid, "must be string", explainMetaType},
			reason{"type", invalid, "must be object", explainMetaType},
			reason{"", forbidden, "must not specify anything other than name and generateName*", explainMetaRestricted},
			// The API server does not check that if a keyword has no structural form.
			reason{"*", forbidden, "* is not supported", explainMetaRestricted},
			reason{"items", forbidden, "items must be a schema*", explainMetaRestricted},
			reason{"x-kubernetes-preserve-unknown-fields", invalid, "must be true or undefined", explainMetaRestricted},
		),
		explained(diag.Check{ID: "embedded-resource"},
			reason{"type", "", "must be object if x-kubernetes-embedded-resource is true", explainEmbeddedType},
			reason{"additionalProperties", forbidden, "must not be used if x-kubernetes-embedded-resource is set",
				explainEmbeddedMap},
			reason{"properties", required, "must not be empty if x-kubernetes-embedded-resource is true*",
				explainEmbeddedEmpty},
			reason{"x-kubernetes-embedded-resource", forbidden, "must not be used inside of resource meta",
				explainEmbeddedInMeta},
		),
		explained(diag.Check{ID: "int-or-string"},
			reason{"x-kubernetes-*", invalid, "must be false if x-kubernetes-int-or-string is true",
				explainIntOrString},
		),
	}
}

func explainMetaType(r *rejection) {
	if lacksType(r.Schema) {
		return
	}
	want := "string"
	if r.Name == "metadata" {
		want = "object"
	}
	r.errorf(r.Schema.Type.At, "%s must be %s, got %s", what(r.Place), typePhrase(want),
		typePhrase(r.Schema.Type.V)).
		WriteKey(r.Write().Set("type", want))
}

func explainMetaRestricted(r *rejection) {
	if r.Place == nil || r.Above == nil || r.Name != "metadata" || !isRoot(r.Above) {
		return
	}
	k := restriction(r.Schema)
	r.Reportf(r.At(k.at), r.Key(""), "the schema of metadata may only restrict name and generateName, got %s", k.name).
		Help("replace the schema of metadata with {type: object}")
}

// restriction returns a keyword or field in a schema of metadata beyond the type and the names.
func restriction(s *schema.Schema) keyword {
	for _, k := range keywords(s) {
		if !slices.Contains([]string{"type", "default", "properties"}, k.name) {
			return k
		}
	}
	for _, p := range s.Properties {
		if p.Name != "name" && p.Name != "generateName" {
			return keyword{p.Name, p.Schema.At}
		}
	}
	return keyword{"metadata", s.At}
}

func explainEmbeddedType(r *rejection) {
	t, embedded := r.Schema.Type, r.Schema.EmbeddedResource.At
	object := r.Write().Set("type", "object")
	if t.V == "" {
		r.errorf(r.At(t.At, embedded), "embedded resource %s has no type", what(r.Place)).AddKey(object)
		return
	}
	r.errorf(r.At(t.At, embedded), "embedded resource %s must be an object, got %s", what(r.Place), typePhrase(t.V)).
		WriteKey(object).
		See(embedded, "the embedded resource")
}

func explainEmbeddedMap(r *rejection) {
	r.errorf(r.Schema.EmbeddedResource.At, "embedded resource %s must not be a map", what(r.Place)).
		Also(alsoRoot(r.Pass)...).
		Help("%s", r.Write().Choose("change the type to runtime.RawExtension",
			"remove additionalProperties, and add x-kubernetes-preserve-unknown-fields: true"))
}

func explainEmbeddedEmpty(r *rejection) {
	f := r.errorf(r.Schema.EmbeddedResource.At, "embedded resource %s has no fields", what(r.Place))
	if r.Schema.IntOrString.True() {
		f.DropKey(r.Write().Name("x-kubernetes-embedded-resource"))
		return
	}
	f.Help("add %s, or declare its fields", r.Write().Set("x-kubernetes-preserve-unknown-fields", "true"))
}

func explainEmbeddedInMeta(r *rejection) {
	if !r.Nested {
		r.errorf(r.Schema.EmbeddedResource.At, "an embedded resource is not allowed inside %s",
			metaAbove(r.Place).Name).
			DropKey(r.Write().Name("x-kubernetes-embedded-resource"))
	}
}

// metaAbove returns the nearest place at or above one that is metadata, kind or apiVersion of an object of Kubernetes.
func metaAbove(p *schema.Place) *schema.Place {
	for !(p.Step == schema.InProperty && schema.IsMetaField(p.Name) &&
		(isRoot(p.Above) || p.Above.Schema.EmbeddedResource.True())) {
		p = p.Above
	}
	return p
}

func explainIntOrString(r *rejection) {
	at := r.Schema.EmbeddedResource
	if r.lastField() == "x-kubernetes-preserve-unknown-fields" {
		at = r.Schema.PreserveUnknownFields
	}
	r.errorf(at.At, "%s is an integer or a string and has no fields", what(r.Place)).
		DropKey(r.Write().Name(r.lastField())).
		See(r.Schema.IntOrString.At, "declared as an integer or a string here")
}
