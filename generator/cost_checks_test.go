package generator_test

import (
	"slices"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/rules/cost"
)

// Each check finds its bad example, and nothing in its good one. The example of the sum would be too long for a table.
func TestChecksFindTheirExamples(t *testing.T) {
	checks := slices.DeleteFunc(cost.Checks(), func(c *diag.Check) bool { return c.ID == "cel-cost-total" })
	var sources []string
	pages := checkdoc.Pages()
	for _, c := range checks {
		for _, example := range []string{pages[c.ID].Bad, pages[c.ID].Good} {
			sources = append(sources, "type Spec struct {\n"+example+"\n}\n")
		}
	}
	found := findings(t, sources...)
	for i, c := range checks {
		if !slices.ContainsFunc(found[2*i],
			func(d diag.Diagnostic) bool { return d.Check == c.ID && d.Severity == c.Severity }) {
			t.Errorf("%s is not found in its bad example, but %v", c.ID, found[2*i])
		}
		if len(found[2*i+1]) > 0 {
			t.Errorf("%s: in the good example there is %v", c.ID, found[2*i+1])
		}
	}
}
