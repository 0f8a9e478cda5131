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

// Join joins strings with a separator.
func Join(list List, separator string) Result[string] {
	if !firstIsText(list) {
		return fail[string](noOverload("join", list, separator))
	}
	return joinTexts(list, separator)
}

// JoinAll joins strings without a separator.
func JoinAll(list List) Result[string] {
	if !firstIsText(list) {
		return fail[string](noOverload("join", list))
	}
	return joinTexts(list, "")
}

func firstIsText(list List) bool {
	if list.size() == 0 {
		return true
	}
	_, ok := list.at(0).(string)
	return ok
}

func joinTexts(list List, separator string) Result[string] {
	var out strings.Builder
	for i := range list.size() {
		item := list.at(i)
		text, ok := item.(string)
		if name, isType := item.(TypeName); isType {
			return failWith[string]("join: invalid input: " + showType(string(name)))
		}
		if !ok {
			return failWith[string]("join: invalid input: " + show(item))
		}
		if i > 0 {
			out.WriteString(separator)
		}
		out.WriteString(text)
	}
	return OK(out.String())
}

// IsSorted reports whether no item is greater than the next one.
func IsSorted(list List) Result[bool] {
	for i := range list.size() {
		item := list.at(i)
		switch {
		case !isComparable(item):
			return fail[bool](wrongItem("isSorted", list, i))
		case i > 0 && Greater(list.at(i-1), item) == true:
			return OK(false)
		}
	}
	return OK(true)
}

// MaxOf is the greatest item, the first of those that are equal.
func MaxOf(list List) any { return extreme("max", list, Less) }

// MinOf is the least item, the first of those that are equal.
func MinOf(list List) any { return extreme("min", list, Greater) }

// extreme is the best item. Items that cannot be compared, such as NaN, are never better.
func extreme(function string, list List, worse func(a, b any) any) any {
	if list.size() == 0 {
		return &Failure{function + " called on empty list"}
	}
	var best any
	for i := range list.size() {
		item := list.at(i)
		switch {
		case !isComparable(item):
			return wrongItem(function, list, i)
		case i == 0 || worse(best, item) == true:
			best = item
		}
	}
	return best
}

// SumOfInts is the sum of a list of integers.
func SumOfInts(list List) Result[int64] { return sumOf[int64](list) }

// SumOfUints is the sum of a list of unsigned integers.
func SumOfUints(list List) Result[uint64] { return sumOf[uint64](list) }

// SumOfDoubles is the sum of a list of numbers.
func SumOfDoubles(list List) Result[float64] { return sumOf[float64](list) }

// SumOfDurations is the sum of a list of durations.
func SumOfDurations(list List) Result[time.Duration] { return sumOf[time.Duration](list) }

// sumOf is the sum of the items, which begins with the zero of their type.
func sumOf[T any](list List) Result[T] {
	var zero T
	if list.size() == 0 {
		return OK(zero)
	}
	if _, ok := list.at(0).(T); !ok {
		return fail[T](noOverload("sum", list))
	}
	return As[T](sumFrom(zero, list))
}

func sumFrom(sum any, list List) any {
	for i := range list.size() {
		sum = Add(sum, list.at(i))
		if _, failed := sum.(*Failure); failed {
			return sum
		}
	}
	return sum
}

// ListIndexOf is the position of the first item that is equal to a value, or -1.
func ListIndexOf(list List, value any) int64 {
	for i := range list.size() {
		if isEqual(list.at(i), value) {
			return int64(i)
		}
	}
	return -1
}

// ListLastIndexOf is the position of the last item that is equal to a value, or -1.
func ListLastIndexOf(list List, value any) int64 {
	for i := list.size() - 1; i >= 0; i-- {
		if isEqual(list.at(i), value) {
			return int64(i)
		}
	}
	return -1
}

// Includes reports whether a value is an item of a list, or equal to a value that is not a list.
func Includes(target, value any) any {
	if err := firstFailure(target, value); err != nil {
		return err
	}
	if list, ok := target.(List); ok {
		return ListIndexOf(list, value) >= 0
	}
	return isEqual(target, value)
}

// Slice is the items from start to end, without the one at end.
func Slice(list List, start, end int64) Result[List] {
	call := "cannot slice(" + strconv.FormatInt(start, 10) + ", " + strconv.FormatInt(end, 10) + "), "
	switch size := int64(list.size()); {
	case start < 0 || end < 0:
		return failWith[List](call + "negative indexes not supported")
	case start > end:
		return failWith[List](call + "start index must be less than or equal to end index")
	case size < end:
		return failWith[List](call + "list is length " + strconv.FormatInt(size, 10))
	}
	items := make([]any, 0, end-start)
	for i := start; i < end; i++ {
		items = append(items, list.at(int(i)))
	}
	return OK(List{Items: items})
}

// Reverse is the items from the last to the first.
func Reverse(list List) List {
	size := list.size()
	items := make([]any, size)
	for i := range size {
		items[size-1-i] = list.at(i)
	}
	return List{Items: items}
}

// Distinct is the items without duplicates of earlier ones.
func Distinct(value any) any {
	list, ok := value.(List)
	if !ok {
		return noLister(value)
	}
	if list.size() == 0 {
		return list
	}
	distinct := List{}
	for i := range list.size() {
		item := list.at(i)
		seen := false
		for j := 0; j < len(distinct.Items) && !seen; j++ {
			seen = j != i && isEqual(item, distinct.Items[j])
		}
		if !seen {
			distinct.Items = append(distinct.Items, item)
		}
	}
	return distinct
}

// Flatten replaces lists in a list with their items.
func Flatten(list any) any {
	outer, ok := list.(List)
	if !ok {
		return noFlatten(list, showType(nameOf(list))+".flatten()")
	}
	return flat(outer, 1, nil)
}

// FlattenDeep does so for a number of levels.
func FlattenDeep(list, depth any) any {
	levels, isInt := depth.(int64)
	outer, isList := list.(List)
	switch {
	case !isInt: // the server's counter of costs panics
		return &Failure{"internal error: interface conversion: ref.Val is " + goName(depth) + ", not types.Int"}
	case !isList:
		return noFlatten(list, showType(nameOf(list))+".flatten(int)")
	case levels < 0:
		return &Failure{"level must be non-negative"}
	}
	return flat(outer, levels, nil)
}

func noFlatten(list any, call string) any {
	if _, failed := list.(*Failure); failed {
		return list
	}
	return &Failure{"no such overload: " + call}
}

func flat(list List, depth int64, items []any) List {
	for i := range list.size() {
		item := list.at(i)
		if inner, ok := item.(List); ok && depth > 0 {
			items = flat(inner, depth-1, items).Items
		} else {
			items = append(items, item)
		}
	}
	return List{Items: items}
}

// Range is the numbers from 0 to n-1.
func Range(n int64) Result[List] {
	if n < 0 {
		return failWith[List]("lists.range: size must be non-negative, got " + strconv.FormatInt(n, 10))
	}
	if n > 1_000_000 {
		return failWith[List]("lists.range: size " + strconv.FormatInt(n, 10) +
			" exceeds maximum allowed (1000000)")
	}
	items := make([]any, n)
	for i := range items {
		items[i] = int64(i)
	}
	return OK(List{Items: items})
}

// Sort is the items in order.
func Sort(list any) any {
	items, ok := list.(List)
	if !ok {
		return noLister(list)
	}
	return sortByKeys(items, items)
}

// SortDyn is Sort for items of unknown type. The server needs the type to count costs.
func SortDyn(list any) any {
	items, ok := list.(List)
	if !ok {
		return noTrait("sort", list)
	}
	return sortByKeys(items, items)
}

// SortBy is the items sorted by keys, one for each item; the macro sortBy calls it.
func SortBy(list, keys any) any {
	if _, ok := keys.(List); !ok {
		return noLister(keys)
	}
	return SortByDyn(list, keys)
}

// SortByDyn is SortBy for keys of unknown type.
func SortByDyn(list, keys any) any {
	if err := firstFailure(list, keys); err != nil {
		return err
	}
	items, ok := list.(List)
	if !ok {
		return noTrait("@sortByAssociatedKeys", list)
	}
	return sortByKeys(items, keys.(List))
}

func sortByKeys(list, keys List) any {
	size := list.size()
	if size != keys.size() {
		return &Failure{fmt.Sprintf(
			"@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "+
				"but got %d and %d elements respectively", size, keys.size())}
	}
	if size == 0 {
		return list
	}
	if !isComparable(keys.at(0)) {
		return &Failure{"list elements must be comparable"}
	}
	order, values := make([]int, size), make([]any, size)
	for i := range order {
		order[i], values[i] = i, keys.at(i)
	}
	same := true
	name := nameOf(values[0])
	// The server sorts with this function, which is not stable.
	sort.Slice(order, func(i, j int) bool {
		a, b := values[order[i]], values[order[j]]
		if nameOf(a) != name || nameOf(b) != name {
			same = false
			return false
		}
		return Less(a, b) == true
	})
	if !same {
		return &Failure{"list elements must have the same type"}
	}
	sorted := make([]any, size)
	for i, from := range order {
		sorted[i] = list.at(from)
	}
	return List{Items: sorted}
}

// isEqual reports whether two values are equal; false if they cannot be compared.
func isEqual(a, b any) bool { return equalTo(a, b).val }

// isComparable reports whether the type of a value has an order.
func isComparable(value any) bool {
	switch value.(type) {
	case bool, int64, uint64, float64, string, []byte, time.Time, time.Duration:
		return true
	}
	return false
}

// wrongItem is the failure for an item of an unsupported type: cel-go checks the first item before it calls the
// function, and the function checks the others.
func wrongItem(function string, list List, i int) *Failure {
	if i == 0 {
		return noOverload(function, list)
	}
	if err, ok := list.at(i).(*Failure); ok {
		return err
	}
	return noSuchOverload
}

// noLister is the failure of a function whose cost depends on the size of a list, for a value that is not a list:
// the server's cost counter panics, and the interpreter recovers.
func noLister(value any) *Failure {
	if err, ok := value.(*Failure); ok && err.ends() {
		return err
	}
	missing := "Add"
	if isComparable(value) && value != true && value != false {
		missing = "Contains"
	}
	return &Failure{"internal error: interface conversion: " + goName(value) +
		" is not traits.Lister: missing method " + missing}
}

// noTrait is the failure of a function that supports only values with a trait.
func noTrait(function string, value any) any {
	switch value.(type) {
	case *Failure:
		return value
	case string, time.Time, time.Duration:
		return noSuchOverload
	}
	return &Failure{"no such overload: " + function}
}
