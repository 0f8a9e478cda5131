// Program puts values that no decoder makes into the fields of objects, and prints at which of them helpers panic and
// which they find valid. It reads the names of the fields of spec, by the kinds. The test builds it together with the
// helpers, which are in package main too, and with the table of their names.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func main() {
	var fields map[string][]string
	if err := json.NewDecoder(os.Stdin).Decode(&fields); err != nil {
		panic(err)
	}
	for kind, names := range fields {
		try(kind, "", "nil object", func() map[string]any { return nil })
		try(kind, "", "nil spec", func() map[string]any { return map[string]any{"spec": map[string]any(nil)} })
		for _, name := range names {
			for what, value := range cycles() {
				spec := map[string]any{name: value}
				try(kind, name, what, func() map[string]any { return map[string]any{"spec": spec} })
				try(kind, name, "a list of "+what, func() map[string]any {
					return map[string]any{"spec": map[string]any{name: []any{value, value}}}
				})
				try(kind, name, "an object of "+what, func() map[string]any {
					return map[string]any{"spec": map[string]any{name: map[string]any{"a": value, "b": value, "metadata": value}}}
				})
			}
			for _, x := range foreign() {
				in := func(value func() any) func() map[string]any {
					return func() map[string]any { return map[string]any{"spec": map[string]any{name: value()}} }
				}
				try(kind, name, fmt.Sprintf("%T", x), in(func() any { return x }))
				try(kind, name, "many of "+fmt.Sprintf("%T", x), in(func() any {
					items := make([]any, 30)
					for i := range items {
						items[i] = x
					}
					return items
				}))
				for _, inside := range []any{x, nil} {
					try(kind, name, "a list of "+fmt.Sprintf("%T", x), in(func() any { return []any{x, x, inside} }))
					try(kind, name, "objects of "+fmt.Sprintf("%T", x), in(func() any {
						return []any{map[string]any{"a": x, "b": inside}, map[string]any{"a": x, "b": x}}
					}))
					try(kind, name, "an object of "+fmt.Sprintf("%T", x), in(func() any {
						return map[string]any{"a": x, "b": inside,
							"apiVersion": x, "kind": x, "metadata": x, "list": []any{x}}
					}))
				}
			}
		}
	}
}

// cycles are values that no stack is deep enough for.
func cycles() map[string]any {
	object, list := map[string]any{"a": "b"}, make([]any, 1)
	object["self"], list[0] = object, list
	deep := any("x")
	for range 20_000 {
		deep = []any{deep}
	}
	return map[string]any{"a cyclic object": object, "a cyclic list": list, "a deep list": deep}
}

// foreign are values that are not held as JSON is.
func foreign() []any {
	return []any{1, int32(1), uint64(1), float32(1), json.Number("1"), []string{"a"}, []map[string]any{{"a": "b"}},
		map[string]string{"a": "b"},
		map[string]any(nil), []any(nil), (*int)(nil), (*string)(nil), struct{}{}, func() {}}
}

// try gives the helpers of a kind an object. The text of the value is printed where that is valid.
func try(kind, name, what string, object func() map[string]any) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Printf("%s.%s: %s: panic: %v\n", kind, name, what, p)
		}
	}()
	validate := helpers[kind+".Validate"].(func(map[string]any) field.ErrorList)
	update := helpers[kind+".ValidateUpdate"].(func(_, _ map[string]any) (field.ErrorList, []string))
	errs := validate(object())
	for _, err := range errs {
		_ = err.Error()
	}
	if len(errs) == 0 {
		fmt.Printf("%s.%s: %s: valid\n", kind, name, what)
	}
	update(object(), object())
	update(map[string]any{}, object())
	update(object(), map[string]any{})
	helpers[kind+".Default"].(func(map[string]any))(object())
	helpers[kind+".Prune"].(func(map[string]any) []string)(object())
}
