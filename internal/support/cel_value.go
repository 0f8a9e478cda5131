package support

import (
	"strings"
	"time"
)

// A crdFailure is an error of CEL as a value. Its text is cel-go's.
type crdFailure struct{ text string }

// ends reports whether the failure comes from cel-go's own code, which ends the evaluation: no operator or macro can
// decide without the value that failed.
func (e *crdFailure) ends() bool {
	return e != nil && strings.HasPrefix(e.text, "internal error: ")
}

// The failures whose text does not depend on values.
var (
	crdNoSuchOverload    = &crdFailure{"no such overload"}
	crdIntOverflow       = &crdFailure{"integer overflow"}
	crdUintOverflow      = &crdFailure{"unsigned integer overflow"}
	crdTimestampOverflow = &crdFailure{"timestamp overflow"}
	crdDivisionByZero    = &crdFailure{"division by zero"}
	crdModulusByZero     = &crdFailure{"modulus by zero"}
	crdUnordered         = &crdFailure{"NaN values cannot be ordered"}
)

// A crdResult is a value with a type that is known at compile time, or a failure.
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
// operators; functions with typed arguments return crdNoOverload first.
func crdAs[T any](value any) crdResult[T] {
	switch value := value.(type) {
	case T:
		return crdResult[T]{val: value}
	case *crdFailure:
		return crdResult[T]{err: value}
	}
	return crdResult[T]{err: crdNoSuchOverload}
}

// A crdList is a dynamic list. The items of a list of the schema are JSON, and typ is the list's type. The items of a
// list that was made in CEL are values of CEL, and typ is nil.
type crdList struct {
	items []any
	typ   *crdType
	// made says how a list that was made in CEL differs from a list literal; nil if it does not.
	made *crdMade
}

// A crdMade says how a list of CEL was made, which decides how it is compared and searched.
type crdMade struct {
	kind crdListKind
	// keys are the CEL names of the map keys.
	keys []string
	// left and right are the operands of a sum.
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

// A crdObject is a dynamic object or map of the schema. Its values are JSON.
type crdObject struct {
	fields map[string]any
	typ    *crdType
}

// A crdMap is a map that was made in CEL. It keeps the order of insertion.
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

// A crdPreserved is unknown data. It can only be compared.
type crdPreserved struct{ value any }

// A crdOpaque is a value of a library.
type crdOpaque interface {
	// opaqueNames are the names of its type in CEL, and of the Go type that holds it in the API server.
	opaqueNames() (inCEL, inGo string)
	// opaqueEqual compares with a value other than null. The result is a bool or a *crdFailure.
	opaqueEqual(other any) any
}

// crdNameOf is the name of a value's type.
func crdNameOf(value any) string {
	name, _ := crdNamesOf(value)
	return name
}

// crdGoName is the name of the Go type that holds a value in the API server, which some messages contain.
func crdGoName(value any) string {
	_, name := crdNamesOf(value)
	return name
}

// crdNamesOf are the names of a value's type in CEL and in the API server.
func crdNamesOf(value any) (inCEL, inGo string) {
	switch value := value.(type) {
	case nil:
		return "null_type", "types.Null"
	case bool:
		return "bool", "types.Bool"
	case int64:
		return "int", "types.Int"
	case uint64:
		return "uint", "types.Uint"
	case float64:
		return "double", "types.Double"
	case string:
		return "string", "types.String"
	case []byte:
		return "bytes", "types.Bytes"
	case time.Time:
		return "google.protobuf.Timestamp", "types.Timestamp"
	case time.Duration:
		return "google.protobuf.Duration", "types.Duration"
	case crdList:
		return "list", value.goName()
	case crdObject:
		return "map", "*common.unstructuredMap"
	case *crdMap:
		return "map", "*types.baseMap"
	case crdOptional:
		return "optional_type", "*types.Optional"
	case crdTypeName:
		return "type", "*types.Type"
	case crdOpaque:
		return value.opaqueNames()
	case crdPreserved:
		return "unknown", "*common.unknownPreserved"
	}
	return "error", "*types.Err"
}

// crdNoOverload is the first argument that is a failure, or else the failure that the function has no overload for
// these types. The receiver is the first argument.
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
