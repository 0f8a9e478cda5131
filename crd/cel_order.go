// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"time"
)

// Less is a < b.
func Less(a, b any) any {
	return Then(compare("_<_", a, b), func(order int) bool { return order < 0 }).Dyn()
}

// LessEqual is a <= b.
func LessEqual(a, b any) any {
	return Then(compare("_<=_", a, b), func(order int) bool { return order <= 0 }).Dyn()
}

// Greater is a > b.
func Greater(a, b any) any {
	return Then(compare("_>_", a, b), func(order int) bool { return order > 0 }).Dyn()
}

// GreaterEqual is a >= b.
func GreaterEqual(a, b any) any {
	return Then(compare("_>=_", a, b), func(order int) bool { return order >= 0 }).Dyn()
}

// compare orders two values for an operator. Numbers are ordered whatever their types.
func compare(operator string, a, b any) Result[int] {
	if err := firstFailure(a, b); err != nil {
		return fail[int](err)
	}
	order, ok := 0, false
	switch a := a.(type) {
	case int64, uint64, float64:
		return orderNumbers(a, b)
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
		return fail[int](noOperator(operator, a))
	}
	if !ok {
		return fail[int](noSuchOverload)
	}
	return OK(order)
}

func orderNumbers(a, b any) Result[int] {
	if order, ok := compareNumbers(a, b); ok {
		return OK(order)
	}
	if isNaN(a) || isNaN(b) { // on the left even if the other value is not a number
		return fail[int](unordered)
	}
	return fail[int](noSuchOverload)
}

func isNaN(x any) bool {
	double, ok := x.(float64)
	return ok && math.IsNaN(double)
}

// noOperator is the failure of an operator that its left operand does not support.
func noOperator(operator string, left any) *Failure {
	switch left.(type) {
	case string, time.Time, time.Duration:
		return noSuchOverload
	}
	return &Failure{"no such overload: " + operator}
}
