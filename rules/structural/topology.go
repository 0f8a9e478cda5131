package structural

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// topologyRows are the checks of how lists and maps are merged (KEP-1152, KEP-2332).
func topologyRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "list-type", Verdict: true,
				Doc:  "A list is atomic, a set, or a map whose items have keys; only arrays are lists.",
				Bad:  "type: array\nx-kubernetes-list-type: bag\nitems: {type: string}",
				Good: "type: array\nx-kubernetes-list-type: set\nitems: {type: string}",
			},
			ofSchema: outsideOfJunctors(checkListType),
		},
		{
			Check: diag.Check{
				ID: "list-map-keys", Verdict: true,
				Doc: "A list of type map names the fields that identify its items: scalars, never null, and always there because " +
					"they are required or have a default.",
				Bad:  "// +listType=map\n// +listMapKey=name\nEndpoints []Port `json:\"endpoints,omitempty\"`",
				Good: "// +listType=map\n// +listMapKey=id\nEndpoints []Port `json:\"endpoints,omitempty\"`",
			},
			ofSchema: outsideOfJunctors(checkListMapKeys),
		},
		{
			Check: diag.Check{
				ID: "list-items", Verdict: true,
				Doc:  "The items of a map are objects, those of a set are compared as a whole, and neither are null.",
				Bad:  "// +listType=set\nEndpoints []Port `json:\"endpoints,omitempty\"`",
				Good: "// +listType=map\n// +listMapKey=id\nEndpoints []Port `json:\"endpoints,omitempty\"`",
			},
			ofSchema: outsideOfJunctors(checkListItems),
		},
		{
			Check: diag.Check{
				ID: "set-items", Severity: diag.Warning,
				Doc: "A set of objects or lists is accepted if they are atomic, but server-side apply and rules do not support it; " +
					"API servers warn of it from 1.37 on.",
				Bad:  "type: array\nx-kubernetes-list-type: set\nitems: {type: array, items: {type: string}}",
				Good: "type: array\nx-kubernetes-list-type: atomic\nitems: {type: array, items: {type: string}}",
			},
			ofSchema: outsideOfJunctors(checkSetItems),
		},
		{
			Check: diag.Check{
				ID: "map-type", Verdict: true,
				Doc:  "An object is granular or atomic; only objects are maps.",
				Bad:  "type: object\nx-kubernetes-map-type: set\nadditionalProperties: {type: string}",
				Good: "type: object\nx-kubernetes-map-type: atomic\nadditionalProperties: {type: string}",
			},
			ofSchema: outsideOfJunctors(checkMapType),
		},
	}
}

// outsideOfJunctors is a check that says nothing of schemas inside of junctors, where there are no list types and map types.
func outsideOfJunctors(look func(*node) []finding) func(*node) []finding {
	return func(n *node) []finding {
		if n.Nested {
			return nil
		}
		return look(n)
	}
}

// topologyPaths are the paths of what the API server says of list types and map types besides, where they stand inside of
// a junctor.
func (n *node) topologyPaths() []string {
	var out []string
	for _, look := range []func(*node) []finding{checkListType, checkListMapKeys, checkListItems, checkMapType} {
		for _, f := range look(n) {
			out = append(append(out, f.path), f.also...)
		}
	}
	return out
}

func listTypes() []string { return []string{"atomic", "map", "set"} }

func mapTypes() []string { return []string{"atomic", "granular"} }

// empty returns the text "" that a keyword states, nil where it states another or none.
func empty(s *schema.Schema, name string) *schema.Text {
	if k := other(s, name); k != nil && k.Value.Kind == schema.String {
		return &schema.Text{At: k.At}
	}
	return nil
}

// listType returns the list type that a schema states, nil where it states none.
func listType(s *schema.Schema) *schema.Text {
	if s.ListType.V != "" {
		return &s.ListType
	}
	return empty(s, "x-kubernetes-list-type")
}

// mapType is the same for maps.
func mapType(s *schema.Schema) *schema.Text {
	if s.MapType.V != "" {
		return &s.MapType
	}
	return empty(s, "x-kubernetes-map-type")
}

func checkListType(n *node) []finding {
	t := listType(n.s)
	if t == nil {
		return nil
	}
	var out []finding
	if n.s.Type.V != "array" && (n.Nested || !lacksType(n.s)) {
		f := n.listTypeOfOther(t)
		if t.V == "map" && n.s.Items == nil {
			f.also = append(f.also, n.key("items"))
		}
		out = append(out, f)
	}
	if !isOneOf(t.V, listTypes()) {
		out = append(out, n.unknownListType(t))
	}
	return out
}

func checkListMapKeys(n *node) []finding {
	isMap := n.s.ListType.V == "map"
	switch {
	case !isMap && len(n.s.ListMapKeys) > 0:
		return one(n.keysWithoutMap())
	case isMap && len(n.s.ListMapKeys) == 0:
		return one(n.mapWithoutKeys())
	case !isMap, n.s.Items == nil:
		return nil
	}
	var out []finding
	for i, key := range n.s.ListMapKeys {
		property := n.s.Items.Property(key.V)
		if property == nil {
			if n.s.Items.Type.V == "object" {
				out = append(out, n.unknownKey(key))
			}
			continue
		}
		out = append(out, n.checkKey(key, property)...)
		for _, earlier := range n.s.ListMapKeys[:i] {
			if earlier.V == key.V {
				out = append(out, n.keyTwice(key, earlier))
				break
			}
		}
	}
	return out
}

// checkKey looks at the field that a key of a list names.
func (n *node) checkKey(key schema.Text, property *schema.Schema) []finding {
	var out []finding
	isObject := n.s.Items.Type.V == "object"
	if isObject && (property.Type.V == "array" || property.Type.V == "object") {
		out = append(out, n.keyNoScalar(key, property))
	}
	if isSet(property.Nullable) {
		out = append(out, n.keyNullable(key, property))
	}
	for _, r := range n.s.Items.Required {
		if r.V == key.V {
			return out
		}
	}
	if property.Default == nil {
		out = append(out, n.keyOptional(key, property))
	}
	return out
}

func checkListItems(n *node) []finding {
	items := n.s.Items
	if items == nil || n.s.ListType.V != "set" && n.s.ListType.V != "map" {
		return nil
	}
	var out []finding
	if isSet(items.Nullable) {
		out = append(out, n.nullableItems())
	}
	switch {
	case n.s.ListType.V == "map" && items.Type.V != "object":
		if n.Nested || !lacksType(items) && !isSet(items.EmbeddedResource) {
			out = append(out, n.mapOfOthers())
		}
	case n.s.ListType.V == "set" && n.s.Type.V != "array":
	case n.s.ListType.V == "set" && items.Type.V == "object" && items.MapType.V != "atomic":
		out = append(out, n.setOfObjects())
	case n.s.ListType.V == "set" && items.Type.V == "array" && listType(items) != nil && items.ListType.V != "atomic":
		out = append(out, n.setOfLists())
	}
	return out
}

func checkSetItems(n *node) []finding {
	items := n.s.Items
	if items == nil || n.s.Type.V != "array" || n.s.ListType.V != "set" {
		return nil
	}
	if items.Type.V == "object" && items.MapType.V == "atomic" || items.Type.V == "array" && (listType(items) == nil || items.ListType.V == "atomic") {
		return one(n.setOfCompounds())
	}
	return nil
}

func checkMapType(n *node) []finding {
	t := mapType(n.s)
	if t == nil {
		return nil
	}
	var out []finding
	if n.s.Type.V != "object" && (n.Nested || !lacksType(n.s)) {
		out = append(out, n.mapTypeOfOther(t))
	}
	if !isOneOf(t.V, mapTypes()) {
		out = append(out, n.unknownMapType(t))
	}
	return out
}
