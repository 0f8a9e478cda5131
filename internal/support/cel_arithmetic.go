package support

import (
	"math"
	"math/bits"
	"time"
)

// Add is a + b.
func Add(a, b any) any {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return a + b
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return addBytes(a, b)
		}
	case List:
		if b, ok := b.(List); ok {
			return addLists(a, b)
		}
	case time.Time:
		if b, ok := b.(time.Duration); ok {
			return addToTime(a, b).Dyn()
		}
	case time.Duration:
		switch b := b.(type) {
		case time.Duration:
			return addDuration(a, b).Dyn()
		case time.Time:
			return addToTime(b, a).Dyn()
		}
	default:
		return calculate("_+_", a, b, AddInt, AddUint, func(a, b float64) float64 { return a + b })
	}
	return firstFailureOr(a, b, noSuchOverload)
}

// Subtract is a - b.
func Subtract(a, b any) any {
	switch a := a.(type) {
	case time.Time:
		switch b := b.(type) {
		case time.Duration:
			return subtractFromTime(a, b).Dyn()
		case time.Time:
			return subtractTimes(a, b).Dyn()
		}
	case time.Duration:
		if b, ok := b.(time.Duration); ok {
			return subtractDuration(a, b).Dyn()
		}
	default:
		return calculate("_-_", a, b, SubtractInt, SubtractUint, func(a, b float64) float64 { return a - b })
	}
	return firstFailureOr(a, b, noSuchOverload)
}

// Multiply is a * b.
func Multiply(a, b any) any {
	return calculate("_*_", a, b, MultiplyInt, MultiplyUint, func(a, b float64) float64 { return a * b })
}

// Divide is a / b.
func Divide(a, b any) any {
	return calculate("_/_", a, b, DivideInt, DivideUint, func(a, b float64) float64 { return a / b })
}

// Modulo is a % b.
func Modulo(a, b any) any { return calculate("_%_", a, b, ModuloInt, ModuloUint, nil) }

// calculate computes an operator on two numbers of a type. doubles is nil for one that has none.
func calculate(operator string, a, b any, ints func(a, b int64) Result[int64],
	uints func(a, b uint64) Result[uint64], doubles func(a, b float64) float64) any {
	switch left := a.(type) {
	case int64:
		if right, ok := b.(int64); ok {
			return ints(left, right).Dyn()
		}
	case uint64:
		if right, ok := b.(uint64); ok {
			return uints(left, right).Dyn()
		}
	case float64:
		if doubles == nil {
			return firstFailureOr(a, b, noOperator(operator, a))
		}
		if right, ok := b.(float64); ok {
			return doubles(left, right)
		}
	default:
		return firstFailureOr(a, b, noOperator(operator, a))
	}
	return firstFailureOr(a, b, noSuchOverload)
}

// Negate is -a.
func Negate(a any) any {
	switch a := a.(type) {
	case int64:
		return NegateInt(a).Dyn()
	case float64:
		return -a
	case time.Duration:
		return negateDuration(a).Dyn()
	case bool:
		return noSuchOverload
	case *Failure:
		return a
	}
	return noOperator("-_", a)
}

// AddInt adds integers. An overflow is a failure.
func AddInt(a, b int64) Result[int64] {
	if sum := a + b; (sum > a) == (b > 0) {
		return OK(sum)
	}
	return fail[int64](intOverflow)
}

// SubtractInt subtracts integers. An overflow is a failure.
func SubtractInt(a, b int64) Result[int64] {
	if difference := a - b; (difference < a) == (b > 0) {
		return OK(difference)
	}
	return fail[int64](intOverflow)
}

// MultiplyInt multiplies integers. An overflow is a failure.
func MultiplyInt(a, b int64) Result[int64] {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	limit := uint64(math.MaxInt64)
	if (a < 0) != (b < 0) {
		limit++
	}
	if high != 0 || low > limit {
		return fail[int64](intOverflow)
	}
	return OK(a * b)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// DivideInt divides integers. An overflow and a division by zero are failures.
func DivideInt(a, b int64) Result[int64] {
	switch {
	case b == 0:
		return fail[int64](divisionByZero)
	case a == math.MinInt64 && b == -1:
		return fail[int64](intOverflow)
	}
	return OK(a / b)
}

// ModuloInt is the remainder of a division of integers.
func ModuloInt(a, b int64) Result[int64] {
	switch {
	case b == 0:
		return fail[int64](modulusByZero)
	case a == math.MinInt64 && b == -1:
		return fail[int64](intOverflow)
	}
	return OK(a % b)
}

// NegateInt negates an integer. An overflow is a failure.
func NegateInt(a int64) Result[int64] {
	if a == math.MinInt64 {
		return fail[int64](intOverflow)
	}
	return OK(-a)
}

// AddUint adds unsigned integers. An overflow is a failure.
func AddUint(a, b uint64) Result[uint64] {
	if sum := a + b; sum >= a {
		return OK(sum)
	}
	return fail[uint64](uintOverflow)
}

// SubtractUint subtracts unsigned integers. An overflow is a failure.
func SubtractUint(a, b uint64) Result[uint64] {
	if b > a {
		return fail[uint64](uintOverflow)
	}
	return OK(a - b)
}

// MultiplyUint multiplies unsigned integers. An overflow is a failure.
func MultiplyUint(a, b uint64) Result[uint64] {
	if high, _ := bits.Mul64(a, b); high != 0 {
		return fail[uint64](uintOverflow)
	}
	return OK(a * b)
}

// DivideUint divides unsigned integers. A division by zero is a failure.
func DivideUint(a, b uint64) Result[uint64] {
	if b == 0 {
		return fail[uint64](divisionByZero)
	}
	return OK(a / b)
}

// ModuloUint is the remainder of a division of unsigned integers.
func ModuloUint(a, b uint64) Result[uint64] {
	if b == 0 {
		return fail[uint64](modulusByZero)
	}
	return OK(a % b)
}

// addBytes concatenates bytes without changing the operands.
func addBytes(a, b []byte) []byte {
	return append(a[:len(a):len(a)], b...)
}
