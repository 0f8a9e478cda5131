package object

import (
	"math"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// Checks returns the constraints of a schema, to validate the variable x.
func (w *Writer) Checks(s *schema.Schema, at Place) checks {
	c := checks{w: w, s: s, at: at, types: possibleKinds(s), format: SupportedFormat(s, w.Minor), X: jen.Id("x"),
		Own: jen.Id("x"), Least: math.MinInt64, Most: math.MaxInt64}
	c.numbers = c.numberType()
	c.multipleOf = c.bound(s.MultipleOf, nil)
	c.minimum = c.bound(s.Minimum, s.ExclusiveMinimum)
	c.maximum = c.bound(s.Maximum, s.ExclusiveMaximum)
	return c
}

// possibleKinds returns the JSON types that a schema allows, joined by commas, as messages name them.
func possibleKinds(s *schema.Schema) string {
	if s.IntOrString.True() {
		return "integer,string"
	}
	return s.Type.V
}

// checks are the constraints of a schema on values of a Go type.
type checks struct {
	w             *Writer
	s             *schema.Schema
	at            Place
	types, format string
	// X is the value as a string, an int64 and so on, and own the value of its own type, which differs in typed code.
	// An integer is at least least and at most most.
	X, Own      jen.Code
	Least, Most int64
	// These are the constraints on numbers. Bounds are nil if there are none.
	numbers                      numberType
	multipleOf, minimum, maximum *bound
}

// IsPlain reports whether a schema has only a type, a format and nullable. An exclusive limit without a limit has no
// effect.
func IsPlain(s *schema.Schema) bool {
	rows := schema.Keywords()
	for i := range rows {
		k := &rows[i]
		if _, isFlag := k.Field.(schema.One[schema.Flag]); k.Validates && k.Name != "format" && !isFlag && k.IsSet(s) {
			return false
		}
	}
	return s.UniqueItems == nil && s.AdditionalProperties == nil && len(s.Other) == 0
}

// FitsType reports whether all values of a kind have the schema's type. A float64 may be an integer or not.
func (c *checks) FitsType(k JSONKind) bool {
	allows := func(name string) bool { return slices.Contains(strings.Split(c.types, ","), name) }
	switch {
	case k == "null":
		return c.types == "" || c.s.Nullable.True()
	case c.types == "" && c.format == "":
		return true
	case k == "string" || k == "array":
		if c.format != "" && !allows("integer") && !allows("number") {
			return true // the format applies to strings, and nothing to lists
		}
	case k == "integer" && allows("number"):
		return true
	}
	return allows(string(k))
}
