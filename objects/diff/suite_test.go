package diff

import (
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/suite"
)

// RunSuites runs the suites of the witnesses.
func RunSuites(t *testing.T, c *Comparison, now crds.CRD) {
	t.Helper()
	report := &Report{Comparisons: []*Comparison{c}}
	for _, file := range report.Suites() {
		src := &diag.Source{Path: file.Path, Data: file.Data, Syntax: diag.YAML}
		suites, problems := suite.ParseAll(t.Context(), []*diag.Source{src})
		data, err := yaml.Marshal(now.Object)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "crd.yaml")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		result := suite.Run(t.Context(), suites, suite.Options{Where: crds.Where{Files: []string{path}}})
		for _, d := range append(problems, result.Problems...) {
			t.Errorf("%s: %s\n%s", file.Path, d.Message, file.Data)
		}
		if len(result.Outcomes) == 0 {
			t.Errorf("no case runs\n%s", file.Data)
		}
		for _, o := range result.Outcomes {
			for _, d := range o.Failures {
				t.Errorf("%s: %s %v\n%s", o.Name, d.Message, d.Notes, file.Data)
			}
		}
	}
}
