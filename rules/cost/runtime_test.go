package cost_test

import (
	"testing"

	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/schema"
)

// TestUncounted finds the size up to which objects are within the budgets at run time.
func TestUncounted(t *testing.T) {
	list := func(max int64, item *schema.Schema, rules ...string) *schema.Schema {
		s := node("array", rules...)
		s.Items, s.MaxItems = item, &schema.Int{V: max}
		return s
	}
	text := func(length int64, rule string) *schema.Schema {
		s := node("string", rule)
		s.MaxLength = &schema.Int{V: length}
		return s
	}
	for _, c := range []struct {
		name  string
		field *schema.Schema
		want  uint64
	}{
		{"a cheap rule", text(10, "self != ''"), 0},
		{"an expensive rule", text(3_000_000, "self.matches('^[a-z]+$')"), 2 << 20},
		{"a cheap rule on many values", list(20_000, text(1000, "self.matches('^[a-z]+$')")), 0}, // no request is large enough
		{"a loop in a loop", list(3000, text(10, "self != ''"), "self.all(x, self.exists_one(y, x == y))"), 128},
	} {
		root := node("object")
		root.Properties = []schema.Property{{Name: "field", Schema: c.field}}
		if got := cost.Uncounted(cost.Estimates(compiled(t, 0, root))); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
