package support

import (
	"bytes"
	"cmp"
	"math"
	"time"
)

// Equal is a == b.
func Equal(a, b any) any {
	if err := firstFailure(a, b); err != nil {
		return err
	}
	return sameDyn(a, b).Dyn()
}

// NotEqual is a != b. A comparison that fails counts as a difference.
func NotEqual(a, b any) any {
	if err := firstFailure(a, b); err != nil {
		return err
	}
	same := sameDyn(a, b)
	if same.err.ends() {
		return same.err
	}
	return same != OK(true)
}

// firstFailure is the failure that is the result of an operator with these operands.
func firstFailure(a, b any) *Failure {
	left, _ := a.(*Failure)
	right, _ := b.(*Failure)
	if left == nil || right.ends() {
		return right
	}
	return left
}

// firstFailureOr is the failure of these operands, or else another one.
func firstFailureOr(a, b any, other *Failure) any {
	if err := firstFailure(a, b); err != nil {
		return err
	}
	return other
}

// sameDyn compares two values, which may be null.
func sameDyn(a, b any) Result[bool] {
	if a == nil || b == nil {
		return OK(a == nil && b == nil)
	}
	return equalTo(a, b)
}

// equalTo reports whether a is equal to b. Comparing a list or a map of the schema with a value of another type is
// a failure; all other values just differ.
func equalTo(a, b any) Result[bool] {
	switch a := a.(type) {
	case nil:
		return OK(b == nil)
	case bool:
		return OK(b == a)
	case string:
		text, ok := b.(string)
		return OK(ok && text == a)
	case int64, uint64, float64:
		order, ok := compareNumbers(a, b)
		return OK(ok && order == 0)
	case []byte:
		data, ok := b.([]byte)
		return OK(ok && bytes.Equal(a, data))
	case time.Time:
		t, ok := b.(time.Time)
		return OK(ok && a.Equal(t))
	case time.Duration:
		return OK(b == a)
	case TypeName:
		return OK(b == a)
	case List:
		return a.equal(b)
	case schemaObject:
		if o, ok := b.(schemaObject); ok && o.typ == a.typ {
			if same := a.typ.compareObjects(a.fields, o.fields); same != unsure {
				return OK(same == isSame)
			}
		}
		return a.equal(b)
	case *celMap:
		return a.equal(b)
	case Optional:
		o, ok := b.(Optional)
		if !ok || !a.set || !o.set {
			return OK(ok && a.set == o.set)
		}
		return equalTo(a.val, o.val)
	case opaque:
		return As[bool](a.opaqueEqual(b))
	case unknownData:
		return OK(equalJSON(a.value, jsonOf(b)))
	}
	return As[bool](a)
}

// compareNumbers orders two numbers. ok is false if one is not a number, or is NaN.
func compareNumbers(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b), true
		case uint64:
			return compareIntUint(a, b), true
		case float64:
			return -compareDoubleInt(b, a), !math.IsNaN(b)
		}
	case uint64:
		switch b := b.(type) {
		case int64:
			return -compareIntUint(b, a), true
		case uint64:
			return cmp.Compare(a, b), true
		case float64:
			return -compareDoubleUint(b, a), !math.IsNaN(b)
		}
	case float64:
		switch b := b.(type) {
		case int64:
			return compareDoubleInt(a, b), !math.IsNaN(a)
		case uint64:
			return compareDoubleUint(a, b), !math.IsNaN(a)
		case float64:
			return cmp.Compare(a, b), !math.IsNaN(a) && !math.IsNaN(b)
		}
	}
	return 0, false
}

func compareIntUint(a int64, b uint64) int {
	if a < 0 {
		return -1
	}
	return cmp.Compare(uint64(a), b)
}

func compareDoubleInt(a float64, b int64) int { return cmp.Compare(a, float64(b)) }

func compareDoubleUint(a float64, b uint64) int { return cmp.Compare(a, float64(b)) }

// equal compares with any value. A list that was made in CEL skips items whose comparison fails; a sum of lists and
// the lists of the schema do not.
func (l List) equal(other any) Result[bool] {
	o, ok := other.(List)
	if !ok {
		return l.unequal(other)
	}
	if l.size() != o.size() {
		return OK(false)
	}
	if l.Type != nil && l.Type == o.Type {
		if same := l.Type.compareLists(l.Items, o.Items); same != unsure {
			return OK(same == isSame)
		}
	}
	switch {
	case l.isSet():
		return l.equalSet(o)
	case l.isMap():
		return l.equalMap(o)
	case l.Type != nil:
		for i := range l.Items {
			if same := equalTo(l.at(i), o.at(i)); same != OK(true) {
				return same
			}
		}
		return OK(true)
	}
	result := OK(true)
	for i := range l.Items {
		same := sameDyn(l.at(i), o.at(i))
		if decides(same, false) {
			return same
		}
		if same.err != nil && result.err == nil && l.isSum() {
			result = same
		}
	}
	return result
}

// unequal is the result of comparing a list with a value of another type.
func (l List) unequal(other any) Result[bool] {
	if l.Type == nil && !l.isSet() && !l.isMap() {
		return OK(false)
	}
	return fail[bool](overloadOr(other))
}

// overloadOr is the value if it is a failure, or else the failure that there is no overload for it.
func overloadOr(value any) *Failure {
	if err, ok := value.(*Failure); ok {
		return err
	}
	return noSuchOverload
}

func (l List) equalSet(o List) Result[bool] {
	there := make(map[any]bool, l.size())
	for i := range l.Items {
		key, err := setKey(l.at(i))
		if err != nil {
			return fail[bool](err)
		}
		there[key] = true
	}
	seen := make(map[any]bool, l.size())
	for i := range o.Items {
		key, err := setKey(o.at(i))
		if err != nil {
			return fail[bool](err)
		}
		if !there[key] {
			return OK(false)
		}
		seen[key] = true
	}
	return OK(len(seen) == len(there))
}

func (l List) equalMap(o List) Result[bool] {
	keys := l.mapKeys()
	there := make(map[any]any, l.size())
	for _, item := range l.Items {
		key, err := l.mapKey(item, keys)
		if err != nil {
			return fail[bool](err)
		}
		there[key] = item
	}
	seen := make(map[any]bool, l.size())
	for i := range o.Items {
		item := o.at(i)
		read := item
		if l.Type != nil {
			read = jsonOf(item)
		}
		key, err := l.mapKey(read, keys)
		if err != nil {
			return fail[bool](err)
		}
		mine, ok := there[key]
		if !ok {
			return OK(false)
		}
		if l.Type != nil {
			mine = readJSON(mine, l.Type.Items)
		}
		if same := equalTo(mine, item); same != OK(true) {
			return same
		}
		seen[key] = true
	}
	return OK(len(seen) == len(there))
}

// mapKey is the key of an item in the representation of the list.
func (l List) mapKey(item any, keys []string) (any, *Failure) {
	if l.Type != nil {
		return jsonMapKey(item, keys)
	}
	return mapKey(item, keys), nil
}

// equal compares with any value. If several keys differ or fail, the first one by name decides.
func (o schemaObject) equal(other any) Result[bool] {
	size, ok := mapSize(other)
	if !ok {
		return fail[bool](overloadOr(other))
	}
	if len(o.fields) != size {
		return OK(false)
	}
	result, first := OK(true), ""
	for name := range o.fields {
		if same := o.equalField(name, other); same != OK(true) && (result == OK(true) || name < first) {
			result, first = same, name
		}
	}
	return result
}

func (o schemaObject) equalField(name string, other any) Result[bool] {
	if o.knows(name) {
		mine, found := o.member(name)
		theirs, foundOther := find(other, name)
		if found != foundOther || !found {
			return OK(found == foundOther)
		}
		return equalTo(mine, theirs)
	}
	object, ok := other.(schemaObject)
	if !ok {
		return fail[bool](noSuchOverload)
	}
	theirs, ok := object.fields[name]
	return OK(!ok || equalJSON(o.fields[name], theirs))
}

// equal compares with any value. Values whose comparison fails are skipped.
func (m *celMap) equal(other any) Result[bool] {
	size, ok := mapSize(other)
	if !ok || len(m.entries) != size {
		return OK(false)
	}
	for _, e := range m.entries {
		theirs, found := find(other, e.key)
		if !found {
			return OK(false)
		}
		if same := sameDyn(e.val, theirs); decides(same, false) {
			return same
		}
	}
	return OK(true)
}

// mapSize is the number of a map's keys; ok is false if it is not a map.
func mapSize(m any) (size int, ok bool) {
	switch m := m.(type) {
	case schemaObject:
		return len(m.fields), true
	case *celMap:
		return len(m.entries), true
	}
	return 0, false
}

// equalJSON compares JSON values. Numbers of different types differ, and so do values that are too deep.
func equalJSON(a, b any) bool {
	return equalTrees(a, b, deepest, false, func(a, b any) bool {
		return !isCompound(a) && !isCompound(b) && a == b
	})
}

// jsonOf is the JSON value from which a value was read.
func jsonOf(value any) any {
	switch value := value.(type) {
	case schemaObject:
		return value.fields
	case List:
		if value.Type != nil {
			return value.Items
		}
	case unknownData:
		return value.value
	case Optional:
		return jsonOf(value.val)
	case bool, string, int64, float64:
		return value
	}
	return &Failure{} // equal to nothing
}
