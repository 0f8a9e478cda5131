package suites

import (
	"flag"
	"testing"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/testdata/conformance/server"
)

var every = flag.Int("every", 6, "run each so many-th suite through an API server as well")

// TestSuites runs all suites of OpenShift's API as they are: they were written against API servers, and each case
// passes.
func TestSuites(t *testing.T) {
	dir, err := Download(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	suites, found := Read(t.Context(), dir)
	report := suite.Run(t.Context(), suites, suite.Options{})
	for _, d := range append(found, report.Findings()...) {
		if d.Severity == diag.Error {
			t.Errorf("%v", d)
		}
	}
	passed, failed := report.Count()
	t.Logf("%d suites: %d cases passed, %d failed", len(suites), passed, failed)
	if len(suites) < 130 || passed < 1500 {
		t.Errorf("%d suites with %d cases that pass", len(suites), passed)
	}
	t.Run("server", func(t *testing.T) { testServer(t, suites) })
}

// testServer runs some of the suites through an API server. It does what a case expects where objects/suite says so, and
// nowhere else, and answers each write as objects/write does.
func testServer(t *testing.T, suites []*suite.Suite) {
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	var selected []*Selection
	runners := map[string]*Runner{}
	for i := 0; i < len(suites); i += *every {
		selection, err := Select(t.Context(), suites[i])
		if err != nil {
			t.Fatal(err)
		}
		selected = append(selected, selection)
		if runners[selection.CRD.Name] == nil {
			if runners[selection.CRD.Name], err = NewRunner(t.Context(), s, selection.CRD); err != nil {
				t.Fatalf("%s: %v", selection.CRD.Name, err)
			}
		}
	}
	time.Sleep(2 * time.Second) // or else each CRD waits by itself
	passed, failed := 0, 0
	for _, selection := range selected {
		runner := runners[selection.CRD.Name]
		if err := runner.Use(t.Context(), selection.CRD); err != nil {
			t.Fatalf("%s: %v", selection.CRD.Name, err)
		}
		for _, o := range selection.Report.Outcomes {
			v, err := runner.Run(t.Context(), o.Case)
			if err != nil {
				t.Fatalf("%s: %v", o.Name, err)
			}
			if o.Passed() {
				passed++
			} else {
				failed++
			}
			if v.Passed != o.Passed() {
				t.Errorf("%s: objects/suite says that it passes: %t, but the server: %s", o.Name, o.Passed(), v.Why)
			}
			for _, d := range v.Differences {
				t.Errorf("%s: %s", o.Name, d)
			}
		}
	}
	t.Logf("%d suites: %d cases passed, %d failed", len(selected), passed, failed)
	if passed < 50 || failed < 10 {
		t.Error("too few cases, or too few of one sort")
	}
}
