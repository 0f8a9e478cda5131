package structural

import (
	"math"
	"math/big"
	"slices"
	"strconv"

	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// boundRows are the checks of bounds that an API server accepts, and that then permit nothing or do nothing.
func boundRows() []row {
	return []row{
		{
			Check: diag.Check{
				ID: "bound-empty", Accepted: true,
				Doc:  "A minimum above the maximum is accepted, but permits no value.",
				Bad:  "// +kubebuilder:validation:MinLength=8\n// +kubebuilder:validation:MaxLength=4\nName string `json:\"name,omitempty\"`",
				Good: "// +kubebuilder:validation:MinLength=4\n// +kubebuilder:validation:MaxLength=8\nName string `json:\"name,omitempty\"`",
			},
			ofSchema: checkEmptyBounds,
		},
		{
			Check: diag.Check{
				ID: "bound-unreadable", Accepted: true,
				Doc: "API servers read bounds as floating-point numbers, and compare them with the type: where a bound is no integer of the " +
					"type's 32 or 64 bits, as 9223372036854775807 is none, they refuse every value.",
				Bad:  "// +kubebuilder:validation:Maximum=9223372036854775807\nSize int64 `json:\"size,omitempty\"`",
				Good: "// +kubebuilder:validation:Maximum=9007199254740991\nSize int64 `json:\"size,omitempty\"`",
			},
			ofSchema: checkUnreadableBounds,
		},
		{
			Check: diag.Check{
				ID: "bound-rounded", Severity: diag.Warning,
				Doc:  "API servers read bounds as floating-point numbers, which keep integers only up to 9007199254740992 exactly.",
				Bad:  "// +kubebuilder:validation:Maximum=9007199254740993\nSize int64 `json:\"size,omitempty\"`",
				Good: "// +kubebuilder:validation:Maximum=9007199254740992\nSize int64 `json:\"size,omitempty\"`",
			},
			ofSchema: checkRoundedBounds,
		},
		{
			Check: diag.Check{
				ID: "bound-cut", Severity: diag.Warning,
				Doc: "API servers hold whole numbers against the integer part of a bound: minimum 0.5 accepts 0, multipleOf 0.5 refuses 1, and a maximum " +
					"beyond 64 bits refuses them all, on most machines.",
				Bad:  "type: number\nminimum: 0.5",
				Good: "type: number\nminimum: 1",
			},
			ofSchema: checkCutBounds,
		},
		{
			Check: diag.Check{
				ID: "multiple-of-zero", Accepted: true,
				Doc:  "Nothing is a multiple of zero or of a negative number to an API server: it refuses every value.",
				Bad:  "// +kubebuilder:validation:MultipleOf=0\nSize int32 `json:\"size,omitempty\"`",
				Good: "// +kubebuilder:validation:MultipleOf=8\nSize int32 `json:\"size,omitempty\"`",
			},
			ofSchema: checkMultipleOf,
		},
		{
			Check: diag.Check{
				ID: "bound-idle", Severity: diag.Warning,
				Doc:  "A minimum of items or characters below zero forbids nothing, and neither does an exclusive limit without a limit.",
				Bad:  "type: integer\nexclusiveMinimum: true",
				Good: "type: integer\nminimum: 0\nexclusiveMinimum: true",
			},
			ofSchema: checkIdleBounds,
		},
		{
			Check: diag.Check{
				ID: "keyword-type", Severity: diag.Warning,
				Doc:  "A keyword that constrains values of another type does nothing.",
				Bad:  "type: integer\nmaxLength: 3",
				Good: "type: integer\nmaximum: 999",
			},
			ofSchema: checkKeywordTypes,
		},
	}
}

// A limit is a lower or an upper bound of some measure.
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
	if low != nil && (b.low == nil || low.value.Cmp(b.low.value) > 0 || low.value.Cmp(b.low.value) == 0 && low.exclusive) {
		b.low = low
	}
	if high != nil && (b.high == nil || high.value.Cmp(b.high.value) < 0 || high.value.Cmp(b.high.value) == 0 && high.exclusive) {
		b.high = high
	}
	for _, nested := range s.AllOf {
		b.tighten(nested, m)
	}
}

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
func checkEmptyBounds(n *node) []finding {
	if n.Nested || !isBounded(n.s) && len(n.s.AllOf) == 0 {
		return nil
	}
	var out []finding
	for _, m := range schema.Measures() {
		b := span{low: least(m)}
		b.tighten(n.s, m)
		if b.isEmpty(counts(m) || n.s.Type.V == "integer") {
			out = append(out, n.emptyBounds(b))
		}
	}
	return out
}

// isBounded reports whether a schema has any bounds.
func isBounded(s *schema.Schema) bool {
	return slices.ContainsFunc(schema.Measures(), func(m schema.Measure) bool { return m.Min.IsSet(s) || m.Max.IsSet(s) })
}

// counts reports whether a measure is a number of things, which is at least zero.
func counts(m schema.Measure) bool { return m.Min.Of != "number" }

// least is the lower bound of a measure itself.
func least(m schema.Measure) *limit {
	if !counts(m) {
		return nil
	}
	return &limit{text: "0", value: new(big.Rat)}
}

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

// A numeric is a keyword whose value is a number.
type numeric struct {
	keyword string
	value   *schema.Number
}

func numerics(s *schema.Schema) [3]numeric {
	return [...]numeric{{"minimum", s.Minimum}, {"maximum", s.Maximum}, {"multipleOf", s.MultipleOf}}
}

func checkUnreadableBounds(n *node) []finding {
	if n.s.Type.V != "integer" && n.s.Type.V != "number" || isSet(n.s.IntOrString) {
		return nil
	}
	var out []finding
	for _, b := range numerics(n.s) {
		if b.value != nil && !n.isReadable(b.value) {
			out = append(out, n.unreadableBound(b.keyword, b.value))
		}
	}
	return out
}

// isReadable asks the API server's code whether it takes a bound for a number of the node's type.
func (n *node) isReadable(b *schema.Number) bool {
	f, err := strconv.ParseFloat(b.V, 64)
	if err != nil {
		return false
	}
	format := n.s.Format.V
	if !isOneOf(format, knownFormats(n.s.Type.V)) {
		format = "" // which is passed over
	}
	return validate.IsValueValidAgainstRange(f, n.s.Type.V, format, "", "") == nil
}

func checkRoundedBounds(n *node) []finding {
	var out []finding
	for _, b := range numerics(n.s) {
		if b.value == nil || n.s.Type.V != "integer" || !schema.IsWholeNumber(b.value.V) || !n.isReadable(b.value) {
			continue
		}
		if read := readNumber(b.value); read != "" {
			out = append(out, n.roundedBound(b.keyword, b.value, read))
		}
	}
	return out
}

// readNumber returns what the API server reads a whole number as, "" where that is the number.
func readNumber(n *schema.Number) string {
	exact, ok := new(big.Rat).SetString(n.V)
	f, err := strconv.ParseFloat(n.V, 64)
	if !ok || err != nil || math.IsInf(f, 0) || new(big.Rat).SetFloat64(f).Cmp(exact) == 0 {
		return ""
	}
	return new(big.Rat).SetFloat64(f).RatString()
}

// checkCutBounds asks the API server's code about whole numbers near a bound, and compares its answers with arithmetic.
func checkCutBounds(n *node) []finding {
	s := n.s
	if n.Nested {
		s, _ = structure(n.Place)
	}
	if s == nil || !isOneOf(s.Type.V, []string{"", "number", "integer"}) || n.s.Type.V == "integer" {
		return nil
	}
	var out []finding
	for _, b := range numerics(n.s) {
		if b.value == nil {
			continue
		}
		exact, ok := new(big.Rat).SetString(b.value.V)
		switch {
		case !ok || exact.Sign() <= 0 && b.keyword == "multipleOf":
			continue
		case exact.Cmp(power(63)) >= 0 && b.keyword != "multipleOf":
			out = append(out, n.boundBeyond(b))
			continue
		case exact.IsInt() || new(big.Rat).Abs(exact).Cmp(power(53)) > 0: // what is read as another number is no matter of wholeness
			continue
		}
		for _, whole := range wholeNumbers(exact) {
			if is, should := n.accepts(b, exact, whole); is != should {
				out = append(out, n.cutBound(b, whole, is))
				break
			}
		}
	}
	return out
}

// power is a power of two.
func power(n uint) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), n)) }

// wholeNumbers are those near a bound, and small ones.
func wholeNumbers(bound *big.Rat) []int64 {
	near := floor(bound).Int64()
	return []int64{near, near + 1, 0, 1, 2, 3}
}

// accepts reports whether the API server's code accepts a whole number by a bound, and whether it should.
func (n *node) accepts(b numeric, exact *big.Rat, whole int64) (is, should bool) {
	f, _ := exact.Float64()
	c := new(big.Rat).SetInt64(whole).Cmp(exact)
	switch b.keyword {
	case "minimum":
		exclusive := isSet(n.s.ExclusiveMinimum)
		return validate.MinimumNativeType("", "", whole, f, exclusive) == nil, c > 0 || c == 0 && !exclusive
	case "maximum":
		exclusive := isSet(n.s.ExclusiveMaximum)
		return validate.MaximumNativeType("", "", whole, f, exclusive) == nil, c < 0 || c == 0 && !exclusive
	}
	return validate.MultipleOfNativeType("", "", whole, f) == nil, new(big.Rat).Quo(new(big.Rat).SetInt64(whole), exact).IsInt()
}

func checkMultipleOf(n *node) []finding {
	if n.s.MultipleOf == nil || schema.CompareNumbers(n.s.MultipleOf.V, "0") > 0 {
		return nil
	}
	return one(n.multipleOfNothing())
}

func checkIdleBounds(n *node) []finding {
	var out []finding
	for _, m := range schema.Measures() {
		if low := limitOf(m.Min, n.s); counts(m) && low != nil && low.value.Sign() < 0 {
			out = append(out, n.idleBound(low))
		}
	}
	if n.Nested {
		return out // the limit may stand outside
	}
	if isSet(n.s.ExclusiveMinimum) && n.s.Minimum == nil {
		out = append(out, n.excludesNothing("minimum", n.s.ExclusiveMinimum))
	}
	if isSet(n.s.ExclusiveMaximum) && n.s.Maximum == nil {
		out = append(out, n.excludesNothing("maximum", n.s.ExclusiveMaximum))
	}
	return out
}

func checkKeywordTypes(n *node) []finding {
	if s := n.s; !isBounded(s) && s.Pattern.V == "" && s.MultipleOf == nil && len(s.Required) == 0 && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil {
		return nil
	}
	s := n.s
	if n.Nested {
		s, _ = structure(n.Place)
	}
	if s == nil || s.Type.V == "" || isSet(s.IntOrString) {
		return nil
	}
	is := s.Type.V
	if is == "integer" {
		is = "number"
	}
	var out []finding
	for _, k := range keywords(n.s) {
		if want := k.row.Of; want != "" && want != is {
			out = append(out, n.idleKeyword(k, want, s.Type.V))
		}
	}
	return out
}
