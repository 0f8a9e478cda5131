package schema_test

import (
	"testing"

	"github.com/crdproof/crdproof/schema"
)

// tree has one schema of each step below its root, each with its path as its description.
func tree() *schema.Schema {
	node := func() *schema.Schema { return &schema.Schema{} }
	root := node()
	root.Properties = []schema.Property{{Name: "a", Schema: node()}, {Name: "b", Schema: node()}}
	root.Items, root.AdditionalProperties, root.Not = node(), node(), node()
	root.AllOf = []*schema.Schema{node(), node()}
	root.AnyOf, root.OneOf = []*schema.Schema{node()}, []*schema.Schema{node()}
	root.Properties[1].Schema.Items = node()
	schema.Walk(root, func(p *schema.Place) { p.Schema.Description.V = p.Path() })
	return root
}

// TestMap changes one schema at a time, and looks at what is new and what is shared.
func TestMap(t *testing.T) {
	root := tree()
	if schema.Map(root, func(p *schema.Place) *schema.Schema { return p.Schema }) != root {
		t.Error("nothing changes, but there is another tree")
	}
	visited := 0
	schema.Walk(root, func(p *schema.Place) {
		visited++
		path := p.Path()
		changed := schema.Map(root, func(q *schema.Place) *schema.Schema {
			if q.Path() != path {
				return q.Schema
			}
			out := *q.Schema
			out.Title.V = "changed"
			return &out
		})
		schema.Walk(changed, func(q *schema.Place) {
			is := q.Path() == path
			if (q.Schema.Title.V != "") != is || q.Schema.Description.V != q.Path() {
				t.Errorf("%q is changed; %q has the title %q and the description %q", path, q.Path(), q.Schema.Title.V,
					q.Schema.Description.V)
			}
		})
		shares := 0
		for _, s := range children(changed) {
			for _, old := range children(root) {
				if s == old {
					shares++
				}
			}
		}
		if want := len(children(root)); path == "" && shares != want || path != "" && shares != want-1 {
			t.Errorf("%q is changed; %d of %d schemas below the root are shared", path, shares, want)
		}
	})
	if visited != 11 {
		t.Errorf("%d schemas", visited)
	}
	schema.Walk(root, func(p *schema.Place) {
		if p.Schema.Title.V != "" {
			t.Errorf("%q of the old tree is changed", p.Path())
		}
	})
}

func children(s *schema.Schema) (out []*schema.Schema) {
	for _, p := range (&schema.Place{Schema: s}).Children() {
		out = append(out, p.Schema)
	}
	return out
}
