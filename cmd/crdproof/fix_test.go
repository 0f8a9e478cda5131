package main

import (
	"context"
	"maps"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/fix"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// TestFixFiles fixes the CRDs of the structural cases, whose mistakes are of all kinds: no edit breaks its promise, and
// a second run changes nothing.
func TestFixFiles(t *testing.T) {
	opts := crds.Validation{Keep: true, Options: session.Options{Kube: kube.DefaultRange(), Share: cost.DefaultShare,
		ByVerdict: true}}
	fixed, cases := 0, 0
	for _, c := range structuraltest.Cases(t, filepath.Join(root(t), "testdata/structural")) {
		text := c.File("crd.yaml")
		if text == "" {
			continue
		}
		contents := map[string][]byte{"crd.yaml": []byte(structuraltest.Complete(t, text))}
		all := func() fix.Result {
			result, err := fix.Files(t.Context(), fix.Options{API: true,
				Run: func(ctx context.Context, overlay map[string][]byte) (fix.State, error) {
					files := maps.Clone(contents)
					maps.Copy(files, overlay)
					src := &diag.Source{Path: "crd.yaml", Data: files["crd.yaml"], Syntax: diag.YAML}
					made := crds.Validate(ctx, []*diag.Source{src}, opts)
					return fix.State{Found: made.Found, CRDs: comparable(made.Sessions)}, nil
				},
				Covers: func(d *diag.Diagnostic) bool { return d.Severity != diag.Note },
				Keeps:  func(string) string { return "" },
			})
			if err != nil {
				t.Fatal(err)
			}
			if result.Failed != nil {
				t.Errorf("%s: %s %v", c.Name, result.Failed.Message, result.Failed.Notes)
			}
			return result
		}
		first := all()
		fixed, cases = fixed+first.Fixed(), cases+1
		for _, f := range first.Files {
			contents[f.Path] = f.Data
		}
		if again := all(); len(again.Files) > 0 {
			t.Errorf("%s: a second run fixes %d findings\n%s", c.Name, again.Fixed(), again.Files[0].Data)
		}
	}
	t.Logf("%d findings of %d cases are fixed", fixed, cases)
	if fixed == 0 {
		t.Error("no finding is fixed")
	}
}
