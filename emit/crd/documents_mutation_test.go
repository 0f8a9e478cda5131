package crd_test

import (
	"encoding/json"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
)

// TestMutations takes a CRD with all fields, replaces each value by values of all types, and drops and renames each
// key. A text must be rejected if, and only if, an API server cannot decode it.
func TestMutations(t *testing.T) {
	archive, err := txtar.ParseFile("../../testdata/read/everything.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var object any
	if err := yaml.Unmarshal(archive.Files[0].Data, &object); err != nil {
		t.Fatal(err)
	}
	count := 0
	check := func() {
		if count++; testing.Short() && count%5 != 0 {
			return
		}
		data, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		docs, found := mustAgree(t, "crd.json", data)
		mustMatchOracle(t, data, docs, found)
	}
	mutate(object, func(any) {}, check)
	if count < 1000 {
		t.Errorf("only %d mutations", count)
	}
}

// mutate calls check for each change of a value and of its parts; set replaces the value.
func mutate(v any, set func(any), check func()) {
	for _, other := range []any{
		nil, true, 5, 1.5, 1e30, -1, "", "5", "true", "x", []any{}, []any{nil}, []any{1, "a"}, map[string]any{},
		map[string]any{"a": 1}, map[string]any{"a": nil},
	} {
		set(other)
		check()
	}
	set(v)
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			delete(v, key)
			check()
			v[key+"x"] = value
			check()
			delete(v, key+"x")
			mutate(value, func(other any) { v[key] = other }, check)
		}
	case []any:
		for i, item := range v {
			mutate(item, func(other any) { v[i] = other }, check)
		}
	}
}
