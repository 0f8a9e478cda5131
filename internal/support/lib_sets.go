package support

// SetContains reports whether each item of the second list is in the first (cel-go, ext/sets.go).
func SetContains(list, part List) Result[bool] {
	for i := range part.size() {
		if found := listHas(list, part.at(i)); found != OK(true) {
			return found
		}
	}
	return OK(true)
}

// SetEquivalent reports whether each item of either list is in the other.
func SetEquivalent(a, b List) Result[bool] {
	if contains := SetContains(a, b); contains != OK(true) {
		return contains
	}
	return SetContains(b, a)
}

// SetIntersects reports whether an item of the first list is in the second.
func SetIntersects(a, b List) bool {
	for i := range a.size() {
		if listHas(b, a.at(i)) == OK(true) {
			return true
		}
	}
	return false
}

// listHas reports whether an item of one list is in another. An item that is a failure makes it fail for lists of
// the schema.
func listHas(list List, item any) Result[bool] {
	if err, failed := item.(*Failure); failed && list.Type != nil {
		return fail[bool](err)
	}
	return list.contains(item)
}
