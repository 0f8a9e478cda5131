// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "time"

// OptionalOf is optional.of(x).
func OptionalOf(x any) any {
	if err, ok := x.(*Failure); ok {
		return err
	}
	return Optional{x, true}
}

// OptionalOfNonZero is optional.ofNonZeroValue(x).
func OptionalOfNonZero(x any) any {
	if isZero(x) {
		return Optional{}
	}
	return OptionalOf(x)
}

// isZero reports whether a value is zero for cel-go. Lists and objects of the schema are never zero.
func isZero(x any) bool {
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
	case List:
		return len(x.Items) == 0 && x.Type == nil && !x.isSet() && !x.isMap()
	case *celMap:
		return len(x.entries) == 0
	}
	return false
}

// OptionalValue is x.value().
func OptionalValue(x any) any {
	switch x := x.(type) {
	case Optional:
		if x.set {
			return x.val
		}
		return &Failure{"optional.none() dereference"}
	case *Failure:
		return x
	}
	return noOverload("value", x)
}

// OptionalHasValue is x.hasValue().
func OptionalHasValue(x any) any {
	switch x := x.(type) {
	case Optional:
		return x.set
	case *Failure:
		return x
	}
	return noOverload("hasValue", x)
}

// OptionalOr is x.or(other).
func OptionalOr(x any, other func() any) any {
	switch x := x.(type) {
	case Optional:
		if x.set {
			return x
		}
		return other()
	case *Failure:
		return x
	}
	return noSuchOverload
}

// OptionalOrValue is x.orValue(other).
func OptionalOrValue(x any, other func() any) any {
	if o, ok := x.(Optional); ok && o.set {
		return o.val
	}
	return OptionalOr(x, other)
}

// First is list.first().
func First(list any) any { return itemAt("first", list, func(int) int { return 0 }) }

// Last is list.last().
func Last(list any) any { return itemAt("last", list, func(size int) int { return size - 1 }) }

// itemAt is an item of a list that is not empty, at a position that depends on the size.
func itemAt(function string, list any, position func(size int) int) any {
	l, ok := list.(List)
	switch {
	case !ok:
		return noOverload(function, list)
	case l.size() == 0:
		return Optional{}
	}
	return Optional{l.at(position(l.size())), true}
}

// Unwrap is optional.unwrap(list), or list.unwrapOpt(), as function says.
func Unwrap(function string, list any) any {
	l, ok := list.(List)
	if !ok {
		return noOverload(function, list)
	}
	if l.size() > 0 {
		if _, ok := l.at(0).(Optional); !ok {
			return noOverload(function, list)
		}
	}
	var items []any
	for i := range l.Items {
		item := l.at(i)
		o, ok := item.(Optional)
		if !ok {
			return &Failure{"value " + show(item) + " is not optional"}
		}
		if o.set {
			items = append(items, o.val)
		}
	}
	return List{Items: items}
}

// An EntryIf is an optional entry of a literal: [?x], {?key: x}.
type EntryIf struct{ Value any }

// ListLiteral is a list of values, each of which may be an EntryIf. The first failure among them is the result.
func ListLiteral(values ...any) any {
	items := make([]any, 0, len(values))
	for _, value := range values {
		if entry, ok := value.(EntryIf); ok {
			o, ok := entry.Value.(Optional)
			switch {
			case ok && !o.set:
				continue
			case ok:
				items = append(items, o.val)
				continue
			}
			if value = entry.Value; firstFailure(value, nil) == nil {
				return &Failure{"cannot initialize optional list element from non-optional value " + show(value)}
			}
		}
		if err, ok := value.(*Failure); ok {
			return err
		}
		items = append(items, value)
	}
	return List{Items: items}
}

// MapLiteral is a map of alternating keys and values; a value may be an EntryIf. The last value for a key is
// used. The first failure is the result.
func MapLiteral(pairs ...any) any {
	m := &celMap{index: make(map[any]int, len(pairs)/2)}
	for i := 0; i < len(pairs); i += 2 {
		key, value := pairs[i], pairs[i+1]
		entry, optional := value.(EntryIf)
		if optional {
			value = entry.Value
		}
		for _, part := range []any{key, value} { // cel-go does not evaluate the value of a key that fails
			if err, ok := part.(*Failure); ok {
				return err
			}
		}
		if optional {
			o, ok := value.(Optional)
			switch {
			case !ok:
				return &Failure{"cannot initialize optional entry '" + show(key) +
					"' from non-optional value " + show(value)}
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
