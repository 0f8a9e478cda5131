package support

import (
	"math"
	"math/bits"
	"time"
)

// crdAdd is a + b.
func crdAdd(a, b any) any {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return a + b
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return crdAddBytes(a, b)
		}
	case crdList:
		if b, ok := b.(crdList); ok {
			return crdAddLists(a, b)
		}
	case time.Time:
		if b, ok := b.(time.Duration); ok {
			return crdAddToTime(a, b).dyn()
		}
	case time.Duration:
		switch b := b.(type) {
		case time.Duration:
			return crdAddDuration(a, b).dyn()
		case time.Time:
			return crdAddToTime(b, a).dyn()
		}
	default:
		return crdCalculate("_+_", a, b, crdAddInt, crdAddUint, func(a, b float64) float64 { return a + b })
	}
	return crdFirstFailureOr(a, b, crdNoSuchOverload)
}

// crdSubtract is a - b.
func crdSubtract(a, b any) any {
	switch a := a.(type) {
	case time.Time:
		switch b := b.(type) {
		case time.Duration:
			return crdSubtractFromTime(a, b).dyn()
		case time.Time:
			return crdSubtractTimes(a, b).dyn()
		}
	case time.Duration:
		if b, ok := b.(time.Duration); ok {
			return crdSubtractDuration(a, b).dyn()
		}
	default:
		return crdCalculate("_-_", a, b, crdSubtractInt, crdSubtractUint, func(a, b float64) float64 { return a - b })
	}
	return crdFirstFailureOr(a, b, crdNoSuchOverload)
}

// crdMultiply is a * b.
func crdMultiply(a, b any) any {
	return crdCalculate("_*_", a, b, crdMultiplyInt, crdMultiplyUint, func(a, b float64) float64 { return a * b })
}

// crdDivide is a / b.
func crdDivide(a, b any) any {
	return crdCalculate("_/_", a, b, crdDivideInt, crdDivideUint, func(a, b float64) float64 { return a / b })
}

// crdModulo is a % b.
func crdModulo(a, b any) any { return crdCalculate("_%_", a, b, crdModuloInt, crdModuloUint, nil) }

// crdCalculate computes an operator on two numbers of a type. doubles is nil for one that has none.
func crdCalculate(operator string, a, b any, ints func(a, b int64) crdResult[int64],
	uints func(a, b uint64) crdResult[uint64], doubles func(a, b float64) float64) any {
	switch left := a.(type) {
	case int64:
		if right, ok := b.(int64); ok {
			return ints(left, right).dyn()
		}
	case uint64:
		if right, ok := b.(uint64); ok {
			return uints(left, right).dyn()
		}
	case float64:
		if doubles == nil {
			return crdFirstFailureOr(a, b, crdNoOperator(operator, a))
		}
		if right, ok := b.(float64); ok {
			return doubles(left, right)
		}
	default:
		return crdFirstFailureOr(a, b, crdNoOperator(operator, a))
	}
	return crdFirstFailureOr(a, b, crdNoSuchOverload)
}

// crdNegate is -a.
func crdNegate(a any) any {
	switch a := a.(type) {
	case int64:
		return crdNegateInt(a).dyn()
	case float64:
		return -a
	case time.Duration:
		return crdNegateDuration(a).dyn()
	case bool:
		return crdNoSuchOverload
	case *crdFailure:
		return a
	}
	return crdNoOperator("-_", a)
}

func crdAddInt(a, b int64) crdResult[int64] {
	if sum := a + b; (sum > a) == (b > 0) {
		return crdOK(sum)
	}
	return crdFail[int64](crdIntOverflow)
}

func crdSubtractInt(a, b int64) crdResult[int64] {
	if difference := a - b; (difference < a) == (b > 0) {
		return crdOK(difference)
	}
	return crdFail[int64](crdIntOverflow)
}

func crdMultiplyInt(a, b int64) crdResult[int64] {
	high, low := bits.Mul64(crdMagnitude(a), crdMagnitude(b))
	limit := uint64(math.MaxInt64)
	if (a < 0) != (b < 0) {
		limit++
	}
	if high != 0 || low > limit {
		return crdFail[int64](crdIntOverflow)
	}
	return crdOK(a * b)
}

func crdMagnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func crdDivideInt(a, b int64) crdResult[int64] {
	switch {
	case b == 0:
		return crdFail[int64](crdDivisionByZero)
	case a == math.MinInt64 && b == -1:
		return crdFail[int64](crdIntOverflow)
	}
	return crdOK(a / b)
}

func crdModuloInt(a, b int64) crdResult[int64] {
	switch {
	case b == 0:
		return crdFail[int64](crdModulusByZero)
	case a == math.MinInt64 && b == -1:
		return crdFail[int64](crdIntOverflow)
	}
	return crdOK(a % b)
}

func crdNegateInt(a int64) crdResult[int64] {
	if a == math.MinInt64 {
		return crdFail[int64](crdIntOverflow)
	}
	return crdOK(-a)
}

func crdAddUint(a, b uint64) crdResult[uint64] {
	if sum := a + b; sum >= a {
		return crdOK(sum)
	}
	return crdFail[uint64](crdUintOverflow)
}

func crdSubtractUint(a, b uint64) crdResult[uint64] {
	if b > a {
		return crdFail[uint64](crdUintOverflow)
	}
	return crdOK(a - b)
}

func crdMultiplyUint(a, b uint64) crdResult[uint64] {
	if high, _ := bits.Mul64(a, b); high != 0 {
		return crdFail[uint64](crdUintOverflow)
	}
	return crdOK(a * b)
}

func crdDivideUint(a, b uint64) crdResult[uint64] {
	if b == 0 {
		return crdFail[uint64](crdDivisionByZero)
	}
	return crdOK(a / b)
}

func crdModuloUint(a, b uint64) crdResult[uint64] {
	if b == 0 {
		return crdFail[uint64](crdModulusByZero)
	}
	return crdOK(a % b)
}

// crdAddBytes concatenates bytes without changing the operands.
func crdAddBytes(a, b []byte) []byte {
	return append(a[:len(a):len(a)], b...)
}
