package support

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

// someType describes some of the keys that the texts have.
var someType = &crdType{name: "object", fields: []crdTypeField{
	{`\\`, &crdType{}}, {`\n`, &crdType{}}, {"a", &crdType{name: "string"}}, {"b", &crdType{name: "array", items: &crdType{fields: []crdTypeField{
		{"c", &crdType{name: "integer"}}}}}}, {"é", &crdType{}},
}, values: &crdType{fields: []crdTypeField{{"a", &crdType{}}}}}

// decodesAlike compares crdDecode with the decoder of API servers.
func decodesAlike(t *testing.T, text []byte) {
	t.Helper()
	var want map[string]any
	strict, wantErr := kjson.UnmarshalStrict(text, &want, kjson.DisallowDuplicateFields)
	for _, typ := range []*crdType{nil, someType} {
		got, duplicates, err := crdDecode(text, typ)
		switch {
		case wantErr != nil || want == nil:
			if err == nil || wantErr != nil && err.Error() != wantErr.Error() {
				t.Errorf("%q: %v, want %v", text, err, wantErr)
			}
			continue
		case err != nil || !reflect.DeepEqual(got, want) || len(duplicates) != len(strict):
			t.Errorf("%q: %#v, %q, %v, want %#v, %v", text, got, duplicates, err, want, strict)
			continue
		}
		for i := range strict {
			if duplicates[i] != strict[i].Error() {
				t.Errorf("%q: %s, want %s", text, duplicates[i], strict[i])
			}
		}
	}
}

// decodeParts are what the texts consist of.
var decodeParts = []string{
	`{`, `}`, `[`, `]`, `,`, `:`, `"a"`, `"b"`, `"c"`, `"é"`, `"x\ny"`, `"\u003c\u00e9"`, `"\n"`, `"\\"`,
	`"\ud83d\ude00"`, `"\ud800"`, "\"\xff\"", `"\x"`, `"\u12"`, `"`, `\`, `0`, `-0`, `-0.0`, `1`, `-12`, `01`, `1.5`, `1.`, `1e3`, `1E400`, `9223372036854775807`,
	`9223372036854775808`, `123456789012345678`, `0.1234567890123456789`, `true`, `false`, `null`, `nul`, ` `, "\n", `{"a":1}`,
	`{"a":1,"a":2}`, `"a":`, `"b":[`, `"":`,
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
			data = append(append(append([]byte{}, data[:at]...), decodeParts[random.IntN(len(decodeParts))]...), data[at:]...)
		}
		decodesAlike(t, data)
	}
	decodesAlike(t, []byte(`{"a":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`))
	decodesAlike(t, []byte(`{"a":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}`))
}

// randomText writes a random value, which is mostly valid.
func randomText(random *rand.Rand, text *strings.Builder, depth int) {
	const scalars, end = 6, 38 // of decodeParts
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

// TestStrictWarnings shows the warnings of an API server.
func TestStrictWarnings(t *testing.T) {
	_, repeated, err := crdDecode([]byte(`{"a":1,"b":[{"c":1,"c":2}],"a":2}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`duplicate field "b[0].c"`, `duplicate field "a"`, `unknown field "x.y"`}
	if got := crdStrictWarnings(repeated, []string{"x.y"}); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAdmit decodes a new object and an update: both are pruned and have defaults before they are validated.
func TestAdmit(t *testing.T) {
	prune := func(m map[string]any) []string {
		if _, ok := m["x"]; !ok {
			return nil
		}
		delete(m, "x")
		return []string{"x"}
	}
	defaults := func(m map[string]any) { m["d"] = int64(1) }
	validate := func(obj, old map[string]any) (field.ErrorList, []string) {
		if old == nil {
			return field.ErrorList{field.Invalid(nil, obj["a"], "new")}, nil
		}
		if len(old) != 2 || old["d"] != int64(1) {
			t.Error("the old object is", old)
		}
		return nil, []string{"ratcheted"}
	}
	obj, errs, warnings, err := crdAdmit([]byte(`{"a":1,"a":2,"x":3}`), nil, someType, prune, defaults, validate)
	if want := map[string]any{"a": int64(2), "d": int64(1)}; err != nil || !reflect.DeepEqual(obj, want) ||
		len(errs) != 1 || strings.Join(warnings, ", ") != `duplicate field "a", unknown field "x"` {
		t.Error(obj, errs, warnings, err)
	}
	_, errs, warnings, err = crdAdmit([]byte(`{"a":1}`), []byte(`{"a":2,"x":3}`), someType, prune, defaults, validate)
	if err != nil || len(errs) > 0 || strings.Join(warnings, ", ") != "ratcheted" {
		t.Error(errs, warnings, err)
	}
	for _, texts := range [][2][]byte{{[]byte(`{`), nil}, {[]byte(`{}`), []byte(`null`)}} {
		if obj, _, _, err := crdAdmit(texts[0], texts[1], someType, prune, defaults, validate); err == nil || obj != nil {
			t.Errorf("%s is admitted", texts)
		}
	}
}
