// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"strconv"
)

// A correlation is a value of an object with the old value that belongs to it (apiserver,
// pkg/cel/common/equality.go).
type correlation struct {
	// step leads here from the parent.
	step pathStep
	// typ is nil if no old value belongs to the value.
	typ        *Type
	value, old any
	// equal says whether the values are equal, once that is known.
	equal, decided bool
	// items are the old items by their keys, once they are needed.
	items map[any]any
}

// unchanged reports whether the current value, or a parent, is equal to the old value that belongs to it. Inside
// allOf, anyOf, oneOf and not it is the value that has the junctor.
func (v *Validation) unchanged() bool {
	depth := len(v.path)
	if v.junctor > 0 {
		depth = v.junctor - 1
	}
	v.correlate(depth)
	for i := range v.spine[:depth+1] {
		if v.spine[i].unchanged() {
			return true
		}
	}
	return false
}

// ratchets reports whether a rule may continue to fail for the current value: whether the value, or its nearest
// parent with an old value, is equal to the old value. Inside allOf it starts at the parent of the value that has the
// junctor (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go, ratchetingOptions).
func (v *Validation) ratchets() bool {
	depth := len(v.path)
	if v.junctor > 0 {
		depth = v.junctor - 2
	}
	v.correlate(depth)
	for ; depth >= 0; depth-- {
		if c := &v.spine[depth]; c.typ != nil || depth == 1 && c.step.isTypeMeta() {
			return c.unchanged()
		}
	}
	return false
}

// correlate fills the spine with the values on the path, up to a depth.
func (v *Validation) correlate(depth int) {
	if len(v.spine) == 0 {
		v.spine = append(v.spine, correlation{typ: v.typ, value: v.object, old: v.old})
	}
	known := 0
	for known < depth && known+1 < len(v.spine) && v.spine[known+1].step == v.path[known] {
		known++
	}
	v.spine = v.spine[:known+1]
	for ; known < depth; known++ {
		step := v.path[known]
		next := correlation{step: step}
		if known > 0 || !step.isTypeMeta() {
			next.typ, next.value, next.old = v.spine[known].follow(step)
		}
		v.spine = append(v.spine, next)
	}
}

// isTypeMeta reports whether a step from the root leads to a field that is converted together with the object, so its
// changes are invisible.
func (s pathStep) isTypeMeta() bool {
	return s.kind != itemStep && (s.name == "apiVersion" || s.name == "kind")
}

// unchanged reports whether the value is equal to the old value that belongs to it.
func (c *correlation) unchanged() bool {
	if !c.decided {
		c.equal, c.decided = c.typ != nil && c.typ.unchanged(c.value, c.old), true
	}
	return c.equal
}

// follow returns the target of a step: the type, or nil if no old value belongs to the new one, and both values.
func (c *correlation) follow(step pathStep) (typ *Type, value, old any) {
	if c.typ == nil {
		return nil, nil, nil
	}
	if step.kind == itemStep {
		return c.followItem(step.index)
	}
	values, _ := c.value.(map[string]any)
	olds, _ := c.old.(map[string]any)
	value, ok := values[step.name]
	old, was := olds[step.name]
	if !ok || !was {
		return nil, nil, nil
	}
	return c.typ.member(step.name), value, old
}

// followItem is follow for an item of a list. Only items of lists of type map have old values.
func (c *correlation) followItem(index int) (typ *Type, value, old any) {
	values, _ := c.value.([]any)
	olds, ok := c.old.([]any)
	if !ok || index >= len(values) {
		return nil, nil, nil
	}
	if c.items == nil {
		c.items = c.typ.itemsByKey(olds)
	}
	key, ok := c.typ.itemKey(values[index])
	old, was := c.items[key]
	if !ok || !was {
		return nil, nil, nil
	}
	return c.typ.Items, values[index], old
}

// member is the type of a field or of a value of a map, nil if the schema describes neither.
func (t *Type) member(name string) *Type {
	if typ := t.field(name); typ != nil {
		return typ
	}
	return t.Values
}

// unchanged reports whether two values are equal. The order of items in a list of type map does not matter. Preserved
// fields that the schema does not describe count as changed.
func (t *Type) unchanged(value, old any) bool {
	switch value := value.(type) {
	case map[string]any:
		old, ok := old.(map[string]any)
		if !ok || len(value) != len(old) {
			return false
		}
		for name := range value {
			was, ok := old[name]
			if typ := t.member(name); !ok || typ == nil || !typ.unchanged(value[name], was) {
				return false
			}
		}
		return true
	case []any:
		old, ok := old.([]any)
		if !ok || len(value) != len(old) {
			return false
		}
		if t.ListType != "map" {
			return deepEqual(value, old)
		}
		items := t.itemsByKey(old)
		for _, item := range value {
			key, ok := t.itemKey(item)
			was, found := items[key]
			if !ok || !found || t.Items == nil || !t.Items.unchanged(item, was) {
				return false
			}
		}
		return true
	}
	return deepEqual(value, old)
}

// itemsByKey are the items of a list of type map, the first of each with the same keys (apiserver,
// pkg/cel/common/maplist.go).
func (t *Type) itemsByKey(items []any) map[any]any {
	byKey := make(map[any]any, len(items))
	for _, item := range items {
		if key, ok := t.itemKey(item); ok {
			if _, exists := byKey[key]; !exists {
				byKey[key] = item
			}
		}
	}
	return byKey
}

// itemKey is itemKey for an item of a list of type map.
func (t *Type) itemKey(item any) (key any, ok bool) {
	if t.Name != "array" {
		return nil, false
	}
	return itemKey(item, t.ListKeys)
}

// itemKey identifies an item of a list of type map: the value of its key, or the text of several keys. Only an
// object with scalar values for all keys has one.
func itemKey(item any, keys []string) (key any, ok bool) {
	if len(keys) == 0 {
		return nil, false
	}
	if len(keys) == 1 {
		switch key, _, _ = fieldOf(item, keys[0]); key.(type) {
		case bool, float64, int64, string:
			return key, true
		}
		return nil, false
	}
	var all []byte
	for _, name := range keys {
		all = append(all, 0)
		value, _, _ := fieldOf(item, name)
		switch value := value.(type) {
		case bool:
			all = strconv.AppendBool(all, value)
		case float64:
			all = strconv.AppendFloat(all, value, 'f', 6, 64)
		case int64:
			all = strconv.AppendInt(all, value, 10)
		case string:
			all = strconv.AppendQuote(all, value)
		default:
			return nil, false
		}
	}
	return string(all), true
}
