package diff

import (
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/regular"
)

// A solver looks for values that schemas accept. It decides about values that are neither lists nor objects, as far as
// each keyword is about the value itself; what it finds is validated by the API server's code.
type solver struct {
	*work
	validators map[*schema.Schema]func(any) bool
	leaves     map[*schema.Schema][]*schema.Schema
	patterns   map[string]*regular.Pattern
	enums      map[*schema.Schema]enumeration
	found      map[string]found
	// reached is the limit of a search that was reached since this was cleared, nil without one.
	reached *effort.Limit
	// avoid are patterns that no text of an answer should match.
	avoid []schema.Text
}

func newSolver(w *work) *solver {
	return &solver{work: w, enums: map[*schema.Schema]enumeration{}, validators: map[*schema.Schema]func(any) bool{}, leaves: map[*schema.Schema][]*schema.Schema{},
		patterns: map[string]*regular.Pattern{}, found: map[string]found{}}
}

// holds reports whether the API server's schema validation accepts a value; rules and list types do not count.
func (v *solver) holds(s *schema.Schema, value any) bool {
	if value == nil {
		return isNullable(s)
	}
	of := v.sizeOf(s)
	if !v.steps.values.Spend(of.schemas) {
		return false
	}
	accepts := v.validators[s]
	if accepts == nil {
		if !v.steps.values.Spend(of.schemas + of.values) {
			return false
		}
		accepts = kube.Accepts(s)
		v.validators[s] = accepts
	}
	return accepts(value)
}

// The JSON types of values that schemas distinguish.
const (
	stringType  = "string"
	integerType = "integer"
	numberType  = "number"
	booleanType = "boolean"
	objectType  = "object"
	arrayType   = "array"
)

// typesOf are the types of the values of a schema, without null. All integers are numbers.
func typesOf(s *schema.Schema) []string {
	switch {
	case isOn(s.IntOrString):
		return []string{integerType, stringType}
	case s.Type.V == "":
		return []string{stringType, integerType, booleanType, objectType, arrayType, numberType}
	}
	return []string{s.Type.V}
}

// hasType reports whether a schema accepts a type, as far as the type counts.
func hasType(s *schema.Schema, name string) bool {
	types := typesOf(s)
	return slices.Contains(types, name) || name == integerType && slices.Contains(types, numberType)
}

func isOn(f *schema.Flag) bool           { return f != nil && f.V }
func isNullable(s *schema.Schema) bool   { return isOn(s.Nullable) }
func keepsUnknown(s *schema.Schema) bool { return isOn(s.PreserveUnknownFields) }

// leavesOf are the schemas whose keywords a value must all satisfy: the schema itself, and those in allOf.
func (v *solver) leavesOf(s *schema.Schema) []*schema.Schema {
	if out, ok := v.leaves[s]; ok {
		return out
	}
	out := []*schema.Schema{s}
	for _, nested := range s.AllOf {
		leaves := v.leavesOf(nested)
		if !v.steps.schemas.Spend(len(leaves)) {
			return out
		}
		out = append(out, leaves...)
	}
	v.leaves[s] = out
	return out
}

// A search for values is about values that one schema accepts; if reject is not nil, the other must reject them.
// decided reports that there are no values but those that are returned, as far as keywords of leaves are concerned.
func (v *solver) values(accept, reject *schema.Schema) (found []any, decided bool) {
	decided = true
	seen := map[string]bool{}
	add := func(list []any, all bool) {
		decided = decided && all
		for _, value := range list {
			text := encode(value)
			if !seen[text] && v.holds(accept, value) && (reject == nil || !v.holds(reject, value)) {
				found = append(found, value)
			}
			seen[text] = true
		}
	}
	if listed, ok := v.enumerated(accept); ok {
		add(listed, !slices.Contains(typesOf(accept), numberType))
		return found, decided && !v.ended()
	}
	for _, name := range typesOf(accept) {
		switch name {
		case booleanType:
			add([]any{false, true}, true)
		case integerType, numberType:
			add(v.numbers(accept, reject, name == integerType))
		case stringType:
			add(v.words(accept, reject))
		}
	}
	return found, decided && !v.ended()
}

// valuesBut are values that one schema accepts and all others reject.
func (v *solver) valuesBut(accept *schema.Schema, reject []*schema.Schema) []any {
	if len(reject) == 0 {
		out, _ := v.values(accept, nil)
		return out
	}
	var patterns []schema.Text
	for _, s := range reject {
		if s.Pattern.V != "" {
			patterns = append(patterns, s.Pattern)
		}
	}
	var out []any
	for _, s := range reject {
		found, _ := v.avoiding(patterns).values(accept, s)
		out = append(out, found...)
	}
	return out
}

// avoiding is the solver for texts that match none of some patterns, as far as possible.
func (v *solver) avoiding(patterns []schema.Text) *solver {
	out := *v
	out.avoid = patterns
	return &out
}

// enumerated returns the values of the enums of a schema; ok is set if it has one. The API server converts a number to
// the type of the value in the enum before it compares them (kube-openapi/pkg/validation/validate/values.go, Enum): an
// enum with 3 has 3.5, too, of which there are many, and one with "a" has 97.
func (v *solver) enumerated(s *schema.Schema) (list []any, ok bool) {
	known, ok := v.enums[s]
	if !ok {
		known.list, known.ok = v.enumerate(s)
		v.enums[s] = known
	}
	return known.list, known.ok
}

// An enumeration is a result of enumerated.
type enumeration struct {
	list []any
	ok   bool
}

func (v *solver) enumerate(s *schema.Schema) (list []any, ok bool) {
	types := typesOf(s)
	for _, leaf := range v.leavesOf(s) {
		if len(leaf.Enum) == 0 {
			continue
		}
		for i := range leaf.Enum {
			value := plain(&leaf.Enum[i])
			list = append(list, value)
			switch value := value.(type) {
			case int64:
				if slices.Contains(types, numberType) {
					list = append(list, float64(value)+math.Copysign(0.5, float64(value)))
				}
			case string:
				if r, size := utf8.DecodeRuneInString(value); size == len(value) && size > 0 &&
					slices.Contains(types, integerType) {
					list = append(list, int64(r))
				}
			}
		}
		return list, true
	}
	return nil, false
}

// A span of numbers. A nil end is open.
type interval struct {
	low, high         *big.Rat
	lowOpen, highOpen bool
	// steps are numbers of which the values are multiples.
	steps []*big.Rat
}

func rat(literal string) *big.Rat {
	out, ok := new(big.Rat).SetString(literal)
	if !ok {
		return new(big.Rat) // the API server has decoded it
	}
	return out
}

func (in *interval) atLeast(bound *big.Rat, open bool) {
	if in.low == nil || bound.Cmp(in.low) > 0 || bound.Cmp(in.low) == 0 && open {
		in.low, in.lowOpen = bound, open
	}
}

func (in *interval) atMost(bound *big.Rat, open bool) {
	if in.high == nil || bound.Cmp(in.high) < 0 || bound.Cmp(in.high) == 0 && open {
		in.high, in.highOpen = bound, open
	}
}

func (in interval) has(n *big.Rat) bool {
	if in.low != nil && (n.Cmp(in.low) < 0 || in.lowOpen && n.Cmp(in.low) == 0) {
		return false
	}
	if in.high != nil && (n.Cmp(in.high) > 0 || in.highOpen && n.Cmp(in.high) == 0) {
		return false
	}
	for _, step := range in.steps {
		if !isMultiple(n, step) {
			return false
		}
	}
	return true
}

func isMultiple(n, step *big.Rat) bool {
	return step.Sign() == 0 || new(big.Rat).Quo(n, step).IsInt()
}

// maxBits is more than any number in JSON needs, which is at most about 2^1024.
const maxBits = 1024

// step is the smallest number of which all values are multiples, nil if there are no steps, or if it is larger than any
// number.
func (in *interval) step() *big.Rat {
	var out *big.Rat
	for _, s := range in.steps {
		switch {
		case s.Sign() <= 0:
		case out == nil:
			out = s
		default: // the least common multiple of a/b and c/d is lcm(a*d, c*b) / (b*d)
			a := new(big.Int).Mul(out.Num(), s.Denom())
			b := new(big.Int).Mul(s.Num(), out.Denom())
			lcm := new(big.Int).Div(new(big.Int).Mul(a, b), new(big.Int).GCD(nil, nil, a, b))
			out = new(big.Rat).SetFrac(lcm, new(big.Int).Mul(out.Denom(), s.Denom()))
			if out.Num().BitLen()+out.Denom().BitLen() > 2*maxBits {
				return nil
			}
		}
	}
	return out
}

// picks returns up to n numbers of the interval, those near zero first; all of them if there are fewer.
func (in interval) picks(n int) (out []*big.Rat) {
	one := big.NewRat(1, 1)
	zero := new(big.Rat)
	start := zero
	switch {
	case in.has(zero) || in.low == nil && in.high == nil:
	case in.low != nil && in.low.Sign() >= 0:
		start = in.low
	case in.high != nil && in.high.Sign() <= 0:
		start = in.high
	}
	step := in.step()
	if step == nil {
		for _, candidate := range []*big.Rat{start, in.low, in.high} {
			if candidate != nil && in.has(candidate) {
				out = append(out, candidate)
			}
		}
		if in.low != nil && in.high != nil {
			middle := new(big.Rat).Quo(new(big.Rat).Add(in.low, in.high), big.NewRat(2, 1))
			if in.has(middle) {
				out = append(out, middle)
			}
		}
		step = one
	} else { // begin at a multiple
		quotient := new(big.Rat).Quo(start, step)
		whole := new(big.Int).Div(quotient.Num(), quotient.Denom())
		start = new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
	}
	up, down := start, new(big.Rat).Sub(start, step)
	for range n + 2 {
		if in.has(up) {
			out = append(out, up)
		}
		if in.has(down) {
			out = append(out, down)
		}
		up, down = new(big.Rat).Add(up, step), new(big.Rat).Sub(down, step)
	}
	return out
}

// count returns how many numbers the interval has, if it has fewer than limit.
func (in *interval) isSmall(limit int64) bool {
	step := in.step()
	if step == nil || in.low == nil || in.high == nil {
		return in.low != nil && in.high != nil && (in.low.Cmp(in.high) > 0 ||
			in.low.Cmp(in.high) == 0)
	}
	size := new(big.Rat).Quo(new(big.Rat).Sub(in.high, in.low), step)
	return size.Cmp(new(big.Rat).SetInt64(limit)) < 0
}

// integerFormats are the ranges of integers that the API server enforces (KEP-2335; kube-openapi,
// pkg/validation/validate/type.go).
func integerFormat(s *schema.Schema) (low, high *big.Rat) {
	switch s.Format.V {
	case "int32":
		return rat("-2147483648"), rat("2147483647")
	case "int64":
		return rat("-9223372036854775808"), rat("9223372036854775807")
	}
	return nil, nil
}

func (v *solver) interval(s *schema.Schema, whole bool) interval {
	var in interval
	if whole {
		in.steps = append(in.steps, big.NewRat(1, 1))
	}
	for _, leaf := range v.leavesOf(s) {
		if leaf.Minimum != nil {
			in.atLeast(rat(leaf.Minimum.V), isOn(leaf.ExclusiveMinimum))
		}
		if leaf.Maximum != nil {
			in.atMost(rat(leaf.Maximum.V), isOn(leaf.ExclusiveMaximum))
		}
		if leaf.MultipleOf != nil {
			in.steps = append(in.steps, rat(leaf.MultipleOf.V))
		}
		if low, high := integerFormat(leaf); whole && low != nil {
			in.atLeast(low, false)
			in.atMost(high, false)
		}
	}
	return in
}

// numbers are those that one schema accepts and the other rejects.
func (v *solver) numbers(accept, reject *schema.Schema, whole bool) (found []any, decided bool) {
	in := v.interval(accept, whole)
	add := func(part interval) {
		if !v.steps.values.Spend(effort.DiffNumbers.N() * (1 + len(part.steps))) {
			return
		}
		for _, n := range part.picks(effort.DiffNumbers.N()) {
			found = append(found, number(n))
		}
	}
	if reject == nil || !hasType(reject, integerType) {
		add(in)
		return found, false
	}
	decided = true
	if !whole && !hasType(reject, numberType) {
		for _, n := range in.picks(effort.DiffNumbers.N()) {
			found = append(found, number(new(big.Rat).Add(n, big.NewRat(1, 2))), number(n))
		}
		decided = false
	}
	for _, leaf := range v.leavesOf(reject) {
		outside := func(change func(*interval)) {
			part := in
			part.steps = slices.Clone(in.steps)
			change(&part)
			add(part)
		}
		low, high := integerFormat(leaf)
		if leaf.Minimum != nil {
			outside(func(p *interval) { p.atMost(rat(leaf.Minimum.V), !isOn(leaf.ExclusiveMinimum)) })
		}
		if leaf.Maximum != nil {
			outside(func(p *interval) { p.atLeast(rat(leaf.Maximum.V), !isOn(leaf.ExclusiveMaximum)) })
		}
		if low != nil && hasType(reject, integerType) && !hasType(reject, numberType) {
			outside(func(p *interval) { p.atMost(low, true) })
			outside(func(p *interval) { p.atLeast(high, true) })
		}
		if leaf.MultipleOf != nil {
			add(in)
			step := in.step()
			decided = decided && (in.isSmall(effort.DiffNumbers.Most) || step != nil && isMultiple(step, rat(leaf.MultipleOf.V)))
		}
		if len(leaf.Enum) > 0 {
			if !v.steps.values.Spend(len(leaf.Enum) * (1 + len(in.steps))) {
				break
			}
			for _, n := range in.picks(len(leaf.Enum) + 1) {
				found = append(found, number(n))
			}
			decided = decided && (in.isSmall(int64(len(leaf.Enum)) + 1))
		}
	}
	return found, decided
}

// number is a number as JSON has it: an int64 or a float64.
func number(n *big.Rat) any {
	if n.IsInt() && n.Num().IsInt64() {
		return n.Num().Int64()
	}
	f, _ := n.Float64()
	return max(-math.MaxFloat64, min(f, math.MaxFloat64))
}

// texts are those that one schema accepts and the other rejects.
func (v *solver) words(accept, reject *schema.Schema) (found []any, decided bool) {
	base, formats, ok := v.query(accept)
	if !ok {
		return nil, false
	}
	decided = true
	ask := func(q textQuery) {
		q.avoid = slices.Clip(q.avoid)
		for _, p := range v.avoid {
			q.avoid = append(q.avoid, p.V)
		}
		words, all := v.find(q, formats)
		for _, word := range words {
			found = append(found, word)
		}
		decided = decided && all
	}
	if reject == nil || !hasType(reject, stringType) {
		ask(base)
		return found, decided
	}
	for _, leaf := range v.leavesOf(reject) {
		if leaf.Pattern.V != "" {
			if !v.steps.texts.Spend(len(base.match)) || slices.Contains(base.match, leaf.Pattern.V) {
				continue
			}
			q := base
			q.avoid = []string{leaf.Pattern.V}
			ask(q)
		}
	}
	for _, leaf := range v.leavesOf(reject) {
		if leaf.MinLength != nil && int(leaf.MinLength.V) > base.least {
			q := base
			q.atMost(int(leaf.MinLength.V) - 1)
			ask(q)
		}
		if leaf.MaxLength != nil {
			q := base
			q.least = max(q.least, int(leaf.MaxLength.V)+1)
			ask(q)
		}
		if len(leaf.Enum) > 0 {
			q := base
			for i := range leaf.Enum {
				q.not = append(q.not, leaf.Enum[i].Text)
			}
			ask(q)
		}
		if name := leaf.Format.V; kube.KnowsFormat(name) && !slices.Contains(formats, name) {
			switch f, ok := kube.FormatOf(name); {
			case ok && f.Pattern != "":
				q := base
				q.avoid = []string{f.Pattern}
				ask(q)
			default: // the format is code, so whether all texts have it cannot be decided
				words, none := v.find(base, formats)
				for _, word := range append(words, f.Invalid...) {
					found = append(found, word)
				}
				decided = decided && none
			}
		}
	}
	return found, decided
}

// query returns what a schema demands of texts, and their formats. ok is unset if a pattern cannot be read.
func (v *solver) query(s *schema.Schema) (q textQuery, formats []string, ok bool) {
	q.most = -1
	seen := map[string]bool{}
	for _, leaf := range v.leavesOf(s) {
		if leaf.Pattern.V != "" && !seen[leaf.Pattern.V] {
			seen[leaf.Pattern.V] = true
			q.match = append(q.match, leaf.Pattern.V)
		}
		if leaf.MinLength != nil {
			q.least = max(q.least, int(leaf.MinLength.V))
		}
		if leaf.MaxLength != nil {
			q.atMost(int(leaf.MaxLength.V))
		}
		if f := leaf.Format.V; kube.KnowsFormat(f) && !slices.Contains(formats, f) {
			formats = append(formats, f)
		}
	}
	return q, formats, true
}

// A textQuery asks for texts.
type textQuery struct {
	match, avoid []string
	least        int
	most         int // -1 without a limit
	not          []string
}

func (q *textQuery) atMost(n int) {
	if q.most < 0 || n < q.most {
		q.most = n
	}
}

// plain is a value as encoding/json decodes it, but with integers as int64.
func plain(value *schema.Value) any {
	switch value.Kind {
	case schema.Bool:
		return value.Text == "true"
	case schema.NumberKind, schema.Integer:
		return number(rat(value.Text))
	case schema.String:
		return value.Text
	case schema.Array:
		out := make([]any, len(value.Items))
		for i := range value.Items {
			out[i] = plain(&value.Items[i])
		}
		return out
	case schema.Object:
		out := make(map[string]any, len(value.Members))
		for i := range value.Members {
			out[value.Members[i].Key] = plain(&value.Members[i].Value)
		}
		return out
	}
	return nil
}

// textsOf are values as JSON.
func textsOf(list []any) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, value := range list {
		out[encode(value)] = true
	}
	return out
}
