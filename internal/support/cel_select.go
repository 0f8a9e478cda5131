package support

import "unicode/utf8"

// crdSelect is object.name, by the name in CEL. The field of an optional object is optional.
func crdSelect(object any, name string) any {
	if o, ok := object.(crdObject); ok {
		if value, found := o.member(name); found {
			return value
		}
	}
	return crdQualify(object, name, false)
}

// crdSelectOptional is object.?name.
func crdSelectOptional(object any, name string) any { return crdQualify(object, name, true) }

// crdClosed prevents the next lookup inside an optional value: cel-go looks into an optional at the start of a chain
// of fields and indices, but not into one that a field of the chain holds.
func crdClosed(object any) any {
	if _, ok := object.(crdOptional); ok {
		return crdTypeName("optional_type") // a type has no keys
	}
	return object
}

// crdPresent is has(object.name).
func crdPresent(object any, name string) any {
	if o, ok := object.(crdOptional); ok {
		if !o.set {
			return false
		}
		object = o.val
	}
	_, found, err := crdLookUp(object, name)
	if err != nil {
		return err
	}
	return found
}

// crdIndex is object[key].
func crdIndex(object, key any) any { return crdIndexBy(object, key, false) }

// crdIndexOptional is object[?key].
func crdIndexOptional(object, key any) any { return crdIndexBy(object, key, true) }

func crdIndexBy(object, key any, optional bool) any {
	switch o := object.(type) { // cel-go does not evaluate the key if there is nothing to look it up in
	case *crdFailure:
		return o
	case crdOptional:
		if !o.set {
			return o
		}
	}
	switch key := key.(type) {
	case *crdFailure:
		return key
	case string, int64, uint64, float64, bool:
		return crdQualify(object, key, optional)
	}
	return &crdFailure{"invalid qualifier type: " + crdGoName(key)}
}

// crdQualify looks up a key. A missing key of an optional value, or of an optional selection, results in
// optional.none().
func crdQualify(object, key any, optional bool) any {
	if o, ok := object.(crdOptional); ok {
		if !o.set {
			return o
		}
		object, optional = o.val, true
	}
	value, found, err := crdLookUp(object, key)
	switch {
	case err != nil:
		return err
	case found && optional:
		return crdOptional{value, true}
	case found:
		return value
	case optional:
		return crdOptional{}
	}
	if _, ok := object.(crdList); ok {
		return &crdFailure{"index out of bounds: " + crdShow(key)}
	}
	return &crdFailure{"no such key: " + crdShow(key)}
}

// crdLookUp finds a value by its key, if it is there.
func crdLookUp(object, key any) (value any, found bool, err *crdFailure) {
	switch object := object.(type) {
	case *crdFailure:
		return nil, false, object
	case crdList:
		return object.lookUp(key)
	case crdObject:
		value, found = object.find(key)
	case *crdMap:
		value, found = object.find(key)
	}
	err, _ = value.(*crdFailure)
	return value, found, err
}

// lookUp finds an item. The index may be any whole number, but must be an int for lists of the schema. An item that
// is a failure is returned.
func (l crdList) lookUp(index any) (value any, found bool, err *crdFailure) {
	at, whole := int64(0), false
	switch index := index.(type) {
	case int64:
		at, whole = index, true
	case uint64:
		at, whole = int64(index), int64(index) >= 0
	case float64:
		at, whole = crdWhole(index)
	default:
		return nil, false, &crdFailure{"unsupported index type '" + crdNameOf(index) + "' in list"}
	}
	switch {
	case !whole:
		return nil, false, &crdFailure{"unsupported index value " + crdShow(index) + " in list"}
	case at < 0 || at >= int64(len(l.items)):
		return nil, false, nil
	}
	if _, ok := index.(int64); !ok && l.typ != nil {
		return &crdFailure{"unsupported index: " + crdShow(index)}, true, nil
	}
	return l.at(int(at)), true, nil
}

// crdIn is x in container.
func crdIn(x, container any) any {
	if err := crdFirstFailure(x, container); err != nil {
		return err
	}
	switch container := container.(type) {
	case crdList:
		return container.contains(x).dyn()
	case crdObject:
		value, found := container.find(x)
		if err, ok := value.(*crdFailure); ok {
			return err
		}
		return found
	case *crdMap:
		if _, err := crdHash(x); err != nil && len(container.entries) > 0 {
			return err
		}
		_, found := container.find(x)
		return found
	}
	return crdNoSuchOverload
}

// contains compares the items of a list of the schema with x, and x with the items of any other list.
func (l crdList) contains(x any) crdResult[bool] {
	if l.isSum() {
		left := l.made.left.contains(x)
		if crdDecides(left, true) {
			return left
		}
		if right := l.made.right.contains(x); left.err == nil || crdDecides(right, true) {
			return right
		}
		return left
	}
	result := crdOK(false)
	for i := range l.items {
		var same crdResult[bool]
		if l.typ == nil {
			same = crdEqualTo(x, l.items[i])
		} else {
			same = crdEqualTo(l.at(i), x)
		}
		if crdDecides(same, true) {
			return same
		}
		if l.typ != nil && same.err != nil && result.err == nil {
			result = same
		}
	}
	return result
}

// crdInConstants is x in a list literal of constants that are bools, numbers or strings, which cel-go turns into a
// set: it never fails.
func crdInConstants(x any, constants []any) any {
	switch x := x.(type) {
	case *crdFailure:
		return x
	case []byte:
		return crdUnhashable(x)
	case crdOpaque:
		if _, err := crdHash(x); err != nil {
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
			if crdStandsFor(c, x) {
				return true
			}
		}
	}
	return false
}

// crdStandsFor reports whether a constant of cel-go's sets matches an equal number: a double only matches numbers to
// which it can be converted without loss.
func crdStandsFor(constant, x any) bool {
	if double, ok := constant.(float64); ok {
		switch x := x.(type) {
		case int64:
			whole, ok := crdWhole(double)
			return ok && whole == x
		case uint64:
			whole, ok := crdWholeUint(double)
			return ok && whole == x
		}
	}
	order, ok := crdCompareNumbers(constant, x)
	return ok && order == 0
}

// crdSize is size(x).
func crdSize(x any) any {
	switch x := x.(type) {
	case string:
		return int64(utf8.RuneCountInString(x))
	case []byte:
		return int64(len(x))
	case crdList:
		return int64(len(x.items))
	case crdObject:
		return int64(len(x.fields))
	case *crdMap:
		return int64(len(x.entries))
	case *crdFailure:
		return x
	}
	return crdNoOperator("size", x)
}
