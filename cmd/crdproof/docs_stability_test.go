package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/rules/kube"
	"golang.org/x/mod/modfile"
)

// TestSupportedVersions compares the versions in docs/stability.md and docs/ci.md with those of the code and of go.mod.
func TestSupportedVersions(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root(t), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools := ""
	for _, r := range mod.Require {
		if r.Mod.Path == "sigs.k8s.io/controller-tools" {
			tools = r.Mod.Version
		}
	}
	page, err := os.ReadFile(filepath.Join(root(t), "docs", "stability.md"))
	if err != nil {
		t.Fatal(err)
	}
	ci, err := os.ReadFile(filepath.Join(root(t), "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	needed := fmt.Sprintf("GOTOOLCHAIN=go%s+auto go tool", mod.Go.Version)
	if n := strings.Count(string(ci), needed); n < 2 || strings.Count(string(ci), "GOTOOLCHAIN=go") != n {
		t.Errorf("docs/ci.md does not write %s everywhere", needed)
	}
	byDefault := kube.DefaultRange()
	for _, row := range []string{
		fmt.Sprintf("| Go, to build and run crdproof | %s or newer |", strings.TrimSuffix(mod.Go.Version, ".0")),
		fmt.Sprintf("| Kubernetes, `kube=` and `--kube` | %s to %s |", kube.Oldest, kube.Newest),
		fmt.Sprintf("| Kubernetes, by default | %s to %s:", byDefault.First, byDefault.Last),
		fmt.Sprintf("| controller-gen, for `compat`, and its other generators | %s |", tools),
	} {
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/stability.md has no row %s", row)
		}
	}
}
