package support

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// sentences are errors as text, with the types of bad values.
func sentences(errs field.ErrorList) (out []string) {
	for _, err := range errs {
		out = append(out, string(err.Type)+" "+err.Error())
	}
	return out
}

// judged are the errors that the library reports for a value at spec.x.
func judged(s *spec.Schema, value any) []string {
	return sentences(validation.ValidateCustomResource(nil, value,
		validation.NewRatchetingSchemaValidator(s, nil, "spec.x", strfmt.Default)))
}

// checked are the errors that a check reports for a value at spec.x.
func checked(check func(v *Validation, value any), value any) []string {
	var v Validation
	v.path.field("spec")
	v.path.field("x")
	check(&v, value)
	return sentences(v.errs)
}

// TestSentences compares the message for each possible error of a value with the library's.
func TestSentences(t *testing.T) {
	three := int64(3)
	of := func(set func(p *spec.SchemaProps)) *spec.Schema {
		s := &spec.Schema{}
		set(&s.SchemaProps)
		return s
	}
	allowed := []any{"a", int64(98), 2.5, true, nil, map[string]any{"a": int64(1)}}
	for _, c := range []struct {
		schema *spec.Schema
		check  func(v *Validation, value any)
		values []any
	}{
		{of(func(p *spec.SchemaProps) { p.MaxLength = &three }), func(v *Validation, _ any) { v.tooLong(3) },
			[]any{"abcd"}},
		{of(func(p *spec.SchemaProps) { p.MinLength = &three }),
			func(v *Validation, s any) { v.tooShort(s.(string), 3) }, []any{"ab", ""}},
		{of(func(p *spec.SchemaProps) { p.Pattern = `^a\d'$` }),
			func(v *Validation, s any) { v.mismatches(s.(string), `^a\d'$`) }, []any{"ab", ""}},
		{of(func(p *spec.SchemaProps) { p.Format = "uri" }),
			func(v *Validation, s any) { v.notFormat(s.(string), "uri") }, []any{"\n", ""}},
		{of(func(p *spec.SchemaProps) { p.MaxItems = &three }),
			func(v *Validation, l any) { v.tooManyItems(len(l.([]any)), 3) }, []any{make([]any, 4)}},
		{of(func(p *spec.SchemaProps) { p.MinItems = &three }),
			func(v *Validation, l any) { v.tooFewItems(len(l.([]any)), 3) }, []any{[]any{}}},
		{of(func(p *spec.SchemaProps) { p.UniqueItems = true }),
			func(v *Validation, l any) { v.uniqueItems(l.([]any)) },
			[]any{[]any{"a", "b", "a"}, []any{int64(1), 1.0}, []any{[]any{}, []any{}, nil, nil}}},
		{of(func(p *spec.SchemaProps) { p.MaxProperties = new(int64) }),
			func(v *Validation, o any) { v.tooManyFields(len(o.(map[string]any)), 0) },
			[]any{map[string]any{"a": nil}}},
		{of(func(p *spec.SchemaProps) { p.MinProperties = &three }),
			func(v *Validation, o any) { v.tooFewFields(len(o.(map[string]any)), 3) }, []any{map[string]any{}}},
		{of(func(p *spec.SchemaProps) { p.Required = []string{"a", "b", "c", "a"} }),
			func(v *Validation, o any) { v.requireFields(o.(map[string]any), "a", "b", "c") },
			[]any{map[string]any{"b": nil}}},
		{of(func(p *spec.SchemaProps) { p.AdditionalProperties = &spec.SchemaOrBool{} }),
			func(v *Validation, o any) { v.forbidFields(o.(map[string]any)) },
			[]any{map[string]any{"b": nil}, map[string]any{}}},
		{of(func(p *spec.SchemaProps) { p.Enum = allowed }),
			func(v *Validation, value any) { v.checkAllowed(value, allowed) },
			[]any{"a", "b", nil, int64(97), int64(98), int64(2), int64(1 << 40), 2.5, 98.9, 99.0, true, false,
				map[string]any{"a": int64(1)}, map[string]any{"a": 1.0}, []any{}}},
	} {
		for _, value := range c.values {
			if got, want := checked(c.check, value), judged(c.schema, value); !slices.Equal(got, want) {
				t.Errorf("%#v of %#v\ngot  %q\nwant %q", value, c.schema.SchemaProps, got, want)
			}
		}
	}
}

// TestTypes checks all kinds of values against all types and formats.
func TestTypes(t *testing.T) {
	values := []any{true, "a", int64(1), 2.0, 2.5, 2.0000000001, 1e300, math.Pow(2, 53), []any{}, map[string]any{}, nil}
	for _, types := range []spec.StringOrArray{{"string"}, {"integer"}, {"number"}, {"boolean"}, {"array"}, {"object"},
		{"integer", "string"}} {
		for _, format := range []string{"", "int32", "int64", "float", "double", "uuid"} {
			s := &spec.Schema{SchemaProps: spec.SchemaProps{Type: types, Format: format}}
			if err := validation.StripUnsupportedFormatsPostProcess(s); err != nil || s.Format != format {
				continue // the API server leaves it out
			}
			n := Number{}
			if types[0] == "number" || types[0] == "integer" && len(types) == 1 {
				n = Number{Type: types[0], Format: format}
			}
			joined := strings.Join(types, ",")
			for _, value := range values {
				got := checked(func(v *Validation, value any) {
					v.CheckType(value, joined, format)
					switch value := value.(type) {
					case int64, float64:
						v.checkBounds(value, &n)
					case string:
						if format == "uuid" && !HasFormat(format, value) {
							v.notFormat(value, format)
						}
					}
				}, value)
				if want := judged(s, value); !slices.Equal(got, want) {
					t.Errorf("%#v of type %v, format %q\ngot  %q\nwant %q", value, types, format, got, want)
				}
			}
		}
	}
}

// TestNumbers checks random numbers against random bounds.
func TestNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{0, 1, -1, 2, 3, 0.5, 1.5, 2.5, 0.1, 0.3, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, 1e18,
		1e19, -1e19, 1e39, -1e39, 1 << 53, 9007199254740994}
	number := func() float64 { return numbers[random.IntN(len(numbers))] }
	for range 20000 {
		var s spec.Schema
		var n Number
		if name := []string{"", "integer", "number"}[random.IntN(3)]; name != "" {
			s.Type, n.Type = spec.StringOrArray{name}, name
			formats := map[string][]string{"integer": {"", "int32", "int64"}, "number": {"", "float", "double"}}[name]
			s.Format = formats[random.IntN(3)]
			n.Format = s.Format
		}
		bound := func(to **float64, b *Bound) {
			if random.IntN(2) == 0 {
				b.Set, b.Value = true, number()
				*to = &b.Value
			}
		}
		bound(&s.MultipleOf, &n.MultipleOf)
		bound(&s.Minimum, &n.Minimum)
		bound(&s.Maximum, &n.Maximum)
		n.Minimum.Exclusive, n.Maximum.Exclusive = random.IntN(2) == 0, random.IntN(2) == 0
		s.ExclusiveMinimum, s.ExclusiveMaximum = n.Minimum.Exclusive, n.Maximum.Exclusive
		var value any = number()
		if random.IntN(2) == 0 {
			value = toInt64(number())
		}
		n.prepare()
		var isValid bool
		switch x := value.(type) {
		case int64:
			isValid = n.hasInteger(x)
		case float64:
			isValid = n.hasFloat(x)
		}
		if quiet := (Validation{quiet: true}); isValid {
			if quiet.checkBounds(value, &n); quiet.failures > 0 {
				t.Fatalf("%#v is not valid for %+v", value, n)
			}
		}
		got := checked(func(v *Validation, value any) {
			if n.Type != "" {
				v.CheckType(value, n.Type, n.Format)
			}
			v.checkBounds(value, &n)
		}, value)
		if want := judged(&s, value); !slices.Equal(got, want) {
			t.Fatalf("%#v of %+v\ngot  %q\nwant %q", value, n, got, want)
		}
	}
}

// FuzzFormats compares formats that have their own functions with the library.
func FuzzFormats(f *testing.F) {
	for _, s := range []string{"", "2024-02-29T10:11:12Z", "2024-02-29t23:59:59.123456+99:99", "2024-02-30T10:11:12Z",
		"2024-02-29T24:00:00Z", "2024-02-29T10:11:12é1z",
		"2024-02-29T10:11:12\n1Z", "2024-02-29T10:11:12.Z", "2024-02-29T10:11:12ZTx", "2024-02-29T10:11:12", "YQ==",
		"YWI=", "YWJj", "YWJj=", "Y===", "====", "YWJjYW-_"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := IsDateTime(s), strfmt.IsDateTime(s); got != want {
			t.Errorf("%q is a date and time: %v, want %v", s, got, want)
		}
		if got, want := IsBase64(s), strfmt.Default.Validates("byte", s); got != want {
			t.Errorf("%q is base64: %v, want %v", s, got, want)
		}
	})
}

// TestPattern makes sure that a pattern is compiled when it is first used.
func TestPattern(t *testing.T) {
	if p := Pattern("^a+$"); !p().MatchString("aa") || p().MatchString("b") {
		t.Error("the pattern does not match")
	}
	defer func() {
		if recover() == nil {
			t.Error("a wrong pattern compiles")
		}
	}()
	Pattern("(")()
}

// TestMapValues reports errors in the order of the keys.
func TestMapValues(t *testing.T) {
	object := map[string]any{}
	for i := range 30 {
		object[strconv.Itoa(i+10)] = int64(i)
	}
	odd := &Number{MultipleOf: Bound{Set: true, Value: 2}}
	odd.prepare()
	var v Validation
	v.Check(object, &Type{Name: "object", Values: &Type{more: &constraints{number: odd}}})
	var fields []string
	for _, err := range v.errs {
		fields = append(fields, err.Field)
	}
	if len(fields) != 15 || !slices.IsSorted(fields) || v.failures != 15 {
		t.Errorf("%d failures: %q", v.failures, fields)
	}
}

// TestMayCheckRules replaces the rules by one error if an earlier error could make them fail.
func TestMayCheckRules(t *testing.T) {
	for typ, may := range map[field.ErrorType]bool{field.ErrorTypeInvalid: true, field.ErrorTypeDuplicate: true,
		field.ErrorTypeForbidden: true,
		field.ErrorTypeRequired:  false, field.ErrorTypeNotSupported: false, field.ErrorTypeTooLong: false,
		field.ErrorTypeTooMany: false, field.ErrorTypeTypeInvalid: false} {
		v := Validation{errs: field.ErrorList{{Type: typ}}}
		if got := v.mayCheckRules(); got != may || len(v.errs) == 2 == may {
			t.Errorf("after %s rules are checked: %v; %v", typ, got, v.errs)
		}
	}
}
