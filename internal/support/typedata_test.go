package support

import (
	"reflect"
	"testing"
)

// TestReadTypes reads the structures of an object and of what is in it, in any order.
func TestReadTypes(t *testing.T) {
	types := make([]crdType, 4)
	checked := 0
	crdReadTypes(types, []string{
		`{"name":"object","fields":{"level":3,"ports":2,"any":4},"needs":["ports"],"defaults":{"level":1},"has":1}`,
		`{"name":"array","items":3,"itemDefault":1,"listType":"set","maxItems":5}`,
		`{"name":"string","only":["high","low"],"maxLength":4,"own":1}`,
		`{"preserve":true,"nullable":true}`,
	}, []crdCheck{func(*crdValidation, any) { checked++ }}, []func() any{func() any { return "low" }})
	object, list, text := &types[0], &types[1], &types[2]
	if object.field("level") != text || object.field("ports") != list || object.field("any") != &types[3] ||
		object.field("none") != nil || list.items != text {
		t.Error("the parts are other types")
	}
	if len(object.defaults) != 1 || object.defaults[0].name != "level" || object.defaults[0].value() != "low" ||
		list.itemDefault() != "low" {
		t.Error("the defaults are others")
	}
	if text.own(nil, nil); checked != 1 {
		t.Error("the check is another one")
	}
	text.own, list.itemDefault, list.items = nil, nil, nil
	if want := (crdType{name: "string", only: []string{"high", "low"}, maxLength: 4}); !reflect.DeepEqual(*text, want) {
		t.Errorf("got %+v", *text)
	}
	if want := (crdType{name: "array", listType: "set", maxItems: 5}); !reflect.DeepEqual(*list, want) {
		t.Errorf("got %+v", *list)
	}
	if want := (crdType{preserve: true, nullable: true}); !reflect.DeepEqual(types[3], want) {
		t.Errorf("got %+v", types[3])
	}
	if !reflect.DeepEqual(object.needs, []string{"ports"}) || object.has != crdLists {
		t.Errorf("got %+v", *object)
	}
}
