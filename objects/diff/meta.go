package diff

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// Objects, and embedded resources, have an apiVersion, a kind and metadata, whether a schema lists them or not. A
// schema that lists them constrains them further. At the root, that is possible for metadata.name and
// metadata.generateName (apiextensions-apiserver, pkg/apiserver/schema/validation.go,
// validateStructuralMetadataInvariants).

// metaFields are the fields that all resources have.
var metaFields = []string{"apiVersion", "kind", "metadata"}

// isMeta reports whether a field is one that both schemas have without listing it.
func isMeta(n *node, name string) bool {
	return (len(n.at) == 0 || n.accept.EmbeddedResource.True() && n.reject.EmbeddedResource.True()) &&
		slices.Contains(metaFields, name)
}

// meta compares the fields that all resources have.
func (w *walk) meta(n *node) {
	for _, name := range metaFields {
		accept, reject := w.property(n.accept, name), w.property(n.reject, name)
		if !isMeta(n, name) || accept == nil && reject == nil {
			continue
		}
		isRoot := len(n.at) == 0
		if name != "metadata" {
			accept, reject = completed(accept, w.typeMeta(n, name)), completed(reject, w.typeMeta(n, name))
		} else {
			accept, reject = metadata(accept, reject, isRoot), metadata(reject, accept, isRoot)
		}
		w.compare(w.below(n, step{name: name}, accept, reject))
	}
}

// typeMeta is what every apiVersion or kind satisfies: at the root, it is that of the version.
func (w *walk) typeMeta(n *node, name string) *schema.Schema {
	if known := w.known[name]; len(n.at) == 0 && known != nil {
		return known
	}
	one := schema.Int{V: 1}
	return &schema.Schema{Type: schema.Text{V: stringType}, MinLength: &one}
}

// completed is a schema of a field with what every value of it satisfies, in allOf so that it is not taken for a
// change.
func completed(listed, implied *schema.Schema) *schema.Schema {
	if implied.Type.V != stringType {
		return cmp.Or(listed, implied)
	}
	keywords := *implied
	keywords.Type = schema.Text{}
	out := *cmp.Or(listed, &schema.Schema{Type: implied.Type})
	out.AllOf = append(slices.Clip(out.AllOf), &keywords)
	return &out
}

// metadata is the schema of metadata with the fields that it or another schema lists.
func metadata(listed, other *schema.Schema, isRoot bool) *schema.Schema {
	none := &schema.Schema{Type: schema.Text{V: objectType}}
	listed, other = cmp.Or(listed, none), cmp.Or(other, none)
	out := *listed
	out.Properties = nil
	for _, s := range []*schema.Schema{listed, other} {
		for i := range s.Properties {
			if name := s.Properties[i].Name; out.Property(name) == nil {
				field := completed(listed.Property(name), metadataField(name, isRoot))
				out.Properties = append(out.Properties, schema.Property{Name: name, Schema: field})
			}
		}
	}
	return &out
}

// The names of custom resources, and the prefixes of generated ones, of which an API server checks all but the last two
// characters if the last one is a dash (apimachinery/pkg/api/validation/generic.go, NameIsDNSSubdomain and
// maskTrailingDash).
const (
	label         = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
	namePattern   = `^` + label + `(\.` + label + `)*$`
	prefixPattern = `^(` + label + `(\.` + label + `)*|(` + label + `\.)*([a-z0-9][-a-z0-9]*)?[\x00-\x7f]-)$`
	longestName   = 253
)

// metadataField is what every value of a field of metadata satisfies.
func metadataField(name string, isRoot bool) *schema.Schema {
	text := &schema.Schema{Type: schema.Text{V: stringType}}
	switch name {
	case "labels", "annotations":
		return &schema.Schema{Type: schema.Text{V: objectType}, AdditionalProperties: text}
	case "finalizers":
		return &schema.Schema{Type: schema.Text{V: arrayType}, Items: text}
	case "ownerReferences", "managedFields":
		return &schema.Schema{Type: schema.Text{V: arrayType}, Items: anything}
	case "generation", "deletionGracePeriodSeconds":
		return &schema.Schema{Type: schema.Text{V: integerType}}
	case "name":
		if isRoot {
			one, most := schema.Int{V: 1}, schema.Int{V: longestName}
			text.Pattern, text.MinLength, text.MaxLength = schema.Text{V: namePattern}, &one, &most
		}
	case "generateName":
		if isRoot {
			most := schema.Int{V: longestName + 1}
			text.Pattern, text.MaxLength = schema.Text{V: prefixPattern}, &most
		}
	}
	return text
}
