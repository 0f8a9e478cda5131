package structural

import (
	"math/big"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/session"
)

// boundRows are the checks of bounds that an API server accepts, and that then permit nothing or do nothing.
func boundRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{
			ID: "bound-empty", Accepted: true,
			Doc: "A minimum above the maximum is accepted, but permits no value.",
			Bad: "// +kubebuilder:validation:MinLength=8\n// +kubebuilder:validation:MaxLength=4\n" +
				"Name string `json:\"name,omitempty\"`",
			Good: "// +kubebuilder:validation:MinLength=4\n// +kubebuilder:validation:MaxLength=8\n" +
				"Name string `json:\"name,omitempty\"`",
		}, Needs: session.EachSchema, Run: checkEmptyBounds},
		{Check: diag.Check{
			ID: "bound-unreadable", Accepted: true,
			Doc: "API servers read bounds as floating-point numbers, and compare them with the type: where a bound " +
				"is no integer of the type's 32 or 64 bits, as 9223372036854775807 is none, they refuse every value.",
			Bad:  "// +kubebuilder:validation:Maximum=9223372036854775807\nSize int64 `json:\"size,omitempty\"`",
			Good: "// +kubebuilder:validation:Maximum=9007199254740991\nSize int64 `json:\"size,omitempty\"`",
		}, Needs: session.EachSchema, Run: checkUnreadableBounds},
		{Check: diag.Check{
			ID: "bound-rounded", Severity: diag.Warning,
			Doc: "API servers read bounds as floating-point numbers, which keep integers only up to " +
				"9007199254740992 exactly.",
			Bad:  "// +kubebuilder:validation:Maximum=9007199254740993\nSize int64 `json:\"size,omitempty\"`",
			Good: "// +kubebuilder:validation:Maximum=9007199254740992\nSize int64 `json:\"size,omitempty\"`",
		}, Needs: session.EachSchema, Run: checkRoundedBounds},
		{Check: diag.Check{
			ID: "bound-cut", Severity: diag.Warning,
			Doc: "API servers hold whole numbers against the integer part of a bound: minimum 0.5 accepts 0, " +
				"multipleOf 0.5 refuses 1, and a maximum beyond 64 bits refuses them all, on most machines.",
			Bad:  "type: number\nminimum: 0.5",
			Good: "type: number\nminimum: 1",
		}, Needs: session.EachSchema, Run: checkCutBounds},
		{Check: diag.Check{
			ID: "multiple-of-zero", Accepted: true,
			Doc:  "Nothing is a multiple of zero or of a negative number to an API server: it refuses every value.",
			Bad:  "// +kubebuilder:validation:MultipleOf=0\nSize int32 `json:\"size,omitempty\"`",
			Good: "// +kubebuilder:validation:MultipleOf=8\nSize int32 `json:\"size,omitempty\"`",
		}, Needs: session.EachSchema, Run: checkMultipleOf},
		{Check: diag.Check{
			ID: "bound-idle", Severity: diag.Warning,
			Doc: "A minimum of items or characters below zero forbids nothing, and neither does an exclusive limit " +
				"without a limit.",
			Bad:  "type: integer\nexclusiveMinimum: true",
			Good: "type: integer\nminimum: 0\nexclusiveMinimum: true",
		}, Needs: session.EachSchema, Run: checkIdleBounds},
		{Check: diag.Check{
			ID: "keyword-type", Severity: diag.Warning,
			Doc:  "A keyword that constrains values of another type does nothing.",
			Bad:  "type: integer\nmaxLength: 3",
			Good: "type: integer\nmaximum: 999",
		}, Needs: session.EachSchema, Run: checkKeywordTypes},
	}
}

// A limit is a keyword whose value is a number: a bound of some measure, or multipleOf.
type limit struct {
	keyword, text string
	value         *big.Rat
	exclusive     bool
	at            diag.Span
}

// A span is what the bounds of a schema leave of one measure.
type span struct{ low, high *limit }

// tighten takes in the bounds of a schema for one measure, and of those in its allOf, which hold at the same time.
func (b *span) tighten(s *schema.Schema, m schema.Measure) {
	low, high := limitOf(m.Min, s), limitOf(m.Max, s)
	if low != nil && (b.low == nil || low.isTighter(b.low.value.Cmp(low.value))) {
		b.low = low
	}
	if high != nil && (b.high == nil || high.isTighter(high.value.Cmp(b.high.value))) {
		b.high = high
	}
	for _, nested := range s.AllOf {
		b.tighten(nested, m)
	}
}

// isTighter reports whether a bound takes the place of another of the same measure, by how they compare.
func (l *limit) isTighter(order int) bool { return order < 0 || order == 0 && l.exclusive }

// isEmpty reports whether no value is left, no integer where only those count.
func (b *span) isEmpty(integers bool) bool {
	low, high := b.low, b.high
	if low == nil || high == nil {
		return false
	}
	if !integers {
		c := low.value.Cmp(high.value)
		return c > 0 || c == 0 && (low.exclusive || high.exclusive)
	}
	least, most := floor(low.value), floor(high.value)
	if !low.value.IsInt() || low.exclusive {
		least.Add(least, big.NewInt(1))
	}
	if high.value.IsInt() && high.exclusive {
		most.Sub(most, big.NewInt(1))
	}
	return least.Cmp(most) > 0
}

func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: towards minus infinity, since the denominator is positive
}

// checkEmptyBounds looks at schemas outside of junctors: what stands in anyOf may well permit nothing.
func checkEmptyBounds(p *session.Pass) {
	if p.Nested || !isBounded(p.Schema) && len(p.Schema.AllOf) == 0 {
		return
	}
	for _, m := range schema.Measures() {
		b := span{}
		if counts(m) {
			b.low = &limit{text: "0", value: new(big.Rat)}
		}
		b.tighten(p.Schema, m)
		if !b.isEmpty(counts(m) || p.Schema.Type.V == "integer") {
			continue
		}
		low, high := b.low, b.high
		at, key := p.At(low.at, high.at), p.Key(high.keyword)
		switch {
		case low.keyword == "":
			p.Reportf(at, key, "%s is %s: no value is valid", high.keyword, high.text).Help("write 0 or more")
		case low.value.Cmp(high.value) <= 0:
			p.Reportf(at, key, "nothing lies between %s %s and %s %s: no value is valid", low.keyword, low.text,
				high.keyword, high.text).
				Help("change the bounds, or do without exclusiveness").See(high.at, "%s is set here", high.keyword)
		default:
			p.Reportf(at, key, "%s %s is above %s %s: no value is valid", low.keyword, low.text, high.keyword,
				high.text).
				Help("swap or change the bounds").See(high.at, "%s is set here", high.keyword)
		}
	}
}

// isBounded reports whether a schema has any bounds.
func isBounded(s *schema.Schema) bool {
	return slices.ContainsFunc(schema.Measures(),
		func(m schema.Measure) bool { return m.Min.IsSet(s) || m.Max.IsSet(s) })
}

// counts reports whether a measure is a number of things, which is at least zero.
func counts(m schema.Measure) bool { return m.Min.Of != "number" }

// limitOf is what a schema says with a keyword that is a bound, nil where it says nothing.
func limitOf(k *schema.Keyword, s *schema.Schema) *limit {
	n := k.Bound(s)
	if n == nil {
		return nil
	}
	value, ok := new(big.Rat).SetString(n.V)
	if !ok {
		return nil
	}
	exclusive := k.Name == "minimum" && isSet(s.ExclusiveMinimum) || k.Name == "maximum" && isSet(s.ExclusiveMaximum)
	return &limit{keyword: k.Name, text: n.V, value: value, exclusive: exclusive, at: n.At}
}

// limitsOfNumbers are what a schema says of numbers.
func limitsOfNumbers(s *schema.Schema) (out []*limit) {
	for _, keyword := range []string{"minimum", "maximum", "multipleOf"} {
		if l := limitOf(schema.KeywordOf(keyword), s); l != nil {
			out = append(out, l)
		}
	}
	return out
}

func checkUnreadableBounds(p *session.Pass) {
	s := p.Schema
	if s.Type.V != "integer" && s.Type.V != "number" || isSet(s.IntOrString) {
		return
	}
	for _, l := range limitsOfNumbers(s) {
		if isReadableBound(s, l) {
			continue
		}
		at, key := p.At(l.at), p.Key(l.keyword)
		switch {
		case !schema.IsWholeNumber(l.text):
			p.Reportf(at, key, "%s is no integer to the API server, which then refuses every value", l.text).
				Help("write a whole number")
		case s.Format.V == "int32" || s.Format.V == "float":
			p.Reportf(at, key, "%s is beyond the format %s, and the API server then refuses every value", l.text,
				s.Format.V).
				Help("remove it, since the format says as much, or give a value that the format holds")
		default:
			const message = "the API server reads %s as a floating-point number beyond 64 bits, and then refuses " +
				"every value"
			p.Reportf(at, key, message, l.text).
				Help("remove %s, since the type says as much, or keep away from the end by 1024",
					p.Write().Choose("the marker", "it"))
		}
	}
}

// isReadableBound asks the API server's code whether it takes a bound for a number of the schema's type.
func isReadableBound(s *schema.Schema, l *limit) bool {
	f, err := strconv.ParseFloat(l.text, 64)
	if err != nil {
		return false
	}
	format := s.Format.V
	if !slices.Contains(knownFormats(s.Type.V), format) {
		format = "" // which is passed over
	}
	return validate.IsValueValidAgainstRange(f, s.Type.V, format, "", "") == nil
}

func checkRoundedBounds(p *session.Pass) {
	for _, l := range limitsOfNumbers(p.Schema) {
		if p.Schema.Type.V != "integer" || !schema.IsWholeNumber(l.text) || !isReadableBound(p.Schema, l) {
			continue
		}
		f, _ := l.value.Float64()
		if read := new(big.Rat).SetFloat64(f); read.Cmp(l.value) != 0 {
			p.Reportf(p.At(l.at), p.Key(l.keyword), "the API server reads %s as %s", l.text, read.RatString()).
				Help("write %s", read.RatString())
		}
	}
}

// checkCutBounds asks the API server's code about whole numbers near a bound, and compares its answers with arithmetic.
func checkCutBounds(p *session.Pass) {
	s := outside(p.Place)
	if s == nil || !slices.Contains([]string{"", "number", "integer"}, s.Type.V) || p.Schema.Type.V == "integer" {
		return
	}
	for _, l := range limitsOfNumbers(p.Schema) {
		switch {
		case l.value.Sign() <= 0 && l.keyword == "multipleOf":
		case l.value.Cmp(power(63)) >= 0 && l.keyword != "multipleOf":
			does := "refuse"
			if l.keyword == "minimum" {
				does = "accept"
			}
			p.Reportf(p.At(l.at), p.Key(l.keyword),
				"%s %s is beyond 64 bits: on most machines API servers then %s every whole number", l.keyword, l.text,
				does).
				Help("remove it, or give a bound below 9223372036854775808")
		case l.value.IsInt() || new(big.Rat).Abs(l.value).Cmp(power(53)) > 0:
			// What is read as another number is no matter of wholeness.
		default:
			reportCutBound(p, l)
		}
	}
}

func reportCutBound(p *session.Pass, l *limit) {
	near := floor(l.value).Int64()
	for _, whole := range []int64{near, near + 1, 0, 1, 2, 3} {
		is, should := l.accepts(whole)
		if is == should {
			continue
		}
		does := "refuses"
		if is {
			does = "accepts"
		}
		p.Reportf(p.At(l.at), p.Key(l.keyword),
			"the API server holds whole numbers against the integer part of %s %s: it %s %d", l.keyword, l.text, does,
			whole).
			Help("write a whole number of 64 bits, or check the value with a rule")
		return
	}
}

// power is a power of two.
func power(n uint) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), n)) }

// accepts reports whether the API server's code accepts a whole number by a limit, and whether it should.
func (l *limit) accepts(whole int64) (is, should bool) {
	f, _ := l.value.Float64()
	c := new(big.Rat).SetInt64(whole).Cmp(l.value)
	switch l.keyword {
	case "minimum":
		return validate.MinimumNativeType("", "", whole, f, l.exclusive) == nil, c > 0 || c == 0 && !l.exclusive
	case "maximum":
		return validate.MaximumNativeType("", "", whole, f, l.exclusive) == nil, c < 0 || c == 0 && !l.exclusive
	}
	return validate.MultipleOfNativeType("", "", whole, f) == nil,
		new(big.Rat).Quo(new(big.Rat).SetInt64(whole), l.value).IsInt()
}

func checkMultipleOf(p *session.Pass) {
	if m := p.Schema.MultipleOf; m != nil && schema.CompareNumbers(m.V, "0") <= 0 {
		p.Reportf(p.At(m.At), p.Key("multipleOf"),
			"multipleOf %s is not above 0, and the API server then refuses every value", m.V).
			Help("write a number above 0")
	}
}

func checkIdleBounds(p *session.Pass) {
	s := p.Schema
	for _, m := range schema.Measures() {
		if low := limitOf(m.Min, s); counts(m) && low != nil && low.value.Sign() < 0 {
			p.Reportf(p.At(low.at), p.Key(low.keyword), "%s %s forbids nothing", low.keyword, low.text).
				Help("write 0 or more, or remove it")
		}
	}
	if p.Nested {
		return // the limit may stand outside
	}
	for _, b := range []struct {
		limit, keyword string
		exclusive      *schema.Flag
	}{{"minimum", "exclusiveMinimum", s.ExclusiveMinimum}, {"maximum", "exclusiveMaximum", s.ExclusiveMaximum}} {
		if isSet(b.exclusive) && !schema.KeywordOf(b.limit).IsSet(s) {
			p.Reportf(p.At(b.exclusive.At), p.Key(b.keyword), "%s has no %s to exclude", b.keyword, b.limit).
				Help("add %s", p.Write().Set(b.limit, "<number>"))
		}
	}
}

func checkKeywordTypes(p *session.Pass) {
	if s := p.Schema; !isBounded(s) && s.Pattern.V == "" && s.MultipleOf == nil && len(s.Required) == 0 &&
		s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil {
		return
	}
	s := outside(p.Place)
	if s == nil || s.Type.V == "" || isSet(s.IntOrString) {
		return
	}
	is := s.Type.V
	if is == "integer" {
		is = "number"
	}
	for _, k := range schema.Keywords() {
		if k.Of != "" && k.Of != is && k.IsSet(p.Schema) {
			p.Reportf(p.At(k.At(p.Schema)), p.Key(k.Name), "%s constrains %ss, but %s is %s: it does nothing",
				k.Name, k.Of, what(p.Place), typePhrase(s.Type.V)).Help("remove it, or change the type")
		}
	}
}
