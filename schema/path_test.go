package schema_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/crdproof/crdproof/schema"
)

// TestParsePath reads paths as an API server writes them, and writes each again.
func TestParsePath(t *testing.T) {
	key, item := schema.Key, schema.Item
	for _, c := range []struct {
		text  string
		path  schema.Path
		again string
	}{
		{"", nil, ""},
		{"<nil>", nil, ""},
		{"spec.ports[0].name", schema.Path{key("spec"), key("ports"), item(0), key("name")}, "spec.ports[0].name"},
		{".spec.ports[]", schema.Path{key("spec"), key("ports"), item(schema.AnyItem)}, "spec.ports[]"},
		{"[2][3]", schema.Path{item(2), item(3)}, "[2][3]"},
		{"metadata.labels[example.com/x]", schema.Path{key("metadata"), key("labels"), key("example.com/x")},
			"metadata.labels[example.com/x]"},
		{"labels[plain].x", schema.Path{key("labels"), key("plain"), key("x")}, "labels.plain.x"},
		{`a["b.c"]['d.e']`, schema.Path{key("a"), key("b.c"), key("d.e")}, "a[b.c][d.e]"},
		{"a[b]c].d", schema.Path{key("a"), key("b]c"), key("d")}, `a["b]c"].d`},
		{`a[""]`, schema.Path{key("a"), key("")}, `a[""]`},
		{".1", schema.Path{key("1")}, "1"},
	} {
		path, isWhole := schema.ParsePath(c.text)
		if !isWhole || !slices.Equal(path, c.path) || path.String() != c.again {
			t.Errorf("%s: %+v, %s", c.text, path, path)
		}
	}
	for text, want := range map[string]string{"a..b": "a", "a[0": "a", "a[b]c": "a", ".": "", "a.b.": "a.b"} {
		if path, isWhole := schema.ParsePath(text); isWhole || path.String() != want {
			t.Errorf("%s is read as %s, whole: %v", text, path, isWhole)
		}
	}
}

// TestPathIn follows paths in a decoded value.
func TestPathIn(t *testing.T) {
	value := map[string]any{"": "empty", "ports": []any{map[string]any{"name": nil}, int64(1)}}
	key, item := schema.Key, schema.Item
	for _, c := range []struct {
		path   schema.Path
		want   any
		exists bool
	}{
		{schema.Path{key("")}, "empty", true},
		{schema.Path{key("ports"), item(1)}, int64(1), true},
		{schema.Path{key("ports"), item(0), key("name")}, nil, true},
		{schema.Path{key("ports"), item(2)}, nil, false},
		{schema.Path{key("ports"), item(schema.AnyItem)}, nil, false},
		{schema.Path{key("ports"), key("")}, nil, false},
		{schema.Path{item(0)}, nil, false},
		{schema.Path{key("ports"), item(1), key("x")}, nil, false},
	} {
		if got, exists := c.path.In(value); got != c.want || exists != c.exists {
			t.Errorf("%+v: %v, %v; want %v, %v", c.path, got, exists, c.want, c.exists)
		}
	}
	if got, exists := (schema.Path)(nil).In(1); got != 1 || !exists {
		t.Errorf("the root is %v, %v", got, exists)
	}
}

// FuzzPath makes sure that ParsePath is the inverse of String: for a path of any keys, and for what is read from any
// text.
func FuzzPath(f *testing.F) {
	for _, key := range []string{"spec", "", "a.b", "[0]", "0", `"]`, "'", "<nil>", "+1", "007", ".x", "a b", "[]", "é"} {
		f.Add(key, key, 1)
	}
	f.Fuzz(func(t *testing.T, first, second string, index int) {
		if !utf8.ValidString(first) || !utf8.ValidString(second) {
			return // JSON and YAML have no such keys
		}
		index &= 1<<31 - 1
		for _, path := range []schema.Path{
			{schema.Key(first)}, {schema.Key(first), schema.Key(second)},
			{schema.Item(index), schema.Key(first), schema.Item(schema.AnyItem), schema.Key(second)},
		} {
			if got, isWhole := schema.ParsePath(path.String()); !isWhole || !slices.Equal(got, path) {
				t.Fatalf("%q is read as %q", path, got)
			}
		}
		path, _ := schema.ParsePath(first)
		if got, isWhole := schema.ParsePath(path.String()); !isWhole || !slices.Equal(got, path) {
			t.Fatalf("%q is read as %+v, written as %q, and read as %+v", first, path, path, got)
		}
	})
}

// TestPathLeads follows a path in a schema and in a value.
func TestPathLeads(t *testing.T) {
	leaf := &schema.Schema{}
	root := &schema.Schema{Properties: []schema.Property{
		{Name: "list", Schema: &schema.Schema{Items: &schema.Schema{AdditionalProperties: leaf}}}}}
	value := &schema.Value{Kind: schema.Object, Members: []schema.Member{{Key: "list", Value: schema.Value{
		Kind: schema.Array, Items: []schema.Value{{Kind: schema.Object, Members: []schema.Member{{Key: "a.b"}}}}}}}}
	for text, want := range map[string][2]bool{
		"list[0][a.b]": {true, true}, "list[0].other": {true, false}, "list[1][a.b]": {true, false},
		"list[].x": {true, false}, "other": {false, false}, "other.more": {false, false},
	} {
		path, _ := schema.ParsePath(text)
		isLeaf, isThere := path.Schema(root) == leaf, path.Value(value) != nil
		if want != [2]bool{isLeaf, isThere} {
			t.Errorf("%s: schema %v, value %v", text, isLeaf, isThere)
		}
	}
	if all := (schema.Path{}); all.Schema(root) != root || all.Value(value) != value {
		t.Error("the empty path leads elsewhere")
	}
	path := schema.Path{schema.Key("a")}
	path.Then(schema.Key("b"))
	if more := path.Then(schema.Item(1)); more.String() != "a[1]" || path.String() != "a" {
		t.Errorf("%s follows %s", more, path)
	}
}

// FuzzReadPath makes sure that the steps of a path have the offsets that are returned, one after the other.
func FuzzReadPath(f *testing.F) {
	for _, s := range []string{".spec.ports[0].name", ".a", "a", ".", "..", ".a[?(@.b=='c]')].d", ".a['b'].c", ".a[",
		".a\\.b", ".a[*]", ".*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		steps, isWhole := schema.ReadPath(path)
		at := 0
		for _, s := range steps {
			if s.Start < at || s.End <= s.Start || s.End > len(path) || !s.IsItem() && path[s.Start:s.End] != s.Name {
				t.Fatalf("%q: %+v", path, steps)
			}
			at = s.End
		}
		if isWhole && at != len(path) {
			t.Errorf("%q: %+v is said to be all of it", path, steps)
		}
	})
}
