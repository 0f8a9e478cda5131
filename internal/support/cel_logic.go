package support

// And is a && b: false if any operand is, or else the first failure.
func And(a Result[bool], b func() Result[bool]) Result[bool] {
	if decides(a, false) {
		return a
	}
	if right := b(); a.err == nil || decides(right, false) {
		return right
	}
	return a
}

// Or is a || b: true if any operand is, or else the first failure.
func Or(a Result[bool], b func() Result[bool]) Result[bool] {
	if decides(a, true) {
		return a
	}
	if right := b(); a.err == nil || decides(right, true) {
		return right
	}
	return a
}

// decides reports whether a result decides without the other operand.
func decides(verdict Result[bool], decisive bool) bool {
	return verdict.err == nil && verdict.val == decisive || verdict.err.ends()
}

// CountTrue is [a, b].filter(x, x).size(): the number of conditions that are true, or the first failure.
func CountTrue(conditions ...Result[bool]) Result[int64] {
	count := Result[int64]{}
	for _, c := range conditions {
		switch {
		case c.err != nil:
			return fail[int64](c.err)
		case c.val:
			count.val++
		}
	}
	return count
}

// Not is !a.
func Not(a Result[bool]) Result[bool] {
	return Result[bool]{!a.val, a.err}
}

// If is condition ? then : otherwise.
func If[T any](condition Result[bool], then, otherwise func() Result[T]) Result[T] {
	switch {
	case condition.err != nil:
		return fail[T](condition.err)
	case condition.val:
		return then()
	}
	return otherwise()
}

// IfDyn is condition ? then : otherwise, of dynamic values.
func IfDyn(condition Result[bool], then, otherwise func() any) any {
	switch {
	case condition.err != nil:
		return condition.err
	case condition.val:
		return then()
	}
	return otherwise()
}

// Then applies a function that does not fail.
func Then[A, T any](a Result[A], f func(A) T) Result[T] {
	if a.err != nil {
		return fail[T](a.err)
	}
	return OK(f(a.val))
}

// ThenTry applies a function that may fail.
func ThenTry[A, T any](a Result[A], f func(A) Result[T]) Result[T] {
	if a.err != nil {
		return fail[T](a.err)
	}
	return f(a.val)
}

// Both applies a function of two values that does not fail. If both are failures, the left one is the result.
func Both[A, B, T any](a Result[A], b Result[B], f func(A, B) T) Result[T] {
	if err := leftmost(a.err, b.err); err != nil {
		return fail[T](err)
	}
	return OK(f(a.val, b.val))
}

// BothTry applies a function of two values that may fail. If both are failures, the left one is the result.
func BothTry[A, B, T any](a Result[A], b Result[B], f func(A, B) Result[T]) Result[T] {
	if err := leftmost(a.err, b.err); err != nil {
		return fail[T](err)
	}
	return f(a.val, b.val)
}
