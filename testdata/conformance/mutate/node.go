package mutate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A node is one schema of a CRD, with its place.
type node struct {
	crd    map[string]any
	schema map[string]any
	path   string
	parent *node
	// step is the keyword of the parent that leads here, name the property's name or the index in a list.
	step, name string
	depth      int
}

type object = map[string]any

// nodes returns all schemas of all versions in a fixed order.
func nodes(crd object) []*node {
	var out []*node
	for i, v := range versions(crd) {
		above, _ := v["schema"].(object)
		if root, ok := above["openAPIV3Schema"].(object); ok {
			path := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
			out = appendNodes(out, &node{crd: crd, schema: root, path: path})
		}
	}
	return out
}

// versions returns the versions of a CRD, as far as they are objects.
func versions(crd object) (out []object) {
	spec, _ := crd["spec"].(object)
	list, _ := spec["versions"].([]any)
	for _, v := range list {
		if v, ok := v.(object); ok {
			out = append(out, v)
		}
	}
	return out
}

func appendNodes(out []*node, n *node) []*node {
	out = append(out, n)
	below := func(v any, step, name string) {
		if s, ok := v.(object); ok {
			path := n.path + "." + step
			if name != "" {
				path += "[" + name + "]"
			}
			out = appendNodes(out, &node{
				crd: n.crd, schema: s, path: path, parent: n, step: step, name: name, depth: n.depth + 1,
			})
		}
	}
	for _, keyword := range []string{"items", "additionalProperties", "not"} {
		below(n.schema[keyword], keyword, "")
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := n.schema[keyword].([]any)
		for i, s := range list {
			below(s, keyword, fmt.Sprint(i))
		}
	}
	properties, _ := n.schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		below(properties[name], "properties", name)
	}
	return out
}

// is returns whether the schema is of one of the types.
func (n *node) is(types ...string) bool { return slices.Contains(types, n.typ()) }

func (n *node) typ() string {
	t, _ := n.schema["type"].(string)
	return t
}

func (n *node) has(key string) bool { return n.schema[key] != nil }

// isRoot reports whether the node is the schema of a version.
func (n *node) isRoot() bool { return n.parent == nil }

// inJunctor reports whether the node is below allOf, anyOf, oneOf or not.
func (n *node) inJunctor() bool {
	for ; n != nil; n = n.parent {
		if slices.Contains([]string{"allOf", "anyOf", "oneOf", "not"}, n.step) {
			return true
		}
	}
	return false
}

// structural reports whether the node is a real part of the tree: below the root, and not in a junctor.
func structural(n *node) bool { return !n.isRoot() && !n.inJunctor() }

// whole reports whether the node is part of the tree, or its root.
func whole(n *node) bool { return !n.inJunctor() }

func anywhere(*node) bool { return true }

// of is for nodes of the tree that have one of the types.
func of(types ...string) func(*node) bool {
	return func(n *node) bool { return whole(n) && n.is(types...) }
}

// with is for nodes that have a keyword.
func with(keyword string) func(*node) bool { return func(n *node) bool { return n.has(keyword) } }

// items returns the schema of the items.
func (n *node) items() object {
	items, _ := n.schema["items"].(object)
	return items
}

// properties returns the names of the properties of a schema, sorted.
func properties(schema object) []string {
	list, _ := schema["properties"].(object)
	return slices.Sorted(maps.Keys(list))
}

// property returns the schema of a property, nil if it does not exist.
func property(schema object, name string) object {
	list, _ := schema["properties"].(object)
	s, _ := list[name].(object)
	return s
}

// set changes a key, or takes it away where the value is absent.
func set(o object, key string, value any) string {
	if _, ok := value.(absent); ok {
		delete(o, key)
		return key + " removed"
	}
	o[key] = clone(value)
	return key + " set to " + text(value)
}

// absent is the value of a key that is not there.
type absent struct{}

// text returns a value as short JSON.
func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if len(data) > 200 {
		return string(data[:200]) + "…"
	}
	return string(data)
}

// child returns the object below a key, which is created if it does not exist.
func child(o object, key string) object {
	c, ok := o[key].(object)
	if !ok {
		c = object{}
		o[key] = c
	}
	return c
}

// add appends to a list below a key, which is created if it does not exist.
func add(o object, key string, value any) string {
	list, _ := o[key].([]any)
	o[key] = append(slices.Clip(list), clone(value))
	return text(value) + " added to " + key
}
