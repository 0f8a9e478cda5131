package structural

import (
	"math/big"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// boundRows returns the checks of bounds that an API server accepts although they permit nothing or have no effect.
func boundRows() []session.Row {
	return []session.Row{
		{Check: diag.Check{ID: "bound-empty", Accepted: true},
			Needs: session.EachSchema, Run: func(p *session.Pass) {
				checkEmptyBounds(p)
				checkRoom(p)
			}},
		{Check: diag.Check{ID: "bound-unreadable", Accepted: true},
			Needs: session.EachSchema, Run: checkUnreadableBounds},
		{Check: diag.Check{ID: "bound-rounded", Severity: diag.Warning, Group: diag.ExtremeValues},
			Needs: session.EachSchema, Run: checkRoundedBounds},
		{Check: diag.Check{ID: "bound-cut", Severity: diag.Warning}, Needs: session.EachSchema, Run: checkCutBounds},
		{Check: diag.Check{ID: "multiple-of-zero", Accepted: true}, Needs: session.EachSchema, Run: checkMultipleOf},
		{Check: diag.Check{ID: "bound-idle", Severity: diag.Warning},
			Needs: session.EachSchema, Run: func(p *session.Pass) {
				checkIdleBounds(p)
				checkIdleRoom(p)
			}},
	}
}

// A limit is a keyword whose value is a number: a bound of some measure, or multipleOf.
type limit struct {
	keyword, text string
	value         *big.Rat
	exclusive     bool
	at            diag.Span
}

// A span is the range that the bounds of a schema permit for one measure.
type span struct{ low, high *limit }

// tighten adds the bounds of a schema for one measure, and those in its allOf, which hold at the same time.
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

// isTighter reports whether a bound replaces another of the same measure, given how they compare.
func (l *limit) isTighter(order int) bool { return order < 0 || order == 0 && l.exclusive }

// isEmpty reports whether the range has no value, or no integer if only integers count.
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

// checkEmptyBounds looks at schemas outside of junctors: a schema inside anyOf may well permit nothing.
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
			p.Reportf(at, key, "%s %s rejects every value", high.keyword, high.text).Help("write 0 or more").
				Changes(diag.AcceptsMore, "")
		case low.value.Cmp(high.value) <= 0:
			p.Reportf(at, key, "no value satisfies both %s %s and %s %s",
				low.keyword, low.text, high.keyword, high.text).
				Help("change the bounds, or remove the exclusive flag").Changes(diag.AcceptsMore, "").
				See(high.at, "%s is set here", high.keyword)
		default:
			p.Reportf(at, key, "%s %s is above %s %s, so every value is rejected", low.keyword, low.text, high.keyword,
				high.text).
				Help("swap or change the bounds").Changes(diag.AcceptsMore, "").
				See(high.at, "%s is set here", high.keyword)
		}
	}
}

// isBounded reports whether a schema has any bounds.
func isBounded(s *schema.Schema) bool {
	return slices.ContainsFunc(schema.Measures(),
		func(m schema.Measure) bool { return m.Min.IsSet(s) || m.Max.IsSet(s) })
}

// counts reports whether a measure is a size, which is at least zero.
func counts(m schema.Measure) bool { return m.Min.Of != "number" }

// limitOf returns the value of a bound in a schema, nil if it is not set.
func limitOf(k *schema.Keyword, s *schema.Schema) *limit {
	n := k.Bound(s)
	if n == nil {
		return nil
	}
	value, ok := new(big.Rat).SetString(n.V)
	if !ok {
		return nil
	}
	exclusive := k.Name == "minimum" && s.ExclusiveMinimum.True() || k.Name == "maximum" && s.ExclusiveMaximum.True()
	return &limit{keyword: k.Name, text: n.V, value: value, exclusive: exclusive, at: n.At}
}

// limitsOfNumbers returns the bounds of a schema for numbers.
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
	if s.Type.V != "integer" && s.Type.V != "number" || s.IntOrString.True() {
		return
	}
	for _, l := range limitsOfNumbers(s) {
		if isReadableBound(s, l) {
			continue
		}
		at, key := p.At(l.at), p.Key(l.keyword)
		switch {
		case !schema.IsWholeNumber(l.text):
			p.Reportf(at, key, "the API server rejects every value: %s %s is not an integer", l.keyword, l.text).
				Help("write a whole number").Changes(diag.AcceptsMore, "")
		case s.Format.V == "int32" || s.Format.V == "float":
			p.Reportf(at, key, "the API server rejects every value: %s %s does not fit the format %s", l.keyword,
				l.text, s.Format.V).
				Help("remove %s: the format has this bound, or write a number that fits %s",
					p.Write().Choose("the marker", "it"), s.Format.V).Changes(diag.AcceptsMore, "")
		default:
			const message = "the API server reads %s as a floating-point number beyond 64 bits and rejects every value"
			p.Reportf(at, key, message, l.text).
				Help("remove %s: the type has this bound, or use a bound that is 1024 closer to 0",
					p.Write().Choose("the marker", "it")).Changes(diag.AcceptsMore, "")
		}
	}
}

// isReadableBound asks the API server's code whether a bound is a number of the schema's type.
func isReadableBound(s *schema.Schema, l *limit) bool {
	f, err := strconv.ParseFloat(l.text, 64)
	if err != nil {
		return false
	}
	format := s.Format.V
	if !slices.Contains(knownFormats(s.Type.V), format) {
		format = "" // which is ignored
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
			p.Reportf(p.At(l.at), p.Key(l.keyword), "the API server rounds %s to %s", l.text, read.RatString()).
				Write(read.RatString())
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
			does := "rejects"
			if l.keyword == "minimum" {
				does = "accepts"
			}
			p.Reportf(p.At(l.at), p.Key(l.keyword),
				"%s %s does not fit 64 bits: on most machines, the API server %s every whole number", l.keyword, l.text,
				does).
				Help("remove it, or write a number below 9223372036854775808").Do(diag.Remove, "").
				Changes(diag.AcceptsMore, "")
		case l.value.IsInt() || new(big.Rat).Abs(l.value).Cmp(power(53)) > 0:
			// Another check reports numbers that are rounded.
		default:
			reportCutBound(p, l)
		}
	}
}

func reportCutBound(p *session.Pass, l *limit) {
	near := floor(l.value).Int64()
	for _, whole := range []int64{near, near + 1, 0, 1, 2, 3} {
		accepted, should := l.accepts(whole)
		if accepted == should {
			continue
		}
		does := "rejects"
		if accepted {
			does = "accepts"
		}
		p.Reportf(p.At(l.at), p.Key(l.keyword),
			"the API server compares whole numbers with the integer part of %s %s: it %s %d", l.keyword, l.text, does,
			whole).
			Help("write a whole number, or check the value with a rule").Changes(diag.AcceptsOther, "")
		return
	}
}

// power returns a power of two.
func power(n uint) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), n)) }

// accepts reports whether the API server's code accepts a whole number by a limit, and whether it should.
func (l *limit) accepts(whole int64) (accepted, should bool) {
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
			"the API server rejects every value: multipleOf %s is not positive", m.V).
			Help("write a positive number, such as 1").Changes(diag.AcceptsMore, "multiples of the number")
	}
}

func checkIdleBounds(p *session.Pass) {
	s := p.Schema
	for _, m := range schema.Measures() {
		if low := limitOf(m.Min, s); counts(m) && low != nil && low.value.Sign() < 0 {
			p.Reportf(p.At(low.at), p.Key(low.keyword), "%s %s has no effect: a size is never negative",
				low.keyword, low.text).
				Help("remove it, or write 0 or more").Do(diag.Remove, "")
		}
	}
	if p.Nested {
		return // the limit may be outside
	}
	for _, b := range []struct {
		limit, keyword, example string
		exclusive               *schema.Flag
	}{
		{"minimum", "exclusiveMinimum", "0", s.ExclusiveMinimum},
		{"maximum", "exclusiveMaximum", "100", s.ExclusiveMaximum},
	} {
		if b.exclusive.True() && !schema.KeywordOf(b.limit).IsSet(s) {
			f := p.Reportf(p.At(b.exclusive.At), p.Key(b.keyword), "%s has no effect without %s", b.keyword, b.limit).
				Help("%s", p.Write().Choose("remove the marker", "remove it"))
			if add := p.Write().Choose("", "add "+b.limit+": "+b.example); add != "" {
				f.Or("%s", add).Changes(diag.AcceptsLess, "only those within the bound")
			}
		}
	}
}
