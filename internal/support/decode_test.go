package support

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	kjson "sigs.k8s.io/json"
)

// someType describes some of the keys that the texts have.
var someType = &Type{Name: "object", Fields: []TypeField{
	{`\\`, &Type{}}, {`\n`, &Type{}}, {"a", &Type{Name: "string"}},
	{"b", &Type{Name: "array", Items: &Type{Fields: []TypeField{{"c", &Type{Name: "integer"}}}}}},
	{"é", &Type{}},
}, Values: &Type{Fields: []TypeField{{"a", &Type{}}}}}

// decodesAlike compares decode with the decoder of API servers.
func decodesAlike(t *testing.T, text []byte) {
	t.Helper()
	var want map[string]any
	strict, wantErr := kjson.UnmarshalStrict(text, &want, kjson.DisallowDuplicateFields)
	for _, typ := range []*Type{nil, someType} {
		var warnings, all warningList
		got, _ := decode(text, typ, nil, &warnings)
		var err error
		if got == nil {
			err = decodingError(text)
		}
		switch {
		case wantErr != nil || want == nil:
			if err == nil || wantErr != nil && err.Error() != wantErr.Error() {
				t.Errorf("%q: %v, want %v", text, err, wantErr)
			}
			continue
		case err != nil || !reflect.DeepEqual(got, want):
			t.Errorf("%q: %#v, %v, want %#v", text, got, err, want)
			continue
		}
		for _, duplicate := range strict {
			all.add(duplicate.Error())
		}
		if !slices.Equal(warnings.sent, all.sent) {
			t.Errorf("%q: %q, want %q", text, warnings.sent, strict)
		}
	}
}

// decodeParts are what the texts consist of.
var decodeParts = []string{
	`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b"`, `"c"`, `"é"`, `"x\ny"`, `"\u003c\u00e9"`, `"\n"`, `"\\"`,
	`"\ud83d\ude00"`, `"\ud800"`, `"\ud800\u0061"`, `"\uDE00\ud83d"`,
	"\"\xff\"", `"\x"`, `"\u12"`, `"`, `\`, `0`, `-0`, `-0.0`, `1`, `-12`, `01`, `1.5`,
	`1.`, `1e3`, `1E400`, `9223372036854775807`, `9223372036854775808`, `123456789012345678`, `0.1234567890123456789`,
	`true`, `false`,
	`null`, `nul`, ` `, "\n", `{"a":1}`, `{"a":1,"a":2}`, `"a":`, `"b":[`, `"":`,
}

// TestDecode decodes random texts.
func TestDecode(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	for range 60000 {
		var text strings.Builder
		randomText(random, &text, 0)
		data := []byte(text.String())
		if random.IntN(3) == 0 {
			at := random.IntN(len(data) + 1)
			data = slices.Concat(data[:at], []byte(decodeParts[random.IntN(len(decodeParts))]), data[at:])
		}
		decodesAlike(t, data)
	}
	decodesAlike(t, []byte(`{"a":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`))
	decodesAlike(t, []byte(`{"a":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}`))
}

// randomText writes a random value, which is mostly valid.
func randomText(random *rand.Rand, text *strings.Builder, depth int) {
	const scalars, end = 6, 40 // of decodeParts
	switch kind := random.IntN(5); {
	case depth == 0 || kind == 0 && depth < 5:
		text.WriteString(`{`)
		for i := range random.IntN(4) {
			if i > 0 {
				text.WriteString(`,`)
			}
			text.WriteString(decodeParts[scalars+random.IntN(8)] + `: `)
			randomText(random, text, depth+1)
		}
		text.WriteString(`}`)
	case kind == 1 && depth < 5:
		text.WriteString(`[`)
		for i := range random.IntN(4) {
			if i > 0 {
				text.WriteString(` ,`)
			}
			randomText(random, text, depth+1)
		}
		text.WriteString("]\n")
	default:
		text.WriteString(decodeParts[scalars+random.IntN(end-scalars)])
	}
}

// FuzzDecode decodes any text.
func FuzzDecode(f *testing.F) {
	for _, part := range decodeParts {
		f.Add([]byte(part))
		f.Add([]byte(`{"a":` + part + `}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) { decodesAlike(t, text) })
}
