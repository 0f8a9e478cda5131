package witness

import (
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A Solver looks for values that schemas accept. It decides about values that are neither lists nor objects, as far as
// each keyword is about the value itself; what it finds is validated by the API server's code.
type Solver struct {
	*Work
	validators map[*schema.Schema]func(any) bool
	leaves     map[*schema.Schema][]*schema.Schema
	patterns   map[string]*regular.Pattern
	enums      map[*schema.Schema]enumeration
	found      map[string]found
	// reached is the limit of a search that was reached since this was cleared, nil without one.
	Reached *effort.Limit
	// avoid are patterns that no text of an answer should match.
	avoid []schema.Text
}

func newSolver(w *Work) *Solver {
	return &Solver{
		Work: w, enums: map[*schema.Schema]enumeration{}, validators: map[*schema.Schema]func(any) bool{},
		leaves: map[*schema.Schema][]*schema.Schema{}, patterns: map[string]*regular.Pattern{},
		found: map[string]found{},
	}
}

// Accepts reports whether the API server's schema validation accepts a value; rules and list types do not count.
func (v *Solver) Accepts(s *schema.Schema, value any) bool {
	if value == nil {
		return IsNullable(s)
	}
	size := v.SizeOf(s)
	if !v.Steps.Values.Spend(size.Schemas) {
		return false
	}
	accepts := v.validators[s]
	if accepts == nil {
		if !v.Steps.Values.Spend(size.Schemas + size.Values) {
			return false
		}
		accepts = kube.Accepts(s)
		v.validators[s] = accepts
	}
	return accepts(value)
}

// The JSON types of values that schemas distinguish.
const (
	StringType  = "string"
	IntegerType = "integer"
	NumberType  = "number"
	BooleanType = "boolean"
	ObjectType  = "object"
	ArrayType   = "array"
)

// TypesOf returns the types of the values of a schema, without null. All integers are numbers.
func TypesOf(s *schema.Schema) []string {
	switch {
	case s.IntOrString.True():
		return []string{IntegerType, StringType}
	case s.Type.V == "":
		return []string{StringType, IntegerType, BooleanType, ObjectType, ArrayType, NumberType}
	}
	return []string{s.Type.V}
}

// HasType reports whether a schema accepts a type, as far as the type counts.
func HasType(s *schema.Schema, name string) bool {
	types := TypesOf(s)
	return slices.Contains(types, name) || name == IntegerType && slices.Contains(types, NumberType)
}

// IsNullable reports whether a value may be null.
func IsNullable(s *schema.Schema) bool { return s.Nullable.True() }

// KeepsUnknown reports whether the API server keeps fields that a schema does not describe.
func KeepsUnknown(s *schema.Schema) bool { return s.PreserveUnknownFields.True() }

// KeepsAny reports whether an object may have fields that its schema does not describe.
func KeepsAny(s *schema.Schema) bool { return KeepsUnknown(s) || s.AdditionalAllowed }

// LeavesOf returns the schemas whose keywords a value must all satisfy: the schema itself, and those in allOf.
func (v *Solver) LeavesOf(s *schema.Schema) []*schema.Schema {
	if out, ok := v.leaves[s]; ok {
		return out
	}
	out := []*schema.Schema{s}
	for _, nested := range s.AllOf {
		leaves := v.LeavesOf(nested)
		if !v.Steps.Schemas.Spend(len(leaves)) {
			return out
		}
		out = append(out, leaves...)
	}
	v.leaves[s] = out
	return out
}

// Solve returns values that one schema accepts; if reject is not nil, the other must reject them. decided reports that
// there are no values but those that are returned, as far as keywords of leaves are concerned.
func (v *Solver) Solve(accept, reject *schema.Schema) (found []any, decided bool) {
	decided = true
	isSparse := slices.ContainsFunc(v.LeavesOf(accept), func(s *schema.Schema) bool {
		return len(s.AnyOf)+len(s.OneOf) > 0 || s.Not != nil
	})
	seen := map[string]bool{}
	add := func(list []any, all bool) {
		decided = decided && all
		for _, value := range list {
			text := JSON(value)
			switch {
			case seen[text]:
			case !v.Accepts(accept, value):
				decided = decided && !isSparse // values that have not been tried may be valid
			case reject == nil || !v.Accepts(reject, value):
				found = append(found, value)
			}
			seen[text] = true
		}
	}
	if listed, ok := v.Enumerated(accept); ok {
		isSparse = false // all values are tried
		add(listed, !slices.Contains(TypesOf(accept), NumberType))
		return found, decided && !v.Ended()
	}
	for _, name := range TypesOf(accept) {
		switch name {
		case BooleanType:
			add([]any{false, true}, true)
		case IntegerType, NumberType:
			add(v.numbers(accept, reject, true))
			add(v.numbers(accept, reject, false))
		case StringType:
			add(v.words(accept, reject))
		}
	}
	return found, decided && !v.Ended()
}

// Alone returns a schema with the type of another, and one keyword of a leaf of it.
func (v *Solver) Alone(typed, leaf *schema.Schema, k *schema.Keyword) *schema.Schema {
	out := &schema.Schema{}
	k.Copy(out, leaf)
	switch k.Name {
	case "minimum":
		out.ExclusiveMinimum = leaf.ExclusiveMinimum
	case "maximum":
		out.ExclusiveMaximum = leaf.ExclusiveMaximum
	}
	if v.isUnreadable(leaf, k) {
		out.Format = leaf.Format // because of which it may be
	}
	if leaf != typed { // one in allOf has no type
		return &schema.Schema{Type: typed.Type, IntOrString: typed.IntOrString, AllOf: []*schema.Schema{out}}
	}
	out.Type, out.IntOrString = leaf.Type, leaf.IntOrString
	return out
}

// SameKeyword reports whether two leaves have a keyword with the same meaning.
func (v *Solver) SameKeyword(k *schema.Keyword, a, b *schema.Schema) bool {
	return k.IsSet(a) && v.KeywordID(k, a) == v.KeywordID(k, b)
}

// KeywordID returns the number of a keyword's value and of what its meaning depends on.
func (v *Solver) KeywordID(k *schema.Keyword, s *schema.Schema) uint64 {
	v.Steps.Schemas.Spend(1 + len(s.Enum))
	if k.Name == "enum" { // whose values do not depend on the type
		return v.IDs.Of(&schema.Schema{Enum: s.Enum})
	}
	return v.IDs.Of(v.Alone(s, s, k))
}

// valuesBut returns values that one schema accepts and all others reject.
func (v *Solver) valuesBut(accept *schema.Schema, reject []*schema.Schema) []any {
	if len(reject) == 0 {
		out, _ := v.Solve(accept, nil)
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
		found, _ := v.avoiding(patterns).Solve(accept, s)
		out = append(out, found...)
	}
	return out
}

// avoiding returns the solver for texts that match none of some patterns, as far as possible.
func (v *Solver) avoiding(patterns []schema.Text) *Solver {
	out := *v
	out.avoid = patterns
	return &out
}

// Enumerated returns the values of the enums of a schema; ok is set if it has one. The API server converts a number to
// the type of the value in the enum before it compares them (kube-openapi/pkg/validation/validate/values.go, Enum): an
// enum with 3 has 3.5, too, of which there are many, and one with "a" has 97.
func (v *Solver) Enumerated(s *schema.Schema) (list []any, ok bool) {
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

func (v *Solver) enumerate(s *schema.Schema) (list []any, ok bool) {
	types := TypesOf(s)
	for _, leaf := range v.LeavesOf(s) {
		if len(leaf.Enum) == 0 {
			continue
		}
		for i := range leaf.Enum {
			value := Plain(&leaf.Enum[i])
			list = append(list, value)
			switch value := value.(type) {
			case int64:
				list = append(list, v.cutTo(s, value)...)
			case string:
				if r, size := utf8.DecodeRuneInString(value); size == len(value) && size > 0 &&
					slices.Contains(types, IntegerType) {
					list = append(list, int64(r))
				}
			}
		}
		return list, true
	}
	return nil, false
}

// cutTo returns fractions with an integer part that a schema may accept.
func (v *Solver) cutTo(s *schema.Schema, integer int64) (out []any) {
	low, high, unit := big.NewRat(integer, 1), big.NewRat(integer, 1), big.NewRat(1, 1)
	if integer <= 0 {
		low.Sub(low, unit)
	}
	if integer >= 0 {
		high.Add(high, unit)
	}
	in := v.interval(s, false)
	in.atLeast(low, true)
	in.atMost(high, true)
	for _, n := range in.picks(1) {
		out = append(out, Number(n))
	}
	return out
}

// words returns texts that one schema accepts and the other rejects; decided is set if there are certainly no others.
func (v *Solver) words(accept, reject *schema.Schema) (out []any, decided bool) {
	base, formats, ok := v.query(accept)
	if !ok {
		return nil, false
	}
	decided = true
	add := func(words []string, all bool) {
		for _, word := range words {
			out = append(out, word)
		}
		decided = decided && all
	}
	ask := func(q textQuery) {
		q.avoid = slices.Clip(q.avoid)
		for _, p := range v.avoid {
			q.avoid = append(q.avoid, p.V)
		}
		add(v.find(q, formats))
	}
	if reject == nil || !HasType(reject, StringType) {
		ask(base)
		return out, decided
	}
	for _, leaf := range v.LeavesOf(reject) {
		if leaf.Pattern.V != "" {
			if !v.Steps.Texts.Spend(len(base.match)) || slices.Contains(base.match, leaf.Pattern.V) {
				continue
			}
			ask(base.avoiding(leaf.Pattern.V))
		}
	}
	for _, leaf := range v.LeavesOf(reject) {
		for _, q := range base.beyond(leaf) {
			ask(q)
		}
		if name := leaf.Format.V; kube.KnowsFormat(name) && !slices.Contains(formats, name) {
			switch f, ok := kube.FormatOf(name); {
			case ok && f.Pattern != "":
				ask(base.avoiding(f.Pattern))
			default: // the format is code, so whether all texts have it cannot be decided
				words, none := v.find(base, formats)
				add(append(words, f.Invalid...), none)
			}
		}
	}
	return out, decided
}

// avoiding returns the query for texts that a pattern does not match.
func (q textQuery) avoiding(pattern string) textQuery {
	q.avoid = []string{pattern}
	return q
}

// beyond returns the queries for texts that the lengths or the enum of a leaf reject.
func (q textQuery) beyond(leaf *schema.Schema) (out []textQuery) {
	if leaf.MinLength != nil && int(leaf.MinLength.V) > q.least {
		shorter := q
		shorter.atMost(int(leaf.MinLength.V) - 1)
		out = append(out, shorter)
	}
	if leaf.MaxLength != nil {
		longer := q
		longer.least = max(q.least, int(leaf.MaxLength.V)+1)
		out = append(out, longer)
	}
	if len(leaf.Enum) > 0 {
		for i := range leaf.Enum {
			q.not = append(q.not, leaf.Enum[i].Text)
		}
		out = append(out, q)
	}
	return out
}

// query returns what a schema demands of texts, and their formats. ok is unset if a pattern cannot be read.
func (v *Solver) query(s *schema.Schema) (q textQuery, formats []string, ok bool) {
	q.most = -1
	seen := map[string]bool{}
	for _, leaf := range v.LeavesOf(s) {
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

// Plain returns a value as encoding/json decodes it, but with integers as int64.
func Plain(value *schema.Value) any {
	switch value.Kind {
	case schema.Bool:
		return value.Text == "true"
	case schema.NumberKind, schema.Integer:
		return Number(Rat(value.Text))
	case schema.String:
		return value.Text
	case schema.Array:
		out := make([]any, len(value.Items))
		for i := range value.Items {
			out[i] = Plain(&value.Items[i])
		}
		return out
	case schema.Object:
		out := make(map[string]any, len(value.Members))
		for i := range value.Members {
			out[value.Members[i].Key] = Plain(&value.Members[i].Value)
		}
		return out
	}
	return nil
}
