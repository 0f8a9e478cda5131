package support

import (
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// This file says where errors come from.

// withOrigin sets the origin of an error: the keyword of the schema. Versions of apimachinery before 0.33 have no such
// field.
func withOrigin(err *field.Error, keyword string) *field.Error {
	if origin := reflect.ValueOf(err).Elem().FieldByName("Origin"); origin.IsValid() {
		origin.SetString(keyword)
	}
	return err
}

// ruleOrigin is the origin of errors of a rule with a position in its list.
func ruleOrigin(at int) string { return "x-kubernetes-validations[" + strconv.Itoa(at) + "]" }

// Declaration returns the Go declaration of the field of an error, such as v1.WidgetSpec.Color, or of the type of an
// object. For a part without a Go declaration, such as an item, it is that of the nearest value around it.
func (k *Kind[T]) Declaration(err *field.Error) string {
	t := reflect.TypeFor[T]()
	found := t.String()
	path := strings.TrimPrefix(strings.TrimPrefix(err.Field, noField), k.JSON.opts.below)
	path = strings.TrimPrefix(path, ".")
	for path != "" {
		var name string
		name, _, path = nextStep(path)
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch t.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
			continue
		case reflect.Struct:
		default:
			return found
		}
		owner, f, ok := declaredField(t, name)
		if !ok {
			return found
		}
		found, t = owner.String()+"."+f.Name, f.Type
	}
	return found
}

// declaredField returns the field of a struct, or of one that it embeds, with a name in JSON.
func declaredField(t reflect.Type, name string) (owner reflect.Type, f reflect.StructField, ok bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inside := f.Type
		if inside.Kind() == reflect.Pointer {
			inside = inside.Elem()
		}
		switch {
		case tag == name || tag == "" && !f.Anonymous && f.Name == name:
			return t, f, true
		case tag == "" && f.Anonymous && inside.Kind() == reflect.Struct:
			if owner, f, ok := declaredField(inside, name); ok {
				return owner, f, true
			}
		}
	}
	return nil, f, false
}
