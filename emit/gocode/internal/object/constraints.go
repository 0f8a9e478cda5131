package object

import (
	"math"
	"regexp"
	"strconv"

	"github.com/dave/jennifer/jen"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// This file says when a string, a number, a list or an object is right: x, with its Go type. The structure of the
// schema has the same constraints as data. A condition is exact or false too often.

// TextsFit returns the conditions of length and pattern.
func (c *checks) TextsFit() (right []Condition) {
	x := c.X
	if m := c.s.MaxLength; m != nil && m.V <= Longest {
		right = append(right, Holds(Runtime("IsLonger").Call(c.Own, limit(m))).Opposite())
	}
	if m := c.s.MinLength; m != nil && m.V > 0 {
		enough := Compares(jen.Qual("unicode/utf8", "RuneCountInString").Call(x), ">=", limit(m))
		if m.V == 1 {
			enough = Compares(c.Own, "!=", jen.Lit(""))
		}
		right = append(right, enough)
	}
	if p := c.s.Pattern.V; p != "" {
		if _, err := regexp.Compile(p); err != nil {
			return append(right, Never)
		}
		matcher := c.w.matcher(p, "crdPattern"+c.at.Name)
		right = append(right, Holds(jen.Id(matcher).Dot("Match").Call(x)))
	}
	return right
}

// FormatFits returns the condition of the format.
func (c *checks) FormatFits() Condition {
	if has := hasFormat(c.format, c.X); has != nil {
		return Holds(has)
	}
	return Always
}

// Longest is the largest meaningful limit of a length: no request is longer, and a larger number would not fit an int
// with 32 bits.
const Longest = math.MaxInt32

// limit returns the limit of a length.
func limit(n *schema.Int) jen.Code { return jen.Lit(int(n.V)) }

// A bound is a limit of numbers.
type bound struct {
	value     float64
	exclusive bool
	// fits is set if the bound itself fits the schema's type.
	fits bool
}

func (c *checks) bound(n *schema.Number, exclusive *schema.Flag) *bound {
	if n == nil {
		return nil
	}
	value := numberOf(n)
	fits := validate.IsValueValidAgainstRange(value, c.numbers.name, c.numbers.format, "", "") == nil
	return &bound{value, exclusive.True(), fits}
}

// numberOf returns the value of a number.
func numberOf(n *schema.Number) float64 {
	value, err := strconv.ParseFloat(n.V, 64)
	if err != nil {
		panic(err) // the API server can read it
	}
	return value
}

// A numberType is the type of a schema's numbers, with its format; "" if the schema allows several types.
type numberType struct{ name, format string }

func (c *checks) numberType() numberType {
	switch {
	case !c.w.Minor.Has(kube.IntegerFormats): // numbers of any type are in range
	case c.types == "integer" && (c.format == "int32" || c.format == "int64"), c.types == "number" &&
		(c.format == "float" || c.format == "double"):
		return numberType{c.types, c.format}
	case c.types == "integer", c.types == "number":
		return numberType{name: c.types}
	}
	return numberType{}
}

// LimitsNumbers reports whether there are constraints on numbers.
func (c *checks) LimitsNumbers() bool {
	return c.numbers.name == "integer" || c.numbers.format == "float" || c.multipleOf != nil || c.minimum != nil ||
		c.maximum != nil
}

// IntegersFit returns the condition of a number that is an int64. A bound that all values of the Go type keep is left
// out.
func (c *checks) IntegersFit() Condition {
	if !c.LimitsNumbers() {
		return Always
	}
	for _, b := range []*bound{c.multipleOf, c.minimum, c.maximum} {
		if b != nil && !b.fits {
			return Never
		}
	}
	var right []Condition
	if c.multipleOf != nil {
		switch factor := c.multipleOf.integer(); {
		case factor <= 0:
			return Never
		case factor > 1:
			right = append(right, Compares(jen.Add(c.X).Op("%").Lit(int(factor)), "==", jen.Lit(0)))
		}
	}
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	if c.numbers == (numberType{"integer", "int32"}) {
		least, most = math.MinInt32, math.MaxInt32
	}
	above := func(op string, limit int64) {
		switch {
		case limit > c.Most:
			right = append(right, Never)
		case limit > c.Least || op == ">" && limit == c.Least:
			right = append(right, Compares(c.Own, op, jen.Lit(int(limit))))
		}
	}
	below := func(op string, limit int64) {
		switch {
		case limit < c.Least:
			right = append(right, Never)
		case limit < c.Most || op == "<" && limit == c.Most:
			right = append(right, Compares(c.Own, op, jen.Lit(int(limit))))
		}
	}
	if b := c.minimum; b != nil && (b.integer() > least || b.exclusive && b.integer() == least) {
		above(orEqual(">", b), b.integer())
	} else {
		above(">=", least)
	}
	switch b := c.maximum; {
	case b != nil && b.exclusive && b.integer() == math.MinInt64:
		return Never // no integer is less
	case b != nil && (b.integer() < most || b.exclusive && b.integer() == most):
		below(orEqual("<", b), b.integer())
	default:
		below("<=", most)
	}
	return AllOf(right...)
}

// orEqual adds the equals sign for a bound that is itself valid.
func orEqual(op string, b *bound) string {
	if b.exclusive {
		return op
	}
	return op + "="
}

// integer returns the bound as integers are compared with it (toInt64 in internal/support).
func (b *bound) integer() int64 {
	if b.value >= -1<<63 && b.value < 1<<63 {
		return int64(b.value)
	}
	return math.MinInt64
}

// EnumTexts returns the literals of the strings in the enum.
func (c *checks) EnumTexts() (texts []jen.Code) {
	seen := map[string]bool{}
	for _, e := range c.s.Enum {
		if e.Kind == schema.String && !seen[e.Text] {
			seen[e.Text] = true
			texts = append(texts, jen.Lit(e.Text))
		}
	}
	return texts
}

// SizesFit returns the conditions of the number of items or fields.
func SizesFit(x jen.Code, low, high *schema.Int) (right []Condition) {
	if low != nil && low.V > 0 {
		right = append(right, Compares(length(x), ">=", limit(low)))
	}
	if high != nil && high.V <= Longest {
		right = append(right, Compares(length(x), "<=", limit(high)))
	}
	return right
}
