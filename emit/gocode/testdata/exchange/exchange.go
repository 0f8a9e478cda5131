// Package exchange is what a test asks a program of helpers, and what it answers.
package exchange

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Question is a call of a helper. Objects are JSON in which only floats are written with a point or an exponent.
type Question struct {
	Helper      string
	Object, Old json.RawMessage
}

// An Answer is what the helper returned, and the objects as it left them.
type Answer struct {
	Pruned, Errors, Warnings []string
	Object, Old              json.RawMessage
	Panic                    string
}

// Texts are all parts of errors.
func Texts(errs field.ErrorList) (out []string) {
	for _, e := range errs {
		out = append(out, string(e.Type)+" "+e.Error())
	}
	return out
}

// Exact writes JSON that tells floats from integers.
func Exact(v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		var members []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			members = append(members, string(Exact(key))+":"+string(Exact(v[key])))
		}
		return []byte("{" + strings.Join(members, ",") + "}")
	case []any:
		var items []string
		for i := range v {
			items = append(items, string(Exact(v[i])))
		}
		return []byte("[" + strings.Join(items, ",") + "]")
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return []byte(text)
	case nil, bool, string, int64:
		data, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return data
	}
	panic("this is not what a decoder makes")
}

// Decode reads an object as the API server does.
func Decode(data []byte) (object map[string]any) {
	if data == nil {
		return nil
	}
	if err := utiljson.Unmarshal(data, &object); err != nil {
		panic(err)
	}
	return object
}

// A Type is the structure of a schema.
type Type struct {
	Name, Format, ListType          string
	Fields                          []Field
	Items, Values, Resource         *Type
	ListKeys                        []string
	Nullable, Preserve, IntOrString bool
}

// A Field is a property.
type Field struct {
	Name string
	Type *Type
}
