package harness

import (
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/server"
	parity "github.com/crdproof/crdproof/testdata/parity/harness"
)

// TestConformance compares crdproof's verdicts with the server's, on the CRDs of the small modules of parity and on a
// few hundred mutations of them. `make conformance` does so for all modules and for more mutations. It is one test
// because crdproof is built for it.
func TestConformance(t *testing.T) {
	const parityDir = "../../parity"
	work := t.TempDir()
	tools, err := parity.Build(t.Context(), parityDir, work, "")
	if err != nil {
		t.Fatal(err)
	}
	var small []parity.Case
	for _, c := range parity.Cases() {
		if c.Small {
			small = append(small, c)
		}
	}
	files, err := Generate(t.Context(), parityDir, tools.Crdproof, work, small)
	if err != nil {
		t.Fatal(err)
	}
	crds, err := CRDs(files)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("modules", func(t *testing.T) { testModules(t, files) })
	t.Run("mutations", func(t *testing.T) {
		testMutations(t, Config{CRDs: crds, Seed: 1, Mutations: 400, Judge: Crdproof})
	})
	t.Run("library", func(t *testing.T) {
		testMutations(t, Config{CRDs: crds, Seed: 2, Mutations: 200, Judge: Library, Words: true})
	})
	t.Run("faults", func(t *testing.T) { testFaults(t, tools.ControllerGen) })
	t.Run("created", func(t *testing.T) { testCreated(t, crds) })
	t.Run("helpers", func(t *testing.T) { testHelpers(t, files) })
}

func start(t *testing.T) *server.Server {
	t.Helper()
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func testModules(t *testing.T, files []File) {
	report, err := Modules(t.Context(), start(t), files, Crdproof)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Error(f)
	}
	// Those of the Gateway API and of the snapshotter lack the annotation that their groups ask for.
	if report.Accepted == 0 || report.Fixed == 0 {
		t.Errorf("%d CRDs are accepted as they are, %d once fixed", report.Accepted, report.Fixed)
	}
}

func testMutations(t *testing.T, cfg Config) {
	report, err := Run(t.Context(), start(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	report.Summary(&text)
	t.Log(text.String())
	if len(report.Disagreements) > 0 {
		text.Reset()
		report.Details(&text, 10)
		t.Errorf("%d disagreements\n%s", len(report.Disagreements), text.String())
	}
	// If all verdicts are equal, the test shows nothing.
	if n := report.Total(); report.Accepted*4 < n || report.Rejected*4 < n {
		t.Errorf("of %d mutations %d are accepted, %d rejected", n, report.Accepted, report.Rejected)
	}
}
