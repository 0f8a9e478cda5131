package crds_test

import (
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/crds"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
)

// TestFiles shows that an API server accepts the CRDs.
func TestFiles(t *testing.T) {
	files, err := crds.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := crds.Files.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		reasons, err := harness.Library(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		for _, reason := range reasons {
			t.Errorf("%s: %s", f.Name(), reason)
		}
	}
}
