package support

import (
	"reflect"
	"testing"
)

// TestReadTypes reads the structures of an object and of what is in it, in any order.
func TestReadTypes(t *testing.T) {
	types := make([]Type, 4)
	checked := 0
	ReadTypes(types, []string{
		`{"name":"object","fields":{"level":3,"ports":2,"any":4},"needs":["ports"],"defaults":{"level":1},"has":1}`,
		`{"name":"array","items":3,"itemDefault":1,"listType":"set","maxItems":5}`,
		`{"name":"string","only":["high","low"],"maxLength":4,"own":1}`,
		`{"preserve":true,"nullable":true}`,
	}, []Check{func(*Validation, any) { checked++ }}, []func() any{func() any { return "low" }})
	object, list, text := &types[0], &types[1], &types[2]
	if object.field("level") != text || object.field("ports") != list || object.field("any") != &types[3] ||
		object.field("none") != nil || list.Items != text {
		t.Error("the parts are other types")
	}
	if len(object.Defaults) != 1 || object.Defaults[0].Name != "level" || object.Defaults[0].Value() != "low" ||
		list.ItemDefault() != "low" {
		t.Error("the defaults are others")
	}
	if text.Own(nil, nil); checked != 1 {
		t.Error("the check is another one")
	}
	text.Own, list.ItemDefault, list.Items = nil, nil, nil
	if want := (Type{Name: "string", Only: []string{"high", "low"}, MaxLength: 4}); !reflect.DeepEqual(*text, want) {
		t.Errorf("got %+v", *text)
	}
	if want := (Type{Name: "array", ListType: "set", MaxItems: 5}); !reflect.DeepEqual(*list, want) {
		t.Errorf("got %+v", *list)
	}
	if want := (Type{Preserve: true, Nullable: true}); !reflect.DeepEqual(types[3], want) {
		t.Errorf("got %+v", types[3])
	}
	if !reflect.DeepEqual(object.Needs, []string{"ports"}) || object.Has != Lists {
		t.Errorf("got %+v", *object)
	}
}
