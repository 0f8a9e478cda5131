// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"math"
	"unicode/utf8"
)

// The factors of the length of a text and of a regular expression (cel-go, common/cost.go).
const (
	perCharacter = 0.1
	perPattern   = 0.25
)

// callCost returns what a call costs: cel-go's interpreter/runtimecost.go, costCall, and the API server's
// pkg/cel/library/cost.go, CallCost. The class says which of them, "" for one unit.
func callCost(class string, args []any, result any) uint64 {
	size := func(i int) uint64 { return celSize(args[i]) }
	switch class {
	case "text":
		return reading(size(0))
	case "text2":
		return uint64(math.Ceil(float64(size(0)) * 2 * perCharacter))
	case "argument":
		return reading(size(1))
	case "result":
		return uint64(math.Ceil(float64(celSize(result)) * 2 * perCharacter))
	case "least":
		return reading(min(size(0), size(1)))
	case "equal":
		if _, ok := args[0].(opaque); ok {
			return 1
		}
		return reading(min(size(0), size(1)))
	case "sum":
		return reading(size(0) + size(1))
	case "product":
		return reading(size(0)) * reading(size(1))
	case "items":
		return size(1)
	case "all":
		return traversal(args[0])
	case "pattern":
		return matching(size(0), float64(size(1)))
	case "format":
		if f, ok := args[0].(interface{ patternSize() int }); ok {
			return matching(size(1), float64(f.patternSize()))
		}
	case "containsIP":
		return reading(2 * size(0))
	case "containsIPText":
		return reading(2*size(0)) + reading(size(1))
	case "containsCIDR":
		return reading(2*size(0)) + reading(size(0)) + 1
	case "containsCIDRText":
		return reading(2*size(0)) + reading(size(0)) + 1 + reading(size(1))
	}
	return listCost(class, args, result)
}

// listCost returns the cost of the functions of lists and sets (cel-go, ext/lists.go and ext/sets.go).
func listCost(class string, args []any, result any) uint64 {
	const call, create = 1, 10
	switch class {
	case "made":
		return celSize(result) + call + create
	case "flat":
		depth := uint64(1)
		if len(args) > 1 {
			depth = uint64(max(asArgument[int64](args[1]), 1))
		}
		return celSize(args[0])*depth + call + create
	case "pairs", "pairsOfSecond":
		list := args[0]
		if class == "pairsOfSecond" {
			list = args[1]
		}
		return comparing(asArgument[List](list)) + call + create
	case "sets":
		return celSize(args[0])*celSize(args[1]) + call
	case "sets2":
		return 2*celSize(args[0])*celSize(args[1]) + call
	}
	return 1
}

// asArgument returns an argument of a type. cel-go's own code fails for any other one.
func asArgument[T any](value any) T {
	x, ok := value.(T)
	if !ok {
		panic(costEnd{})
	}
	return x
}

// comparing returns the cost of comparing all items of a list.
func comparing(list List) uint64 {
	n, each := list.size(), 2.0
	if n > 0 {
		switch list.at(0).(type) {
		case string, []byte:
			each += perCharacter
		}
	}
	return uint64(float64(n*n) * each)
}

// reading returns the cost of reading a text of a length.
func reading(n uint64) uint64 { return uint64(math.Ceil(float64(n) * perCharacter)) }

// matching returns the cost of a regular expression.
func matching(text uint64, pattern float64) uint64 {
	return uint64(math.Ceil((1.0+float64(text))*perCharacter)) * uint64(math.Ceil(pattern*perPattern))
}

// celSize returns the size of a value that has one, and 1 for all others.
func celSize(value any) uint64 {
	switch x := value.(type) {
	case string:
		return uint64(utf8.RuneCountInString(x))
	case []byte:
		return uint64(len(x))
	case List:
		return uint64(x.size())
	case schemaObject:
		return uint64(len(x.fields))
	case *celMap:
		return uint64(len(x.entries))
	case Optional:
		if x.set {
			return celSize(x.val)
		}
	case interface{ bytes() int }:
		return uint64(x.bytes())
	}
	return 1
}

// traversal returns the cost of reading all parts of a value.
func traversal(value any) (cost uint64) {
	switch x := value.(type) {
	case string:
		return uint64(float64(len(x)) * perCharacter)
	case []byte:
		return uint64(float64(len(x)) * perCharacter)
	case List:
		for i := range x.Items {
			cost += traversal(x.at(i))
		}
		return cost
	case schemaObject, *celMap:
		eachPair(x, func(key, value any) bool {
			cost += traversal(key) + traversal(value)
			return true
		})
		return cost
	}
	return 1
}
