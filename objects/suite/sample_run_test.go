package suite_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
)

// TestValidateEnds checks that a run ends soon after its context, even in a file with many objects.
func TestValidateEnds(t *testing.T) {
	list, problems := crds.Find(t.Context(),
		crds.Where{Files: []string{filepath.Join("..", "..", "testdata", "quickstart", "crd")}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var text bytes.Buffer
	const n = 1000
	for i := range n {
		fmt.Fprintf(&text, "---\napiVersion: operations.example.com/v1\nkind: MaintenanceNightlyJob\n"+
			"metadata: {name: a%d}\nspec: {command: ls}\n", i)
	}
	ctx, cancel := context.WithCancel(t.Context())
	last := 0
	v := &sample.Run{Catalog: sample.NewCatalog(list), Progress: func(stage string, done, _ int) {
		if stage == "validating objects" && done > 0 {
			cancel()
			last = done
		}
	}}
	v.Validate(ctx, []*diag.Source{{Path: "objects.yaml", Data: text.Bytes()}})
	if last == 0 || last > 2*runtime.GOMAXPROCS(0) {
		t.Errorf("%d objects are validated after the end", last)
	}
}
