package markers

import (
	"slices"
	"strings"
	"testing"
)

// TestDifferences makes sure that each difference has a unique ID, a sentence, and tags that exist.
func TestDifferences(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Differences() {
		if seen[d.ID] || d.ID == "" {
			t.Errorf("two differences have the ID %q", d.ID)
		}
		seen[d.ID] = true
		if !strings.HasSuffix(d.Doc, ".") {
			t.Errorf("%s: the documentation is not a sentence: %q", d.ID, d.Doc)
		}
		for _, tag := range d.Tags {
			if !slices.ContainsFunc(Known().Definitions(), func(d Definition) bool { return d.Name == tag }) {
				t.Errorf("%s: unknown tag %s", d.ID, tag)
			}
		}
	}
}
