// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "fmt"

func (l List) size() int { return len(l.Items) }

// at is an item as a value of CEL.
func (l List) at(i int) any {
	if l.Type != nil {
		return readJSON(l.Items[i], l.Type.Items)
	}
	return l.Items[i]
}

// values are all items as values of CEL, in a slice of its own with room for more.
func (l List) values(more int) []any {
	out := make([]any, len(l.Items), len(l.Items)+more)
	for i := range l.Items {
		out[i] = l.at(i)
	}
	return out
}

// isSet and isMap report whether the list is compared and extended by its values, or by its map keys.
func (l List) isSet() bool {
	return l.Type != nil && l.Type.ListType == "set" || l.made != nil && l.made.kind == setSum
}

func (l List) isMap() bool {
	return l.Type != nil && l.Type.ListType == "map" || l.made != nil && l.made.kind == mapSum
}

func (l List) isSum() bool { return l.made != nil && l.made.kind == literalSum }

// mapKeys are the CEL names of a map list's keys.
func (l List) mapKeys() []string {
	if l.made != nil {
		return l.made.keys
	}
	keys := make([]string, len(l.Type.ListKeys))
	for i, key := range l.Type.ListKeys {
		keys[i] = key
		if escaped, ok := escape(key); ok {
			keys[i] = escaped
		}
	}
	return keys
}

// addLists is left + right. If the left list is a set or a map of the schema, so is the sum.
func addLists(left, right List) any {
	switch {
	case left.isSet():
		return addSet(left, right)
	case left.isMap():
		return addMap(left, right)
	case left.Type != nil:
		return List{Items: append(left.values(right.size()), right.values(0)...)}
	case left.size() == 0:
		return right
	case right.size() == 0:
		return left
	}
	return List{
		Items: append(left.values(right.size()), right.values(0)...),
		made:  &listOrigin{kind: literalSum, left: left, right: right},
	}
}

// addSet appends items that are not there yet.
func addSet(left, right List) any {
	items := left.values(right.size())
	there := make(map[any]bool, len(items)+right.size())
	for _, item := range items {
		key, err := setKey(item)
		if err != nil {
			return err
		}
		there[key] = true
	}
	for i := range right.Items {
		item := right.at(i)
		key, err := setKey(item)
		if err != nil {
			return err
		}
		if !there[key] {
			there[key] = true
			items = append(items, item)
		}
	}
	return List{Items: items, made: &listOrigin{kind: setSum}}
}

// addMap replaces items with the same keys, and appends the others.
func addMap(left, right List) any {
	keys := left.mapKeys()
	items := left.values(right.size())
	places := make(map[any]int, len(items)+right.size())
	for i, item := range items {
		places[mapKey(item, keys)] = i
	}
	for i := range right.Items {
		item := right.at(i)
		if at, ok := places[mapKey(item, keys)]; ok {
			items[at] = item
		} else {
			items = append(items, item)
		}
	}
	return List{Items: items, made: &listOrigin{kind: mapSum, keys: keys}}
}

// setKey identifies an item of a set.
func setKey(item any) (any, *Failure) {
	switch item.(type) {
	case List, schemaObject, *celMap:
		return nil, &Failure{"listSet operations are only supported on lists of scalar values"}
	}
	return comparableOf(item), nil
}

// comparableOf is a key of a Go map for a value.
func comparableOf(value any) any {
	switch value := value.(type) {
	case nil:
		return nullKey{}
	case []byte:
		return fmt.Sprintf("%#v", value)
	case TypeName:
		return string(value)
	case Optional:
		if value.set {
			return comparableOf(value.val)
		}
		return nil
	case *Failure:
		return &Failure{value.text} // each is distinct
	case opaque:
		if !isHashable(value) {
			return fmt.Sprintf("%#v", value)
		}
	case schemaObject:
		return comparableJSON(value.fields)
	case List, *celMap:
		return fmt.Sprintf("%#v", value)
	case unknownData:
		return comparableJSON(value.value)
	}
	return value
}

// comparableJSON is a key of a Go map for a JSON value.
func comparableJSON(value any) any {
	switch value := value.(type) {
	case map[string]any, []any:
		return fmt.Sprintf("%#v", shown(value))
	}
	return value
}

// mapKey identifies an item of a map list: the values of its keys.
func mapKey(item any, keys []string) any {
	return joinKeys(len(keys), func(i int) any {
		var value any
		found := false
		switch item := item.(type) {
		case schemaObject:
			value, found = item.find(keys[i])
		case *celMap:
			value, found = item.find(keys[i])
		}
		if _, failed := value.(*Failure); !found || failed {
			return nil
		}
		return comparableOf(value)
	})
}

// A nullKey is a null among keys, which differs from a missing key.
type nullKey struct{}

// jsonMapKey identifies an item of a map list of the schema in a comparison of two lists: the JSON values of the
// keys, by their CEL names.
func jsonMapKey(item any, keys []string) (any, *Failure) {
	fields, isObject := asMap(item)
	if !isObject {
		return &Failure{"unexpected data format for element of array with x-kubernetes-list-type=map"}, nil
	}
	for _, key := range keys {
		switch value := fields[key].(type) {
		case map[string]any, []any: // that of an old object may be anything
			if len(keys) <= 3 {
				return nil, &Failure{fmt.Sprintf("internal error: runtime error: hash of unhashable type %T", value)}
			}
		}
	}
	return joinKeys(len(keys), func(i int) any { return fields[keys[i]] }), nil
}

// joinKeys makes one key of several.
func joinKeys(n int, key func(int) any) any {
	switch n {
	case 1:
		return key(0)
	case 2:
		return [2]any{key(0), key(1)}
	case 3:
		return [3]any{key(0), key(1), key(2)}
	}
	all := make([]any, n)
	for i := range all {
		all[i] = key(i)
	}
	return fmt.Sprintf("%#v", all)
}
