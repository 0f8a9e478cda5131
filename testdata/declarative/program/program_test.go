package program

import (
	"context"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/declarative/harness"
)

// TestRandom compares a few kinds made at random. `make declarative ARGS='-kinds 500'` does so for more.
func TestRandom(t *testing.T) {
	report, err := Random(context.Background(), "..", harness.Config{Seed: 1, Values: 25}, 0, 25, false)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	report.Summary(&text)
	t.Log(text.String())
	if len(report.Failures) > 0 {
		text.Reset()
		report.Details(&text, 10)
		t.Errorf("%d verdicts differ:\n%s", len(report.Failures), text.String())
	}
	if len(report.Unmade)*10 > report.Kinds {
		t.Errorf("too many kinds have no CRD: %s", strings.Join(report.Unmade, "\n"))
	}
}
