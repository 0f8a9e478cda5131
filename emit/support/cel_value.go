package support

import (
	"strings"
	"time"
)

// A crdFailure is an error of CEL, as a value. Its text is cel-go's.
type crdFailure struct{ text string }

// ends reports whether the failure is one of cel-go's own code, after which nothing more is evaluated: no operator and no
// macro goes on to decide without the value that failed.
func (e *crdFailure) ends() bool {
	return e != nil && strings.HasPrefix(e.text, "internal error: ")
}

// The failures that say nothing of the values that they come from.
var (
	crdNoSuchOverload    = &crdFailure{"no such overload"}
	crdIntOverflow       = &crdFailure{"integer overflow"}
	crdUintOverflow      = &crdFailure{"unsigned integer overflow"}
	crdTimestampOverflow = &crdFailure{"timestamp overflow"}
	crdDivisionByZero    = &crdFailure{"division by zero"}
	crdModulusByZero     = &crdFailure{"modulus by zero"}
	crdUnordered         = &crdFailure{"NaN values cannot be ordered"}
)

// A crdResult is a value whose type is known when code is generated, or a failure.
type crdResult[T any] struct {
	val T
	err *crdFailure
}

func crdOK[T any](val T) crdResult[T] { return crdResult[T]{val: val} }

func crdFail[T any](err *crdFailure) crdResult[T] { return crdResult[T]{err: err} }

// dyn is the result as a dynamic value.
func (r crdResult[T]) dyn() any {
	if r.err != nil {
		return r.err
	}
	return r.val
}

// crdAs converts a dynamic value to a known type. For a value of another type it returns the failure of cel-go's
// operators. Functions that declare the types of their arguments return crdNoOverload before.
func crdAs[T any](value any) crdResult[T] {
	switch value := value.(type) {
	case T:
		return crdResult[T]{val: value}
	case *crdFailure:
		return crdResult[T]{err: value}
	}
	return crdResult[T]{err: crdNoSuchOverload}
}

// A crdList is a dynamic list. The items of one of the schema are JSON, and typ is the list's type; those of one that was
// made in CEL are values of CEL, and typ is nil.
type crdList struct {
	items []any
	typ   *crdType
	// made tells how a list that was made in CEL differs from a list literal; nil where it does not.
	made *crdMade
}

// A crdMade is how a list of CEL came about, which decides on how it is compared and searched.
type crdMade struct {
	kind crdListKind
	// keys are the CEL names of the map keys.
	keys []string
	// left and right are what a sum is made of.
	left, right crdList
}

type crdListKind uint8

// The kinds of lists that differ from others.
const (
	// A crdSum is the sum of two lists, the left one a literal or itself such a sum.
	crdSum crdListKind = iota
	// A crdSetSum and a crdMapSum are sums whose left operand is of x-kubernetes-list-type set, or map.
	crdSetSum
	crdMapSum
)

// A crdObject is a dynamic object or map of the schema. What is in it is JSON.
type crdObject struct {
	fields map[string]any
	typ    *crdType
}

// A crdMap is a map that was made in CEL, in the order in which it was.
type crdMap struct {
	entries []crdEntry
	index   map[any]int
}

type crdEntry struct{ key, val any }

// A crdOptional is an optional value, which may be null, and even a failure.
type crdOptional struct {
	val any
	set bool
}

// A crdTypeName is a type as a value: its name.
type crdTypeName string

// A crdPreserved is unknown data. All that can be done with it is to compare it.
type crdPreserved struct{ value any }

// A crdOpaque is a value of a library.
type crdOpaque interface {
	opaqueType() string
	// opaqueEqual compares with a value other than null. The result is a bool or a *crdFailure.
	opaqueEqual(other any) any
	// opaqueGoName is the name of the Go type that holds it in the API server, which some messages tell.
	opaqueGoName() string
}

// crdNameOf is the name of a value's type.
func crdNameOf(value any) string {
	switch value := value.(type) {
	case nil:
		return "null_type"
	case bool:
		return "bool"
	case int64:
		return "int"
	case uint64:
		return "uint"
	case float64:
		return "double"
	case string:
		return "string"
	case []byte:
		return "bytes"
	case time.Time:
		return "google.protobuf.Timestamp"
	case time.Duration:
		return "google.protobuf.Duration"
	case crdList:
		return "list"
	case crdObject, *crdMap:
		return "map"
	case crdOptional:
		return "optional_type"
	case crdTypeName:
		return "type"
	case crdOpaque:
		return value.opaqueType()
	case crdPreserved:
		return "unknown"
	}
	return "error"
}

// crdNoOverload is the failure of a function that is not there for arguments of these types, the receiver being the first,
// or the first argument that is itself a failure.
func crdNoOverload(function string, args ...any) *crdFailure {
	names := make([]string, len(args))
	var failure *crdFailure
	for i, arg := range args {
		if err, ok := arg.(*crdFailure); ok {
			failure = crdLeft(failure, err)
			continue
		}
		names[i] = crdNameOf(arg)
	}
	if failure != nil {
		return failure
	}
	return &crdFailure{"no such overload: " + function + "(" + strings.Join(names, ", ") + ")"}
}
