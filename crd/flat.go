// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

// A request that is only judged is decoded without maps. Its objects are flat: lists of their members, without those
// that nothing reads. They are found where rules read JSON, where lists are checked for duplicates, and in metadata.

// A flatObject is an object whose type is known. Its members have different names.
type flatObject struct{ members []jsonMember }

// unread is in place of the value of a member that is a text. Few texts are read, and only these need memory of their
// own.
type unread struct{}

// read returns the value.
func (m *jsonMember) read() any {
	if _, isUnread := m.value.(unread); isUnread {
		m.value = m.text
	}
	return m.value
}

// get returns a member.
func (o *flatObject) get(name string) (value any, ok bool) {
	for i := range o.members {
		if m := &o.members[i]; m.name == name {
			return m.read(), true
		}
	}
	return nil, false
}

// with returns the object with a member of another one, or without it if the other one, which may be nil, has none.
func (o *flatObject) with(name string, from *flatObject) *flatObject {
	out := &flatObject{make([]jsonMember, 0, len(o.members)+1)}
	for _, m := range o.members {
		if m.name != name {
			out.members = append(out.members, m)
		}
	}
	if from != nil {
		for _, m := range from.members {
			if m.name == name {
				out.members = append(out.members, m)
			}
		}
	}
	return out
}

// isPlain is isPlainObject for a flat object.
func (o *flatObject) isPlain(t *Type) bool {
	for i := range o.members {
		m := &o.members[i]
		below := t.member(m.name)
		if _, isUnread := m.value.(unread); below != nil && isUnread && !isPlainString(m.text, below) ||
			below == nil || !isUnread && !isPlainValue(m.value, below) {
			return false
		}
	}
	for _, name := range t.Needs {
		if _, ok := o.get(name); !ok {
			return false
		}
	}
	return t.Values == nil || len(o.members) > 0
}

// fieldOf returns a field of an object.
func fieldOf(object any, name string) (value any, ok, isObject bool) {
	switch object := object.(type) {
	case map[string]any:
		value, ok = object[name]
		return value, ok, true
	case *flatObject:
		value, ok = object.get(name)
		return value, ok, true
	}
	return nil, false, false
}

// hasFields reports whether a value is an object.
func hasFields(value any) bool {
	switch value.(type) {
	case map[string]any, *flatObject:
		return true
	}
	return false
}

// asMap returns an object as a map.
func asMap(object any) (fields map[string]any, isObject bool) {
	switch object := object.(type) {
	case map[string]any:
		return object, true
	case *flatObject:
		fields = make(map[string]any, len(object.members))
		for i := range object.members {
			fields[object.members[i].name] = object.members[i].read()
		}
		return fields, true
	}
	return nil, false
}
