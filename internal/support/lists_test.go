package support

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
)

// TestLists compares random lists, short and long ones, with the library.
func TestLists(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	set, list := "set", "map"
	for i := range 4000 {
		items := make([]any, random.IntN(6))
		if i%4 == 0 {
			items = make([]any, random.IntN(60))
		}
		for i := range items {
			items[i] = listItem(random)
		}
		for _, c := range []struct {
			schema schema.Structural
			typ    Type
		}{
			{schema.Structural{Extensions: schema.Extensions{XListType: &set}}, Type{ListType: "set"}},
			{schema.Structural{Extensions: schema.Extensions{XListType: &list, XListMapKeys: []string{"a"}}},
				Type{ListType: "map", ListKeys: []string{"a"}}},
			{schema.Structural{Extensions: schema.Extensions{XListType: &list, XListMapKeys: []string{"a", "b"}}},
				Type{ListType: "map", ListKeys: []string{"a", "b"}}},
		} {
			var v Validation
			v.path.field("x")
			v.CheckLists(items, &c.typ)
			root := &schema.Structural{Properties: map[string]schema.Structural{"x": c.schema}}
			want := sentences(listtype.ValidateListSetsAndMaps(nil, root, map[string]any{"x": items}))
			if got := sentences(v.errs); !slices.Equal(got, want) {
				t.Fatalf("%v of %v\ngot  %q\nwant %q", c.schema.Extensions, items, got, want)
			}
			if got := new(Validation).repeatsNothing(items, &c.typ); got != (len(want) == 0) {
				t.Errorf("%v repeats nothing: %v", items, got)
			}
		}
		objects := slices.DeleteFunc(slices.Clone(items),
			func(item any) bool { _, ok := item.(map[string]any); return !ok })
		v := Validation{}
		v.listMap(objects, "a", "b")
		extensions := schema.Extensions{XListType: &list, XListMapKeys: []string{"a", "b"}}
		root := &schema.Structural{Properties: map[string]schema.Structural{"x": {Extensions: extensions}}}
		if want := listtype.ValidateListSetsAndMaps(nil, root, map[string]any{"x": objects}); len(want) != len(v.errs) {
			t.Fatalf("%v\ngot  %q\nwant %q", objects, v.errs, want)
		}
	}
}

// listItem is an item of a list, usually an object.
func listItem(random *rand.Rand) any {
	scalars := []any{nil, "a", "b", int64(1), 1.0, int64(2), 2.5, true, 0.0, math.Copysign(0, -1), int64(0),
		9007199254740992.0, int64(9007199254740992),
		9223372036854774784.0, int64(9223372036854774784)}
	scalar := func() any { return scalars[random.IntN(len(scalars))] }
	switch random.IntN(8) {
	case 0:
		return scalar()
	case 1:
		return []any{scalar()}
	}
	object := map[string]any{"c": scalar()}
	if random.IntN(8) > 0 {
		object["a"] = scalar()
	}
	if random.IntN(8) == 0 {
		object["a"] = map[string]any{"d": []any{scalar()}}
	}
	if random.IntN(4) > 0 {
		object["b"] = scalar()
	}
	return object
}

// BenchmarkLists shows that short lists allocate no memory.
func BenchmarkLists(b *testing.B) {
	items := []any{}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		items = append(items, map[string]any{"a": name, "b": int64(len(items))})
	}
	var v Validation
	b.ReportAllocs()
	for b.Loop() {
		v.listMap(items, "a")
		v.listMap(items, "a", "b")
	}
}
