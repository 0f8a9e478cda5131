// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"encoding/json"
	"maps"
	"slices"
)

// A typeText is a Type as data. The members of the JSON have the names of the fields of Type. Types and
// functions are their positions in lists, from 1; 0 is none.
type typeText struct {
	Name, Format, ListType                                  string
	MinLength, MaxLength, MinItems, MaxItems                int
	Only, Needs, ListKeys                                   []string
	Fields, Defaults                                        map[string]int
	Items, Values, Resource, Own, ItemDefault, ValueDefault int
	Nullable, Preserve, IntOrString, Open, Embedded         bool
	Has                                                     Content
}

// ReadTypes sets types to those of texts. These name checks, and functions that make defaults, by their positions.
func ReadTypes(types []Type, texts []string, checks []Check, defaults []func() any) {
	typ := func(number int) *Type {
		if number == 0 {
			return nil
		}
		return &types[number-1]
	}
	value := func(number int) func() any {
		if number == 0 {
			return nil
		}
		return defaults[number-1]
	}
	for i, text := range texts {
		var x typeText
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			panic("the generated helpers were changed: " + err.Error())
		}
		t := Type{Name: x.Name, Format: x.Format, ListType: x.ListType, MinLength: x.MinLength,
			MaxLength: x.MaxLength, MinItems: x.MinItems, MaxItems: x.MaxItems, Only: x.Only, Needs: x.Needs,
			ListKeys: x.ListKeys, Items: typ(x.Items), Values: typ(x.Values), Resource: typ(x.Resource),
			ItemDefault:  value(x.ItemDefault),
			ValueDefault: value(x.ValueDefault), Nullable: x.Nullable, Preserve: x.Preserve, IntOrString: x.IntOrString,
			Open: x.Open, Embedded: x.Embedded, Has: x.Has}
		if x.Own > 0 {
			t.Own = checks[x.Own-1]
		}
		for _, name := range slices.Sorted(maps.Keys(x.Fields)) {
			t.Fields = append(t.Fields, TypeField{name, typ(x.Fields[name])})
		}
		for _, name := range slices.Sorted(maps.Keys(x.Defaults)) {
			t.Defaults = append(t.Defaults, Default{name, value(x.Defaults[name])})
		}
		types[i] = t
	}
}
