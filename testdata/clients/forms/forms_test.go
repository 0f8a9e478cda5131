package forms_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/crdproof/crdproof/testdata/clients/copied"
	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
)

// bodies are objects of requests. Each is a new object, and replaces each other one.
func bodies() (list []string) {
	for _, spec := range []string{
		`{}`, `{"size":1}`, `{"size":-1}`, `{"size":"1"}`, `{"size":1,"beds":[{"name":"a"},{"name":"b"}]}`,
		`{"size":5,"beds":[{"name":"a"},{"name":"a"}]}`, `{"size":5,"beds":[{"name":"A b"}],"unknown":1}`, `null`, `[]`,
	} {
		list = append(list, `{"apiVersion":"example.com/v1","kind":"Garden","metadata":{"name":"g"},"spec":`+spec+`}`)
	}
	return append(list, `{"apiVersion":"example.com/v1","kind":"Region"}`, `{`, `{"apiVersion":"v1","kind":"Garden"}`)
}

// TestForms compares helpers that import the runtime with those that have a copy of it, on the same objects.
func TestForms(t *testing.T) {
	imported, copies := v1.Kinds(), copied.Kinds()
	if len(imported) != len(copies) || len(imported) == 0 {
		t.Fatalf("%d kinds, %d copies", len(imported), len(copies))
	}
	rejected := 0
	for i := range imported {
		for _, body := range bodies() {
			for _, old := range bodies() {
				for _, operation := range []string{"CREATE", "UPDATE"} {
					got := fmt.Sprint(imported[i].Admit(operation, "", []byte(body), []byte(old)))
					if want := fmt.Sprint(copies[i].Admit(operation, "", []byte(body), []byte(old))); got != want {
						t.Errorf("%s of %s over %s:\nimport %s\ncopy   %s", operation, body, old, got, want)
					}
				}
			}
		}
	}
	for _, body := range bodies() {
		var garden v1.Garden
		if json.Unmarshal([]byte(body), &garden) != nil {
			continue
		}
		got, want := v1.GardenHelpers.Validate(&garden), copied.GardenHelpers.Validate(&garden)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: import %v, copy %v", body, got, want)
		}
		rejected += min(1, len(got))
	}
	if rejected == 0 {
		t.Error("no object is invalid")
	}
}
