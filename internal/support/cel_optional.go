package support

import "time"

// crdOptionalOf is optional.of(x).
func crdOptionalOf(x any) any {
	if err, ok := x.(*crdFailure); ok {
		return err
	}
	return crdOptional{x, true}
}

// crdOptionalOfNonZero is optional.ofNonZeroValue(x).
func crdOptionalOfNonZero(x any) any {
	if crdIsZero(x) {
		return crdOptional{}
	}
	return crdOptionalOf(x)
}

// crdIsZero reports whether a value is zero for cel-go. Lists and objects of the schema are never zero.
func crdIsZero(x any) bool {
	switch x := x.(type) {
	case nil:
		return true
	case bool:
		return !x
	case int64:
		return x == 0
	case uint64:
		return x == 0
	case float64:
		return x == 0
	case string:
		return x == ""
	case []byte:
		return len(x) == 0
	case time.Time:
		return x.IsZero()
	case time.Duration:
		return x == 0
	case crdList:
		return len(x.items) == 0 && x.typ == nil && !x.isSet() && !x.isMap()
	case *crdMap:
		return len(x.entries) == 0
	}
	return false
}

// crdOptionalValue is x.value().
func crdOptionalValue(x any) any {
	switch x := x.(type) {
	case crdOptional:
		if x.set {
			return x.val
		}
		return &crdFailure{"optional.none() dereference"}
	case *crdFailure:
		return x
	}
	return crdNoOverload("value", x)
}

// crdOptionalHasValue is x.hasValue().
func crdOptionalHasValue(x any) any {
	switch x := x.(type) {
	case crdOptional:
		return x.set
	case *crdFailure:
		return x
	}
	return crdNoOverload("hasValue", x)
}

// crdOptionalOr is x.or(other).
func crdOptionalOr(x any, other func() any) any {
	switch x := x.(type) {
	case crdOptional:
		if x.set {
			return x
		}
		return other()
	case *crdFailure:
		return x
	}
	return crdNoSuchOverload
}

// crdOptionalOrValue is x.orValue(other).
func crdOptionalOrValue(x any, other func() any) any {
	if o, ok := x.(crdOptional); ok && o.set {
		return o.val
	}
	return crdOptionalOr(x, other)
}

// crdFirst is list.first().
func crdFirst(list any) any { return crdItemAt("first", list, func(int) int { return 0 }) }

// crdLast is list.last().
func crdLast(list any) any { return crdItemAt("last", list, func(size int) int { return size - 1 }) }

// crdItemAt is an item of a list that is not empty, at a position that depends on the size.
func crdItemAt(function string, list any, position func(size int) int) any {
	l, ok := list.(crdList)
	switch {
	case !ok:
		return crdNoOverload(function, list)
	case l.size() == 0:
		return crdOptional{}
	}
	return crdOptional{l.at(position(l.size())), true}
}

// crdUnwrap is optional.unwrap(list), or list.unwrapOpt(), as function says.
func crdUnwrap(function string, list any) any {
	l, ok := list.(crdList)
	if !ok {
		return crdNoOverload(function, list)
	}
	if l.size() > 0 {
		if _, ok := l.at(0).(crdOptional); !ok {
			return crdNoOverload(function, list)
		}
	}
	var items []any
	for i := range l.items {
		item := l.at(i)
		o, ok := item.(crdOptional)
		if !ok {
			return &crdFailure{"value " + crdShow(item) + " is not optional"}
		}
		if o.set {
			items = append(items, o.val)
		}
	}
	return crdList{items: items}
}

// A crdEntryIf is an optional entry of a literal: [?x], {?key: x}.
type crdEntryIf struct{ val any }

// crdListLiteral is a list of values, each of which may be a crdEntryIf. The first failure among them is the result.
func crdListLiteral(values ...any) any {
	items := make([]any, 0, len(values))
	for _, value := range values {
		if entry, ok := value.(crdEntryIf); ok {
			o, ok := entry.val.(crdOptional)
			switch {
			case ok && !o.set:
				continue
			case ok:
				items = append(items, o.val)
				continue
			}
			if value = entry.val; crdFirstFailure(value, nil) == nil {
				return &crdFailure{"cannot initialize optional list element from non-optional value " + crdShow(value)}
			}
		}
		if err, ok := value.(*crdFailure); ok {
			return err
		}
		items = append(items, value)
	}
	return crdList{items: items}
}

// crdMapLiteral is a map of alternating keys and values; a value may be a crdEntryIf. The last value for a key is
// used. The first failure is the result.
func crdMapLiteral(pairs ...any) any {
	m := &crdMap{index: make(map[any]int, len(pairs)/2)}
	for i := 0; i < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		entry, optional := value.(crdEntryIf)
		if optional {
			value = entry.val
		}
		for _, part := range []any{key, value} { // cel-go does not evaluate the value of a key that fails
			if err, ok := part.(*crdFailure); ok {
				return err
			}
		}
		if optional {
			o, ok := value.(crdOptional)
			switch {
			case !ok:
				return &crdFailure{"cannot initialize optional entry '" + crdShow(key) +
					"' from non-optional value " + crdShow(value)}
			case !o.set:
				if err := m.remove(key); err != nil {
					return err
				}
				continue
			}
			value = o.val
		}
		if err := m.put(key, value); err != nil {
			return err
		}
	}
	return m
}
