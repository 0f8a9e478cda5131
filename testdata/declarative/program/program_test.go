package program

import (
	"context"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/declarative/harness"
)

// TestNext compares the fixed kinds with the next version, and shows that only known differences are left.
func TestNext(t *testing.T) {
	report, err := Fixed(context.Background(), "..", harness.Config{Seed: 1, Values: 40})
	if err != nil {
		t.Fatal(err)
	}
	check(t, report)
	if len(report.Unmade) > 0 {
		t.Errorf("kinds have no CRD: %s", strings.Join(report.Unmade, "\n"))
	}
	if report.Excused["slashes-accepted"] > 0 {
		t.Error("the next version accepts several slashes")
	}
	if report.Rejected*4 < report.Creates {
		t.Errorf("only %d of %d objects are rejected", report.Rejected, report.Creates)
	}
}

// TestRandom compares a few kinds made at random. `make declarative ARGS='-kinds 500'` does so for more.
func TestRandom(t *testing.T) {
	report, err := Random(context.Background(), "..", harness.Config{Seed: 1, Values: 25}, 0, 25, false)
	if err != nil {
		t.Fatal(err)
	}
	check(t, report)
	if len(report.Unmade)*10 > report.Kinds {
		t.Errorf("too many kinds have no CRD: %s", strings.Join(report.Unmade, "\n"))
	}
}

// check reports the verdicts that differ.
func check(t *testing.T, report *harness.Report) {
	t.Helper()
	var text strings.Builder
	report.Summary(&text)
	t.Log(text.String())
	if len(report.Failures) > 0 {
		text.Reset()
		report.Details(&text, 10)
		t.Errorf("%d verdicts differ:\n%s", len(report.Failures), text.String())
	}
}
