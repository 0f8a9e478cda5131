package options

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestDeviationsAreDocumented compares the sections of docs/deviations.md with the table.
func TestDeviationsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/deviations.md")
	if err != nil {
		t.Fatal(err)
	}
	var chapters, names []string
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(text), -1) {
		chapters = append(chapters, m[1])
	}
	for _, d := range Deviations() {
		names = append(names, d.Name)
		if d.Doc == "" {
			t.Errorf("%s says nothing of itself", d.Name)
		}
	}
	if !slices.Equal(chapters, names) {
		t.Errorf("docs/deviations.md has the chapters %q, the table %q", chapters, names)
	}
}
