package object

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// This file writes what validates the values of a schema as kube-openapi does (pkg/validation/validate). Most of a
// schema is in its structure, which functions of internal/support follow. For the rest there is a function, a Check.
//
// The constraints of a schema on strings apply to every string, whatever the type of the schema; so do those on other
// kinds of values. So a function begins with a switch over the kind of the value.

// check returns the Check for a schema of a junctor; "" if there is nothing to validate. Functions below anyOf and
// oneOf count the validations that a value passes.
func (w *Writer) check(s *schema.Schema, counted bool, at Place) string {
	if !hasParts(s) {
		c := w.Checks(s, at)
		c.counted, c.alone = counted, true
		return c.function()
	}
	typ := w.typeFor(typeKey{schema: s, counted: counted}, at)
	return w.Function(Function{Name: "crdCheck" + at.Name, Doc: "validates the values of " + at.Text(),
		Params: checkParams(), Body: []jen.Code{state("Check", jen.Id("value"), jen.Op("&").Id(typ))}})
}

// function writes the function for the constraints that the structure of the schema does not have, and returns its
// name; "" if there are none.
func (c *checks) function() string {
	c.measure()
	if c.isTabled() {
		return ""
	}
	c.write()
	body := switchKinds(c.checkKind)
	if len(body) == 0 {
		return ""
	}
	name, doc := c.name()
	return c.w.Function(Function{Name: name, Doc: doc, Params: checkParams(), Body: body})
}

// isTabled reports whether the structure of the schema has all of its constraints. Zero is no limit there.
func (c *checks) isTabled() bool {
	s := c.s
	for _, l := range c.limits() {
		if l.V <= 0 || l.name == "" {
			return false
		}
	}
	return !c.counted && !c.alone && c.format == "" && s.Pattern.V == "" && !c.limitsNumbers() &&
		len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) == 0 && s.Not == nil && len(c.enumNames()) == len(s.Enum) &&
		!s.UniqueItems.True() && !c.forbidsFields()
}

// A sizeLimit is a limit of the size of a string, a list or an object.
type sizeLimit struct {
	// name is the field of a Type, "" if it has none.
	name string
	*schema.Int
}

// limits returns the limits that have an effect.
func (c *checks) limits() (limits []sizeLimit) {
	s := c.s
	for _, l := range []sizeLimit{{"MinLength", s.MinLength}, {"MinItems", s.MinItems}, {"", s.MinProperties}} {
		if l.Int != nil && l.V > 0 {
			limits = append(limits, l)
		}
	}
	for _, l := range []sizeLimit{{"MaxLength", s.MaxLength}, {"MaxItems", s.MaxItems}, {"", s.MaxProperties}} {
		if l.Int != nil && l.V <= Longest {
			limits = append(limits, l)
		}
	}
	return limits
}

// Checks returns the constraints of a schema, to validate the variable x.
func (w *Writer) Checks(s *schema.Schema, at Place) checks {
	return checks{w: w, s: s, at: at, types: possibleKinds(s), format: SupportedFormat(s, w.Minor), X: jen.Id("x"),
		Own:   jen.Id("x"),
		Least: math.MinInt64, Most: math.MaxInt64}
}

// checkParams returns the parameters of a Check.
func checkParams() []jen.Code {
	return []jen.Code{jen.Id("v").Op("*").Add(Runtime("Validation")), jen.Id("value").Add(AnyType())}
}

// possibleKinds returns the JSON types that a schema allows, joined by commas, as messages name them.
func possibleKinds(s *schema.Schema) string {
	if s.IntOrString.True() {
		return "integer,string"
	}
	return s.Type.V
}

// checks is one function that validates values, being made.
type checks struct {
	w  *Writer
	s  *schema.Schema
	at Place
	// counted is set if passed validations are counted, and alone if there is no structure of the schema.
	counted, alone bool
	types, format  string
	// X is the value as a string, an int64 and so on, and own the value of its own type, which differs in typed code.
	// An integer is at least least and at most most.
	X, Own      jen.Code
	Least, Most int64
	// These are the constraints on numbers. Bounds are nil if there are none.
	numbers                      numberType
	multipleOf, minimum, maximum *bound

	// These are the parts of the function for several kinds of values: the statements for allOf, anyOf, oneOf and
	// not, the variable of the enum, and that of the constraints on numbers.
	junctors     []jen.Code
	Enum, Number string
}

// Prepare writes the variables and functions that the function uses.
func (c *checks) Prepare() {
	c.measure()
	c.write()
}

// measure finds the constraints on numbers.
func (c *checks) measure() {
	c.numbers = c.numberType()
	c.multipleOf = c.bound(c.s.MultipleOf, nil)
	c.minimum = c.bound(c.s.Minimum, c.s.ExclusiveMinimum)
	c.maximum = c.bound(c.s.Maximum, c.s.ExclusiveMaximum)
}

func (c *checks) write() {
	c.junctors = c.writeJunctors()
	if len(c.s.Enum) > 0 {
		c.Enum = c.w.variable("crdEnum"+c.at.Name, "are the values that "+c.at.Text()+" may have",
			Literal(schema.Value{Kind: schema.Array, Items: c.s.Enum}))
	}
	c.Number = c.writeNumber()
}

// writeJunctors writes the statements for anyOf, oneOf, allOf and not, in the order of the API server. Each of their
// schemas has a function of its own. The code in internal/support decides which of them are called, and which errors
// are reported.
func (c *checks) writeJunctors() (body []jen.Code) {
	check := func(s *schema.Schema, counted bool, keyword, number string) jen.Code {
		if name := c.w.check(s, counted, c.at.alternative(keyword, number)); name != "" {
			return jen.Id(name)
		}
		return Runtime("Anything")
	}
	for _, j := range []struct {
		keyword, method string
		schemas         []*schema.Schema
		counted         bool
	}{
		{"anyOf", "AnyOf", c.s.AnyOf, true}, {"oneOf", "OneOf", c.s.OneOf, true},
		{"allOf", "AllOf", c.s.AllOf, c.counted},
	} {
		if len(j.schemas) == 0 {
			continue
		}
		arguments := []jen.Code{jen.Id("value")}
		for i, s := range j.schemas {
			arguments = append(arguments, check(s, j.counted, j.keyword, strconv.Itoa(i+1)))
		}
		body = append(body, state(j.method, arguments...))
	}
	if c.s.Not != nil {
		body = append(body, state("Not", jen.Id("value"), check(c.s.Not, false, "not", "")))
	}
	return body
}

// name returns the name of the function. A schema with only a type shares its function with all equal ones.
func (c *checks) name() (name, doc string) {
	if !IsPlain(c.s) || c.isOpen() {
		return "crdCheck" + c.at.Name, "validates the values of " + c.at.Text()
	}
	if c.s.Nullable.True() {
		name, doc = "Nullable", ", or null"
	}
	if c.counted {
		name = "Counted" + name
	}
	kind := plainType(c.types, c.format)
	return "crdCheck" + name + GoName(kind), "validates a value of type " + kind + doc
}

// plainType names a type and its format.
func plainType(types, format string) string {
	name := strings.ReplaceAll(types, ",", "-or-")
	if format != "" {
		name += "-" + format
	}
	return strings.Trim(name, "-")
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

// of validates a value of one kind, in the order of the API server; inside is set if it uses x.
func (c *checks) checkKind(k JSONKind) (body []jen.Code, inside bool) {
	var before []jen.Code
	if c.isOpen() && (k == "object" || k == "array") {
		before = append(before, state("Bounded", jen.Id("value")))
	}
	if !c.FitsType(k) {
		before = append(before, state("CheckType", jen.Id("value"), jen.Lit(c.types), jen.Lit(c.format)))
	}
	if n := c.fulfilled(k); c.counted && n > 0 {
		before = append(before, jen.Id("v").Dot("Matches").Op("+=").Lit(n))
	}
	if k != "null" {
		before = append(before, c.junctors...)
	}
	enum, ofEnum := c.ofEnum(k)
	body, inside = c.ofKind(k)
	if k == "object" {
		body = append(enum, body...)
	} else {
		body = append(body, enum...)
	}
	return append(before, body...), inside || ofEnum
}

// ofKind validates values of only one kind; inside is set if it uses x.
func (c *checks) ofKind(k JSONKind) (body []jen.Code, inside bool) {
	switch k {
	case "string":
		body = c.ofString()
	case "integer":
		return c.ofInteger()
	case "number":
		return c.ofFloat()
	case "array":
		body = c.ofList()
	case "object":
		body = c.ofObject()
	}
	return body, len(body) > 0
}

// isOpen reports whether a value may have parts that the schema does not describe.
func (c *checks) isOpen() bool { return c.s.PreserveUnknownFields.True() || c.s.AdditionalAllowed }

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

// fulfilled returns the number of validations that a value of a kind passes, without those of its parts and its type:
// one for each validator for the kind, plus what these count themselves.
func (c *checks) fulfilled(k JSONKind) int {
	if k == "null" {
		if c.FitsType(k) {
			return 1
		}
		return 0
	}
	n := 4 // junctors twice, the enum, and the value itself
	if c.types != "" || c.format != "" {
		n++
		if c.FitsType(k) {
			n++
		}
	}
	switch k {
	case "string":
		n++
		if IsKnownFormat(c.format) {
			n++
		}
	case "integer", "number", "array":
		n += 2
	case "object":
		n++
	}
	return n
}
