package support

// Macros over lists and maps that are JSON. The type of an item or a key is checked when the variable is used.

// AllItems is list.all: false if it is false for any item, or else the first failure.
func AllItems(list any, holds func(item any) Result[bool]) Result[bool] {
	return quantifyItems(list, false, holds)
}

// ExistsItem is list.exists: true if it is true for any item, or else the first failure.
func ExistsItem(list any, holds func(item any) Result[bool]) Result[bool] {
	return quantifyItems(list, true, holds)
}

// quantifyItems is the decisive result for an item, or else the first failure, or the opposite.
func quantifyItems(list any, decisive bool, holds func(item any) Result[bool]) Result[bool] {
	items, ok := list.([]any)
	if !ok {
		return fail[bool](notList(list))
	}
	out := OK(!decisive)
	for _, item := range items {
		switch r := holds(item); {
		case decides(r, decisive):
			return r
		case r.err != nil && out.err == nil:
			out.err = r.err
		}
	}
	return out
}

// ExistsOneItem is list.exists_one. If there are several failures, the last is the result.
func ExistsOneItem(list any, holds func(item any) Result[bool]) Result[bool] {
	count := CountItems(list, Any, holds)
	return Result[bool]{val: count.val == 1, err: count.err}
}

// CountItems is list.filter().size(). Counted items are read, as they would be for the list.
func CountItems[T any](list any, read func(any) Result[T],
	holds func(item any) Result[bool]) Result[int64] {
	items, ok := list.([]any)
	if !ok {
		return fail[int64](notList(list))
	}
	count, err := int64(0), (*Failure)(nil)
	for _, item := range items {
		switch r := holds(item); {
		case r.err.ends():
			return fail[int64](r.err)
		case r.err != nil:
			err = r.err
		case r.val && err == nil:
			count, err = count+1, read(item).err
		}
	}
	return Result[int64]{val: count, err: err}
}

// InList is x in list, for items that Go compares with ==.
func InList[T comparable](x Result[T], list any, read func(any) Result[T]) Result[bool] {
	if x.err != nil {
		return fail[bool](x.err)
	}
	items, ok := list.([]any)
	if !ok {
		return fail[bool](notList(list))
	}
	out := OK(false)
	for _, item := range items {
		switch r := read(item); {
		case r.err != nil:
			if out.err == nil {
				out.err = r.err
			}
		case r.val == x.val:
			return OK(true)
		}
	}
	return out
}

// AllKeys is map.all. If there are several failures, that of the first key in order is the result.
func AllKeys(object any, holds func(key string) Result[bool]) Result[bool] {
	fields, isObject := asMap(object)
	if !isObject {
		return fail[bool](notObject(object))
	}
	out, at := OK(true), ""
	for key := range fields {
		switch r := holds(key); {
		case decides(r, false):
			return r
		case r.err != nil:
			if out.err == nil || key < at {
				out.err, at = r.err, key
			}
		}
	}
	return out
}

// ExistsKey is map.exists. If there are several failures, that of the first key in order is the result.
func ExistsKey(object any, holds func(key string) Result[bool]) Result[bool] {
	out := AllKeys(object, func(key string) Result[bool] { return Not(holds(key)) })
	return Result[bool]{val: out.err == nil && !out.val, err: out.err}
}

// ExistsOneKey is map.exists_one. If there are several failures, that of the last key in order is the result.
func ExistsOneKey(object any, holds func(key string) Result[bool]) Result[bool] {
	fields, isObject := asMap(object)
	if !isObject {
		return fail[bool](notObject(object))
	}
	count, err, at := 0, (*Failure)(nil), ""
	for key := range fields {
		switch r := holds(key); {
		case r.err.ends():
			return fail[bool](r.err)
		case r.err != nil:
			if err == nil || key > at {
				err, at = r.err, key
			}
		case r.val:
			count++
		}
	}
	return Result[bool]{val: count == 1, err: err}
}
