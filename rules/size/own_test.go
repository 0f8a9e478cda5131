package size

import (
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// awkward are texts whose JSON is longer than they are. All are UTF-8, since neither Go nor YAML may have others.
var awkward = []string{
	"plain", "", `a "quoted" \ text`, "two\nlines\tand\x00\x1f\x7f", "<a> & b", "\u2028\u2029 é 😀",
}

// TestOwnBytes compares the bytes of schemas with the JSON that kubectl would keep: of each keyword alone, and of all
// together.
func TestOwnBytes(t *testing.T) {
	for _, text := range awkward {
		var all schema.Schema
		fill(reflect.ValueOf(&all).Elem(), text, 3)
		all.Other = []schema.Verbatim{
			{Name: "$ref", Value: schema.Value{Kind: schema.String, Text: text}},
			{Name: "dependencies", Value: schema.Value{Kind: schema.Bool, Text: "true"}}, // which no API server decodes
		}
		schemas := map[string]*schema.Schema{"empty": {}, "all": &all, "other": {Other: all.Other}}
		keywords := schema.Keywords()
		for i := range keywords {
			alone := &schema.Schema{}
			keywords[i].Copy(alone, &all)
			schemas[keywords[i].Name] = alone
		}
		for name, s := range schemas {
			want := len(encoded(decoded(encoded(kube.Props(s)))))
			if got := NewWeights().shareOf(s).Bytes; got != want {
				t.Errorf("%s with the text %q has %d bytes, not %d", name, text, got, want)
			}
		}
	}
}

// fill sets all fields of a value: texts to the text or to a value of their kind, lists to two items, and schemas down
// to some depth.
func fill(v reflect.Value, text string, depth int) {
	switch x := v.Addr().Interface().(type) {
	case *schema.Number:
		x.V = "1e+21"
		return
	case *schema.Value:
		*x = schema.Value{Kind: schema.Object, Members: []schema.Member{
			{Key: "k" + text, Value: schema.Value{Kind: schema.NumberKind, Text: "1.50"}},
			{Key: "null", Value: schema.Value{Kind: schema.Null}},
		}}
		return
	case *schema.Property:
		x.Schema = &schema.Schema{}
		x.Name = text + string(rune('a'+depth))
		fill(reflect.ValueOf(x.Schema).Elem(), text, depth-1)
		return
	case *schema.Schema:
		if depth <= 0 {
			return
		}
		depth--
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() != reflect.TypeFor[*schema.GoType]() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), text, depth)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]schema.Verbatim]() {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i), text, depth-i)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && v.Type().Field(i).Name != "At" {
				fill(f, text, depth)
			}
		}
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1234567)
	}
}
