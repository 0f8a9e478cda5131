package mutate

import "math/rand/v2"

// listOperators change how lists and maps are merged.
func listOperators() []operator {
	lists := of("array")
	ofObjects := func(n *node) bool {
		return lists(n) && n.items()["type"] == "object" &&
			len(properties(n.items())) > 0
	}
	isMap := func(n *node) bool { return n.schema["x-kubernetes-list-type"] == "map" }
	return []operator{
		{"list: type", lists, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-list-type", pick[any](r, "atomic", "set", "map", "Map", "list", "", nil,
				absent{}, true))
		}},
		{"list: type elsewhere", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-list-type", pick[any](r, "atomic", "set", "map"))
		}},
		{"list: map", ofObjects, func(r *rand.Rand, n *node) string {
			n.schema["x-kubernetes-list-type"] = "map"
			return set(n.schema, "x-kubernetes-list-map-keys", someKeys(r, n))
		}},
		{"list: good map", ofObjects, func(r *rand.Rand, n *node) string {
			key := pick(r, properties(n.items())...)
			n.schema["x-kubernetes-list-type"] = "map"
			n.schema["x-kubernetes-list-map-keys"] = []any{key}
			set(child(n.items(), "properties"), key, object{"type": pick[any](r, "string", "integer", "boolean")})
			if r.IntN(2) == 0 {
				property(n.items(), key)["default"] = instance(r, property(n.items(), key), 1)
				return key + " is the key, with a default"
			}
			return key + " is the key; " + add(n.items(), "required", key)
		}},
		{"list: keys", lists, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-list-map-keys", someKeys(r, n))
		}},
		{"list: keys of a map", isMap, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-list-map-keys", someKeys(r, n))
		}},
		{"list: key's schema", isMap, spoilKey},
		{"list: nullable items", lists, func(r *rand.Rand, n *node) string {
			n.schema["x-kubernetes-list-type"] = pick[any](r, "set", "atomic")
			return set(child(n.schema, "items"), "nullable", r.IntN(3) > 0)
		}},
		{"list: set", lists, func(r *rand.Rand, n *node) string {
			n.schema["x-kubernetes-list-type"] = "set"
			n.schema["items"] = pick[any](r, object{"type": "string"}, object{"type": "object"},
				object{"type": "object",
					"x-kubernetes-map-type": "atomic"},
				object{"type": "object", "x-kubernetes-map-type": "granular"},
				object{"type": "array", "items": object{"type": "string"}},
				object{"type": "array", "x-kubernetes-list-type": "atomic", "items": object{"type": "string"}},
				object{"type": "array", "x-kubernetes-list-type": "set", "items": object{"type": "string"}})
			return "set of " + text(n.schema["items"])
		}},
		{"list: map-type", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-map-type", pick[any](r, "atomic", "granular", "Atomic", "", "map", nil,
				absent{}))
		}},
		{"list: map-type of an object", of("object"), func(r *rand.Rand, n *node) string {
			return set(n.schema, "x-kubernetes-map-type", pick[any](r, "atomic", "granular", absent{}))
		}},
	}
}

// someKeys are keys of a list's items, or other things.
func someKeys(r *rand.Rand, n *node) any {
	names := append(properties(n.items()), "nowhere")
	return pick[any](r, []any{pick(r, names...)}, []any{pick(r, names...), pick(r, names...)},
		[]any{names[0], names[0]},
		[]any{}, nil, absent{}, "name", []any{""}, required(n.items()))
}

// spoilKey changes the schema of a key, or whether it is required.
func spoilKey(r *rand.Rand, n *node) string {
	keys, _ := n.schema["x-kubernetes-list-map-keys"].([]any)
	if len(keys) == 0 {
		return ""
	}
	key, _ := pick(r, keys...).(string)
	s := property(n.items(), key)
	if s == nil {
		return set(child(n.schema, "items"), "required", absent{})
	}
	switch r.IntN(5) {
	case 0:
		return key + ": " + set(s, "nullable", true)
	case 1:
		return set(child(n.schema, "items"), "required", absent{})
	case 2:
		set(s, "default", instance(r, s, 1))
		return key + " has a default; " + set(child(n.schema, "items"), "required", absent{})
	case 3:
		return key + ": " + set(s, "type", pick(r, types[:]...))
	}
	return key + ": " + set(s, "maxLength", lengthBound(r))
}

func required(s object) any {
	list, ok := s["required"]
	if !ok {
		return absent{}
	}
	return clone(list)
}
