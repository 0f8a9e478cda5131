package apply

import (
	"testing"

	"github.com/crdproof/crdproof/markers"
)

// TestMeanings makes sure that every marker that has an effect has a meaning, and that nothing else has one.
func TestMeanings(t *testing.T) {
	table := meanings()
	used := map[string]bool{}
	for _, defs := range [][]markers.Definition{markers.Known().Definitions(), markers.ControllerGen().Definitions()} {
		for _, d := range defs {
			name := d.Name
			if d.ItemsOf != "" {
				name = d.ItemsOf
			}
			row, found := table[name]
			used[name] = true
			counts := d.Forbidden == "" && d.Inexpressible == "" && d.Step == markers.NoStep
			switch {
			case found != counts && d.Forbidden == "":
				t.Errorf("%s: in the table of meanings: %v, want %v", d.Name, found, counts)
			case (row.frame != nil) && !d.OfKind, d.OfKind && row.apply != nil:
				t.Errorf("%s: a marker of kinds frames, others apply", d.Name)
			case d.ItemsOf != "" && row.apply == nil:
				t.Errorf("%s says nothing of items", d.Name)
			case row.condition != nil && row.apply == nil || row.change != nil && row.apply == nil:
				t.Errorf("%s demands in CEL what it does not demand where there is a schema", d.Name)
			}
		}
	}
	for name := range table {
		if !used[name] {
			t.Errorf("%s has a meaning, but is not a marker", name)
		}
	}
}
