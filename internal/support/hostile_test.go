package support

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// hostile are a kind with all that makes work: sets, maps, lists by key, unknown fields, embedded resources and
// defaults.
var hostile = crdResource{
	apiVersion: "example.com/v1", kind: "Hostile", typ: hostileType,
	validate: func(v *crdValidation, object map[string]any) {
		v.checkObject(object, hostileType)
		v.checkResources(object, hostileType)
		v.checkNewLists(object, hostileType)
		v.rulesOfObject(func(v *crdValidation, value, old any) {
			v.rulesOfField("texts", crdGet(value, "texts"), old, func(v *crdValidation, value, old any) {
				v.rulesOfItems(value, old, func(v *crdValidation, value, _ any) {
					v.rule(crdOK(value != "bad"), value, nil, crdRule{typ: "string", text: "self != 'bad'"})
				})
			})
		})
	},
}

var hostileType = func() *crdType {
	text := &crdType{name: "string", maxLength: 1 << 22}
	pair := &crdType{name: "object", fields: []crdTypeField{{"a", text}, {"b", text}}, needs: []string{"a"}}
	withDefault := &crdType{name: "object", fields: []crdTypeField{{"a", text}},
		defaults: []crdDefault{{"a", func() any { return "x" }}}}
	resource := &crdType{name: "object", embedded: true, preserve: true, has: crdResources}
	return &crdType{name: "object", embedded: true, has: crdResources | crdLists, fields: []crdTypeField{
		{"any", &crdType{preserve: true}},
		{"byKey", &crdType{name: "array", listType: "map", listKeys: []string{"a"}, items: pair, has: crdLists}},
		{"byKeys", &crdType{name: "array", listType: "map", listKeys: []string{"a", "b"}, items: pair, has: crdLists}},
		{"defaults", &crdType{name: "array", items: withDefault}},
		{"maps", &crdType{name: "object", values: &crdType{name: "object", values: pair}}},
		{"pairs", &crdType{name: "array", items: pair}},
		{"resources", &crdType{name: "array", items: resource, has: crdResources}},
		{"set", &crdType{name: "array", listType: "set", items: &crdType{preserve: true}, has: crdLists}},
		{"texts", &crdType{name: "array", items: text}},
	}}
}()

// hostileBodies are bodies of about a number of bytes, each of which makes one kind of work. Those of "old" are
// updates of themselves.
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
		"unknown, long key": body(`"maps":{"` + long + `":{` +
			strings.TrimSuffix(strings.Repeat(`"k":{"a":"x","c":1},`, 1), ",") + `,"l":{"a":"x"` +
			strings.Repeat(`,"c":1`, size/12) + `}}}`),
		"unknown metadata":   numbered(`"metadata":{`, `}`, `"x%d":1`),
		"labels":             numbered(`"metadata":{"labels":{"a":null,`, `}}`, `"x%d":"1"`),
		"equal in a set":     each(`"set":[`, `]`, `"a"`),
		"numbers in a set":   numbered(`"set":[`, `]`, `%d`),
		"objects in a set":   numbered(`"set":[`, `]`, `{"a":%d}`),
		"few large in a set": each(`"set":[`, `]`, `[`+strings.Repeat("1,", size/60)+`1]`),
		"equal keys":         each(`"byKey":[`, `]`, `{"a":"x"}`),
		"keys":               numbered(`"byKey":[`, `]`, `{"a":"x%d"}`),
		"equal pairs":        each(`"byKeys":[`, `]`, `{"a":"x","b":"y"}`),
		"errors":             each(`"texts":[`, `]`, `1`),
		"errors, long key": body(`"maps":{"` + long + `":{` +
			strings.TrimSuffix(strings.Repeat(`"k":{"b":"x"},`, 1), ",") + `,"l":{"a":1}}}`),
		"missing fields":     each(`"pairs":[`, `]`, `{}`),
		"null":               each(`"pairs":[`, `]`, `null`),
		"rules":              each(`"texts":[`, `]`, `"bad"`),
		"defaults":           each(`"defaults":[`, `]`, `{}`),
		"resources":          each(`"resources":[`, `]`, `{"apiVersion":"v1","kind":"A","metadata":{}}`),
		"resources, bad":     each(`"resources":[`, `]`, `{"metadata":{"name":"_","x":1}}`),
		"long number":        body(`"any":` + strings.Repeat("1", size)),
		"long fraction":      body(`"any":0.` + strings.Repeat("1", size)),
		"numbers":            each(`"any":[`, `]`, `1.5`),
		"exponents":          each(`"any":[`, `]`, `1e3`),
		"white space":        body(`"any":` + strings.Repeat(" ", size) + "1"),
		"keys of maps":       numbered(`"maps":{"a":{`, `}}`, `"k%d":{"a":""}`),
		"null byte":          body(`"any":"` + strings.Repeat(`\u0000`, size/6) + `"`),
		"kind in many cases": numbered(`"KIND":"Hostile",`, ``, `"kind%d":1`),
	}
}

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
				_, _, _, _ = crdAdmit(body, nil, hostile)
			}
		})
		b.Run(strings.ReplaceAll(name, " ", "_")+"/update", func(b *testing.B) {
			for b.Loop() {
				_, _, _, _ = crdAdmit(body, body, hostile)
			}
		})
	}
}
