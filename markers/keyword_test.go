package markers_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// TestKeywords compares the table with the API's own type, so that no keyword of a new version is forgotten.
func TestKeywords(t *testing.T) {
	var got, want []string
	for _, k := range schema.Keywords() {
		got = append(got, k.Name)
		if _, isKept := k.Field.(schema.VerbatimField); isKept && (k.Validates || k.AtRoot || k.Marker != "") {
			t.Errorf("%s has no place in a schema, but a meaning", k.Name)
		}
		if schema.KeywordOf(k.Name).Name != k.Name {
			t.Errorf("%s is not found by its name", k.Name)
		}
	}
	props := reflect.TypeFor[apiext.JSONSchemaProps]()
	for i := range props.NumField() {
		name, _, _ := strings.Cut(props.Field(i).Tag.Get("json"), ",")
		want = append(want, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the keywords are\n%q, not\n%q", want, got)
	}
}

// TestKeywordFields makes sure that each field of a Schema belongs to one keyword, and that its value can be moved.
func TestKeywordFields(t *testing.T) {
	owner := map[string]string{}
	for _, k := range schema.Keywords() {
		var full, moved schema.Schema
		for i := range reflect.TypeFor[schema.Schema]().NumField() {
			fill(reflect.ValueOf(&full).Elem().Field(i))
		}
		k.Copy(&moved, &full)
		v := reflect.ValueOf(moved)
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; !v.Field(i).IsZero() {
				if owner[name] != "" {
					t.Errorf("%s belongs to %s and %s", name, owner[name], k.Name)
				}
				owner[name] = k.Name
			}
		}
		if k.IsSet(&schema.Schema{}) {
			t.Errorf("%s is set in an empty schema", k.Name)
		}
		if _, isKept := k.Field.(schema.VerbatimField); k.IsSet(&moved) == isKept {
			t.Errorf("%s is set: %t", k.Name, k.IsSet(&moved))
		}
	}
	for i := range reflect.TypeFor[schema.Schema]().NumField() {
		name := reflect.TypeFor[schema.Schema]().Field(i).Name
		ofGo := []string{"At", "Other", "Origin", "Incomplete", "Unmarked", "GoType"}
		if owner[name] == "" && !slices.Contains(ofGo, name) {
			t.Errorf("the field %s belongs to no keyword", name)
		}
	}
}

// fill sets a value to one that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if f := v.Elem(); f.Type() == reflect.TypeFor[schema.Flag]() {
			fill(f.FieldByName("V"))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Struct:
		if text := v.FieldByName("V"); text.IsValid() {
			fill(text)
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	}
}

// TestKeywordMarkers makes sure that the markers of keywords exist.
func TestKeywordMarkers(t *testing.T) {
	for _, k := range schema.Keywords() {
		name := strings.TrimSuffix(k.Marker, ":rule") // the argument that matters
		isName := func(d markers.Definition) bool { return d.Name == name }
		if name != "" && !slices.ContainsFunc(markers.Known().Definitions(), isName) {
			t.Errorf("%s is set by +%s, which is not a marker", k.Name, k.Marker)
		}
	}
}
