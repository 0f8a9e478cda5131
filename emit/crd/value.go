package crd

import "github.com/crdproof/crdproof/schema"

// literalValue writes a default or an example. The conversion between the versions of the API drops one that is null
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go); a null inside one stays.
func (e *encoder) literalValue(key string, l *schema.Value) {
	if l == nil || l.Kind == schema.Null {
		return
	}
	e.name(key)
	e.value(l)
}

// value writes a JSON value.
func (e *encoder) value(v *schema.Value) {
	switch v.Kind {
	case schema.Null:
		e.raw("null")
	case schema.Bool, schema.NumberKind:
		e.raw(v.Text)
	case schema.String:
		e.scalar(v.Text)
	case schema.Array:
		e.items(len(v.Items), func(i int) { e.value(&v.Items[i]) })
	case schema.Object:
		list := v.Members
		e.mapping(func() {
			e.sorted(len(list), func(i int) string { return list[i].Key }, func(i int) { e.value(&list[i].Value) })
		})
	}
}
