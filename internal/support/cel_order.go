package support

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"time"
)

// crdLess is a < b.
func crdLess(a, b any) any {
	return crdThen(crdCompare("_<_", a, b), func(order int) bool { return order < 0 }).dyn()
}

// crdLessEqual is a <= b.
func crdLessEqual(a, b any) any {
	return crdThen(crdCompare("_<=_", a, b), func(order int) bool { return order <= 0 }).dyn()
}

// crdGreater is a > b.
func crdGreater(a, b any) any {
	return crdThen(crdCompare("_>_", a, b), func(order int) bool { return order > 0 }).dyn()
}

// crdGreaterEqual is a >= b.
func crdGreaterEqual(a, b any) any {
	return crdThen(crdCompare("_>=_", a, b), func(order int) bool { return order >= 0 }).dyn()
}

// crdCompare orders two values for an operator. Numbers are ordered whatever their types.
func crdCompare(operator string, a, b any) crdResult[int] {
	if err := crdFirstFailure(a, b); err != nil {
		return crdFail[int](err)
	}
	order, ok := 0, false
	switch a := a.(type) {
	case int64, uint64, float64:
		return crdOrderNumbers(a, b)
	case bool:
		var other bool
		if other, ok = b.(bool); ok && a != other {
			order = 1
			if other {
				order = -1
			}
		}
	case string:
		var other string
		other, ok = b.(string)
		order = strings.Compare(a, other)
	case []byte:
		var other []byte
		other, ok = b.([]byte)
		order = bytes.Compare(a, other)
	case time.Time:
		var other time.Time
		other, ok = b.(time.Time)
		order = a.Compare(other)
	case time.Duration:
		var other time.Duration
		other, ok = b.(time.Duration)
		order = cmp.Compare(a, other)
	default:
		return crdFail[int](crdNoOperator(operator, a))
	}
	if !ok {
		return crdFail[int](crdNoSuchOverload)
	}
	return crdOK(order)
}

func crdOrderNumbers(a, b any) crdResult[int] {
	if order, ok := crdCompareNumbers(a, b); ok {
		return crdOK(order)
	}
	if crdIsNaN(a) || crdIsNaN(b) { // on the left even if the other value is not a number
		return crdFail[int](crdUnordered)
	}
	return crdFail[int](crdNoSuchOverload)
}

func crdIsNaN(x any) bool {
	double, ok := x.(float64)
	return ok && math.IsNaN(double)
}

// crdNoOperator is the failure of an operator that its left operand does not support.
func crdNoOperator(operator string, left any) *crdFailure {
	switch left.(type) {
	case string, time.Time, time.Duration:
		return crdNoSuchOverload
	}
	return &crdFailure{"no such overload: " + operator}
}
