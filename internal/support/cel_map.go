package support

import (
	"math"
	"slices"
)

// find is the value of a key. A failure is returned for a key that is not a string.
func (o crdObject) find(key any) (any, bool) {
	if name, ok := key.(string); ok {
		return o.member(name)
	}
	return crdNoSuchOverload, true
}

// member is the value of a map's key, or of an object's field by its CEL name, if it is there. A field that is null
// counts as missing.
func (o crdObject) member(name string) (any, bool) {
	if o.typ.fields == nil {
		if value, ok := o.fields[name]; ok && o.typ.values != nil {
			return crdRead(value, o.typ.values), true
		}
		return nil, false
	}
	name, ok := crdUnescape(name)
	value := o.fields[name]
	if !ok || value == nil {
		return nil, false
	}
	if t := o.typ.field(name); t != nil {
		return crdRead(value, t), true
	}
	return nil, false
}

// knows reports whether the schema describes a field.
func (o crdObject) knows(name string) bool {
	if o.typ.fields == nil {
		return o.typ.values != nil
	}
	return o.typ.field(name) != nil
}

// keys are the keys of a map, or the CEL names of an object's fields, sorted by name, with null for each unknown
// field.
func (o crdObject) keys() []any {
	names := make([]string, 0, len(o.fields))
	for name := range o.fields {
		if o.knows(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	keys := make([]any, len(o.fields))
	for i, name := range names {
		if o.typ.fields != nil {
			if escaped, ok := crdEscape(name); ok {
				name = escaped
			}
		}
		keys[i] = name
	}
	return keys
}

// put sets a value. It fails for a value that cannot be a key, which ends the evaluation in cel-go.
func (m *crdMap) put(key, value any) *crdFailure {
	hashed, err := crdHash(key)
	if err != nil {
		return err
	}
	if at, ok := m.index[hashed]; ok {
		m.entries[at].val = value
		return nil
	}
	m.index[hashed] = len(m.entries)
	m.entries = append(m.entries, crdEntry{key, value})
	return nil
}

// remove removes a key.
func (m *crdMap) remove(key any) *crdFailure {
	hashed, err := crdHash(key)
	if err != nil && len(m.entries) == 0 {
		// Go says so of an empty map, without calling it an error of the runtime.
		return &crdFailure{"internal error: hash of unhashable type: " + crdGoName(key)}
	}
	at, ok := m.index[hashed]
	if err != nil || !ok {
		return err
	}
	m.entries = append(m.entries[:at:at], m.entries[at+1:]...)
	delete(m.index, hashed)
	for key, i := range m.index {
		if i > at {
			m.index[key] = i - 1
		}
	}
	return nil
}

// crdHash is a key of a Go map for a key of a map. Containers are only equal to themselves.
func crdHash(key any) (any, *crdFailure) {
	switch key := key.(type) {
	case []byte:
		return nil, crdUnhashable(key)
	case crdOpaque:
		if !crdIsHashable(key) {
			return nil, crdUnhashable(key)
		}
	case crdList, crdObject, crdOptional, crdPreserved:
		return &crdEntry{key: key}, nil
	}
	return key, nil
}

// crdIsHashable reports whether a value of a library can be a key of a Go map.
func crdIsHashable(value crdOpaque) bool {
	switch crdNameOf(value) {
	case "kubernetes.Semver", "kubernetes.NamedFormat":
		return false
	}
	return true
}

// crdUnhashable is the failure for a value that cannot be a key, or cannot be searched among constants.
func crdUnhashable(key any) *crdFailure {
	return &crdFailure{"internal error: runtime error: hash of unhashable type " + crdGoName(key)}
}

// find is the value of a key. A number is found by any equal number, but a key that is a double is only found by a
// double.
func (m *crdMap) find(key any) (any, bool) {
	if len(m.entries) == 0 {
		return nil, false
	}
	if value, ok := m.get(key); ok {
		return value, true
	}
	switch key := key.(type) {
	case float64:
		if i, ok := crdWhole(key); ok {
			if value, ok := m.get(i); ok {
				return value, true
			}
		}
		if u, ok := crdWholeUint(key); ok {
			return m.get(u)
		}
	case int64:
		if key >= 0 {
			return m.get(uint64(key))
		}
	case uint64:
		if key <= math.MaxInt64 {
			return m.get(int64(key))
		}
	}
	return nil, false
}

func (m *crdMap) get(key any) (any, bool) {
	hashed, err := crdHash(key)
	if err != nil {
		return err, true
	}
	at, ok := m.index[hashed]
	if !ok {
		return nil, false
	}
	return m.entries[at].val, true
}

// crdWhole is a double as an int, if that is exact.
func crdWhole(x float64) (int64, bool) {
	if r := crdDoubleToInt(x); r.err == nil && float64(r.val) == x {
		return r.val, true
	}
	return 0, false
}

// crdWholeUint is a double as a uint, if that is exact.
func crdWholeUint(x float64) (uint64, bool) {
	if r := crdDoubleToUint(x); r.err == nil && float64(r.val) == x {
		return r.val, true
	}
	return 0, false
}

// crdKeysOf are the keys of a dynamic map, in a fixed order; ok is false if it is not a map.
func crdKeysOf(m any) (keys []any, ok bool) {
	switch m := m.(type) {
	case crdObject:
		return m.keys(), true
	case *crdMap:
		keys = make([]any, len(m.entries))
		for i, e := range m.entries {
			keys[i] = e.key
		}
		return keys, true
	}
	return nil, false
}

// crdFind is the value of a key of a dynamic map, if it is there.
func crdFind(m, key any) (any, bool) {
	switch m := m.(type) {
	case crdObject:
		return m.find(key)
	case *crdMap:
		return m.find(key)
	}
	return nil, false
}
