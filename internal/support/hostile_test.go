package support

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// hostile are a kind with all that makes work: sets, maps, lists by key, unknown fields, embedded resources and
// defaults.
var hostile = Resource{
	Group: "example.com", Version: "v1", Kind: "Hostile", Types: typesOf(hostileType),
	Rules: &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{func(self, _ any) Result[bool] {
		return OK(self != "bad")
	}}},
}

// admit does what the API server does with the body of a create, or of an update if there is an old object.
func admit(body, old []byte) (object map[string]any, errs field.ErrorList, warnings []string, err error) {
	operation := operationUpdate
	if old == nil {
		operation = operationCreate
	}
	return hostile.Admit(operation, "", body, old)
}

// plainHostile are the same kind without embedded resources: its objects are read without maps.
var plainHostile = func() Resource {
	t := *hostileType
	t.Has &^= Resources
	t.Fields = slices.DeleteFunc(slices.Clone(t.Fields), func(f TypeField) bool { return f.Name == "resources" })
	r := hostile
	r.Types = typesOf(&t)
	return r
}()

// judge checks that a request has the same answer without the object.
func judge(t *testing.T, body, old []byte) {
	t.Helper()
	operation := operationUpdate
	if old == nil {
		operation = operationCreate
	}
	_, errs, warnings, err := plainHostile.Admit(operation, "", body, old)
	gotErrs, gotWarnings, gotErr := plainHostile.ValidateRequest(operation, "", body, old)
	want := fmt.Sprint(sentences(errs), warnings, err)
	if got := fmt.Sprint(sentences(gotErrs), gotWarnings, gotErr); got != want {
		t.Errorf("%.300s\n got %.300s\nwant %.300s", body, got, want)
	}
}

var hostileType = func() *Type {
	text := &Type{Name: "string", MaxLength: 1 << 22}
	ruled := &Type{Name: "string", MaxLength: 1 << 22, Has: withRules,
		rules: []Rule{{check: 1, Type: "string", Text: "self != 'bad'"}}}
	pair := &Type{Name: "object", Fields: []TypeField{{"a", text}, {"b", text}}, Needs: []string{"a"}}
	withDefault := &Type{Name: "object", Fields: []TypeField{{"a", text}},
		Defaults: []Default{{"a", "x"}}}
	resource := &Type{Name: "object", Embedded: true, Preserve: true, Has: Resources}
	return &Type{Name: "object", Embedded: true, Has: Resources | Lists | withRules, Fields: []TypeField{
		{"any", &Type{Preserve: true}},
		{"byKey", &Type{Name: "array", ListType: "map", ListKeys: []string{"a"}, Items: pair, Has: Lists}},
		{"byKeys", &Type{Name: "array", ListType: "map", ListKeys: []string{"a", "b"}, Items: pair, Has: Lists}},
		{"defaults", &Type{Name: "array", Items: withDefault}},
		{"maps", &Type{Name: "object", Values: &Type{Name: "object", Values: pair}}},
		{"pairs", &Type{Name: "array", Items: pair}},
		{"resources", &Type{Name: "array", Items: resource, Has: Resources}},
		{"set", &Type{Name: "array", ListType: "set", Items: &Type{Preserve: true}, Has: Lists}},
		{"texts", &Type{Name: "array", Items: ruled, Has: withRules}},
	}}
}()

// hostileBodies are bodies of about a number of bytes, each of which makes one kind of work.
func hostileBodies(size int) map[string][]byte {
	body := func(fields string) []byte {
		return []byte(`{"apiVersion":"example.com/v1","kind":"Hostile",` + fields + `}`)
	}
	each := func(before, after, part string) []byte {
		n := size / (len(part) + 1)
		return body(before + strings.TrimSuffix(strings.Repeat(part+",", n), ",") + after)
	}
	numbered := func(before, after, part string) []byte {
		var out bytes.Buffer
		for i := 0; out.Len() < size; i++ {
			if i > 0 {
				out.WriteByte(',')
			}
			fmt.Fprintf(&out, part, i)
		}
		return body(before + out.String() + after)
	}
	nested := func(before, start, inner, end string) []byte {
		n := min(9990, size/(len(start)+len(end)))
		return body(before + strings.Repeat(start, n) + inner + strings.Repeat(end, n))
	}
	long := strings.Repeat("k", size/2)
	return map[string][]byte{
		"plain":                    numbered(`"pairs":[`, `]`, `{"a":"x%d","b":"y"}`),
		"long text":                body(`"texts":["` + strings.Repeat("a", size) + `"]`),
		"texts":                    each(`"texts":[`, `]`, `"a"`),
		"escapes":                  each(`"texts":[`, `]`, `"\ud83d\ude00"`),
		"long escapes":             body(`"texts":["` + strings.Repeat(`\ud83d\ude00`, size/12) + `"]`),
		"bad UTF-8":                body(`"texts":["` + strings.Repeat("\xff", size/3) + `"]`),
		"bad UTF-8 at the end":     numbered(`"pairs":[`, `],"texts":["`+"\xff"+`"]`, `{"a":"x%d","b":"y"}`),
		"duplicate at the end":     numbered(`"pairs":[`, `],"any":1,"any":2`, `{"a":"x%d","b":"y"}`),
		"number at the end":        numbered(`"pairs":[`, `],"any":1e3`, `{"a":"x%d","b":"y"}`),
		"syntax error at the end":  numbered(`"pairs":[`, `],"any":`, `{"a":"x%d","b":"y"}`),
		"syntax error after lists": each(`"any":[`, `],"any":`, `[]`),
		"syntax error after text":  body(`"texts":["` + strings.Repeat("a", size) + `"],"any":`),
		"deep objects":             nested(`"any":`, `{"a":`, "1", `}`),
		"deep objects, long keys":  nested(`"any":`, `{"`+strings.Repeat("a", max(1, size/10000-6))+`":`, "1", `}`),
		"deep lists":               nested(`"any":`, `[`, "1", `]`),
		"too deep":                 body(`"any":` + strings.Repeat("[", size)),
		"deep unknown":             nested(`"texts":`, `[{"a":1},`, "1", `]`),
		"deep unknown in objects":  nested(`"texts":["`, `{"a":`, "1", `}`),
		"deep duplicates":          nested(`"any":`, `{"b":1,"b":2,"a":`, "1", `}`),
		"duplicate keys":           each(`"any":{`, `}`, `"a":1`),
		"duplicate pairs of keys":  numbered(`"any":{`, `}`, `"a%[1]d":1,"a%[1]d":2`),
		"duplicates in lists":      each(`"any":[`, `]`, `{"a":1,"a":2}`),
		"duplicates, long key":     body(`"any":{"` + long + `":[` + strings.Repeat(`{"a":1,"a":2},`, size/30) + `1]}`),
		"unknown fields":           numbered(``, ``, `"x%d":1`),
		"unknown in pairs":         each(`"pairs":[`, `]`, `{"a":"x","c":1}`),
		"unknown, long key":        body(`"maps":{"` + long + `":{"l":{"a":"x"` + strings.Repeat(`,"c":1`, size/12) + `}}}`),
		"unknown metadata":         numbered(`"metadata":{`, `}`, `"x%d":1`),
		"labels":                   numbered(`"metadata":{"labels":{"a":null,`, `}}`, `"x%d":"1"`),
		"equal in a set":           each(`"set":[`, `]`, `"a"`),
		"numbers in a set":         numbered(`"set":[`, `]`, `%d`),
		"objects in a set":         numbered(`"set":[`, `]`, `{"a":%d}`),
		"few large in a set":       each(`"set":[`, `]`, `[`+strings.Repeat("1,", size/60)+`1]`),
		"equal keys":               each(`"byKey":[`, `]`, `{"a":"x"}`),
		"keys":                     numbered(`"byKey":[`, `]`, `{"a":"x%d"}`),
		"equal pairs":              each(`"byKeys":[`, `]`, `{"a":"x","b":"y"}`),
		"errors":                   each(`"texts":[`, `]`, `1`),
		"errors, long key":         body(`"maps":{"` + long + `":{"k":{"b":"x"},"l":{"a":1},"m":{"a":1,"b":2}}}`),
		"missing fields":           each(`"pairs":[`, `]`, `{}`),
		"null":                     each(`"pairs":[`, `]`, `null`),
		"rules":                    each(`"texts":[`, `]`, `"bad"`),
		"defaults":                 each(`"defaults":[`, `]`, `{}`),
		"resources":                each(`"resources":[`, `]`, `{"apiVersion":"v1","kind":"A","metadata":{}}`),
		"resources, bad":           each(`"resources":[`, `]`, `{"metadata":{"name":"_","x":1}}`),
		"long number":              body(`"any":` + strings.Repeat("1", size)),
		"long fraction":            body(`"any":0.` + strings.Repeat("1", size)),
		"numbers":                  each(`"any":[`, `]`, `1.5`),
		"exponents":                each(`"any":[`, `]`, `1e3`),
		"white space":              body(`"any":` + strings.Repeat(" ", size) + "1"),
		"keys of maps":             numbered(`"maps":{"a":{`, `}}`, `"k%d":{"a":""}`),
		"null byte":                body(`"any":"` + strings.Repeat(`\u0000`, size/6) + `"`),
		"kind in many cases":       numbered(`"KIND":"Hostile",`, ``, `"kind%d":1`),
	}
}

// allocated is the number of bytes that a call allocates.
func allocated(call func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// checkCost compares the memory for a request, and for the object that it replaces, with that for decoding what is
// stored, or the body if nothing is. Each error may need more. What is allocated stands for the steps: nothing here takes
// many steps without memory.
func checkCost(t *testing.T, body, old []byte) (cost int) {
	t.Helper()
	const most, each, paths, start = 5, 1500, 12, 1 << 17
	var errs field.ErrorList
	var warnings []string
	var object, decoded map[string]any
	cost = allocated(func() { object, errs, warnings, _ = admit(body, old) })
	decoding := allocated(func() { _ = json.Unmarshal(body, &decoded) })
	if object != nil {
		stored, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		decoding = max(decoding, allocated(func() { _ = json.Unmarshal(stored, &decoded) }))
	}
	allowed := most*(decoding+len(body)) + start
	if old != nil {
		allowed *= 2
	}
	for _, err := range errs {
		allowed += each + paths*len(err.Field)
	}
	if judged := allocated(func() { judge(t, body, old) }); judged > 4*allowed && len(body) > longText {
		t.Errorf("%d bytes are allocated for both answers, %d for decoding: %.300q", judged, decoding, body)
	}
	if cost > allowed && len(body) > longText {
		t.Errorf("%d bytes are allocated, %d for decoding, %d errors: %.300q", cost, decoding, len(errs), body)
	}
	size := 0
	for _, text := range warnings {
		size += utf8.RuneCountInString(text)
	}
	if size > mostWarnings+mostWarning {
		t.Errorf("the warnings have %d characters: %.300q", size, body)
	}
	return cost
}

// TestHostile has bodies of two sizes. The larger ones may cost as many times more as they are larger.
func TestHostile(t *testing.T) {
	const size, times = 50 << 10, 4
	large := hostileBodies(times * size)
	for name, body := range hostileBodies(size) {
		t.Run(name, func(t *testing.T) {
			small := checkCost(t, body, nil)
			if cost := checkCost(t, large[name], nil); cost > 2*times*small+1<<16 {
				t.Errorf("%d bytes are allocated, %d for a body of a quarter of the size", cost, small)
			}
			checkCost(t, body, body)
		})
	}
}

// TestManyErrors has more errors than are reported.
func TestManyErrors(t *testing.T) {
	_, errs, _, err := admit(hostileBodies(100 << 10)["errors"], nil)
	if err != nil {
		t.Fatal(err)
	}
	last := errs[len(errs)-1].Error()
	want := "<nil>: Invalid value: null: the object has more errors; correct the existing errors to see them"
	if most := mostErrors / 256; len(errs) > most+2 || last != want {
		t.Errorf("%d errors, the last one is %s", len(errs), last)
	}
}

// FuzzHostile looks for parts of bodies which, repeated, cost much more than decoding.
func FuzzHostile(f *testing.F) {
	for _, seed := range [][3]string{
		{`"any":`, `{"a":`, `1`}, {`"any":[`, `{"b":1,"b":2},`, `1]`}, {`"set":[`, `"a",`, `1]`},
		{`"byKeys":[`, `{"a":"x"},`, `{}]`}, {`"texts":["`, `\ud83d`, `"]`}, {`"metadata":{"labels":{`, `"a":null,`, `"b":1}}`},
		{`"resources":[`, `{"kind":1},`, `{}]`}, {`"maps":{"k":{"l":{`, `"x":1,`, `"a":2}}}`}, {`"texts":[`, `[{"a":1},`, `1]`},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, before, part, after string) {
		const most = 4 * longText
		if len(before)+len(part)+len(after) > most/64 {
			return
		}
		for _, end := range []string{"", "}", "]"} {
			n := most / (len(part) + len(end) + 1)
			checkCost(t, []byte(`{"apiVersion":"example.com/v1","kind":"Hostile",`+before+strings.Repeat(part, n)+after+
				strings.Repeat(end, n)+`}`), nil)
		}
	})
}

// BenchmarkHostile measures requests of 3 MB, which a server still reads, and decoding side by side.
func BenchmarkHostile(b *testing.B) {
	const size = 3 << 20
	for name, body := range hostileBodies(size) {
		b.Run(strings.ReplaceAll(name, " ", "_")+"/json", func(b *testing.B) {
			for b.Loop() {
				var object map[string]any
				_ = json.Unmarshal(body, &object)
			}
		})
		b.Run(strings.ReplaceAll(name, " ", "_")+"/admit", func(b *testing.B) {
			for b.Loop() {
				_, _, _, _ = admit(body, nil)
			}
		})
		b.Run(strings.ReplaceAll(name, " ", "_")+"/check", func(b *testing.B) {
			for b.Loop() {
				_, _, _ = plainHostile.ValidateRequest(operationCreate, "", body, nil)
			}
		})
		b.Run(strings.ReplaceAll(name, " ", "_")+"/update", func(b *testing.B) {
			for b.Loop() {
				_, _, _, _ = admit(body, body)
			}
		})
	}
}
