package support

// Macros over lists and maps that are JSON. The type of an item or a key is checked when the variable is used.

// crdAllItems is list.all: false if it is false for any item, or else the first failure.
func crdAllItems(list any, holds func(item any) crdResult[bool]) crdResult[bool] {
	return crdQuantifyItems(list, false, holds)
}

// crdExistsItem is list.exists: true if it is true for any item, or else the first failure.
func crdExistsItem(list any, holds func(item any) crdResult[bool]) crdResult[bool] {
	return crdQuantifyItems(list, true, holds)
}

// crdQuantifyItems is the decisive result for an item, or else the first failure, or the opposite.
func crdQuantifyItems(list any, decisive bool, holds func(item any) crdResult[bool]) crdResult[bool] {
	items, ok := list.([]any)
	if !ok {
		return crdFail[bool](crdNoList(list))
	}
	out := crdOK(!decisive)
	for _, item := range items {
		switch r := holds(item); {
		case crdDecides(r, decisive):
			return r
		case r.err != nil && out.err == nil:
			out.err = r.err
		}
	}
	return out
}

// crdExistsOneItem is list.exists_one. If there are several failures, the last is the result.
func crdExistsOneItem(list any, holds func(item any) crdResult[bool]) crdResult[bool] {
	count := crdCountItems(list, crdAny, holds)
	return crdResult[bool]{val: count.val == 1, err: count.err}
}

// crdCountItems is list.filter().size(). Counted items are read, as they would be for the list.
func crdCountItems[T any](list any, read func(any) crdResult[T],
	holds func(item any) crdResult[bool]) crdResult[int64] {
	items, ok := list.([]any)
	if !ok {
		return crdFail[int64](crdNoList(list))
	}
	count, err := int64(0), (*crdFailure)(nil)
	for _, item := range items {
		switch r := holds(item); {
		case r.err.ends():
			return crdFail[int64](r.err)
		case r.err != nil:
			err = r.err
		case r.val && err == nil:
			count, err = count+1, read(item).err
		}
	}
	return crdResult[int64]{val: count, err: err}
}

// crdInList is x in list, for items that Go compares with ==.
func crdInList[T comparable](x crdResult[T], list any, read func(any) crdResult[T]) crdResult[bool] {
	if x.err != nil {
		return crdFail[bool](x.err)
	}
	items, ok := list.([]any)
	if !ok {
		return crdFail[bool](crdNoList(list))
	}
	out := crdOK(false)
	for _, item := range items {
		switch r := read(item); {
		case r.err != nil:
			if out.err == nil {
				out.err = r.err
			}
		case r.val == x.val:
			return crdOK(true)
		}
	}
	return out
}

// crdAllKeys is map.all. If there are several failures, that of the first key in order is the result.
func crdAllKeys(object any, holds func(key string) crdResult[bool]) crdResult[bool] {
	fields, ok := object.(map[string]any)
	if !ok {
		return crdFail[bool](crdNoObject(object))
	}
	out, at := crdOK(true), ""
	for key := range fields {
		switch r := holds(key); {
		case crdDecides(r, false):
			return r
		case r.err != nil:
			if out.err == nil || key < at {
				out.err, at = r.err, key
			}
		}
	}
	return out
}

// crdExistsKey is map.exists. If there are several failures, that of the first key in order is the result.
func crdExistsKey(object any, holds func(key string) crdResult[bool]) crdResult[bool] {
	out := crdAllKeys(object, func(key string) crdResult[bool] { return crdNot(holds(key)) })
	return crdResult[bool]{val: out.err == nil && !out.val, err: out.err}
}

// crdExistsOneKey is map.exists_one. If there are several failures, that of the last key in order is the result.
func crdExistsOneKey(object any, holds func(key string) crdResult[bool]) crdResult[bool] {
	fields, ok := object.(map[string]any)
	if !ok {
		return crdFail[bool](crdNoObject(object))
	}
	count, err, at := 0, (*crdFailure)(nil), ""
	for key := range fields {
		switch r := holds(key); {
		case r.err.ends():
			return crdFail[bool](r.err)
		case r.err != nil:
			if err == nil || key > at {
				err, at = r.err, key
			}
		case r.val:
			count++
		}
	}
	return crdResult[bool]{val: count == 1, err: err}
}
