package support

import "testing"

func TestTypeField(t *testing.T) {
	number, text := &crdType{name: "number"}, &crdType{name: "string"}
	object := &crdType{name: "object", fields: []crdTypeField{{"B", text}, {"a", number}, {"ab", text}, {"z", number}}}
	for name, want := range map[string]*crdType{"B": text, "a": number, "ab": text, "z": number, "": nil, "b": nil,
		"zz": nil, "A": nil} {
		if got := object.field(name); got != want {
			t.Errorf("%q is a %v, want %v", name, got, want)
		}
	}
	if got := number.field("a"); got != nil {
		t.Errorf("a number has a field: %v", got)
	}
}
