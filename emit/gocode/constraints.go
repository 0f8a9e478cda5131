package gocode

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// This file writes the validation of a string, a number, a list or an object: x, with its Go type. The conditions are
// exact or true too often; the function that is called then decides.

// report reports an error of the value, with a method of the validation.
func (c *checks) report(method string, arguments ...jen.Code) *jen.Statement {
	if c.inGo {
		return failing(method)
	}
	return state(method, arguments...)
}

// failing is what takes the place of a report in typed code.
func failing(string, ...jen.Code) *jen.Statement { return jen.Return(jen.False()) }

// ofString validates a string: it reports the first error of length and pattern, and an error of the format in
// addition.
func (c *checks) ofString() []jen.Code {
	var chain []*jen.Statement
	x := jen.Id("x")
	runes := jen.Qual("unicode/utf8", "RuneCountInString").Call(x)
	if m := c.s.MaxLength; m != nil && m.V <= longest {
		long := jen.Add(length(x)).Op(">").Add(limit(m)).Op("&&").Add(runes).Op(">").Add(limit(m))
		chain = append(chain, jen.If(long).Block(c.report("tooLong", limit(m))))
	}
	if m := c.s.MinLength; m != nil && m.V > 0 {
		short := jen.Add(runes).Op("<").Add(limit(m))
		if m.V == 1 {
			short = jen.Id("x").Op("==").Lit("")
		}
		chain = append(chain, jen.If(short).Block(c.report("tooShort", x, limit(m))))
	}
	last := jen.Code(nil) // for a pattern that no string matches
	if p := c.s.Pattern.V; p != "" {
		if _, err := regexp.Compile(p); err != nil {
			// kube-openapi, pkg/validation/validate/values.go, Pattern
			last = c.report("mismatches", x, jen.Lit(p+", but pattern is invalid: "+err.Error()))
		} else {
			matches := c.w.matches(p, x, "crdPattern"+c.at.name, "is the pattern of "+c.at.text())
			chain = append(chain, jen.If(jen.Op("!").Add(matches)).Block(c.report("mismatches", x, jen.Lit(p))))
		}
	}
	var body []jen.Code
	if len(chain) > 0 {
		all := jen.Empty()
		for i, s := range chain {
			if i > 0 {
				all.Else()
			}
			all.Add(s)
		}
		if last != nil {
			all.Else().Block(last)
		}
		body = append(body, all)
	} else if last != nil {
		body = append(body, last)
	}
	if has := hasFormat(c.format, x); has != nil {
		body = append(body, jen.If(jen.Op("!").Add(has)).Block(c.report("notFormat", x, jen.Lit(c.format))))
	}
	return body
}

// longest is the largest meaningful limit of a length: no request is longer, and a larger number would not fit an int
// with 32 bits.
const longest = math.MaxInt32

// limit is the limit of a length.
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
	return &bound{value, isSet(exclusive), fits}
}

// A numberType is the type of a schema's numbers, with its format; "" if the schema allows several types.
type numberType struct{ name, format string }

func (c *checks) numberType() numberType {
	switch {
	case !c.w.minor.Has(kube.IntegerFormats): // numbers of any type are in range
	case c.types == "integer" && (c.format == "int32" || c.format == "int64"), c.types == "number" &&
		(c.format == "float" || c.format == "double"):
		return numberType{c.types, c.format}
	case c.types == "integer", c.types == "number":
		return numberType{name: c.types}
	}
	return numberType{}
}

// writeNumber writes the variable with the schema's constraints on numbers; "" if there are none.
func (c *checks) writeNumber() string {
	of := c.numbers
	if of.name != "integer" && of.format != "float" && c.multipleOf == nil && c.minimum == nil && c.maximum == nil {
		return ""
	}
	var members []jen.Code
	set := func(name string, value jen.Code) { members = append(members, jen.Id(name).Op(":").Add(value)) }
	if of.name != "" {
		set("typ", jen.Lit(of.name))
	}
	if of.format != "" {
		set("format", jen.Lit(of.format))
	}
	for _, b := range []struct {
		name string
		*bound
	}{{"multipleOf", c.multipleOf}, {"minimum", c.minimum}, {"maximum", c.maximum}} {
		if b.bound == nil {
			continue
		}
		of := []jen.Code{jen.Id("set").Op(":").True(), jen.Id("value").Op(":").Add(float(b.value))}
		if b.exclusive {
			of = append(of, jen.Id("exclusive").Op(":").True())
		}
		set(b.name, jen.Id("crdBound").Values(of...))
	}
	name, doc := "crdNumber"+c.at.name, "has the constraints on numbers in "+c.at.text()
	if isPlain(c.s) {
		name, doc = "crdNumber"+GoName(plainType(c.types, c.format)),
			"has the constraints on numbers of type "+plainType(c.types, c.format)
	}
	return c.w.variable(name, doc, jen.Id("crdNumber").Values(members...))
}

// ofInteger validates a number that is an int64; inside is set if the code uses x.
func (c *checks) ofInteger() (body []jen.Code, inside bool) {
	if c.number == "" {
		return nil, false
	}
	var wrong []jen.Code
	always := false
	for _, b := range []*bound{c.multipleOf, c.minimum, c.maximum} {
		always = always || b != nil && !b.fits
	}
	if c.multipleOf != nil {
		switch factor := c.multipleOf.integer(); {
		case factor <= 0:
			always = true
		case factor > 1:
			wrong = append(wrong, jen.Id("x").Op("%").Lit(int(factor)).Op("!=").Lit(0))
		}
	}
	compare := func(op string, limit int64) { wrong = append(wrong, jen.Id("x").Op(op).Lit(int(limit))) }
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if c.numbers == (numberType{"integer", "int32"}) {
		low, high = math.MinInt32, math.MaxInt32
	}
	if b := c.minimum; b != nil && (b.integer() > low || b.exclusive && b.integer() == low) {
		compare(orEqual("<", b), b.integer())
	} else if low > math.MinInt64 {
		compare("<", low)
	}
	switch b := c.maximum; {
	case b != nil && b.exclusive && b.integer() == math.MinInt64:
		always = true // no integer is less
	case b != nil && (b.integer() < high || b.exclusive && b.integer() == high):
		compare(orEqual(">", b), b.integer())
	case high < math.MaxInt64:
		compare(">", high)
	}
	return c.ofNumber(wrong, always)
}

// ofFloat validates a number that is a float64; inside is set if the code uses x.
func (c *checks) ofFloat() (body []jen.Code, inside bool) {
	if c.number == "" {
		return nil, false
	}
	var wrong []jen.Code
	if c.minimum != nil {
		wrong = append(wrong, jen.Id("x").Op(orEqual("<", c.minimum)).Lit(c.minimum.value))
	}
	if c.maximum != nil {
		wrong = append(wrong, jen.Id("x").Op(orEqual(">", c.maximum)).Lit(c.maximum.value))
	}
	return c.ofNumber(wrong, c.numbers.name == "integer" || c.numbers.format == "float" || c.multipleOf != nil)
}

// ofNumber calls the check of a number if it may be invalid, or always.
func (c *checks) ofNumber(wrong []jen.Code, always bool) (body []jen.Code, inside bool) {
	look := c.report("number", jen.Id("value"), jen.Op("&").Id(c.number))
	switch {
	case always && c.inGo:
		c.undecided = true
		return nil, false
	case always:
		return []jen.Code{look}, false
	case len(wrong) == 0:
		return nil, false
	}
	condition := jen.Empty()
	for i, w := range wrong {
		if i > 0 {
			condition.Op("||")
		}
		condition.Add(w)
	}
	return []jen.Code{jen.If(condition).Block(look)}, true
}

// orEqual adds the equals sign for a bound that is not itself valid.
func orEqual(op string, b *bound) string {
	if b.exclusive {
		return op + "="
	}
	return op
}

// integer is the bound as integers are compared with it (crdInt64 in emit/support).
func (b *bound) integer() int64 {
	if b.value >= -1<<63 && b.value < 1<<63 {
		return int64(b.value)
	}
	return math.MinInt64
}

// ofEnum validates that a value is one of the enum; inside is set if the code uses x.
func (c *checks) ofEnum(k jsonKind) (body []jen.Code, inside bool) {
	if c.enum == "" {
		return nil, false
	}
	look := c.report("enum", jen.Id("value"), jen.Id(c.enum))
	var equal []jen.Code
	seen := map[string]bool{}
	for _, e := range c.s.Enum {
		if e.Kind == schema.String && k == "string" && !seen[e.Text] {
			seen[e.Text] = true
			equal = append(equal, jen.Lit(e.Text))
		}
	}
	if equal == nil && c.inGo {
		c.undecided = true
		return nil, false
	}
	if equal == nil {
		return []jen.Code{look}, false
	}
	return []jen.Code{jen.Switch(jen.Id("x")).Block(jen.Case(equal...), jen.Default().Block(look))}, true
}

// ofList validates a list.
func (c *checks) ofList() []jen.Code {
	var body []jen.Code
	x := jen.Id("x")
	if c.s.Items != nil {
		if check := c.w.check(c.s.Items, c.counted, c.at.item()); check != "" {
			body = append(body, visitItems(check))
		}
	}
	body = append(body, between(x, c.s.MinItems, "tooFewItems", c.s.MaxItems, "tooManyItems", state)...)
	if isSet(c.s.UniqueItems) {
		body = append(body, state("uniqueItems", x))
	}
	return body
}

// between validates the number of items or fields.
func between(x jen.Code, low *schema.Int, few string, high *schema.Int, many string,
	report func(string, ...jen.Code) *jen.Statement) (body []jen.Code) {
	for _, l := range []struct {
		*schema.Int
		op, report string
	}{{low, "<", few}, {high, ">", many}} {
		if l.Int == nil || l.op == "<" && l.V <= 0 || l.op == ">" && l.V > longest {
			continue
		}
		outside := jen.Add(length(x)).Op(l.op).Add(limit(l.Int))
		body = append(body, jen.If(outside).Block(report(l.report, length(x), limit(l.Int))))
	}
	return body
}

// ofObject validates an object.
func (c *checks) ofObject() []jen.Code {
	x := jen.Id("x")
	body := between(x, c.s.MinProperties, "tooFewFields", c.s.MaxProperties, "tooManyFields", state)
	if c.forbidsFields() {
		body = append(body, state("forbidFields", x))
	}
	if c.s.AdditionalProperties != nil {
		if check := c.w.check(c.s.AdditionalProperties, c.counted, c.at.value()); check != "" {
			body = append(body, visitValues(check))
		}
	}
	return append(body, c.ofFields()...)
}

// forbidsFields reports whether the schema has additionalProperties: false.
func (c *checks) forbidsFields() bool {
	return slices.ContainsFunc(c.s.Other, func(o schema.Verbatim) bool {
		return o.Name == "additionalProperties" && o.Value.Kind == schema.Bool && o.Value.Text == "false"
	})
}

// ofFields validates the known fields of an object, and then that the required ones are there. If all required fields
// are validated, they are counted on the way.
func (c *checks) ofFields() []jen.Code {
	var names []string
	for _, r := range c.s.Required {
		if !slices.Contains(names, r.V) {
			names = append(names, r.V)
		}
	}
	checked := map[string]string{}
	for _, p := range c.s.Properties {
		checked[p.Name] = c.w.check(p.Schema, c.counted, c.at.property(p.Name))
	}
	count := len(names) > 0
	for _, n := range names {
		count = count && checked[n] != ""
	}
	var body []jen.Code
	if count {
		body = append(body, jen.Id("required").Op(":=").Lit(0))
	}
	for _, p := range c.s.Properties {
		if checked[p.Name] == "" {
			continue
		}
		var before []jen.Code
		if count && slices.Contains(names, p.Name) {
			before = append(before, jen.Id("required").Op("++"))
		}
		body = append(body, visitField(p.Name, checked[p.Name], before...))
	}
	if len(names) == 0 {
		return body
	}
	arguments := []jen.Code{jen.Id("x")}
	for _, n := range names {
		arguments = append(arguments, jen.Lit(n))
	}
	report := state("required", arguments...)
	if count {
		report = jen.If(jen.Id("required").Op("<").Lit(len(names))).Block(report)
	}
	return append(body, report)
}
