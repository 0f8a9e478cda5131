package crd

import "github.com/crdproof/crdproof/generator/schema"

// literalValue writes a default or an example. The conversion between the versions of the API drops one that is null
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go); a null inside of one stays.
func (e *encoder) literalValue(key string, l *schema.Value) {
	if l == nil || l.Kind == schema.Null {
		return
	}
	e.name(key)
	e.value(l)
}

func (e *encoder) enum(key string, list []schema.Value) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	in := e.beginList()
	for i := range list {
		e.item()
		e.value(&list[i])
	}
	e.indent -= in
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
		if len(v.Items) == 0 {
			e.raw("[]")
			return
		}
		in := e.beginList()
		for i := range v.Items {
			e.item()
			e.value(&v.Items[i])
		}
		e.indent -= in
	case schema.Object:
		if len(v.Members) == 0 {
			e.raw("{}")
			return
		}
		e.object(v.Members)
	}
}

func (e *encoder) object(list []schema.Member) {
	e.indent += step
	base := len(e.members)
	for i := range list {
		e.members = append(e.members, &list[i])
	}
	sortMembers(e.members[base:])
	for i := range list {
		m := e.members[base+i]
		e.key(m.Key)
		e.value(&m.Value)
	}
	e.members = e.members[:base]
	e.indent -= step
}
