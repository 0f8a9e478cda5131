package support

import (
	"strings"
	"time"
)

// A Failure is an error of CEL as a value. Its text is cel-go's.
type Failure struct{ text string }

// ends reports whether the failure comes from cel-go's own code, which ends the evaluation: no operator or macro can
// decide without the value that failed.
func (e *Failure) ends() bool {
	return e != nil && strings.HasPrefix(e.text, "internal error: ")
}

// The failures whose text does not depend on values.
var (
	noSuchOverload    = &Failure{"no such overload"}
	intOverflow       = &Failure{"integer overflow"}
	uintOverflow      = &Failure{"unsigned integer overflow"}
	timestampOverflow = &Failure{"timestamp overflow"}
	divisionByZero    = &Failure{"division by zero"}
	modulusByZero     = &Failure{"modulus by zero"}
	unordered         = &Failure{"NaN values cannot be ordered"}
)

// A Result is a value with a type that is known at compile time, or a failure.
type Result[T any] struct {
	val T
	err *Failure
}

// OK is a result that is a value.
func OK[T any](val T) Result[T] { return Result[T]{val: val} }

func fail[T any](err *Failure) Result[T] { return Result[T]{err: err} }

// Dyn is the result as a dynamic value.
func (r Result[T]) Dyn() any {
	if r.err != nil {
		return r.err
	}
	return r.val
}

// As converts a dynamic value to a known type. For a value of another type it returns the failure of cel-go's
// operators; functions with typed arguments return noOverload first.
func As[T any](value any) Result[T] {
	switch value := value.(type) {
	case T:
		return Result[T]{val: value}
	case *Failure:
		return Result[T]{err: value}
	}
	return Result[T]{err: noSuchOverload}
}

// A List is a dynamic list. The items of a list of the schema are JSON, and typ is the list's type. The items of a
// list that was made in CEL are values of CEL, and typ is nil.
type List struct {
	Items []any
	Type  *Type
	// made says how a list that was made in CEL differs from a list literal; nil if it does not.
	made *listOrigin
}

// A listOrigin says how a list of CEL was made, which decides how it is compared and searched.
type listOrigin struct {
	kind listKind
	// keys are the CEL names of the map keys.
	keys []string
	// left and right are the operands of a sum.
	left, right List
}

type listKind uint8

// The kinds of lists that differ from others.
const (
	// A literalSum is the sum of two lists, the left one a literal or itself such a sum.
	literalSum listKind = iota
	// A setSum and a mapSum are sums whose left operand is of x-kubernetes-list-type set, or map.
	setSum
	mapSum
)

// A schemaObject is a dynamic object or map of the schema. Its values are JSON.
type schemaObject struct {
	fields map[string]any
	typ    *Type
}

// A celMap is a map that was made in CEL. It keeps the order of insertion.
type celMap struct {
	entries []mapEntry
	index   map[any]int
}

type mapEntry struct{ key, val any }

// An Optional is an optional value, which may be null, and even a failure.
type Optional struct {
	val any
	set bool
}

// A TypeName is a type as a value: its name.
type TypeName string

// An unknownData is unknown data. It can only be compared.
type unknownData struct{ value any }

// An opaque is a value of a library.
type opaque interface {
	// opaqueNames are the names of its type in CEL, and of the Go type that holds it in the API server.
	opaqueNames() (inCEL, inGo string)
	// opaqueEqual compares with a value other than null. The result is a bool or a *Failure.
	opaqueEqual(other any) any
}

// nameOf is the name of a value's type.
func nameOf(value any) string {
	name, _ := namesOf(value)
	return name
}

// goName is the name of the Go type that holds a value in the API server, which some messages contain.
func goName(value any) string {
	_, name := namesOf(value)
	return name
}

// namesOf are the names of a value's type in CEL and in the API server.
func namesOf(value any) (inCEL, inGo string) {
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
	case List:
		return "list", value.goName()
	case schemaObject:
		return "map", "*common.unstructuredMap"
	case *celMap:
		return "map", "*types.baseMap"
	case Optional:
		return "optional_type", "*types.Optional"
	case TypeName:
		return "type", "*types.Type"
	case opaque:
		return value.opaqueNames()
	case unknownData:
		return "unknown", "*common.unknownPreserved"
	}
	return "error", "*types.Err"
}

// noOverload is the first argument that is a failure, or else the failure that the function has no overload for
// these types. The receiver is the first argument.
func noOverload(function string, args ...any) *Failure {
	names := make([]string, len(args))
	var failure *Failure
	for i, arg := range args {
		if err, ok := arg.(*Failure); ok {
			failure = leftmost(failure, err)
			continue
		}
		names[i] = nameOf(arg)
	}
	if failure != nil {
		return failure
	}
	return &Failure{"no such overload: " + function + "(" + strings.Join(names, ", ") + ")"}
}
