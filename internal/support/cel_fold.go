package support

// forEach iterates over a list's items, or a map's keys, until the function returns false. The order of maps is
// fixed, unlike in cel-go.
func forEach(values any, step func(x any) (more bool)) *Failure {
	switch values := values.(type) {
	case *Failure:
		return values
	case List:
		for i := range values.Items {
			if !step(values.at(i)) {
				break
			}
		}
		return nil
	}
	keys, ok := keysOf(values)
	if !ok {
		return &Failure{"got '" + goName(values) + "', expected iterable type"}
	}
	for _, key := range keys {
		if !step(key) {
			break
		}
	}
	return nil
}

// eachPair iterates over a list's indices and items, or a map's keys and values, until the function returns false.
func eachPair(values any, step func(key, value any) (more bool)) *Failure {
	switch values := values.(type) {
	case *Failure:
		return values
	case List:
		for i := range values.Items {
			if !step(int64(i), values.at(i)) {
				break
			}
		}
		return nil
	case *celMap:
		for _, e := range values.entries {
			if !step(e.key, e.val) {
				break
			}
		}
		return nil
	case schemaObject:
		for _, key := range values.keys() {
			value, found := values.find(key)
			if !found {
				value = &Failure{"no such key: " + show(key)} // a field that is null
			}
			if !step(key, value) {
				break
			}
		}
		return nil
	}
	return &Failure{"unsupported comprehension range type: " + goName(values)}
}

// Fold is a comprehension of any kind over one variable. It ends if while is false, but not if while fails.
func Fold(values, accu any, while func(accu, x any) any, step func(accu, x any) any) any {
	err := forEach(values, func(x any) bool {
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

// FoldPair is a comprehension of any kind over two variables.
func FoldPair(values, accu any, while func(accu, key, value any) any, step func(accu, key, value any) any) any {
	err := eachPair(values, func(key, value any) bool {
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

// A quantifier is the state of all, exists and exists_one.
type quantifier struct {
	count int
	err   *Failure
}

// until records the result for one value, and reports whether to continue: the result may decide the macro. It keeps
// the first failure, since a later value may still decide.
func (q *quantifier) until(decisive bool, verdict Result[bool]) (more bool) {
	switch {
	case decides(verdict, decisive):
		q.count, q.err = 1, verdict.err
		return false
	case q.err == nil:
		q.err = verdict.err
	}
	return true
}

// add counts one value. It keeps the last failure.
func (q *quantifier) add(verdict Result[bool]) (more bool) {
	switch {
	case verdict.err != nil:
		q.err = verdict.err
	case verdict.val:
		q.count++
	}
	return !q.err.ends()
}

// result is the result of the quantifier if the range was valid.
func (q *quantifier) result(err *Failure, holds bool) Result[bool] {
	switch {
	case err != nil:
		return fail[bool](err)
	case q.err != nil:
		return fail[bool](q.err)
	}
	return OK(holds)
}

// AllOf is values.all(x, test).
func AllOf(values any, test func(x any) Result[bool]) Result[bool] {
	var q quantifier
	err := forEach(values, func(x any) bool { return q.until(false, test(x)) })
	return q.result(err, q.count == 0)
}

// ExistsOf is values.exists(x, test).
func ExistsOf(values any, test func(x any) Result[bool]) Result[bool] {
	var q quantifier
	err := forEach(values, func(x any) bool { return q.until(true, test(x)) })
	return q.result(err, q.count > 0)
}

// ExistsOneOf is values.exists_one(x, test).
func ExistsOneOf(values any, test func(x any) Result[bool]) Result[bool] {
	var q quantifier
	err := forEach(values, func(x any) bool { return q.add(test(x)) })
	return q.result(err, q.count == 1)
}

// AllPairs is values.all(key, value, test).
func AllPairs(values any, test func(key, value any) Result[bool]) Result[bool] {
	var q quantifier
	err := eachPair(values, func(key, value any) bool { return q.until(false, test(key, value)) })
	return q.result(err, q.count == 0)
}

// ExistsPair is values.exists(key, value, test).
func ExistsPair(values any, test func(key, value any) Result[bool]) Result[bool] {
	var q quantifier
	err := eachPair(values, func(key, value any) bool { return q.until(true, test(key, value)) })
	return q.result(err, q.count > 0)
}

// ExistsOnePair is values.existsOne(key, value, test).
func ExistsOnePair(values any, test func(key, value any) Result[bool]) Result[bool] {
	var q quantifier
	err := eachPair(values, func(key, value any) bool { return q.add(test(key, value)) })
	return q.result(err, q.count == 1)
}

// A collector is the state of a macro that makes a list. It keeps the first failure of a value, but a failure of a
// filter replaces it.
type collector struct {
	items []any
	err   *Failure
}

func (c *collector) add(item any) {
	if c.err != nil {
		return
	}
	if err, ok := item.(*Failure); ok {
		c.err = err
		return
	}
	c.items = append(c.items, item)
}

// wants records the result of a filter, and reports whether a value is needed.
func (c *collector) wants(verdict Result[bool]) bool {
	if verdict.err != nil && !c.err.ends() {
		c.err = verdict.err
	}
	return c.err == nil && verdict.val
}

func (c *collector) result(err *Failure) any {
	switch {
	case err != nil:
		return err
	case c.err != nil:
		return c.err
	}
	return List{Items: c.items}
}

// MapOf is values.map(x, f).
func MapOf(values any, f func(x any) any) any {
	var c collector
	err := forEach(values, func(x any) bool { c.add(f(x)); return c.err == nil })
	return c.result(err)
}

// MapIf is values.map(x, test, f).
func MapIf(values any, test func(x any) Result[bool], f func(x any) any) any {
	var c collector
	err := forEach(values, func(x any) bool {
		if c.wants(test(x)) {
			c.add(f(x))
		}
		return true
	})
	return c.result(err)
}

// Filter is values.filter(x, test).
func Filter(values any, test func(x any) Result[bool]) any {
	return MapIf(values, test, func(x any) any { return x })
}

// TransformList is values.transformList(key, value, f).
func TransformList(values any, f func(key, value any) any) any {
	var c collector
	err := eachPair(values, func(key, value any) bool { c.add(f(key, value)); return c.err == nil })
	return c.result(err)
}

// TransformListIf is values.transformList(key, value, test, f).
func TransformListIf(values any, test func(key, value any) Result[bool], f func(key, value any) any) any {
	var c collector
	err := eachPair(values, func(key, value any) bool {
		if c.wants(test(key, value)) {
			c.add(f(key, value))
		}
		return true
	})
	return c.result(err)
}

// Always is the test of macros without a filter: TransformMap(values, Always, f).
func Always(any, any) Result[bool] { return OK(true) }

// TransformMap is values.transformMap(key, value, test, f).
func TransformMap(values any, test func(key, value any) Result[bool], f func(key, value any) any) any {
	return buildMap(values, test, func(m *celMap, key, value any) *Failure {
		out := f(key, value)
		if err := firstFailure(key, out); err != nil {
			return err
		}
		return m.insert(key, out)
	})
}

// TransformMapEntry is values.transformMapEntry(key, value, test, f), where f makes maps.
func TransformMapEntry(values any, test func(key, value any) Result[bool], f func(key, value any) any) any {
	return buildMap(values, test, func(m *celMap, key, value any) *Failure {
		made := f(key, value)
		if _, ok := mapSize(made); !ok {
			return noOverload("cel.@mapInsert", m, made)
		}
		var err *Failure
		eachPair(made, func(key, value any) bool {
			err = m.insert(key, value)
			return err == nil
		})
		return err
	})
}

func buildMap(values any, test func(key, value any) Result[bool],
	add func(m *celMap, key, value any) *Failure) any {
	m := &celMap{index: map[any]int{}}
	var c collector
	err := eachPair(values, func(key, value any) bool {
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
func (m *celMap) insert(key, value any) *Failure {
	if _, found := m.find(key); found {
		return &Failure{"insert failed: key " + show(key) + " already exists"}
	}
	return m.put(key, value)
}

// Named is a value that gets a name. cel-go makes an empty list or map a new one, without a schema, since a loop
// could add to it.
func Named(value any) any {
	switch value := value.(type) {
	case List:
		if value.size() == 0 {
			return List{}
		}
	case schemaObject:
		if len(value.fields) == 0 {
			return &celMap{index: map[any]int{}}
		}
	}
	return value
}
