// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"slices"
	"strings"
)

// A FieldReader reads the fields and keys that rules name. && and || often decide without them, so the failures for
// missing ones are made in advance: a rule that succeeds needs no allocations.
type FieldReader struct {
	// missing are the failures, sorted.
	missing []Failure
}

// NewFieldReader makes a FieldReader for names.
func NewFieldReader(names ...string) *FieldReader {
	f := &FieldReader{missing: make([]Failure, len(names))}
	for i, name := range slices.Sorted(slices.Values(names)) {
		f.missing[i] = Failure{noSuchKey + name}
	}
	return f
}

const noSuchKey = "no such key: "

// noKey is the failure for a missing key.
func (f *FieldReader) noKey(name string) *Failure {
	at, found := slices.BinarySearchFunc(f.missing, name, func(f Failure, name string) int {
		return strings.Compare(f.text[len(noSuchKey):], name)
	})
	if found {
		return &f.missing[at]
	}
	return &Failure{noSuchKey + name}
}

// Get is a field of an object. One that is null is not there.
func (f *FieldReader) Get(object any, name string) any {
	switch value, _, isObject := fieldOf(object, name); {
	case value != nil:
		return value
	case isObject:
		return f.noKey(name)
	}
	return notObject(object)
}

// GetEscaped is a field whose name is escaped in CEL.
func (f *FieldReader) GetEscaped(object any, name, escaped string) any {
	return f.There(Peek(object, name), escaped)
}

// GetKey is the value of a key of a map, which may be null.
func (f *FieldReader) GetKey(object any, key string) any {
	switch value, ok, isObject := fieldOf(object, key); {
	case ok:
		return value
	case isObject:
		return f.noKey(key)
	}
	return notObject(object)
}

// There is a field that was looked up.
func (f *FieldReader) There(field any, name string) any {
	if field == nil {
		return f.noKey(name)
	}
	return field
}
