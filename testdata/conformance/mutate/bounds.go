package mutate

import (
	"encoding/json"
	"math/rand/v2"
)

// boundOperators change bounds, patterns and multiples.
func boundOperators() []operator {
	lengths := []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
	ranges := []string{"minimum", "maximum", "multipleOf"}
	return []operator{
		{"bound: length", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, pick(r, lengths...), lengthBound(r))
		}},
		{"bound: length that applies", of("string", "array", "object"), func(r *rand.Rand, n *node) string {
			end := map[string]string{"string": "Length", "array": "Items", "object": "Properties"}[n.typ()]
			return set(n.schema, pick(r, "min", "max")+end, lengthBound(r))
		}},
		{"bound: range", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, pick(r, ranges...), rangeBound(r))
		}},
		{"bound: exclusive", of("integer", "number"), func(r *rand.Rand, n *node) string {
			return set(n.schema, pick(r, "exclusiveMinimum", "exclusiveMaximum"),
				pick[any](r, true, false, json.Number("1"), "true", nil))
		}},
		{"bound: swapped", of("string", "array", "object", "integer", "number"), func(r *rand.Rand, n *node) string {
			for _, end := range []string{"Length", "Items", "Properties"} {
				set(n.schema, "min"+end, json.Number("5"))
				set(n.schema, "max"+end, json.Number("2"))
			}
			return "all minima above the maxima"
		}},
		{"bound: removed", anywhere, func(r *rand.Rand, n *node) string {
			for _, key := range append(lengths, ranges...) {
				delete(n.schema, key)
			}
			return "all bounds removed"
		}},
		{"bound: pattern", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "pattern", pick[any](r, "^a*$", "", "(?=a)", "(?!a)b", `(a)\1`, "[", "a{1001}",
				`\p{Greek}`, `^\d+$`,
				"(?P<n>a)", "(?<n>a)", `\Z`, `\/`, `[[:word:]]`, "*", absent{}))
		}},
		{"bound: pattern in a junctor", whole, func(r *rand.Rand, n *node) string {
			return add(n.schema, pick(r, "allOf", "anyOf", "oneOf"), object{"pattern": pick(r, "^a", "(?=a)", "[")})
		}},
	}
}

// lengthBound is a value for a keyword that wants a whole number.
func lengthBound(r *rand.Rand) any {
	switch r.IntN(4) {
	case 0:
		return json.Number(pick(r, "1.5", "1.0", "1e2", "9223372036854775807", "9223372036854775808", "2147483648",
			"-9223372036854775809",
			"1e400", "-0"))
	case 1:
		return pick[any](r, "5", true, nil, []any{}, object{})
	}
	return json.Number(pick(r, "-1", "0", "1", "2", "5", "64", "100", "1000", "100000"))
}

// rangeBound is a value for a keyword that wants a number.
func rangeBound(r *rand.Rand) any {
	switch r.IntN(4) {
	case 0:
		return json.Number(pick(r, "1.5", "-1e300", "1e400", "9223372036854775807", "9223372036854775808",
			"18446744073709551616", "0.1",
			"1e-400"))
	case 1:
		return pick[any](r, "5", true, nil, []any{}, object{})
	}
	return json.Number(pick(r, "-1", "0", "1", "2", "5", "100"))
}

// enumOperators change which values are permitted.
func enumOperators() []operator {
	leaf := of("string", "integer", "number", "boolean")
	return []operator{
		{"enum: set", leaf, func(r *rand.Rand, n *node) string {
			values := []any{instance(r, n.schema, 1), instance(r, n.schema, 1)}
			return set(n.schema, "enum", values)
		}},
		{"enum: odd", anywhere, func(r *rand.Rand, n *node) string {
			return set(n.schema, "enum", pick[any](r, []any{}, []any{nil}, []any{"a", "a"},
				[]any{json.Number("1"), "a"}, []any{object{}},
				[]any{[]any{json.Number("1")}}, "a", object{"a": "b"}, nil, []any{true, false}, absent{}))
		}},
		{"enum: value", with("enum"), func(r *rand.Rand, n *node) string {
			return add(n.schema, "enum", pick[any](r, "another", json.Number("1"), json.Number("1.5"), nil, true,
				object{"a": nil}))
		}},
	}
}
