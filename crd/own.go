// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file adds checks of users to those of the schema.

// An ownCheck returns the errors of an object that replaces old, nil for a new object.
type ownCheck func(old, object map[string]any) field.ErrorList

// WithCheck returns the same helpers with one more check, whose errors follow those of the schema. old is nil if the
// object is new. Ratcheting applies: in an update, an error that the old object has too is a warning if the value of
// its field has not changed.
func (r *Resource) WithCheck(check func(old, object map[string]any) field.ErrorList) *Resource {
	out := *r
	out.checks = append(slices.Clip(r.checks), check)
	return &out
}

// WithCheck returns the same helpers with one more check, whose errors follow those of the schema. old is nil if the
// object is new. The check gets the objects as they are given to a method, without defaults; for the methods of the
// field JSON they are decoded. Ratcheting applies: in an update, an error that the old object has too is a warning if
// the value of its field has not changed.
func (k *Kind[T]) WithCheck(check func(old, obj *T) field.ErrorList) *Kind[T] {
	out := *k
	out.checks = append(slices.Clip(k.checks), check)
	out.JSON = k.JSON.WithCheck(func(old, object map[string]any) field.ErrorList {
		var objects [2]*T
		for i, m := range []map[string]any{old, object} {
			if m == nil {
				continue
			}
			objects[i] = new(T)
			data, err := json.Marshal(m)
			if err == nil {
				err = json.Unmarshal(data, objects[i])
			}
			if err != nil {
				err = fmt.Errorf("the object cannot be decoded for a check: %w", err)
				return field.ErrorList{field.InternalError(nil, err)}
			}
		}
		return check(objects[0], objects[1])
	})
	return &out
}

// passes reports whether an object has no errors of own checks.
func (k *Kind[T]) passes(old, obj *T) bool {
	return !slices.ContainsFunc(k.checks, func(check func(old, obj *T) field.ErrorList) bool {
		return len(check(old, obj)) > 0
	})
}

// given returns the helpers for JSON, whose own checks see the objects that were given.
func (k *Kind[T]) given(old, obj *T) *Resource {
	if len(k.checks) == 0 {
		return k.JSON
	}
	out := *k.JSON
	out.checks = nil
	for _, check := range k.checks {
		out.checks = append(out.checks, func(before, _ map[string]any) field.ErrorList {
			if before == nil && old != nil {
				return check(nil, old)
			}
			return check(old, obj)
		})
	}
	return &out
}

// own adds the errors of a check. The object may have errors of the schema for which it cannot be decoded.
func (v *Validation) own(check ownCheck) {
	hasErrors := len(v.errs) > 0
	errs := check(v.old, v.object)
	var before field.ErrorList
	if v.old != nil && len(errs) > 0 {
		before = check(nil, v.old)
	}
	for _, err := range errs {
		isOld := slices.ContainsFunc(before, func(b *field.Error) bool {
			return b.Type == err.Type && b.Detail == err.Detail && reflect.DeepEqual(b.BadValue, err.BadValue)
		})
		switch {
		case hasErrors && err.Type == field.ErrorTypeInternal:
		case isOld && v.keeps(err.Field):
			v.opts.place(err)
			v.warnings.add(err.Error())
		default:
			v.errs = append(v.errs, err)
		}
	}
}

// keeps reports whether an update keeps the value of a field of an error. The schema says which item of an old list
// belongs to a new one; metadata and other values that it does not describe are compared by name.
func (v *Validation) keeps(text string) bool {
	v.path = v.path[:0]
	value, old := any(v.object), any(v.old)
	for text != "" {
		var name string
		var isKey bool
		name, isKey, text = nextStep(text)
		switch inside := value.(type) {
		case []any:
			at, err := strconv.Atoi(name)
			if err != nil || at < 0 || at >= len(inside) {
				return false
			}
			v.path.item(at)
			value, old = inside[at], nil
		case map[string]any:
			if isKey {
				v.path.key(name)
			} else {
				v.path.field(name)
			}
			value, old = inside[name], oldField(old, name)
		default:
			return false
		}
	}
	return v.unchanged() || old != nil && deepEqual(value, old)
}

// nextStep returns the first step of a path as in errors, whether it is in brackets, and the rest.
func nextStep(path string) (name string, isKey bool, rest string) {
	if inside, ok := strings.CutPrefix(path, "["); ok {
		name, rest, _ = strings.Cut(inside, "]")
		return name, true, strings.TrimPrefix(rest, ".")
	}
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		return path, false, ""
	}
	return path[:end], false, strings.TrimPrefix(path[end:], ".")
}
