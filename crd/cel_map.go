// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"math"
	"slices"
)

// find is the value of a key. A failure is returned for a key that is not a string.
func (o schemaObject) find(key any) (any, bool) {
	if name, ok := key.(string); ok {
		return o.member(name)
	}
	return noSuchOverload, true
}

// member is the value of a map's key, or of an object's field by its CEL name, if it is there. A field that is null
// counts as missing.
func (o schemaObject) member(name string) (any, bool) {
	if o.typ.Fields == nil {
		if value, ok := o.fields[name]; ok && o.typ.Values != nil {
			return readJSON(value, o.typ.Values), true
		}
		return nil, false
	}
	name, ok := unescape(name)
	value := o.fields[name]
	if !ok || value == nil {
		return nil, false
	}
	if t := o.typ.field(name); t != nil {
		return readJSON(value, t), true
	}
	return nil, false
}

// knows reports whether the schema describes a field.
func (o schemaObject) knows(name string) bool {
	if o.typ.Fields == nil {
		return o.typ.Values != nil
	}
	return o.typ.field(name) != nil
}

// keys are the keys of a map, or the CEL names of an object's fields, sorted by name, with null for each unknown
// field.
func (o schemaObject) keys() []any {
	names := make([]string, 0, len(o.fields))
	for name := range o.fields {
		if o.knows(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	keys := make([]any, len(o.fields))
	for i, name := range names {
		if o.typ.Fields != nil {
			if escaped, ok := escape(name); ok {
				name = escaped
			}
		}
		keys[i] = name
	}
	return keys
}

// put sets a value. It fails for a value that cannot be a key, which ends the evaluation in cel-go.
func (m *celMap) put(key, value any) *Failure {
	hashed, err := hash(key)
	if err != nil {
		return err
	}
	if at, ok := m.index[hashed]; ok {
		m.entries[at].val = value
		return nil
	}
	m.index[hashed] = len(m.entries)
	m.entries = append(m.entries, mapEntry{key, value})
	return nil
}

// remove removes a key.
func (m *celMap) remove(key any) *Failure {
	hashed, err := hash(key)
	if err != nil && len(m.entries) == 0 {
		// Go says so of an empty map, without calling it an error of the runtime.
		return &Failure{"internal error: hash of unhashable type: " + goName(key)}
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

// hash is a key of a Go map for a key of a map. Containers are only equal to themselves.
func hash(key any) (any, *Failure) {
	switch key := key.(type) {
	case []byte:
		return nil, unhashable(key)
	case opaque:
		if !isHashable(key) {
			return nil, unhashable(key)
		}
	case List, schemaObject, Optional, unknownData:
		return &mapEntry{key: key}, nil
	}
	return key, nil
}

// isHashable reports whether a value of a library can be a key of a Go map.
func isHashable(value opaque) bool {
	switch nameOf(value) {
	case "kubernetes.Semver", "kubernetes.NamedFormat":
		return false
	}
	return true
}

// unhashable is the failure for a value that cannot be a key, or cannot be searched among constants.
func unhashable(key any) *Failure {
	return &Failure{"internal error: runtime error: hash of unhashable type " + goName(key)}
}

// find is the value of a key. A number is found by any equal number, but a key that is a double is only found by a
// double.
func (m *celMap) find(key any) (any, bool) {
	if len(m.entries) == 0 {
		return nil, false
	}
	if value, ok := m.get(key); ok {
		return value, true
	}
	switch key := key.(type) {
	case float64:
		if i, ok := wholeInt(key); ok {
			if value, ok := m.get(i); ok {
				return value, true
			}
		}
		if u, ok := wholeUint(key); ok {
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

func (m *celMap) get(key any) (any, bool) {
	hashed, err := hash(key)
	if err != nil {
		return err, true
	}
	at, ok := m.index[hashed]
	if !ok {
		return nil, false
	}
	return m.entries[at].val, true
}

// wholeInt is a double as an int, if that is exact.
func wholeInt(x float64) (int64, bool) {
	if r := DoubleToInt(x); r.err == nil && float64(r.val) == x {
		return r.val, true
	}
	return 0, false
}

// wholeUint is a double as a uint, if that is exact.
func wholeUint(x float64) (uint64, bool) {
	if r := DoubleToUint(x); r.err == nil && float64(r.val) == x {
		return r.val, true
	}
	return 0, false
}

// keysOf are the keys of a dynamic map, in a fixed order; ok is false if it is not a map.
func keysOf(m any) (keys []any, ok bool) {
	switch m := m.(type) {
	case schemaObject:
		return m.keys(), true
	case *celMap:
		keys = make([]any, len(m.entries))
		for i, e := range m.entries {
			keys[i] = e.key
		}
		return keys, true
	}
	return nil, false
}

// find is the value of a key of a dynamic map, if it is there.
func find(m, key any) (any, bool) {
	switch m := m.(type) {
	case schemaObject:
		return m.find(key)
	case *celMap:
		return m.find(key)
	}
	return nil, false
}
