package overlay_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// TestRandomOverlays compares CRDs with random overlays with what a small program makes of the written YAML, which
// knows nothing of the intermediate representation.
func TestRandomOverlays(t *testing.T) {
	pairs := 5000
	if testing.Short() {
		pairs = 500
	}
	changed := 0
	for seed := range pairs {
		r := random{rand.New(rand.NewPCG(uint64(seed), 44))}
		object := r.crd()
		before := write(t, object)
		entries := r.entries(rootOf(object))
		text, err := json.Marshal(map[string]any{"overlays": entries})
		if err != nil {
			t.Fatal(err)
		}
		set, problems := overlay.Read([]*diag.Source{{Path: "overlay.yaml", Data: text}})
		if len(problems) > 0 {
			t.Fatalf("seed %d: %s\n%s", seed, problems[0].Message, text)
		}
		run := set.Start("", nil)
		got := parse(t, crd.Encode(run.Apply(decode(t, before), nil, true), crd.Options{}))
		for _, e := range entries {
			applyEntry(rootOf(object), e)
		}
		want := parse(t, write(t, object))
		if !reflect.DeepEqual(rootOf(got), rootOf(want)) {
			t.Fatalf("seed %d: of\n%s\n%s\nmakes\n%s\nnot\n%s", seed, before, text, write(t, got), write(t, want))
		}
		if !reflect.DeepEqual(rootOf(got), rootOf(parse(t, before))) {
			changed++
		} else if len(run.Findings()) == 0 {
			t.Errorf("seed %d: no finding, but nothing changes: of\n%s\n%s", seed, before, text)
		}
	}
	if changed < pairs*3/4 {
		t.Errorf("only %d of %d overlays change anything", changed, pairs)
	}
}

type object = map[string]any

func write(t *testing.T, o object) []byte {
	t.Helper()
	data, err := yaml.Marshal(withoutTypes(o))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t *testing.T, data []byte) (out object) {
	t.Helper()
	if err := yaml.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// typeKey holds the Go type of an object, which the written CRD does not have.
const typeKey = "x-go-type"

// freshKey marks a schema that the current entry has replaced.
const freshKey = "x-fresh"

func withoutTypes(v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for key, value := range v {
			if key != typeKey && key != freshKey {
				out[key] = withoutTypes(value)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutTypes(v[i])
		}
		return out
	}
	return v
}

// typeName is the Go type of an object with as many fields.
func typeName(fields int) string { return fmt.Sprintf("T%d", fields%3) }

// decode reads a CRD, and gives its objects Go types.
func decode(t *testing.T, data []byte) *schema.CRD {
	t.Helper()
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: data})
	if len(found) > 0 || len(docs) != 1 {
		t.Fatalf("%v\n%s", found, data)
	}
	schema.Walk(docs[0].CRD.Versions[0].Schema, func(p *schema.Place) {
		if p.Schema.Type.V == "object" && p.Schema.AdditionalProperties == nil {
			p.Schema.GoType = &schema.GoType{Package: "example.com/p", Name: typeName(len(p.Schema.Properties))}
		}
	})
	return docs[0].CRD
}

func rootOf(crd object) object {
	version := crd["spec"].(object)["versions"].([]any)[0].(object)
	return version["schema"].(object)["openAPIV3Schema"].(object)
}

type random struct{ *rand.Rand }

func pick[T any](r random, list ...T) T { return list[r.IntN(len(list))] }

func (r random) crd() object {
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": "widgets.example.com"},
		"spec": object{"group": "example.com", "scope": "Namespaced",
			"names": object{"kind": "Widget", "plural": "widgets"},
			"versions": []any{object{"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": r.object(3)}}}},
	}
}

func (r random) object(depth int) object {
	properties := object{}
	for range 1 + r.IntN(4) {
		properties[pick(r, "a", "b", "c", "d.e", "items")] = r.schema(depth - 1)
	}
	out := object{"type": "object", "properties": properties, typeKey: typeName(len(properties))}
	if r.IntN(2) == 0 {
		out["required"] = []any{pick(r, keysOf(properties)...)}
	}
	return out
}

func keysOf(o object) (out []string) {
	for key := range o {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

func (r random) schema(depth int) (out object) {
	switch kind := r.IntN(7); {
	case kind < 3 && depth > 0:
		out = r.object(depth)
	case kind == 3 && depth > 0:
		out = object{"type": "array", "items": r.schema(depth - 1)}
	case kind == 4 && depth > 0:
		out = object{"type": "object", "additionalProperties": r.schema(depth - 1)}
	case kind == 5:
		out = object{"type": "integer"}
	default:
		out = object{"type": "string"}
	}
	for _, name := range r.some("maxLength", "minLength", "maximum", "pattern", "enum", "description", "default") {
		out[name] = r.value(name)
	}
	if r.IntN(4) == 0 {
		out["x-kubernetes-validations"] = []any{r.rule()}
	}
	return out
}

func (r random) some(list ...string) (out []string) {
	for _, item := range list {
		if r.IntN(4) == 0 {
			out = append(out, item)
		}
	}
	return out
}

func (r random) rule() object {
	return object{"rule": pick(r, "self == self", "self != oldSelf", "true"), "message": pick(r, "one", "two")}
}

func (r random) value(keyword string) any {
	switch keyword {
	case "maxLength", "maximum", "maxItems", "maxProperties", "minLength", "minimum", "minItems":
		return float64(1 + r.IntN(5))
	case "enum":
		return pick(r, []any{"a", "b"}, []any{"b", "c", "a"}, []any{"b"}, []any{1.0, "b"})
	case "required":
		return []any{pick(r, "a", "b")}
	case "default", "description", "pattern", "format", "title":
		return pick(r, "a", "b: c", "^x$")
	case "nullable", "x-kubernetes-preserve-unknown-fields":
		return true
	}
	panic(keyword)
}

// entries returns random entries whose paths mostly exist.
func (r random) entries(root object) (out []object) {
	for range 1 + r.IntN(5) {
		e, path := object{}, r.path(root)
		switch r.IntN(4) {
		case 0:
			e["type"] = "example.com/p." + pick(r, "T0", "T1", "T2") + pick(r, "", ".a", ".b[]")
			if r.IntN(2) == 0 {
				e["path"] = pick(r, "a", "**.b", "*")
			}
			if r.IntN(2) == 0 {
				e["within"] = path
			}
		default:
			e["path"] = pick(r, path, path, path, "**", "*", "**.a", "a.**", "**.b[]", `**["d.e"]`, "**.*")
		}
		for range 1 + r.IntN(2) {
			r.change(e)
		}
		out = append(out, e)
	}
	return out
}

// path returns the path to a random schema below one.
func (r random) path(s object) string {
	var out strings.Builder
	for r.IntN(5) > 0 {
		properties, _ := s["properties"].(object)
		items, _ := s["items"].(object)
		values, _ := s["additionalProperties"].(object)
		switch {
		case properties != nil:
			name := pick(r, keysOf(properties)...)
			s = properties[name].(object)
			switch {
			case strings.Contains(name, "."):
				name = `["` + name + `"]`
			case out.Len() > 0:
				name = "." + name
			}
			out.WriteString(name)
		case items != nil:
			s = items
			out.WriteString("[]")
		case values != nil:
			s = values
			out.WriteString("{}")
		}
	}
	return out.String()
}

var keywords = []string{
	"maxLength", "minLength", "maximum", "minimum", "maxItems", "maxProperties", "pattern", "enum", "required",
	"default", "description", "title", "nullable", "x-kubernetes-preserve-unknown-fields", "format",
}

var bounds = []string{"maxLength", "minLength", "maximum", "maxItems", "enum", "required", "pattern"}

// change adds a change to an entry.
func (r random) change(e object) {
	switch r.IntN(11) {
	case 0, 1:
		name := pick(r, keywords...)
		e["set"] = object{name: r.value(name)}
	case 2, 3:
		name := pick(r, bounds...)
		e["tighten"] = object{name: r.value(name)}
	case 4:
		e["remove"] = []any{pick(r, keywords...)}
	case 5:
		e[pick(r, "require", "optional")] = []any{pick(r, "a", "b", "c")}
	case 6:
		e[pick(r, "only", "drop")] = []any{pick(r, "a", "b"), "c"}
	case 7:
		e["addRules"] = []any{r.rule()}
	case 8:
		e["removeRules"] = []any{r.rule()["rule"]}
	case 9:
		e["description"] = pick(r, object{"replace": "x"}, object{"append": "y"}, object{"drop": true})
	case 10:
		e["replace"] = pick(r, object{}, object{"type": "string"}, object{"type": "object",
			"properties": object{"a": object{"type": "array", "items": object{"type": "string"}}}})
	}
}
