package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/effort"
)

// TestDeclaredFormats reads as many formats as the limit allows, in files with several documents, and one more.
func TestDeclaredFormats(t *testing.T) {
	most := effort.DeclaredFormats.N()
	for _, n := range []int{most, most + 1} {
		var files []*diag.Source
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "formats: [{name: a-%d, docs: d, pattern: '^a$', message: m}]\n---\n", i)
			if i == 10 || i == n-1 {
				files = append(files, &diag.Source{Path: fmt.Sprintf("f%d.yaml", i), Data: []byte(b.String())})
				b.Reset()
			}
		}
		declared, found := extensions.Read(files)
		if len(declared) != most || len(found) != n-most {
			t.Errorf("%d of %d formats are read, with the findings %v", len(declared), n, found)
		}
	}
}
