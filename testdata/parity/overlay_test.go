package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// testKarpenter writes the CRDs that karpenter ships, from its Go types and an overlay file in place of its scripts
// (hack/validation). The scripts run yq, which indents lists and appends keys, where controller-gen sorts them. So the
// files are compared byte for byte after their keys have been sorted and their lists indented.
func testKarpenter(t *testing.T, tools harness.Tools, work string) {
	overlay, err := filepath.Abs(filepath.Join("overlays", "karpenter.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("modules", "karpenter")
	files, output, err := runJob(t.Context(), harness.Job{
		Tool: tools.Crdproof, Dir: dir, Paths: "sigs.k8s.io/karpenter/pkg/apis/...",
		Options: []string{"compat=controller-gen", "versionAnnotation=controller-gen@v0.20.1", "overlay=" + overlay},
		Out:     filepath.Join(work, "karpenter-overlay"),
	})
	if err != nil || len(files) != 4 {
		t.Fatalf("%d files, %v\n%s", len(files), err, output)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/karpenter")
	list.Dir = dir
	module, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range files {
		want, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "pkg", "apis", "crds", name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "karpenter.sh_") { // which the scripts edit
			got, want = laidOut(t, got), laidOut(t, want)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s", diff.Diff("crdproof/"+name, got, "karpenter/"+name, want))
		}
	}
}

// laidOut sorts keys, and indents the items of lists.
func laidOut(t *testing.T, data []byte) []byte {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	sortKeys(&doc)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func sortKeys(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		var pairs [][2]*yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			pairs = append(pairs, [2]*yaml.Node{n.Content[i], n.Content[i+1]})
		}
		slices.SortFunc(pairs, func(a, b [2]*yaml.Node) int { return strings.Compare(a[0].Value, b[0].Value) })
		n.Content = nil
		for _, p := range pairs {
			n.Content = append(n.Content, p[0], p[1])
		}
	}
	for _, child := range n.Content {
		sortKeys(child)
	}
}
