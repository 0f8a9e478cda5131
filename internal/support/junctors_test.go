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
		s, check := randomJunctor(random, 2)
		for _, value := range []any{"", "a", "ab", "abcd", int64(3), nil} {
			var v Validation
			v.path.field("spec")
			v.path.field("x")
			check(&v, value)
			if got, want := sentences(v.errs), judged(&s, value); !slices.Equal(got, want) {
				t.Fatalf("%q\ngot  %q\nwant %q", value, got, want)
			}
			matches, ok := new(Validation).try(check, value)
			result := validate.NewSchemaValidator(&s, nil, "spec.x", strfmt.Default).Validate(value)
			if matches != result.MatchCount || ok != result.IsValid() {
				t.Fatalf("%q fulfils %d (%v), want %d (%v)", value, matches, ok, result.MatchCount, result.IsValid())
			}
		}
	}
}

// randomJunctor makes a schema, and the check of it.
func randomJunctor(random *rand.Rand, depth int) (spec.Schema, Check) {
	var s spec.Schema
	var checks []Check
	low := int64(random.IntN(4))
	if random.IntN(2) == 0 {
		s.MinLength = &low
	}
	some := func() (schemas []spec.Schema, of []Check) {
		for range random.IntN(4) {
			if depth > 0 {
				schema, check := randomJunctor(random, depth-1)
				schemas, of = append(schemas, schema), append(of, check)
			}
		}
		return schemas, of
	}
	if schemas, of := some(); of != nil {
		s.AnyOf = schemas
		checks = append(checks, func(v *Validation, value any) { v.AnyOf(value, of...) })
	}
	if schemas, of := some(); of != nil {
		s.OneOf = schemas
		checks = append(checks, func(v *Validation, value any) { v.OneOf(value, of...) })
	}
	if schemas, of := some(); of != nil {
		s.AllOf = schemas
		checks = append(checks, func(v *Validation, value any) { v.AllOf(value, of...) })
	}
	if random.IntN(4) == 0 {
		not, check := spec.Schema{}, Anything
		if depth > 0 {
			not, check = randomJunctor(random, depth-1)
		}
		s.Not = &not
		checks = append(checks, func(v *Validation, value any) { v.Not(value, check) })
	}
	return s, func(v *Validation, value any) {
		if value == nil {
			v.Matches++
			return
		}
		v.Matches += 4
		for _, check := range checks {
			check(v, value)
		}
		text, ok := value.(string)
		if !ok {
			v.Matches += 2
			return
		}
		v.Matches++
		if s.MinLength != nil && int64(len(text)) < low {
			v.TooShort(text, int(low))
		}
	}
}
