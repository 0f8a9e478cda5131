package support

// crdSetContains reports whether each item of the second list is in the first (cel-go, ext/sets.go).
func crdSetContains(list, part crdList) crdResult[bool] {
	for i := range part.size() {
		if found := crdListHas(list, part.at(i)); found != crdOK(true) {
			return found
		}
	}
	return crdOK(true)
}

// crdSetEquivalent reports whether each item of either list is in the other.
func crdSetEquivalent(a, b crdList) crdResult[bool] {
	if contains := crdSetContains(a, b); contains != crdOK(true) {
		return contains
	}
	return crdSetContains(b, a)
}

// crdSetIntersects reports whether an item of the first list is in the second.
func crdSetIntersects(a, b crdList) bool {
	for i := range a.size() {
		if crdListHas(b, a.at(i)) == crdOK(true) {
			return true
		}
	}
	return false
}

// crdListHas reports whether an item of one list is in another. An item that is a failure makes it fail for lists of
// the schema.
func crdListHas(list crdList, item any) crdResult[bool] {
	if err, failed := item.(*crdFailure); failed && list.typ != nil {
		return crdFail[bool](err)
	}
	return list.contains(item)
}
