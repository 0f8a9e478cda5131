package support

import (
	"bytes"
	"cmp"
	"math"
	"time"
)

// crdEqual is a == b.
func crdEqual(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	return crdSame(a, b).dyn()
}

// crdNotEqual is a != b. A comparison that fails counts as a difference.
func crdNotEqual(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	same := crdSame(a, b)
	if same.err.ends() {
		return same.err
	}
	return same != crdOK(true)
}

// crdFirstFailure is the failure that is the result of an operator with these operands.
func crdFirstFailure(a, b any) *crdFailure {
	left, _ := a.(*crdFailure)
	right, _ := b.(*crdFailure)
	if left == nil || right.ends() {
		return right
	}
	return left
}

// crdFirstFailureOr is the failure of these operands, or else another one.
func crdFirstFailureOr(a, b any, other *crdFailure) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	return other
}

// crdSame compares two values, which may be null.
func crdSame(a, b any) crdResult[bool] {
	if a == nil || b == nil {
		return crdOK(a == nil && b == nil)
	}
	return crdEqualTo(a, b)
}

// crdEqualTo reports whether a is equal to b. Comparing a list or a map of the schema with a value of another type is
// a failure; all other values just differ.
func crdEqualTo(a, b any) crdResult[bool] {
	switch a := a.(type) {
	case nil:
		return crdOK(b == nil)
	case bool:
		return crdOK(b == a)
	case string:
		text, ok := b.(string)
		return crdOK(ok && text == a)
	case int64, uint64, float64:
		order, ok := crdCompareNumbers(a, b)
		return crdOK(ok && order == 0)
	case []byte:
		data, ok := b.([]byte)
		return crdOK(ok && bytes.Equal(a, data))
	case time.Time:
		t, ok := b.(time.Time)
		return crdOK(ok && a.Equal(t))
	case time.Duration:
		return crdOK(b == a)
	case crdTypeName:
		return crdOK(b == a)
	case crdList:
		return a.equal(b)
	case crdObject:
		if o, ok := b.(crdObject); ok && o.typ == a.typ {
			if same := a.typ.compareObjects(a.fields, o.fields); same != crdUnsure {
				return crdOK(same == crdIsSame)
			}
		}
		return a.equal(b)
	case *crdMap:
		return a.equal(b)
	case crdOptional:
		o, ok := b.(crdOptional)
		if !ok || !a.set || !o.set {
			return crdOK(ok && a.set == o.set)
		}
		return crdEqualTo(a.val, o.val)
	case crdOpaque:
		return crdAs[bool](a.opaqueEqual(b))
	case crdPreserved:
		return crdOK(crdEqualJSON(a.value, crdJSONOf(b)))
	}
	return crdAs[bool](a)
}

// crdCompareNumbers orders two numbers. ok is false if one is not a number, or is NaN.
func crdCompareNumbers(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), true
		case uint64:
			return crdCompareIntUint(a, b), true
		case float64:
			return -crdCompareDoubleInt(b, a), !math.IsNaN(b)
		}
	case uint64:
		switch b := b.(type) {
		case int64:
			return -crdCompareIntUint(b, a), true
		case uint64:
			return cmp.Compare(a, b), true
		case float64:
			return -crdCompareDoubleUint(b, a), !math.IsNaN(b)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return crdCompareDoubleInt(a, b), !math.IsNaN(a)
		case uint64:
			return crdCompareDoubleUint(a, b), !math.IsNaN(a)
		case float64:
			return cmp.Compare(a, b), !math.IsNaN(a) && !math.IsNaN(b)
		}
	}
	return 0, false
}

func crdCompareIntUint(a int64, b uint64) int {
	if a < 0 {
		return -1
	}
	return cmp.Compare(uint64(a), b)
}

func crdCompareDoubleInt(a float64, b int64) int { return cmp.Compare(a, float64(b)) }

func crdCompareDoubleUint(a float64, b uint64) int { return cmp.Compare(a, float64(b)) }

// equal compares with any value. A list that was made in CEL skips items whose comparison fails; a sum of lists and
// the lists of the schema do not.
func (l crdList) equal(other any) crdResult[bool] {
	o, ok := other.(crdList)
	if !ok {
		return l.unequal(other)
	}
	if l.size() != o.size() {
		return crdOK(false)
	}
	if l.typ != nil && l.typ == o.typ {
		if same := l.typ.compareLists(l.items, o.items); same != crdUnsure {
			return crdOK(same == crdIsSame)
		}
	}
	switch {
	case l.isSet():
		return l.equalSet(o)
	case l.isMap():
		return l.equalMap(o)
	case l.typ != nil:
		for i := range l.items {
			if same := crdEqualTo(l.at(i), o.at(i)); same != crdOK(true) {
				return same
			}
		}
		return crdOK(true)
	}
	result := crdOK(true)
	for i := range l.items {
		same := crdSame(l.at(i), o.at(i))
		if crdDecides(same, false) {
			return same
		}
		if same.err != nil && result.err == nil && l.isSum() {
			result = same
		}
	}
	return result
}

// unequal is the result of comparing a list with a value of another type.
func (l crdList) unequal(other any) crdResult[bool] {
	if l.typ == nil && !l.isSet() && !l.isMap() {
		return crdOK(false)
	}
	return crdFail[bool](crdOverloadOr(other))
}

// crdOverloadOr is the value if it is a failure, or else the failure that there is no overload for it.
func crdOverloadOr(value any) *crdFailure {
	if err, ok := value.(*crdFailure); ok {
		return err
	}
	return crdNoSuchOverload
}

func (l crdList) equalSet(o crdList) crdResult[bool] {
	there := make(map[any]bool, l.size())
	for i := range l.items {
		key, err := crdSetKey(l.at(i))
		if err != nil {
			return crdFail[bool](err)
		}
		there[key] = true
	}
	seen := make(map[any]bool, l.size())
	for i := range o.items {
		key, err := crdSetKey(o.at(i))
		if err != nil {
			return crdFail[bool](err)
		}
		if !there[key] {
			return crdOK(false)
		}
		seen[key] = true
	}
	return crdOK(len(seen) == len(there))
}

func (l crdList) equalMap(o crdList) crdResult[bool] {
	keys := l.mapKeys()
	there := make(map[any]any, l.size())
	for _, item := range l.items {
		key, err := l.mapKey(item, keys)
		if err != nil {
			return crdFail[bool](err)
		}
		there[key] = item
	}
	seen := make(map[any]bool, l.size())
	for i := range o.items {
		item := o.at(i)
		read := item
		if l.typ != nil {
			read = crdJSONOf(item)
		}
		key, err := l.mapKey(read, keys)
		if err != nil {
			return crdFail[bool](err)
		}
		mine, ok := there[key]
		if !ok {
			return crdOK(false)
		}
		if l.typ != nil {
			mine = crdRead(mine, l.typ.items)
		}
		if same := crdEqualTo(mine, item); same != crdOK(true) {
			return same
		}
		seen[key] = true
	}
	return crdOK(len(seen) == len(there))
}

// mapKey is the key of an item in the representation of the list.
func (l crdList) mapKey(item any, keys []string) (any, *crdFailure) {
	if l.typ != nil {
		return crdJSONMapKey(item, keys)
	}
	return crdMapKey(item, keys), nil
}

// equal compares with any value. If several keys differ or fail, the first one by name decides.
func (o crdObject) equal(other any) crdResult[bool] {
	size, ok := crdMapSize(other)
	if !ok {
		return crdFail[bool](crdOverloadOr(other))
	}
	if len(o.fields) != size {
		return crdOK(false)
	}
	result, first := crdOK(true), ""
	for name := range o.fields {
		if same := o.equalField(name, other); same != crdOK(true) && (result == crdOK(true) || name < first) {
			result, first = same, name
		}
	}
	return result
}

func (o crdObject) equalField(name string, other any) crdResult[bool] {
	if o.knows(name) {
		mine, found := o.member(name)
		theirs, foundOther := crdFind(other, name)
		if found != foundOther || !found {
			return crdOK(found == foundOther)
		}
		return crdEqualTo(mine, theirs)
	}
	object, ok := other.(crdObject)
	if !ok {
		return crdFail[bool](crdNoSuchOverload)
	}
	theirs, ok := object.fields[name]
	return crdOK(!ok || crdEqualJSON(o.fields[name], theirs))
}

// equal compares with any value. Values whose comparison fails are skipped.
func (m *crdMap) equal(other any) crdResult[bool] {
	size, ok := crdMapSize(other)
	if !ok || len(m.entries) != size {
		return crdOK(false)
	}
	for _, e := range m.entries {
		theirs, found := crdFind(other, e.key)
		if !found {
			return crdOK(false)
		}
		if same := crdSame(e.val, theirs); crdDecides(same, false) {
			return same
		}
	}
	return crdOK(true)
}

// crdMapSize is the number of a map's keys; ok is false if it is not a map.
func crdMapSize(m any) (size int, ok bool) {
	switch m := m.(type) {
	case crdObject:
		return len(m.fields), true
	case *crdMap:
		return len(m.entries), true
	}
	return 0, false
}

// crdEqualJSON compares JSON values. Numbers of different types differ, and so do values that are too deep.
func crdEqualJSON(a, b any) bool {
	return crdEqualTrees(a, b, crdDeepest, false, func(a, b any) bool {
		return !crdIsCompound(a) && !crdIsCompound(b) && a == b
	})
}

// crdJSONOf is the JSON value from which a value was read.
func crdJSONOf(value any) any {
	switch value := value.(type) {
	case crdObject:
		return value.fields
	case crdList:
		if value.typ != nil {
			return value.items
		}
	case crdPreserved:
		return value.value
	case crdOptional:
		return crdJSONOf(value.val)
	case bool, string, int64, float64:
		return value
	}
	return &crdFailure{} // equal to nothing
}
