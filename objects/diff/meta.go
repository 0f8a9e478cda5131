package diff

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/objects/internal/witness"
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
		accept, reject := w.Property(n.accept, name), w.Property(n.reject, name)
		if !isMeta(n, name) || accept == nil && reject == nil {
			continue
		}
		isRoot := len(n.at) == 0
		if name != "metadata" {
			accept = witness.Completed(accept, w.typeMeta(n, name))
			reject = witness.Completed(reject, w.typeMeta(n, name))
		} else {
			accept, reject = metadata(accept, reject, isRoot), metadata(reject, accept, isRoot)
		}
		w.compare(w.below(n, schema.Key(name), accept, reject))
	}
}

// typeMeta returns what every apiVersion or kind satisfies: at the root, it is that of the version.
func (w *walk) typeMeta(n *node, name string) *schema.Schema {
	if known := w.known[name]; len(n.at) == 0 && known != nil {
		return known
	}
	one := schema.Int{V: 1}
	return &schema.Schema{Type: schema.Text{V: witness.StringType}, MinLength: &one}
}

// metadata returns the schema of metadata with the fields that it or another schema lists.
func metadata(listed, other *schema.Schema, isRoot bool) *schema.Schema {
	none := &schema.Schema{Type: schema.Text{V: witness.ObjectType}}
	listed, other = cmp.Or(listed, none), cmp.Or(other, none)
	out := *listed
	out.Properties = nil
	for _, s := range []*schema.Schema{listed, other} {
		for i := range s.Properties {
			if name := s.Properties[i].Name; out.Property(name) == nil {
				field := witness.Completed(listed.Property(name), witness.MetadataField(name, isRoot))
				out.Properties = append(out.Properties, schema.Property{Name: name, Schema: field})
			}
		}
	}
	return &out
}
