package support

import (
	"encoding/json"
	"maps"
	"slices"
)

// A crdTypeText is a crdType as data. The members of the JSON have the names of the fields of crdType. Types and
// functions are their positions in lists, from 1; 0 is none.
type crdTypeText struct {
	Name, Format, ListType                                  string
	MinLength, MaxLength, MinItems, MaxItems                int
	Only, Needs, ListKeys                                   []string
	Fields, Defaults                                        map[string]int
	Items, Values, Resource, Own, ItemDefault, ValueDefault int
	Nullable, Preserve, IntOrString, Open, Embedded         bool
	Has                                                     crdContent
}

// crdReadTypes sets types to those of texts. These name checks, and functions that make defaults, by their positions.
func crdReadTypes(types []crdType, texts []string, checks []crdCheck, defaults []func() any) {
	typ := func(number int) *crdType {
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
		var x crdTypeText
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			panic("the generated helpers were changed: " + err.Error())
		}
		t := crdType{name: x.Name, format: x.Format, listType: x.ListType, minLength: x.MinLength,
			maxLength: x.MaxLength, minItems: x.MinItems, maxItems: x.MaxItems, only: x.Only, needs: x.Needs,
			listKeys: x.ListKeys, items: typ(x.Items), values: typ(x.Values), resource: typ(x.Resource),
			itemDefault:  value(x.ItemDefault),
			valueDefault: value(x.ValueDefault), nullable: x.Nullable, preserve: x.Preserve, intOrString: x.IntOrString,
			open: x.Open, embedded: x.Embedded, has: x.Has}
		if x.Own > 0 {
			t.own = checks[x.Own-1]
		}
		for _, name := range slices.Sorted(maps.Keys(x.Fields)) {
			t.fields = append(t.fields, crdTypeField{name, typ(x.Fields[name])})
		}
		for _, name := range slices.Sorted(maps.Keys(x.Defaults)) {
			t.defaults = append(t.defaults, crdDefault{name, value(x.Defaults[name])})
		}
		types[i] = t
	}
}
