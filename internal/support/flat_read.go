package support

import "strings"

// A flatReader decodes and validates an object in one pass. It ends as soon as it is not certain that a server would
// store the object as it is, but for defaults: then the object is decoded, and validated, with maps.
type flatReader struct {
	// decoder reads strings and numbers, and makes maps where there are no flat objects.
	decoder
	// judge validates values; nil validates none.
	judge *Validation
	// keepsAll is set if rules or the types of lists read what is here.
	keepsAll bool
	// lastText is the text whose value is unread.
	lastText string
	// These are the members of flat objects, the objects, and the items of lists.
	keptMembers supply[jsonMember]
	keptObjects supply[flatObject]
	keptItems   supply[any]
}

// reader returns a reader. It is released when the objects that it reads are not needed any more.
func (t *Types) reader() *flatReader {
	r, ok := t.readers.Get().(*flatReader)
	if !ok {
		r = &flatReader{}
	}
	return r
}

// release makes the memory of a reader free for another request.
func (t *Types) release(r *flatReader) {
	clear(r.members[:cap(r.members)])
	clear(r.items[:cap(r.items)])
	next := flatReader{keptMembers: r.keptMembers, keptObjects: r.keptObjects, keptItems: r.keptItems}
	next.members, next.items = r.members[:0], r.items[:0]
	next.keptMembers.release()
	next.keptObjects.release()
	next.keptItems.release()
	const most = 1 << 12 // what a large request needed is not kept
	if cap(r.members)+cap(r.items)+len(next.keptMembers.all)+len(next.keptItems.all) < most {
		*r = next
		t.readers.Put(r)
	}
}

// A supply has memory for values of a type.
type supply[T any] struct{ all, free []T }

// take returns memory for a number of values.
func (s *supply[T]) take(n int) []T {
	const least = 16
	if len(s.free) < n {
		s.all = make([]T, max(n, 2*len(s.all), least))
		s.free = s.all
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}

// release makes the memory free that was taken.
func (s *supply[T]) release() {
	clear(s.all[:len(s.all)-len(s.free)])
	s.free = s.all
}

// readObject reads an object; false if it is not certain about it. It keeps all values if keeps is set.
func (r *flatReader) readObject(raw []byte, t *Type, judge *Validation, keeps bool) (*flatObject, bool) {
	if !mayBeJSON(raw) {
		return nil, false
	}
	r.judge, r.v, r.keepsAll = judge, judge, keeps
	r.start(raw)
	value, isCertain := r.value(t, 0)
	object, isFlat := value.(*flatObject)
	return object, isCertain && isFlat && r.at == len(r.text)
}

// unkept is in place of a value that nothing reads. It has no parts, and is not null.
const unkept = ""

// mayRead reports whether a value is kept.
func (r *flatReader) mayRead(t *Type) bool {
	return r.keepsAll || t != nil && t.Has&(Lists|withRules) != 0
}

// value reads a value of a type, which may be nil, and white space after it.
func (r *flatReader) value(t *Type, depth int) (value any, isCertain bool) {
	if r.at == len(r.text) {
		return nil, false
	}
	switch r.text[r.at] {
	case '"':
		text, ok := r.decodeString()
		if !ok || t != nil && r.judge != nil && !t.hasText(text) && !r.isValid(text, t) {
			return nil, false
		}
		if !r.mayRead(t) {
			return unkept, true
		}
		r.lastText = text
		return unread{}, true
	case '{':
		return r.object(t, depth+1)
	case '[':
		return r.list(t, depth+1)
	}
	value, ok := r.decode(nil, depth)
	return value, ok && (t == nil || r.isValid(value, t))
}

// isValid reports whether a value is valid, if values are validated.
func (r *flatReader) isValid(value any, t *Type) bool {
	if r.judge == nil {
		return true
	}
	r.judge.Check(value, t)
	return r.judge.failures == 0
}

// whole reads a value as the decoder does.
func (r *flatReader) whole(t *Type, depth int) (value any, isCertain bool) {
	value, ok := r.decode(t, depth)
	return value, ok && !r.unready && !r.repeats && (r.judge == nil || r.judge.failures == 0)
}

// isFlat reports whether values of a kind, objects or arrays, are read part by part.
func (t *Type) isFlat(kind string) bool { return t.Name == kind && t.allowsParts() }

// object reads an object.
func (r *flatReader) object(t *Type, depth int) (value any, isCertain bool) {
	if t == nil && r.keepsAll || t != nil && !t.isFlat("object") {
		return r.whole(t, depth-1)
	}
	start, keeps, next, seen := len(r.members), r.keepsAll, 0, 0
	r.keepsAll = keeps || t != nil && len(t.rules) > 0
	var names map[string]bool
	r.next('{')
	for isFirst := true; !r.next('}'); isFirst = false {
		if depth > deepest || !isFirst && !r.next(',') {
			return nil, false
		}
		name, ok := r.decodeString()
		if !ok || !r.next(':') {
			return nil, false
		}
		m := jsonMember{name: name}
		isNew := false
		if t != nil {
			m.typ = t.Values
			if at, found := t.find(name, next); found {
				m.typ, next = t.Fields[at].Type, at+1
				isNew, seen = next > seen, max(next, seen)
			}
		}
		if !isNew && r.repeatsName(name, start, &names) {
			return nil, false
		}
		if m.value, isCertain = r.field(&m, t, depth); !isCertain {
			return nil, false
		}
		if _, isUnread := m.value.(unread); isUnread {
			m.text = r.lastText
		}
		r.members = append(r.members, m)
	}
	isCertain = t == nil || r.complete(start, t)
	value = r.flatten(start, t)
	r.keepsAll = keeps
	return value, isCertain
}

// repeatsName reports whether a name is that of a member since a position. Many names are remembered.
func (r *flatReader) repeatsName(name string, start int, names *map[string]bool) bool {
	members := r.members[start:]
	if len(members) < manyMembers {
		return hasName(members, name)
	}
	if *names == nil {
		*names = map[string]bool{}
	}
	for i := len(*names); i < len(members); i++ {
		(*names)[members[i].name] = true
	}
	return (*names)[name]
}

func hasName(members []jsonMember, name string) bool {
	for i := range members {
		if members[i].name == name {
			return true
		}
	}
	return false
}

// field reads the value of a member of an object of a type.
func (r *flatReader) field(m *jsonMember, t *Type, depth int) (value any, isCertain bool) {
	switch {
	case t == nil:
		return r.value(nil, depth)
	case t.Embedded && isMetaField(m.name):
		return r.metaField(m, depth)
	case m.typ == nil, t.Embedded && (strings.EqualFold(m.name, "kind") || strings.EqualFold(m.name, "apiVersion")):
		return nil, false // a server drops it, or cannot read the kind
	}
	value, isCertain = r.value(m.typ, depth)
	return value, isCertain && (value != nil || m.typ.Nullable)
}

// metaField reads apiVersion, kind or metadata.
func (r *flatReader) metaField(m *jsonMember, depth int) (value any, isCertain bool) {
	keeps, judge := r.keepsAll, r.judge
	r.keepsAll = true
	below := m.typ
	if m.name == "metadata" && (below == nil || below.isFlat("object") && below.isScalar() && below.more == nil) {
		r.judge, below = nil, nil
		value, isCertain = r.value(&metaType, depth)
	} else {
		value, isCertain = r.whole(nil, depth)
	}
	r.keepsAll, r.judge = keeps, judge
	if !isCertain || value == nil || m.name == "metadata" && !isPlainValue(value, &metaType) {
		return nil, false
	}
	if below != nil {
		below.setDefaults(value)
		isCertain = r.isValid(value, below)
	}
	return value, isCertain
}

// complete sets the defaults of an object, and validates it without its fields.
func (r *flatReader) complete(start int, t *Type) bool {
	for i := range t.Defaults {
		d := &t.Defaults[i]
		if hasName(r.members[start:], d.Name) {
			continue
		}
		m := jsonMember{name: d.Name, value: d.Value, typ: t.field(d.Name)} // nothing changes the value
		if !r.isValid(m.value, m.typ) {
			return false
		}
		r.members = append(r.members, m)
	}
	members := r.members[start:]
	if r.judge == nil {
		return true
	}
	for _, name := range t.Needs {
		if !hasName(members, name) {
			return false
		}
	}
	m := t.more
	return m == nil || len(members) >= m.minFields && (m.maxFields == nil || len(members) <= *m.maxFields)
}

// flatten returns the object with the members since a position.
func (r *flatReader) flatten(start int, t *Type) any {
	members := r.members[start:]
	r.members = r.members[:start]
	isRoot := t != nil && t.Embedded
	if !r.mayRead(t) && !isRoot {
		return unkept
	}
	if len(members) > manyMembers { // they are found faster in a map
		fields := make(map[string]any, len(members))
		for i := range members {
			fields[members[i].name] = members[i].read()
		}
		return fields
	}
	object := &r.keptObjects.take(1)[0]
	object.members = r.keptMembers.take(len(members))[:0]
	for i := range members {
		if m := &members[i]; r.mayRead(m.typ) || isRoot && isMetaField(m.name) {
			object.members = append(object.members, *m)
		}
	}
	return object
}

// list reads a list.
func (r *flatReader) list(t *Type, depth int) (value any, isCertain bool) {
	isSet := t != nil && t.ListType == "set" && (t.Items == nil || !t.Items.isScalar() || t.Items.Preserve)
	if t == nil && r.keepsAll || t != nil && (isSet || !t.isFlat("array") || t.more != nil || t.Items == nil) {
		return r.whole(t, depth-1)
	}
	start, keeps := len(r.items), r.keepsAll
	var below *Type
	if t != nil {
		below = t.Items
		r.keepsAll = keeps || len(t.rules) > 0 || t.ListType == "set" || t.ListType == "map"
	}
	r.next('[')
	if depth > deepest {
		return nil, false
	}
	for isFirst := true; !r.next(']'); isFirst = false {
		if !isFirst && !r.next(',') {
			return nil, false
		}
		item, ok := r.value(below, depth)
		if !ok || item == nil && t != nil && t.ItemDefault != nil {
			return nil, false
		}
		if _, isUnread := item.(unread); isUnread {
			item = r.lastText
		}
		r.items = append(r.items, item)
	}
	items := r.items[start:]
	r.items = r.items[:start]
	isCertain = t == nil || r.judge == nil || len(items) >= t.MinItems && (t.MaxItems == 0 || len(items) <= t.MaxItems)
	isKept := r.mayRead(t)
	r.keepsAll = keeps
	if !isKept {
		return unkept, isCertain
	}
	return append(r.keptItems.take(len(items))[:0], items...), isCertain
}
