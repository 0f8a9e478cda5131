package support

// crdEach iterates over a list's items, or a map's keys, until the function returns false. The order of maps is
// fixed, unlike in cel-go.
func crdEach(values any, step func(x any) (more bool)) *crdFailure {
	switch values := values.(type) {
	case *crdFailure:
		return values
	case crdList:
		for i := range values.items {
			if !step(values.at(i)) {
				break
			}
		}
		return nil
	}
	keys, ok := crdKeysOf(values)
	if !ok {
		return &crdFailure{"got '" + crdGoName(values) + "', expected iterable type"}
	}
	for _, key := range keys {
		if !step(key) {
			break
		}
	}
	return nil
}

// crdEachPair iterates over a list's indices and items, or a map's keys and values, until the function returns false.
func crdEachPair(values any, step func(key, value any) (more bool)) *crdFailure {
	switch values := values.(type) {
	case *crdFailure:
		return values
	case crdList:
		for i := range values.items {
			if !step(int64(i), values.at(i)) {
				break
			}
		}
		return nil
	case *crdMap:
		for _, e := range values.entries {
			if !step(e.key, e.val) {
				break
			}
		}
		return nil
	case crdObject:
		for _, key := range values.keys() {
			value, found := values.find(key)
			if !found {
				value = &crdFailure{"no such key: " + crdShow(key)} // a field that is null
			}
			if !step(key, value) {
				break
			}
		}
		return nil
	}
	return &crdFailure{"unsupported comprehension range type: " + crdGoName(values)}
}

// crdFold is a comprehension of any kind over one variable. It ends if while is false, but not if while fails.
func crdFold(values, accu any, while func(accu, x any) any, step func(accu, x any) any) any {
	err := crdEach(values, func(x any) bool {
		if while(accu, x) == false {
			return false
		}
		accu = step(accu, x)
		return true
	})
	if err != nil {
		return err
	}
	return accu
}

// crdFoldPair is a comprehension of any kind over two variables.
func crdFoldPair(values, accu any, while func(accu, key, value any) any, step func(accu, key, value any) any) any {
	err := crdEachPair(values, func(key, value any) bool {
		if while(accu, key, value) == false {
			return false
		}
		accu = step(accu, key, value)
		return true
	})
	if err != nil {
		return err
	}
	return accu
}

// A crdQuantifier is the state of all, exists and exists_one.
type crdQuantifier struct {
	count int
	err   *crdFailure
}

// until records the result for one value, and reports whether to continue: the result may decide the macro. It keeps
// the first failure, since a later value may still decide.
func (q *crdQuantifier) until(decisive bool, verdict crdResult[bool]) (more bool) {
	switch {
	case crdDecides(verdict, decisive):
		q.count, q.err = 1, verdict.err
		return false
	case q.err == nil:
		q.err = verdict.err
	}
	return true
}

// add counts one value. It keeps the last failure.
func (q *crdQuantifier) add(verdict crdResult[bool]) (more bool) {
	switch {
	case verdict.err != nil:
		q.err = verdict.err
	case verdict.val:
		q.count++
	}
	return !q.err.ends()
}

// result is the result of the quantifier if the range was valid.
func (q *crdQuantifier) result(err *crdFailure, holds bool) crdResult[bool] {
	switch {
	case err != nil:
		return crdFail[bool](err)
	case q.err != nil:
		return crdFail[bool](q.err)
	}
	return crdOK(holds)
}

// crdAllOf is values.all(x, test).
func crdAllOf(values any, test func(x any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEach(values, func(x any) bool { return q.until(false, test(x)) })
	return q.result(err, q.count == 0)
}

// crdExistsOf is values.exists(x, test).
func crdExistsOf(values any, test func(x any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEach(values, func(x any) bool { return q.until(true, test(x)) })
	return q.result(err, q.count > 0)
}

// crdExistsOneOf is values.exists_one(x, test).
func crdExistsOneOf(values any, test func(x any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEach(values, func(x any) bool { return q.add(test(x)) })
	return q.result(err, q.count == 1)
}

// crdAllPairs is values.all(key, value, test).
func crdAllPairs(values any, test func(key, value any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEachPair(values, func(key, value any) bool { return q.until(false, test(key, value)) })
	return q.result(err, q.count == 0)
}

// crdExistsPair is values.exists(key, value, test).
func crdExistsPair(values any, test func(key, value any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEachPair(values, func(key, value any) bool { return q.until(true, test(key, value)) })
	return q.result(err, q.count > 0)
}

// crdExistsOnePair is values.existsOne(key, value, test).
func crdExistsOnePair(values any, test func(key, value any) crdResult[bool]) crdResult[bool] {
	var q crdQuantifier
	err := crdEachPair(values, func(key, value any) bool { return q.add(test(key, value)) })
	return q.result(err, q.count == 1)
}

// A crdCollector is the state of a macro that makes a list. It keeps the first failure of a value, but a failure of a
// filter replaces it.
type crdCollector struct {
	items []any
	err   *crdFailure
}

func (c *crdCollector) add(item any) {
	if c.err != nil {
		return
	}
	if err, ok := item.(*crdFailure); ok {
		c.err = err
		return
	}
	c.items = append(c.items, item)
}

// wants records the result of a filter, and reports whether a value is needed.
func (c *crdCollector) wants(verdict crdResult[bool]) bool {
	if verdict.err != nil && !c.err.ends() {
		c.err = verdict.err
	}
	return c.err == nil && verdict.val
}

func (c *crdCollector) result(err *crdFailure) any {
	switch {
	case err != nil:
		return err
	case c.err != nil:
		return c.err
	}
	return crdList{items: c.items}
}

// crdMapOf is values.map(x, f).
func crdMapOf(values any, f func(x any) any) any {
	var c crdCollector
	err := crdEach(values, func(x any) bool { c.add(f(x)); return c.err == nil })
	return c.result(err)
}

// crdMapIf is values.map(x, test, f).
func crdMapIf(values any, test func(x any) crdResult[bool], f func(x any) any) any {
	var c crdCollector
	err := crdEach(values, func(x any) bool {
		if c.wants(test(x)) {
			c.add(f(x))
		}
		return true
	})
	return c.result(err)
}

// crdFilter is values.filter(x, test).
func crdFilter(values any, test func(x any) crdResult[bool]) any {
	return crdMapIf(values, test, func(x any) any { return x })
}

// crdTransformList is values.transformList(key, value, f).
func crdTransformList(values any, f func(key, value any) any) any {
	var c crdCollector
	err := crdEachPair(values, func(key, value any) bool { c.add(f(key, value)); return c.err == nil })
	return c.result(err)
}

// crdTransformListIf is values.transformList(key, value, test, f).
func crdTransformListIf(values any, test func(key, value any) crdResult[bool], f func(key, value any) any) any {
	var c crdCollector
	err := crdEachPair(values, func(key, value any) bool {
		if c.wants(test(key, value)) {
			c.add(f(key, value))
		}
		return true
	})
	return c.result(err)
}

// crdAlways is the test of macros without a filter: crdTransformMap(values, crdAlways, f).
func crdAlways(any, any) crdResult[bool] { return crdOK(true) }

// crdTransformMap is values.transformMap(key, value, test, f).
func crdTransformMap(values any, test func(key, value any) crdResult[bool], f func(key, value any) any) any {
	return crdBuildMap(values, test, func(m *crdMap, key, value any) *crdFailure {
		out := f(key, value)
		if err := crdFirstFailure(key, out); err != nil {
			return err
		}
		return m.insert(key, out)
	})
}

// crdTransformMapEntry is values.transformMapEntry(key, value, test, f), where f makes maps.
func crdTransformMapEntry(values any, test func(key, value any) crdResult[bool], f func(key, value any) any) any {
	return crdBuildMap(values, test, func(m *crdMap, key, value any) *crdFailure {
		made := f(key, value)
		if _, ok := crdMapSize(made); !ok {
			return crdNoOverload("cel.@mapInsert", m, made)
		}
		var err *crdFailure
		crdEachPair(made, func(key, value any) bool {
			err = m.insert(key, value)
			return err == nil
		})
		return err
	})
}

func crdBuildMap(values any, test func(key, value any) crdResult[bool],
	add func(m *crdMap, key, value any) *crdFailure) any {
	m := &crdMap{index: map[any]int{}}
	var c crdCollector
	err := crdEachPair(values, func(key, value any) bool {
		if c.wants(test(key, value)) {
			c.err = add(m, key, value)
		}
		return true
	})
	if err != nil || c.err != nil {
		return c.result(err)
	}
	return m
}

// insert adds a key that is not there yet.
func (m *crdMap) insert(key, value any) *crdFailure {
	if _, found := m.find(key); found {
		return &crdFailure{"insert failed: key " + crdShow(key) + " already exists"}
	}
	return m.put(key, value)
}

// crdNamed is a value that gets a name. cel-go makes an empty list or map a new one, without a schema, since a loop
// could add to it.
func crdNamed(value any) any {
	switch value := value.(type) {
	case crdList:
		if value.size() == 0 {
			return crdList{}
		}
	case crdObject:
		if len(value.fields) == 0 {
			return &crdMap{index: map[any]int{}}
		}
	}
	return value
}
