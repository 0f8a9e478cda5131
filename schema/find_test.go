package schema_test

import (
	"fmt"
	"testing"

	"github.com/crdproof/crdproof/schema"
)

// TestFind follows paths in the API server's notation, with names that contain separators.
func TestFind(t *testing.T) {
	leaf := &schema.Schema{Type: schema.Text{V: "string"}}
	root := &schema.Schema{
		Properties: []schema.Property{{Name: "a", Schema: leaf}, {Name: "a].b[c", Schema: leaf},
			{Name: "m", Schema: &schema.Schema{AdditionalProperties: &schema.Schema{Items: leaf}}}},
		AnyOf: []*schema.Schema{leaf, leaf},
	}
	c := &schema.CRD{Versions: []schema.Version{{}, {Schema: root}}}
	const at = "spec.versions[1].schema.openAPIV3Schema"
	for _, test := range []struct{ path, want string }{
		{"spec.names.kind", "-1 - spec.names.kind"},
		{"spec.versions", "-1 - spec.versions"},
		{"spec.versions[2].name", "-1 - spec.versions[2].name"},
		{"spec.versions[x].name", "-1 - spec.versions[x].name"},
		{"spec.versions[0].name", "0 - .name"},
		{"spec.versions[0].schema.openAPIV3Schema.type", "0 - .schema.openAPIV3Schema.type"},
		{at, "1 '' "},
		{at + ".type", "1 '' .type"},
		{at + ".properties[a].type", "1 '.properties[a]' .type"},
		{at + ".properties[a].b[c].type", "1 '.properties[a].b[c]' .type"},
		{at + ".properties[z]", "1 '' .properties[z]"},
		{at + ".properties[m].additionalProperties.items", "1 '.properties[m].additionalProperties.items' "},
		{at + ".anyOf[1].pattern", "1 '.anyOf[1]' .pattern"},
		{at + ".anyOf[2].pattern", "1 '' .anyOf[2].pattern"},
	} {
		i, place, rest := schema.NewFinder(c).Find(test.path)
		got := fmt.Sprintf("%d - %s", i, rest)
		if place != nil {
			got = fmt.Sprintf("%d '%s' %s", i, place.Path(), rest)
		}
		if got != test.want {
			t.Errorf("%s leads to %s, want %s", test.path, got, test.want)
		}
	}
}
