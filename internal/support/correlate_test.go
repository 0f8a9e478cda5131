package support

import (
	"math/rand/v2"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiserver/pkg/cel/common"
)

// TestCorrelate walks through random objects. At every place it checks whether the old value there is found and equal,
// as the library does in its walks.
func TestCorrelate(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	typ, structural := correlatedSchema()
	same, all := 0, 0
	for range 3000 {
		object, old := correlatedObject(random), correlatedObject(random)
		for name, value := range object {
			if random.IntN(2) == 0 {
				old[name] = value
			}
		}
		v := Validation{typ: typ, object: object, old: old}
		root := common.NewCorrelatedObject(object, old, &model.Structural{Structural: structural})
		visit(&v, object, []*common.CorrelatedObject{root}, func(spine []*common.CorrelatedObject) {
			unchanged, nearest := false, root
			for _, c := range spine {
				unchanged = unchanged || c.CachedDeepEqual()
				if c != nil {
					nearest = c
				}
			}
			all++
			if unchanged {
				same++
			}
			if got := v.unchanged(); got != unchanged {
				t.Fatalf("%v was %v\n%s is unchanged: %v, want %v", object, old, v.path.fieldPath(), got, unchanged)
			}
			if isMeta := len(v.path) > 0 && (v.path[0].name == "apiVersion"); isMeta {
				nearest = nil
			}
			if got, want := v.ratchets(), nearest.CachedDeepEqual(); got != want {
				t.Fatalf("%v was %v\n%s ratchets: %v, want %v", object, old, v.path.fieldPath(), got, want)
			}
		})
	}
	if same < all/20 || same > all*19/20 {
		t.Errorf("%d of %d values are unchanged, which shows little", same, all)
	}
}

// TestCorrelateInJunctor asks for the value that has the junctor, and for rules for the one around it.
func TestCorrelateInJunctor(t *testing.T) {
	typ := &Type{Name: "object", Fields: []TypeField{{"a",
		&Type{Name: "object", Fields: []TypeField{{"b", &Type{Name: "string"}},
			{"c", &Type{Name: "string"}}}}}}}
	object := func(c string) map[string]any { return map[string]any{"a": map[string]any{"b": "x", "c": c}} }
	for _, c := range []struct {
		junctor             int
		old                 map[string]any
		unchanged, ratchets bool
	}{
		{0, object("y"), true, true},
		{0, object("z"), true, true}, // a.b is the same
		{2, object("y"), true, true},
		{2, object("z"), false, false}, // the junctor is that of a
		{1, object("y"), true, false},  // there is nothing around the root
	} {
		v := Validation{typ: typ, object: object("y"), old: c.old, junctor: c.junctor}
		v.path.field("a")
		v.path.field("b")
		if unchanged, ratchets := v.unchanged(), v.ratchets(); unchanged != c.unchanged || ratchets != c.ratchets {
			t.Errorf("in a junctor at depth %d: unchanged %v, want %v; ratchets %v, want %v", c.junctor-1, unchanged,
				c.unchanged, ratchets, c.ratchets)
		}
	}
}

// visit goes through all values of an object, with what the library correlates on the way.
func visit(v *Validation, value any, spine []*common.CorrelatedObject, at func([]*common.CorrelatedObject)) {
	at(spine)
	last := spine[len(spine)-1]
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			below := last.Key(name)
			if len(v.path) == 0 && name == "apiVersion" {
				below = nil
			}
			v.path.field(name)
			visit(v, value[name], append(spine[:len(spine):len(spine)], below), at)
			v.path.leave()
		}
	case []any:
		for i := range value {
			v.path.item(i)
			visit(v, value[i], append(spine[:len(spine):len(spine)], last.Index(i)), at)
			v.path.leave()
		}
	}
}

// correlatedSchema is the schema of correlatedObject.
func correlatedSchema() (*Type, *schema.Structural) {
	text := &Type{Name: "string"}
	item := &Type{Name: "object", Fields: []TypeField{{"a", text}, {"b", text}, {"c", text}}}
	list := func(kind string, keys ...string) *Type {
		return &Type{Name: "array", Items: item, ListType: kind, ListKeys: keys}
	}
	texts := map[string]schema.Structural{"a": {Generic: schema.Generic{Type: "string"}}, "b": {}, "c": {}}
	items := func(kind string, keys ...string) schema.Structural {
		return schema.Structural{Generic: schema.Generic{Type: "array"}, Items: &schema.Structural{Properties: texts},
			Extensions: schema.Extensions{XListType: &kind, XListMapKeys: keys}}
	}
	return &Type{Name: "object", Fields: []TypeField{{"apiVersion", text}, {"atomic", list("atomic")},
			{"map", list("map", "a")}, {"maps", list("map", "a", "b")},
			{"object", item}, {"set", list("set")}, {"values", &Type{Values: item}}}},
		&schema.Structural{Properties: map[string]schema.Structural{"apiVersion": {}, "atomic": items("atomic"),
			"map": items("map", "a"), "maps": items("map", "a", "b"),
			"object": {Properties: texts}, "set": items("set"),
			"values": {AdditionalProperties: &schema.StructuralOrBool{
				Structural: &schema.Structural{Properties: texts}}}}}
}

func correlatedObject(random *rand.Rand) map[string]any {
	scalar := func() any { return []any{nil, "a", "a", int64(1), 1.0, true, []any{}}[random.IntN(7)] }
	item := func() any {
		object := map[string]any{}
		for _, name := range []string{"a", "b", "c", "unknown"}[:2+random.IntN(3)] {
			if random.IntN(5) > 0 {
				object[name] = scalar()
			}
		}
		return object
	}
	object := map[string]any{}
	for _, name := range []string{"apiVersion", "atomic", "map", "maps", "object", "set", "values", "unknown"} {
		switch random.IntN(4) {
		case 0:
			object[name] = scalar()
		case 1:
			object[name] = item()
		case 2:
			items := []any{}
			for range random.IntN(3) {
				items = append(items, item())
			}
			object[name] = items
		}
	}
	return object
}
