package support

import (
	"math"
	"math/bits"
	"time"
)

// crdAdd is a + b.
func crdAdd(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return crdAddInt(a, b).dyn()
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return crdAddUint(a, b).dyn()
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a + b
		}
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
		return crdNoOperator("_+_", a)
	}
	return crdNoSuchOverload
}

// crdSubtract is a - b.
func crdSubtract(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return crdSubtractInt(a, b).dyn()
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return crdSubtractUint(a, b).dyn()
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a - b
		}
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
		return crdNoOperator("_-_", a)
	}
	return crdNoSuchOverload
}

// crdMultiply is a * b.
func crdMultiply(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return crdMultiplyInt(a, b).dyn()
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return crdMultiplyUint(a, b).dyn()
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a * b
		}
	default:
		return crdNoOperator("_*_", a)
	}
	return crdNoSuchOverload
}

// crdDivide is a / b.
func crdDivide(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return crdDivideInt(a, b).dyn()
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return crdDivideUint(a, b).dyn()
		}
	case float64:
		if b, ok := b.(float64); ok {
			return a / b
		}
	default:
		return crdNoOperator("_/_", a)
	}
	return crdNoSuchOverload
}

// crdModulo is a % b.
func crdModulo(a, b any) any {
	if err := crdFirstFailure(a, b); err != nil {
		return err
	}
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return crdModuloInt(a, b).dyn()
		}
	case uint64:
		if b, ok := b.(uint64); ok {
			return crdModuloUint(a, b).dyn()
		}
	default:
		return crdNoOperator("_%_", a)
	}
	return crdNoSuchOverload
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
