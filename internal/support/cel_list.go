package support

import "fmt"

func (l crdList) size() int { return len(l.items) }

// at is an item as a value of CEL.
func (l crdList) at(i int) any {
	if l.typ != nil {
		return crdRead(l.items[i], l.typ.items)
	}
	return l.items[i]
}

// values are all items as values of CEL, in a slice of its own with room for more.
func (l crdList) values(more int) []any {
	out := make([]any, len(l.items), len(l.items)+more)
	for i := range l.items {
		out[i] = l.at(i)
	}
	return out
}

// isSet and isMap report whether the list is compared and extended by its values, or by its map keys.
func (l crdList) isSet() bool {
	return l.typ != nil && l.typ.listType == "set" || l.made != nil && l.made.kind == crdSetSum
}

func (l crdList) isMap() bool {
	return l.typ != nil && l.typ.listType == "map" || l.made != nil && l.made.kind == crdMapSum
}

func (l crdList) isSum() bool { return l.made != nil && l.made.kind == crdSum }

// mapKeys are the CEL names of a map list's keys.
func (l crdList) mapKeys() []string {
	if l.made != nil {
		return l.made.keys
	}
	keys := make([]string, len(l.typ.listKeys))
	for i, key := range l.typ.listKeys {
		keys[i] = key
		if escaped, ok := crdEscape(key); ok {
			keys[i] = escaped
		}
	}
	return keys
}

// crdAddLists is left + right. If the left list is a set or a map of the schema, so is the sum.
func crdAddLists(left, right crdList) any {
	switch {
	case left.isSet():
		return crdAddSet(left, right)
	case left.isMap():
		return crdAddMap(left, right)
	case left.typ != nil:
		return crdList{items: append(left.values(right.size()), right.values(0)...)}
	case left.size() == 0:
		return right
	case right.size() == 0:
		return left
	}
	return crdList{
		items: append(left.values(right.size()), right.values(0)...),
		made:  &crdMade{kind: crdSum, left: left, right: right},
	}
}

// crdAddSet appends items that are not there yet.
func crdAddSet(left, right crdList) any {
	items := left.values(right.size())
	there := make(map[any]bool, len(items)+right.size())
	for _, item := range items {
		key, err := crdSetKey(item)
		if err != nil {
			return err
		}
		there[key] = true
	}
	for i := range right.items {
		item := right.at(i)
		key, err := crdSetKey(item)
		if err != nil {
			return err
		}
		if !there[key] {
			there[key] = true
			items = append(items, item)
		}
	}
	return crdList{items: items, made: &crdMade{kind: crdSetSum}}
}

// crdAddMap replaces items with the same keys, and appends the others.
func crdAddMap(left, right crdList) any {
	keys := left.mapKeys()
	items := left.values(right.size())
	places := make(map[any]int, len(items)+right.size())
	for i, item := range items {
		places[crdMapKey(item, keys)] = i
	}
	for i := range right.items {
		item := right.at(i)
		if at, ok := places[crdMapKey(item, keys)]; ok {
			items[at] = item
		} else {
			items = append(items, item)
		}
	}
	return crdList{items: items, made: &crdMade{kind: crdMapSum, keys: keys}}
}

// crdSetKey identifies an item of a set.
func crdSetKey(item any) (any, *crdFailure) {
	switch item.(type) {
	case crdList, crdObject, *crdMap:
		return nil, &crdFailure{"listSet operations are only supported on lists of scalar values"}
	}
	return crdComparable(item), nil
}

// crdComparable is a key of a Go map for a value.
func crdComparable(value any) any {
	switch value := value.(type) {
	case nil:
		return crdNullKey{}
	case []byte:
		return fmt.Sprintf("%#v", value)
	case crdTypeName:
		return string(value)
	case crdOptional:
		if value.set {
			return crdComparable(value.val)
		}
		return nil
	case *crdFailure:
		return &crdFailure{value.text} // each is distinct
	case crdOpaque:
		if !crdIsHashable(value) {
			return fmt.Sprintf("%#v", value)
		}
	case crdObject:
		return crdComparableJSON(value.fields)
	case crdList, *crdMap:
		return fmt.Sprintf("%#v", value)
	case crdPreserved:
		return crdComparableJSON(value.value)
	}
	return value
}

// crdComparableJSON is a key of a Go map for a JSON value.
func crdComparableJSON(value any) any {
	switch value := value.(type) {
	case map[string]any, []any:
		return fmt.Sprintf("%#v", crdShown(value))
	}
	return value
}

// crdMapKey identifies an item of a map list: the values of its keys.
func crdMapKey(item any, keys []string) any {
	return crdJoinKeys(len(keys), func(i int) any {
		var value any
		found := false
		switch item := item.(type) {
		case crdObject:
			value, found = item.find(keys[i])
		case *crdMap:
			value, found = item.find(keys[i])
		}
		if _, failed := value.(*crdFailure); !found || failed {
			return nil
		}
		return crdComparable(value)
	})
}

// A crdNullKey is a null among keys, which differs from a missing key.
type crdNullKey struct{}

// crdJSONMapKey identifies an item of a map list of the schema in a comparison of two lists: the JSON values of the
// keys, by their CEL names.
func crdJSONMapKey(item any, keys []string) (any, *crdFailure) {
	fields, ok := item.(map[string]any)
	if !ok {
		return &crdFailure{"unexpected data format for element of array with x-kubernetes-list-type=map"}, nil
	}
	for _, key := range keys {
		switch value := fields[key].(type) {
		case map[string]any, []any: // that of an old object may be anything
			if len(keys) <= 3 {
				return nil, &crdFailure{fmt.Sprintf("internal error: runtime error: hash of unhashable type %T", value)}
			}
		}
	}
	return crdJoinKeys(len(keys), func(i int) any { return fields[keys[i]] }), nil
}

// crdJoinKeys makes one key of several.
func crdJoinKeys(n int, key func(int) any) any {
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
