package cost_test

import (
	"slices"
	"testing"

	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/schema"
)

// The cost that a server counts when it evaluates rules may be less than the estimate, but never more.
func TestOverruns(t *testing.T) {
	list := func(max int64, item *schema.Schema) *schema.Schema {
		return &schema.Schema{Type: schema.Text{V: "array"}, Items: item, MaxItems: &schema.Int{V: max}}
	}
	text := func(length int64, rule string) *schema.Schema {
		s := node("string", rule)
		s.MaxLength = &schema.Int{V: length}
		return s
	}
	for _, c := range []struct {
		name   string
		field  *schema.Schema
		fields []string
		whole  bool
	}{
		{"a cheap rule", text(10, "self != ''"), nil, false},
		{"an expensive rule", text(3_000_000, "self.matches('^[a-z]+$')"), []string{"field"}, false},
		{"a cheap rule on many values", list(20_000, text(1000, "self.matches('^[a-z]+$')")), nil, true},
	} {
		root := node("object")
		root.Properties = []schema.Property{{Name: "field", Schema: c.field}}
		fields, whole := cost.Overruns(cost.Estimates(compiled(t, 0, root)))
		if !slices.Equal(fields, c.fields) || whole != c.whole {
			t.Errorf("%s: %v, %v", c.name, fields, whole)
		}
	}
}
