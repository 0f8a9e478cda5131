package support

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// The functions on lists (k8s.io/apiserver/pkg/cel/library/lists.go, and cel-go's ext/lists.go, version 3,
// ext/sets.go and ext/strings.go). Before it calls one for lists of a type, cel-go checks the first item; the others
// are checked when they are used. If items have several types or are failures, the results are those of cel-go.

// crdJoin joins strings with a separator.
func crdJoin(list crdList, separator string) crdResult[string] {
	if !crdFirstIsText(list) {
		return crdFail[string](crdNoOverload("join", list, separator))
	}
	return crdJoinTexts(list, separator)
}

// crdJoinAll joins strings without a separator.
func crdJoinAll(list crdList) crdResult[string] {
	if !crdFirstIsText(list) {
		return crdFail[string](crdNoOverload("join", list))
	}
	return crdJoinTexts(list, "")
}

func crdFirstIsText(list crdList) bool {
	if list.size() == 0 {
		return true
	}
	_, ok := list.at(0).(string)
	return ok
}

func crdJoinTexts(list crdList, separator string) crdResult[string] {
	var out strings.Builder
	for i := range list.size() {
		item := list.at(i)
		text, ok := item.(string)
		if name, isType := item.(crdTypeName); isType {
			return crdFailed[string]("join: invalid input: " + crdShowType(string(name)))
		}
		if !ok {
			return crdFailed[string]("join: invalid input: " + crdShow(item))
		}
		if i > 0 {
			out.WriteString(separator)
		}
		out.WriteString(text)
	}
	return crdOK(out.String())
}

// crdIsSorted reports whether no item is greater than the next one.
func crdIsSorted(list crdList) crdResult[bool] {
	for i := range list.size() {
		item := list.at(i)
		switch {
		case !crdIsComparable(item):
			return crdFail[bool](crdWrongItem("isSorted", list, i))
		case i > 0 && crdGreater(list.at(i-1), item) == true:
			return crdOK(false)
		}
	}
	return crdOK(true)
}

// crdMaxOf is the greatest item, the first of those that are equal.
func crdMaxOf(list crdList) any { return crdExtreme("max", list, crdLess) }

// crdMinOf is the least item, the first of those that are equal.
func crdMinOf(list crdList) any { return crdExtreme("min", list, crdGreater) }

// crdExtreme is the best item. Items that cannot be compared, such as NaN, are never better.
func crdExtreme(function string, list crdList, worse func(a, b any) any) any {
	if list.size() == 0 {
		return &crdFailure{function + " called on empty list"}
	}
	var best any
	for i := range list.size() {
		item := list.at(i)
		switch {
		case !crdIsComparable(item):
			return crdWrongItem(function, list, i)
		case i == 0 || worse(best, item) == true:
			best = item
		}
	}
	return best
}

func crdSumOfInts(list crdList) crdResult[int64] { return crdSumOf[int64](list) }

func crdSumOfUints(list crdList) crdResult[uint64] { return crdSumOf[uint64](list) }

func crdSumOfDoubles(list crdList) crdResult[float64] { return crdSumOf[float64](list) }

func crdSumOfDurations(list crdList) crdResult[time.Duration] { return crdSumOf[time.Duration](list) }

// crdSumOf is the sum of the items, which begins with the zero of their type.
func crdSumOf[T any](list crdList) crdResult[T] {
	var zero T
	if list.size() == 0 {
		return crdOK(zero)
	}
	if _, ok := list.at(0).(T); !ok {
		return crdFail[T](crdNoOverload("sum", list))
	}
	return crdAs[T](crdSumFrom(zero, list))
}

func crdSumFrom(sum any, list crdList) any {
	for i := range list.size() {
		sum = crdAdd(sum, list.at(i))
		if _, failed := sum.(*crdFailure); failed {
			return sum
		}
	}
	return sum
}

// crdListIndexOf is the position of the first item that is equal to a value, or -1.
func crdListIndexOf(list crdList, value any) int64 {
	for i := range list.size() {
		if crdIsEqual(list.at(i), value) {
			return int64(i)
		}
	}
	return -1
}

// crdListLastIndexOf is the position of the last item that is equal to a value, or -1.
func crdListLastIndexOf(list crdList, value any) int64 {
	for i := list.size() - 1; i >= 0; i-- {
		if crdIsEqual(list.at(i), value) {
			return int64(i)
		}
	}
	return -1
}

// crdIncludes reports whether a value is an item of a list, or equal to a value that is not a list.
func crdIncludes(target, value any) any {
	if err := crdFirstFailure(target, value); err != nil {
		return err
	}
	if list, ok := target.(crdList); ok {
		return crdListIndexOf(list, value) >= 0
	}
	return crdIsEqual(target, value)
}

// crdSlice is the items from start to end, without the one at end.
func crdSlice(list crdList, start, end int64) crdResult[crdList] {
	call := "cannot slice(" + strconv.FormatInt(start, 10) + ", " + strconv.FormatInt(end, 10) + "), "
	switch size := int64(list.size()); {
	case start < 0 || end < 0:
		return crdFailed[crdList](call + "negative indexes not supported")
	case start > end:
		return crdFailed[crdList](call + "start index must be less than or equal to end index")
	case size < end:
		return crdFailed[crdList](call + "list is length " + strconv.FormatInt(size, 10))
	}
	items := make([]any, 0, end-start)
	for i := start; i < end; i++ {
		items = append(items, list.at(int(i)))
	}
	return crdOK(crdList{items: items})
}

// crdReverse is the items from the last to the first.
func crdReverse(list crdList) crdList {
	size := list.size()
	items := make([]any, size)
	for i := range size {
		items[size-1-i] = list.at(i)
	}
	return crdList{items: items}
}

// crdDistinct is the items without duplicates of earlier ones.
func crdDistinct(value any) any {
	list, ok := value.(crdList)
	if !ok {
		return crdNoLister(value)
	}
	if list.size() == 0 {
		return list
	}
	distinct := crdList{}
	for i := range list.size() {
		item := list.at(i)
		seen := false
		for j := 0; j < len(distinct.items) && !seen; j++ {
			seen = j != i && crdIsEqual(item, distinct.items[j])
		}
		if !seen {
			distinct.items = append(distinct.items, item)
		}
	}
	return distinct
}

// crdFlatten replaces lists in a list with their items.
func crdFlatten(list any) any {
	outer, ok := list.(crdList)
	if !ok {
		return crdNoFlatten(list, crdShowType(crdNameOf(list))+".flatten()")
	}
	return crdFlat(outer, 1, nil)
}

// crdFlattenDeep does so for a number of levels.
func crdFlattenDeep(list, depth any) any {
	levels, isInt := depth.(int64)
	outer, isList := list.(crdList)
	switch {
	case !isInt: // the server's counter of costs panics
		return &crdFailure{"internal error: interface conversion: ref.Val is " + crdGoName(depth) + ", not types.Int"}
	case !isList:
		return crdNoFlatten(list, crdShowType(crdNameOf(list))+".flatten(int)")
	case levels < 0:
		return &crdFailure{"level must be non-negative"}
	}
	return crdFlat(outer, levels, nil)
}

func crdNoFlatten(list any, call string) any {
	if _, failed := list.(*crdFailure); failed {
		return list
	}
	return &crdFailure{"no such overload: " + call}
}

func crdFlat(list crdList, depth int64, items []any) crdList {
	for i := range list.size() {
		item := list.at(i)
		if inner, ok := item.(crdList); ok && depth > 0 {
			items = crdFlat(inner, depth-1, items).items
		} else {
			items = append(items, item)
		}
	}
	return crdList{items: items}
}

// crdRange is the numbers from 0 to n-1.
func crdRange(n int64) crdResult[crdList] {
	if n < 0 {
		return crdFailed[crdList]("lists.range: size must be non-negative, got " + strconv.FormatInt(n, 10))
	}
	if n > 1_000_000 {
		return crdFailed[crdList]("lists.range: size " + strconv.FormatInt(n, 10) +
			" exceeds maximum allowed (1000000)")
	}
	items := make([]any, n)
	for i := range items {
		items[i] = int64(i)
	}
	return crdOK(crdList{items: items})
}

// crdSort is the items in order.
func crdSort(list any) any {
	items, ok := list.(crdList)
	if !ok {
		return crdNoLister(list)
	}
	return crdSortByKeys(items, items)
}

// crdSortDyn is crdSort for items of unknown type. The server needs the type to count costs.
func crdSortDyn(list any) any {
	items, ok := list.(crdList)
	if !ok {
		return crdNoTrait("sort", list)
	}
	return crdSortByKeys(items, items)
}

// crdSortBy is the items sorted by keys, one for each item; the macro sortBy calls it.
func crdSortBy(list, keys any) any {
	if _, ok := keys.(crdList); !ok {
		return crdNoLister(keys)
	}
	return crdSortByDyn(list, keys)
}

// crdSortByDyn is crdSortBy for keys of unknown type.
func crdSortByDyn(list, keys any) any {
	if err := crdFirstFailure(list, keys); err != nil {
		return err
	}
	items, ok := list.(crdList)
	if !ok {
		return crdNoTrait("@sortByAssociatedKeys", list)
	}
	return crdSortByKeys(items, keys.(crdList))
}

func crdSortByKeys(list, keys crdList) any {
	size := list.size()
	if size != keys.size() {
		return &crdFailure{fmt.Sprintf(
			"@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "+
				"but got %d and %d elements respectively", size, keys.size())}
	}
	if size == 0 {
		return list
	}
	if !crdIsComparable(keys.at(0)) {
		return &crdFailure{"list elements must be comparable"}
	}
	order, values := make([]int, size), make([]any, size)
	for i := range order {
		order[i], values[i] = i, keys.at(i)
	}
	same := true
	name := crdNameOf(values[0])
	// The server sorts with this function, which is not stable.
	sort.Slice(order, func(i, j int) bool {
		a, b := values[order[i]], values[order[j]]
		if crdNameOf(a) != name || crdNameOf(b) != name {
			same = false
			return false
		}
		return crdLess(a, b) == true
	})
	if !same {
		return &crdFailure{"list elements must have the same type"}
	}
	sorted := make([]any, size)
	for i, from := range order {
		sorted[i] = list.at(from)
	}
	return crdList{items: sorted}
}

// crdIsEqual reports whether two values are equal; false if they cannot be compared.
func crdIsEqual(a, b any) bool { return crdEqualTo(a, b).val }

// crdIsComparable reports whether the type of a value has an order.
func crdIsComparable(value any) bool {
	switch value.(type) {
	case bool, int64, uint64, float64, string, []byte, time.Time, time.Duration:
		return true
	}
	return false
}

// crdWrongItem is the failure for an item of an unsupported type: cel-go checks the first item before it calls the
// function, and the function checks the others.
func crdWrongItem(function string, list crdList, i int) *crdFailure {
	if i == 0 {
		return crdNoOverload(function, list)
	}
	if err, ok := list.at(i).(*crdFailure); ok {
		return err
	}
	return crdNoSuchOverload
}

// crdNoLister is the failure of a function whose cost depends on the size of a list, for a value that is not a list:
// the server's cost counter panics, and the interpreter recovers.
func crdNoLister(value any) *crdFailure {
	if err, ok := value.(*crdFailure); ok && err.ends() {
		return err
	}
	missing := "Add"
	if crdIsComparable(value) && value != true && value != false {
		missing = "Contains"
	}
	return &crdFailure{"internal error: interface conversion: " + crdGoName(value) +
		" is not traits.Lister: missing method " + missing}
}

// crdNoTrait is the failure of a function that supports only values with a trait.
func crdNoTrait(function string, value any) any {
	switch value.(type) {
	case *crdFailure:
		return value
	case string, time.Time, time.Duration:
		return crdNoSuchOverload
	}
	return &crdFailure{"no such overload: " + function}
}
