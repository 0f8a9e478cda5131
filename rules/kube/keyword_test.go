package kube

import (
	"context"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/schema"
)

// TestKeywords compares the places of keywords in the table with the API server.
func TestKeywords(t *testing.T) {
	for _, k := range schema.Keywords() {
		if _, isKept := k.Field.(schema.VerbatimField); isKept {
			continue
		}
		root := stated(&k)
		root.Type.V = "object"
		if _, rejected := rejection(t, root, "fields are allowed at the root"); rejected == k.AtRoot {
			t.Errorf("the API server permits %s at the root: %t", k.Name, !rejected)
		}
		below := &schema.Schema{Type: schema.Text{V: "object"}, AnyOf: []*schema.Schema{stated(&k)}}
		root = &schema.Schema{Type: below.Type, Properties: []schema.Property{{Name: "spec", Schema: below}}}
		if message, rejected := rejection(t, root, "to be structural"); rejected && k.Validates {
			t.Errorf("the API server rejects %s inside anyOf: %s", k.Name, message)
		}
	}
}

// rejection returns a reason of the API server with a text in it, for a CRD with that schema and the subresource
// status.
func rejection(t *testing.T, root *schema.Schema, text string) (string, bool) {
	t.Helper()
	status := schema.Subresources{Status: &root.At}
	c := &schema.CRD{
		Group: schema.Text{V: "b.c"}, Kind: schema.Text{V: "A"}, ListKind: schema.Text{V: "AList"},
		Plural: schema.Text{V: "as"}, Singular: schema.Text{V: "a"}, Scope: schema.Text{V: "Cluster"},
		Versions: []schema.Version{
			{Name: schema.Text{V: "v1"}, Served: true, Storage: true, Schema: root, Subresources: &status},
		},
	}
	rejections, err := Verdict(context.Background(), Object(c))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rejections {
		if strings.Contains(r.Message, text) {
			return r.Path + ": " + r.Message, true
		}
	}
	return "", false
}

// stated is a schema that states one keyword.
func stated(k *schema.Keyword) *schema.Schema {
	s, some := &schema.Schema{}, &schema.Schema{}
	switch at := k.Field.(type) {
	case schema.TextField:
		at(s).V = "x"
	case schema.Many[schema.Text]:
		*at(s) = []schema.Text{{V: "x"}}
	case schema.One[schema.Int]:
		*at(s) = &schema.Int{V: 1}
	case schema.One[schema.Number]:
		*at(s) = &schema.Number{V: "1"}
	case schema.One[schema.Flag]:
		*at(s) = &schema.Flag{V: true}
	case schema.One[schema.Value]:
		*at(s) = &schema.Value{Kind: schema.String, Text: "x"}
	case schema.Many[schema.Value]:
		*at(s) = []schema.Value{{Kind: schema.String, Text: "x"}}
	case schema.One[schema.ExternalDocs]:
		*at(s) = &schema.ExternalDocs{URL: schema.Text{V: "x"}}
	case schema.One[schema.Schema]:
		*at(s) = some
	case schema.ItemsField:
		*at.One(s) = some
	case schema.ValuesField:
		values, _ := at(s)
		*values = some
	case schema.Many[*schema.Schema]:
		*at(s) = []*schema.Schema{some}
	case schema.Many[schema.Property]:
		*at(s) = []schema.Property{{Name: "x", Schema: some}}
	case schema.Many[schema.Rule]:
		*at(s) = []schema.Rule{{Rule: schema.Text{V: "true"}}}
	}
	return s
}
