package support

// crdAnd is a && b: false if any operand is, or else the first failure.
func crdAnd(a crdResult[bool], b func() crdResult[bool]) crdResult[bool] {
	if crdDecides(a, false) {
		return a
	}
	if right := b(); a.err == nil || crdDecides(right, false) {
		return right
	}
	return a
}

// crdOr is a || b: true if any operand is, or else the first failure.
func crdOr(a crdResult[bool], b func() crdResult[bool]) crdResult[bool] {
	if crdDecides(a, true) {
		return a
	}
	if right := b(); a.err == nil || crdDecides(right, true) {
		return right
	}
	return a
}

// crdDecides reports whether a result decides without the other operand.
func crdDecides(verdict crdResult[bool], decisive bool) bool {
	return verdict.err == nil && verdict.val == decisive || verdict.err.ends()
}

// crdCountTrue is [a, b].filter(x, x).size(): the number of conditions that are true, or the first failure.
func crdCountTrue(conditions ...crdResult[bool]) crdResult[int64] {
	count := crdResult[int64]{}
	for _, c := range conditions {
		switch {
		case c.err != nil:
			return crdFail[int64](c.err)
		case c.val:
			count.val++
		}
	}
	return count
}

// crdNot is !a.
func crdNot(a crdResult[bool]) crdResult[bool] {
	return crdResult[bool]{!a.val, a.err}
}

// crdIf is condition ? then : otherwise.
func crdIf[T any](condition crdResult[bool], then, otherwise func() crdResult[T]) crdResult[T] {
	switch {
	case condition.err != nil:
		return crdFail[T](condition.err)
	case condition.val:
		return then()
	}
	return otherwise()
}

// crdIfDyn is condition ? then : otherwise, of dynamic values.
func crdIfDyn(condition crdResult[bool], then, otherwise func() any) any {
	switch {
	case condition.err != nil:
		return condition.err
	case condition.val:
		return then()
	}
	return otherwise()
}

// crdThen applies a function that does not fail.
func crdThen[A, T any](a crdResult[A], f func(A) T) crdResult[T] {
	if a.err != nil {
		return crdFail[T](a.err)
	}
	return crdOK(f(a.val))
}

// crdThenTry applies a function that may fail.
func crdThenTry[A, T any](a crdResult[A], f func(A) crdResult[T]) crdResult[T] {
	if a.err != nil {
		return crdFail[T](a.err)
	}
	return f(a.val)
}

// crdBoth applies a function of two values that does not fail. If both are failures, the left one is the result.
func crdBoth[A, B, T any](a crdResult[A], b crdResult[B], f func(A, B) T) crdResult[T] {
	if err := crdLeft(a.err, b.err); err != nil {
		return crdFail[T](err)
	}
	return crdOK(f(a.val, b.val))
}

// crdBothTry applies a function of two values that may fail. If both are failures, the left one is the result.
func crdBothTry[A, B, T any](a crdResult[A], b crdResult[B], f func(A, B) crdResult[T]) crdResult[T] {
	if err := crdLeft(a.err, b.err); err != nil {
		return crdFail[T](err)
	}
	return f(a.val, b.val)
}
