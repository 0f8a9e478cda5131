package overlay_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/generator/overlay"
)

var update = flag.Bool("update", false, "rewrite docs/overlay.schema.json")

// TestJSONSchema keeps docs/overlay.schema.json in step with the keys of overlay files, or rewrites it.
func TestJSONSchema(t *testing.T) {
	want, err := overlay.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "overlay.schema.json")
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("%s is not current: run go test ./generator/overlay -run TestJSONSchema -update", path)
	}
}
