package support

import "testing"

func TestTypeField(t *testing.T) {
	number, text := &Type{Name: "number"}, &Type{Name: "string"}
	object := &Type{Name: "object", Fields: []TypeField{{"B", text}, {"a", number}, {"ab", text}, {"z", number}}}
	for name, want := range map[string]*Type{"B": text, "a": number, "ab": text, "z": number, "": nil, "b": nil,
		"zz": nil, "A": nil} {
		if got := object.field(name); got != want {
			t.Errorf("%q is a %v, want %v", name, got, want)
		}
	}
	if got := number.field("a"); got != nil {
		t.Errorf("a number has a field: %v", got)
	}
}
