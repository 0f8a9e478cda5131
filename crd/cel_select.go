// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "unicode/utf8"

// Select is object.name, by the name in CEL. The field of an optional object is optional.
func Select(object any, name string) any {
	if o, ok := object.(schemaObject); ok {
		if value, found := o.member(name); found {
			return value
		}
	}
	return qualify(object, name, false)
}

// SelectOptional is object.?name.
func SelectOptional(object any, name string) any { return qualify(object, name, true) }

// Closed prevents the next lookup inside an optional value: cel-go looks into an optional at the start of a chain
// of fields and indices, but not into one that a field of the chain holds.
func Closed(object any) any {
	if _, ok := object.(Optional); ok {
		return TypeName("optional_type") // a type has no keys
	}
	return object
}

// Present is has(object.name).
func Present(object any, name string) any {
	if o, ok := object.(Optional); ok {
		if !o.set {
			return false
		}
		object = o.val
	}
	_, found, err := lookUp(object, name)
	if err != nil {
		return err
	}
	return found
}

// Index is object[key].
func Index(object, key any) any { return indexBy(object, key, false) }

// IndexOptional is object[?key].
func IndexOptional(object, key any) any { return indexBy(object, key, true) }

func indexBy(object, key any, optional bool) any {
	switch o := object.(type) { // cel-go does not evaluate the key if there is nothing to look it up in
	case *Failure:
		return o
	case Optional:
		if !o.set {
			return o
		}
	}
	switch key := key.(type) {
	case *Failure:
		return key
	case string, int64, uint64, float64, bool:
		return qualify(object, key, optional)
	}
	return &Failure{"invalid qualifier type: " + goName(key)}
}

// qualify looks up a key. A missing key of an optional value, or of an optional selection, results in
// optional.none().
func qualify(object, key any, optional bool) any {
	if o, ok := object.(Optional); ok {
		if !o.set {
			return o
		}
		object, optional = o.val, true
	}
	value, found, err := lookUp(object, key)
	switch {
	case err != nil:
		return err
	case found && optional:
		return Optional{value, true}
	case found:
		return value
	case optional:
		return Optional{}
	}
	if _, ok := object.(List); ok {
		return &Failure{"index out of bounds: " + show(key)}
	}
	return &Failure{"no such key: " + show(key)}
}

// lookUp finds a value by its key, if it is there.
func lookUp(object, key any) (value any, found bool, err *Failure) {
	switch object := object.(type) {
	case *Failure:
		return nil, false, object
	case List:
		return object.lookUp(key)
	case schemaObject:
		value, found = object.find(key)
	case *celMap:
		value, found = object.find(key)
	}
	err, _ = value.(*Failure)
	return value, found, err
}

// lookUp finds an item. The index may be any whole number, but must be an int for lists of the schema. An item that
// is a failure is returned.
func (l List) lookUp(index any) (value any, found bool, err *Failure) {
	at, whole := int64(0), false
	switch index := index.(type) {
	case int64:
		at, whole = index, true
	case uint64:
		at, whole = int64(index), int64(index) >= 0
	case float64:
		at, whole = wholeInt(index)
	default:
		return nil, false, &Failure{"unsupported index type '" + nameOf(index) + "' in list"}
	}
	switch {
	case !whole:
		return nil, false, &Failure{"unsupported index value " + show(index) + " in list"}
	case at < 0 || at >= int64(len(l.Items)):
		return nil, false, nil
	}
	if _, ok := index.(int64); !ok && l.Type != nil {
		return &Failure{"unsupported index: " + show(index)}, true, nil
	}
	return l.at(int(at)), true, nil
}

// In is x in container.
func In(x, container any) any {
	if err := firstFailure(x, container); err != nil {
		return err
	}
	switch container := container.(type) {
	case List:
		return container.contains(x).Dyn()
	case schemaObject:
		value, found := container.find(x)
		if err, ok := value.(*Failure); ok {
			return err
		}
		return found
	case *celMap:
		if _, err := hash(x); err != nil && len(container.entries) > 0 {
			return err
		}
		_, found := container.find(x)
		return found
	}
	return noSuchOverload
}

// contains compares the items of a list of the schema with x, and x with the items of any other list.
func (l List) contains(x any) Result[bool] {
	if l.isSum() {
		left := l.made.left.contains(x)
		if decides(left, true) {
			return left
		}
		if right := l.made.right.contains(x); left.err == nil || decides(right, true) {
			return right
		}
		return left
	}
	result := OK(false)
	for i := range l.Items {
		var same Result[bool]
		if l.Type == nil {
			same = equalTo(x, l.Items[i])
		} else {
			same = equalTo(l.at(i), x)
		}
		if decides(same, true) {
			return same
		}
		if l.Type != nil && same.err != nil && result.err == nil {
			result = same
		}
	}
	return result
}

// InConstants is x in a list literal of constants that are bools, numbers or strings, which cel-go turns into a
// set: it never fails.
func InConstants(x any, constants []any) any {
	switch x := x.(type) {
	case *Failure:
		return x
	case []byte:
		return unhashable(x)
	case opaque:
		if _, err := hash(x); err != nil {
			return err
		}
	case bool, string:
		for _, c := range constants {
			if c == x {
				return true
			}
		}
	case int64, uint64, float64:
		for _, c := range constants {
			if standsFor(c, x) {
				return true
			}
		}
	}
	return false
}

// standsFor reports whether a constant of cel-go's sets matches an equal number: a double only matches numbers to
// which it can be converted without loss.
func standsFor(constant, x any) bool {
	if double, ok := constant.(float64); ok {
		switch x := x.(type) {
		case int64:
			whole, ok := wholeInt(double)
			return ok && whole == x
		case uint64:
			whole, ok := wholeUint(double)
			return ok && whole == x
		}
	}
	order, ok := compareNumbers(constant, x)
	return ok && order == 0
}

// Size is size(x).
func Size(x any) any {
	switch x := x.(type) {
	case string:
		return int64(utf8.RuneCountInString(x))
	case []byte:
		return int64(len(x))
	case List:
		return int64(len(x.Items))
	case schemaObject:
		return int64(len(x.fields))
	case *celMap:
		return int64(len(x.entries))
	case *Failure:
		return x
	}
	return noOperator("size", x)
}
