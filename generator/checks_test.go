package generator_test

import (
	"os"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator"
)

// TestChecksReference keeps docs/checks.md in step with the tables, or rewrites it.
func TestChecksReference(t *testing.T) {
	const path = "../docs/checks.md"
	want := generator.Checks().Reference()
	if *update {
		writeFile(t, path, []byte(want))
	}
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("%s is not current: run go test ./generator -run TestChecks -update", path)
	}
}

// TestChecks looks for what is missing in a row or stands twice.
func TestChecks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range generator.Checks() {
		if seen[c.ID] {
			t.Errorf("two checks are called %s", c.ID)
		}
		seen[c.ID] = true
		if !strings.HasSuffix(c.Doc, ".") || c.Doc[0] < 'A' || c.Doc[0] > 'Z' {
			t.Errorf("%s: the documentation is no sentence: %q", c.ID, c.Doc)
		}
		if (c.Bad == "") != (c.Good == "") || c.Bad == "" && c.ID != "api-server" {
			t.Errorf("%s has no example of what it finds, or none of the cure", c.ID)
		}
	}
}
