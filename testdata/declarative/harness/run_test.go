package harness_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/testdata/declarative/harness"
	"github.com/crdproof/crdproof/testdata/declarative/types"
)

// TestDeclarative compares the errors of Kubernetes' Go validators and of the API server for a few hundred objects of
// each kind. `make declarative` does so for more.
func TestDeclarative(t *testing.T) {
	met := map[string]int{}
	for _, seed := range []uint64{1} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			report, err := harness.Run(context.Background(), harness.Config{Dir: "../types", Seed: seed, Values: 120},
				types.Kinds())
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			report.Summary(&text)
			t.Log(text.String())
			if len(report.Unmade) > 0 {
				t.Errorf("kinds have no CRD: %s", strings.Join(report.Unmade, "\n"))
			}
			if len(report.Failures) > 0 {
				text.Reset()
				report.Details(&text, 10)
				t.Errorf("%d verdicts differ:\n%s", len(report.Failures), text.String())
			}
			if report.Rejected*4 < report.Creates || report.Rejected*4 > 3*(report.Creates+report.Updates) ||
				report.Unread*20 > report.Creates {
				t.Errorf("too few verdicts of one kind")
			}
			for id, n := range report.Excused {
				met[id] += n
			}
		})
	}
	differences, err := txtar.ParseFile("../differences.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences.Files {
		id, _, _ := strings.Cut(d.Name, " ")
		if met[id] == 0 {
			t.Errorf("no object shows the difference %s", id)
		}
		delete(met, id)
	}
	for id := range met {
		t.Errorf("differences.txtar has no %s", id)
	}
}

// TestBrokenCRDs loosens and tightens what crdproof writes: of every kind an object has to show it.
func TestBrokenCRDs(t *testing.T) {
	breaks := []struct {
		name  string
		apply func(spec map[string]any)
	}{
		{"nothing is bounded", loosen},
		{"nothing is accepted", func(spec map[string]any) {
			spec["x-kubernetes-validations"] = []any{map[string]any{"rule": "false", "message": "no"}}
		}},
	}
	for _, b := range breaks {
		t.Run(b.name, func(t *testing.T) {
			report, err := harness.Run(context.Background(),
				harness.Config{Dir: "../types", Seed: 1, Values: 25, Break: b.apply}, types.Kinds())
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range types.Kinds() {
				if !slices.ContainsFunc(report.Failures, func(f harness.Failure) bool { return f.Kind == kind.Name }) {
					t.Errorf("%s: no verdict differs", kind.Name)
				}
			}
		})
	}
}

// loosen takes all but the structure from a schema.
func loosen(s map[string]any) {
	for key, value := range s {
		switch key {
		case "properties":
			for _, p := range value.(map[string]any) {
				loosen(p.(map[string]any))
			}
		case "items", "additionalProperties":
			loosen(value.(map[string]any))
		case "type", "default", "description":
		default:
			delete(s, key)
		}
	}
}
