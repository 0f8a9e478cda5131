package object

import (
	"math"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// This file knows how a value is represented. As in encoding/json and unstructured, objects are map[string]any, lists
// are []any, and scalars are bool, int64, float64, string and nil. All code that accesses the representation is
// written by the functions here.

// AnyType returns the type of a value whose kind is not known.
func AnyType() *jen.Statement { return jen.Any() }

// Object returns the type of a value that is an object.
func Object() *jen.Statement { return jen.Map(jen.String()).Any() }

// list returns the type of a value that is a list.
func list() *jen.Statement { return jen.Index().Any() }

// A JSONKind is the representation of a value: a JSON type, with two kinds of numbers, integers and floats; "null"
// for nil; "other" for values that no decoder returns.
type JSONKind string

// length returns the number of a list's items, an object's fields or a string's bytes.
func length(x jen.Code) *jen.Statement { return jen.Len(x) }

// Literal returns the code of a value as a server decodes it from JSON: a number is an int64 if it is written as an
// integer that fits, otherwise a float64 (sigs.k8s.io/json).
func Literal(v schema.Value) jen.Code {
	switch v.Kind {
	case schema.Bool:
		return jen.Lit(v.Text == "true")
	case schema.NumberKind:
		return Number(v.Text)
	case schema.String:
		return jen.Lit(v.Text)
	case schema.Array:
		return list().ValuesFunc(func(g *jen.Group) {
			for _, item := range v.Items {
				g.Add(Literal(item))
			}
		})
	case schema.Object:
		return Object().Values(jen.DictFunc(func(d jen.Dict) {
			for _, m := range v.Members {
				d[jen.Lit(m.Key)] = Literal(m.Value)
			}
		}))
	}
	return jen.Nil()
}

// Number returns the literal of a number in its representation.
func Number(text string) jen.Code {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return jen.Lit(i)
	}
	f, _ := strconv.ParseFloat(text, 64) // the validation rejects numbers out of range
	return float(f)
}

// float returns the literal of a float. JSON has a negative zero, -0.0, for which Go has no literal; -0 is the integer
// 0.
func float(f float64) jen.Code {
	if f == 0 && math.Signbit(f) {
		return jen.Qual("math", "Copysign").Call(jen.Lit(0), jen.Lit(-1))
	}
	return jen.Lit(f)
}
