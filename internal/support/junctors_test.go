package support

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// TestJunctors compares random trees of junctors over strings with the library: the errors, and how well a value
// matches, since the closest alternative is reported.
func TestJunctors(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	trees := 2000
	if testing.Short() {
		trees = 250
	}
	for range trees {
		s, typ := randomJunctor(random, 2)
		for _, value := range []any{"", "a", "ab", "abcd", int64(3), nil} {
			var v Validation
			v.path.field("spec")
			v.path.field("x")
			v.Check(value, typ)
			if got, want := sentences(v.errs), judged(&s, value); !slices.Equal(got, want) {
				t.Fatalf("%q\ngot  %q\nwant %q", value, got, want)
			}
			matches, ok := new(Validation).try((*Validation).Check, value, typ)
			result := validate.NewSchemaValidator(&s, nil, "spec.x", strfmt.Default).Validate(value)
			if matches != result.MatchCount || ok != result.IsValid() {
				t.Fatalf("%q fulfils %d (%v), want %d (%v)", value, matches, ok, result.MatchCount, result.IsValid())
			}
		}
	}
}

// randomJunctor makes a schema, and the type of it.
func randomJunctor(random *rand.Rand, depth int) (spec.Schema, *Type) {
	var s spec.Schema
	m := &constraints{isCounted: true}
	t := &Type{more: m}
	if low := int64(random.IntN(4)); random.IntN(2) == 0 {
		s.MinLength, t.MinLength = &low, int(low)
	}
	some := func() (schemas []spec.Schema, of []*Type) {
		for range random.IntN(4) {
			if depth > 0 {
				schema, typ := randomJunctor(random, depth-1)
				schemas, of = append(schemas, schema), append(of, typ)
			}
		}
		return schemas, of
	}
	s.AnyOf, m.anyOf = some()
	s.OneOf, m.oneOf = some()
	s.AllOf, m.allOf = some()
	if random.IntN(4) == 0 {
		not := spec.Schema{}
		m.not = &Type{}
		if depth > 0 {
			not, m.not = randomJunctor(random, depth-1)
		}
		s.Not = &not
	}
	return s, t
}
