package support

import "time"

// Operators on values whose type is known.

func crdEq[T comparable](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val == b.val, err: crdLeft(a.err, b.err)}
}

func crdNe[T comparable](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val != b.val, err: crdLeft(a.err, b.err)}
}

func crdLt[T int64 | uint64 | string | time.Duration](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val < b.val, err: crdLeft(a.err, b.err)}
}

func crdLe[T int64 | uint64 | string | time.Duration](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val <= b.val, err: crdLeft(a.err, b.err)}
}

func crdGt[T int64 | uint64 | string | time.Duration](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val > b.val, err: crdLeft(a.err, b.err)}
}

func crdGe[T int64 | uint64 | string | time.Duration](a, b crdResult[T]) crdResult[bool] {
	return crdResult[bool]{val: a.val >= b.val, err: crdLeft(a.err, b.err)}
}

// crdLeft is the failure of two operands: the left one, unless the right one ends the evaluation.
func crdLeft(a, b *crdFailure) *crdFailure {
	if a == nil || b.ends() {
		return b
	}
	return a
}

// crdOneOf is x in a list of constants.
func crdOneOf[T comparable](x crdResult[T], constants ...T) crdResult[bool] {
	for _, c := range constants {
		if c == x.val {
			return crdResult[bool]{val: true, err: x.err}
		}
	}
	return crdResult[bool]{err: x.err}
}

// crdChoose is condition ? a : b of values that cannot fail.
func crdChoose[T any](condition crdResult[bool], a, b T) crdResult[T] {
	if condition.val {
		return crdResult[T]{val: a, err: condition.err}
	}
	return crdResult[T]{val: b, err: condition.err}
}

// crdConcat is a + b.
func crdConcat(a, b string) string { return a + b }

// crdAny converts a dynamic value to a result of any type.
func crdAny(value any) crdResult[any] {
	if err, ok := value.(*crdFailure); ok {
		return crdFail[any](err)
	}
	return crdOK(value)
}

// crdArgument converts an argument of a function to its required type. The receiver is the first argument.
func crdArgument[T any](function string, at int, arguments ...any) crdResult[T] {
	if value, ok := arguments[at].(T); ok {
		return crdOK(value)
	}
	return crdFail[T](crdNoOverload(function, arguments...))
}

// crdThree applies a function of three values that does not fail.
func crdThree[A, B, C, T any](a crdResult[A], b crdResult[B], c crdResult[C], f func(A, B, C) T) crdResult[T] {
	if err := crdLeft(a.err, crdLeft(b.err, c.err)); err != nil {
		return crdFail[T](err)
	}
	return crdOK(f(a.val, b.val, c.val))
}

// crdThreeTry applies a function of three values that may fail.
func crdThreeTry[A, B, C, T any](a crdResult[A], b crdResult[B], c crdResult[C],
	f func(A, B, C) crdResult[T]) crdResult[T] {
	if err := crdLeft(a.err, crdLeft(b.err, c.err)); err != nil {
		return crdFail[T](err)
	}
	return f(a.val, b.val, c.val)
}

// crdFour applies a function of four values that does not fail.
func crdFour[A, B, C, D, T any](a crdResult[A], b crdResult[B], c crdResult[C], d crdResult[D],
	f func(A, B, C, D) T) crdResult[T] {
	if err := crdLeft(crdLeft(a.err, b.err), crdLeft(c.err, d.err)); err != nil {
		return crdFail[T](err)
	}
	return crdOK(f(a.val, b.val, c.val, d.val))
}
