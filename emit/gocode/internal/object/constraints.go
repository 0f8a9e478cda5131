package object

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// This file writes the validation of a string, a number, a list or an object: x, with its Go type. A condition that a
// value is right is exact or false too often; the function that is called then decides.

// A fault is a constraint that a value may violate.
type fault struct {
	// Right is the condition that it does not.
	Right Condition
	// report reports the error, with a method of the validation.
	report *jen.Statement
}

// reports returns the statements that report faults, each for itself.
func reports(faults []fault) (body []jen.Code) {
	for _, f := range faults {
		switch wrong := f.Right.Opposite(); {
		case wrong.IsAlways():
			body = append(body, f.report)
		case !wrong.IsNever():
			body = append(body, jen.If(wrong.Code()).Block(f.report))
		}
	}
	return body
}

// firstOf returns the statements that report the first of some faults.
func firstOf(faults []fault) (body []jen.Code) {
	if len(faults) == 0 {
		return nil
	}
	all := jen.Null()
	for i, f := range faults {
		wrong := f.Right.Opposite()
		switch {
		case wrong.IsAlways() && i == 0:
			return []jen.Code{f.report}
		case wrong.IsAlways():
			return []jen.Code{all.Else().Block(f.report)}
		case i > 0:
			all.Else()
		}
		all.If(wrong.Code()).Block(f.report)
	}
	return []jen.Code{all}
}

// ofString validates a string: it reports the first error of length and pattern, and an error of the format in
// addition.
func (c *checks) ofString() []jen.Code {
	return append(firstOf(c.TextFaults()), reports(c.FormatFaults())...)
}

// TextFaults returns those of length and pattern.
func (c *checks) TextFaults() (faults []fault) {
	x := c.X
	if m := c.s.MaxLength; m != nil && m.V <= Longest {
		tooLong := Holds(Runtime("IsLonger").Call(c.Own, limit(m)))
		faults = append(faults, fault{tooLong.Opposite(), state("TooLong", limit(m))})
	}
	if m := c.s.MinLength; m != nil && m.V > 0 {
		enough := Compares(jen.Qual("unicode/utf8", "RuneCountInString").Call(x), ">=", limit(m))
		if m.V == 1 {
			enough = Compares(c.Own, "!=", jen.Lit(""))
		}
		faults = append(faults, fault{enough, state("TooShort", x, limit(m))})
	}
	if p := c.s.Pattern.V; p != "" {
		if _, err := regexp.Compile(p); err != nil {
			// kube-openapi, pkg/validation/validate/values.go, Pattern
			text := p + ", but pattern is invalid: " + err.Error()
			return append(faults, fault{Never, state("Mismatches", x, jen.Lit(text))})
		}
		matches := c.w.matches(p, x, "crdPattern"+c.at.Name, "is the pattern of "+c.at.Text())
		faults = append(faults, fault{Holds(matches), state("Mismatches", x, jen.Lit(p))})
	}
	return faults
}

// FormatFaults returns those of the format.
func (c *checks) FormatFaults() []fault {
	if has := hasFormat(c.format, c.X); has != nil {
		return []fault{{Holds(has), state("NotFormat", c.X, jen.Lit(c.format))}}
	}
	return nil
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
	value, err := strconv.ParseFloat(n.V, 64)
	if err != nil {
		panic(err) // the API server can read it
	}
	fits := validate.IsValueValidAgainstRange(value, c.numbers.name, c.numbers.format, "", "") == nil
	return &bound{value, exclusive.True(), fits}
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

// limitsNumbers reports whether there are constraints on numbers.
func (c *checks) limitsNumbers() bool {
	return c.numbers.name == "integer" || c.numbers.format == "float" || c.multipleOf != nil || c.minimum != nil ||
		c.maximum != nil
}

// writeNumber writes the variable with the schema's constraints on numbers; "" if there are none.
func (c *checks) writeNumber() string {
	values := c.numbers
	if !c.limitsNumbers() {
		return ""
	}
	var members []jen.Code
	set := func(name string, value jen.Code) { members = append(members, jen.Id(name).Op(":").Add(value)) }
	if values.name != "" {
		set("Type", jen.Lit(values.name))
	}
	if values.format != "" {
		set("Format", jen.Lit(values.format))
	}
	for _, b := range []struct {
		name string
		*bound
	}{{"MultipleOf", c.multipleOf}, {"Minimum", c.minimum}, {"Maximum", c.maximum}} {
		if b.bound == nil {
			continue
		}
		values := []jen.Code{jen.Id("Set").Op(":").True(), jen.Id("Value").Op(":").Add(float(b.value))}
		if b.exclusive {
			values = append(values, jen.Id("Exclusive").Op(":").True())
		}
		set(b.name, Runtime("Bound").Values(values...))
	}
	name, doc := "crdNumber"+c.at.Name, "has the constraints on numbers in "+c.at.Text()
	if IsPlain(c.s) {
		name, doc = "crdNumber"+GoName(plainType(c.types, c.format)),
			"has the constraints on numbers of type "+plainType(c.types, c.format)
	}
	return c.w.variable(name, doc, Runtime("Number").Values(members...))
}

// ofInteger validates a number that is an int64; inside is set if the code uses x.
func (c *checks) ofInteger() (body []jen.Code, inside bool) { return c.ofNumber(c.IntegerFaults()) }

// ofFloat validates a number that is a float64; inside is set if the code uses x.
func (c *checks) ofFloat() (body []jen.Code, inside bool) { return c.ofNumber(c.floatFaults()) }

// ofNumber reports the fault of a number, if there may be one.
func (c *checks) ofNumber(faults []fault) (body []jen.Code, inside bool) {
	return reports(faults), len(faults) > 0 && !faults[0].Right.IsNever()
}

// IntegerFaults returns those of a number that is an int64. A bound that all values of the Go type keep is not a
// fault.
func (c *checks) IntegerFaults() []fault {
	if c.Number == "" {
		return nil
	}
	for _, b := range []*bound{c.multipleOf, c.minimum, c.maximum} {
		if b != nil && !b.fits {
			return c.numberFaults(Never)
		}
	}
	var right []Condition
	if c.multipleOf != nil {
		switch factor := c.multipleOf.integer(); {
		case factor <= 0:
			return c.numberFaults(Never)
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
		return c.numberFaults(Never) // no integer is less
	case b != nil && (b.integer() < most || b.exclusive && b.integer() == most):
		below(orEqual("<", b), b.integer())
	default:
		below("<=", most)
	}
	return c.numberFaults(AllOf(right...))
}

// floatFaults returns those of a number that is a float64.
func (c *checks) floatFaults() []fault {
	if c.Number == "" {
		return nil
	}
	if c.numbers.name == "integer" || c.numbers.format == "float" || c.multipleOf != nil {
		return c.numberFaults(Never)
	}
	var right []Condition
	if c.minimum != nil {
		right = append(right, Compares(c.X, orEqual(">", c.minimum), jen.Lit(c.minimum.value)))
	}
	if c.maximum != nil {
		right = append(right, Compares(c.X, orEqual("<", c.maximum), jen.Lit(c.maximum.value)))
	}
	return c.numberFaults(AllOf(right...))
}

// numberFaults returns the fault of a number under the opposite of a condition.
func (c *checks) numberFaults(right Condition) []fault {
	if right.IsAlways() {
		return nil
	}
	return []fault{{right, state("Number", jen.Id("value"), jen.Op("&").Id(c.Number))}}
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

// ofEnum validates that a value is one of the enum; inside is set if the code uses x.
func (c *checks) ofEnum(k JSONKind) (body []jen.Code, inside bool) {
	if c.Enum == "" {
		return nil, false
	}
	look := state("Enum", jen.Id("value"), jen.Id(c.Enum))
	if texts := c.EnumTexts(); k == "string" && texts != nil {
		return []jen.Code{jen.Switch(c.X).Block(jen.Case(texts...), jen.Default().Block(look))}, true
	}
	return []jen.Code{look}, false
}

// enumNames returns the values of an enum that are strings.
func (c *checks) enumNames() (names []string) {
	for _, e := range c.s.Enum {
		if e.Kind == schema.String {
			names = append(names, e.Text)
		}
	}
	return names
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

// ofList validates a list, except its items.
func (c *checks) ofList() []jen.Code {
	x := jen.Id("x")
	body := reports(SizeFaults(x, c.s.MinItems, "TooFewItems", c.s.MaxItems, "TooManyItems"))
	if c.s.UniqueItems.True() {
		body = append(body, state("UniqueItems", x))
	}
	return body
}

// SizeFaults returns those of the number of items or fields.
func SizeFaults(x jen.Code, low *schema.Int, few string, high *schema.Int, many string) (faults []fault) {
	for _, l := range []struct {
		*schema.Int
		op, report string
	}{{low, ">=", few}, {high, "<=", many}} {
		if l.Int == nil || l.op == ">=" && l.V <= 0 || l.op == "<=" && l.V > Longest {
			continue
		}
		right := Compares(length(x), l.op, limit(l.Int))
		faults = append(faults, fault{right, state(l.report, length(x), limit(l.Int))})
	}
	return faults
}

// ofObject validates an object, except its fields.
func (c *checks) ofObject() []jen.Code {
	x := jen.Id("x")
	body := reports(SizeFaults(x, c.s.MinProperties, "TooFewFields", c.s.MaxProperties, "TooManyFields"))
	if c.forbidsFields() {
		body = append(body, state("ForbidFields", x))
	}
	if names := c.requiredFields(); c.alone && len(names) > 0 {
		body = append(body, state("Required", append([]jen.Code{x}, literals(names)...)...))
	}
	return body
}

// requiredFields returns the fields that an object must have, each once.
func (c *checks) requiredFields() (names []string) {
	for _, r := range c.s.Required {
		if !slices.Contains(names, r.V) {
			names = append(names, r.V)
		}
	}
	return names
}

// forbidsFields reports whether the schema has additionalProperties: false.
func (c *checks) forbidsFields() bool {
	return slices.ContainsFunc(c.s.Other, func(o schema.Verbatim) bool {
		return o.Name == "additionalProperties" && o.Value.Kind == schema.Bool && o.Value.Text == "false"
	})
}
