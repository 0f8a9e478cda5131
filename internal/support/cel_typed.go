package support

import "time"

// Operators on values whose type is known.

// Eq reports whether values are equal.
func Eq[T comparable](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val == b.val, err: leftmost(a.err, b.err)}
}

// Ne reports whether values differ.
func Ne[T comparable](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val != b.val, err: leftmost(a.err, b.err)}
}

// Lt reports whether the left value is less.
func Lt[T int64 | uint64 | string | time.Duration](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val < b.val, err: leftmost(a.err, b.err)}
}

// Le reports whether the left value is less or equal.
func Le[T int64 | uint64 | string | time.Duration](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val <= b.val, err: leftmost(a.err, b.err)}
}

// Gt reports whether the left value is greater.
func Gt[T int64 | uint64 | string | time.Duration](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val > b.val, err: leftmost(a.err, b.err)}
}

// Ge reports whether the left value is greater or equal.
func Ge[T int64 | uint64 | string | time.Duration](a, b Result[T]) Result[bool] {
	return Result[bool]{val: a.val >= b.val, err: leftmost(a.err, b.err)}
}

// leftmost is the failure of two operands: the left one, unless the right one ends the evaluation.
func leftmost(a, b *Failure) *Failure {
	if a == nil || b.ends() {
		return b
	}
	return a
}

// OneOf is x in a list of constants.
func OneOf[T comparable](x Result[T], constants ...T) Result[bool] {
	for _, c := range constants {
		if c == x.val {
			return Result[bool]{val: true, err: x.err}
		}
	}
	return Result[bool]{err: x.err}
}

// Choose is condition ? a : b of values that cannot fail.
func Choose[T any](condition Result[bool], a, b T) Result[T] {
	if condition.val {
		return Result[T]{val: a, err: condition.err}
	}
	return Result[T]{val: b, err: condition.err}
}

// Concat is a + b.
func Concat(a, b string) string { return a + b }

// Any converts a dynamic value to a result of any type.
func Any(value any) Result[any] {
	if err, ok := value.(*Failure); ok {
		return fail[any](err)
	}
	return OK(value)
}

// Argument converts an argument of a function to its required type. The receiver is the first argument.
func Argument[T any](function string, at int, arguments ...any) Result[T] {
	if value, ok := arguments[at].(T); ok {
		return OK(value)
	}
	return fail[T](noOverload(function, arguments...))
}

// Three applies a function of three values that does not fail.
func Three[A, B, C, T any](a Result[A], b Result[B], c Result[C], f func(A, B, C) T) Result[T] {
	if err := leftmost(a.err, leftmost(b.err, c.err)); err != nil {
		return fail[T](err)
	}
	return OK(f(a.val, b.val, c.val))
}

// ThreeTry applies a function of three values that may fail.
func ThreeTry[A, B, C, T any](a Result[A], b Result[B], c Result[C],
	f func(A, B, C) Result[T]) Result[T] {
	if err := leftmost(a.err, leftmost(b.err, c.err)); err != nil {
		return fail[T](err)
	}
	return f(a.val, b.val, c.val)
}

// Four applies a function of four values that does not fail.
func Four[A, B, C, D, T any](a Result[A], b Result[B], c Result[C], d Result[D],
	f func(A, B, C, D) T) Result[T] {
	if err := leftmost(leftmost(a.err, b.err), leftmost(c.err, d.err)); err != nil {
		return fail[T](err)
	}
	return OK(f(a.val, b.val, c.val, d.val))
}
