package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/parity/harness"
	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"
)

// shipped are modules whose CRDs ship edited, with the directories of these.
var shipped = map[string]struct{ module, dir string }{
	"karpenter": {"sigs.k8s.io/karpenter", "pkg/apis/crds"},
	"cilium":    {"github.com/cilium/cilium", "pkg/k8s/apis/cilium.io/client/crds"},
}

// TestAdopted finds the overlay files of modules whose CRDs are edited after generation, or by another version of
// controller-gen. With them, the CRDs are those that ship, in the layout of sigs.k8s.io/yaml.
func TestAdopted(t *testing.T) {
	tools, err := harness.Build(t.Context(), ".", t.TempDir(), os.Getenv("CRDPROOF"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range harness.Cases() {
		if s, ok := shipped[c.Name]; ok {
			t.Run(c.Name, func(t *testing.T) {
				run := func(program string, args ...string) []byte {
					cmd := exec.CommandContext(t.Context(), program, args...)
					cmd.Dir = c.WorkDir(".")
					var stderr strings.Builder
					cmd.Stderr = &stderr
					out, err := cmd.Output()
					if err != nil {
						t.Fatalf("%v: %v\n%s", args, err, stderr.String())
					}
					return out
				}
				module := strings.TrimSpace(string(run("go", "list", "-m", "-f", "{{.Dir}}", s.module)))
				dir := filepath.Join(module, filepath.FromSlash(s.dir))
				paths := "paths=" + c.Paths
				made := run(tools.Crdproof, "adopt", "--from="+filepath.Join(dir, "..."), paths)
				checkOverlay(t, c.Name, made)
				out := t.TempDir()
				overlay, err := filepath.Abs(filepath.Join("adopted", c.Name+".yaml"))
				if err != nil {
					t.Fatal(err)
				}
				run(tools.Crdproof, "crd:compat=controller-gen,versionAnnotation=controller-gen,overlay="+overlay,
					paths, "output:dir="+out)
				compareShipped(t, dir, out)
			})
		}
	}
}

// checkOverlay compares an overlay file with the one that is kept.
func checkOverlay(t *testing.T, name string, made []byte) {
	t.Helper()
	golden := filepath.Join("adopted", name+".yaml")
	if *update {
		if err := os.WriteFile(golden, made, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, want) {
		t.Errorf("%s", diff.Diff(golden, want, "made", made))
	}
}

// compareShipped compares the CRDs below a directory with those that were made.
func compareShipped(t *testing.T, dir, made string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(made, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	known := map[string][]byte{}
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".yaml" {
			name, data := plainCRD(t, path)
			known[name] = data
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, got := plainCRD(t, file)
		if want := known[name]; !bytes.Equal(got, want) {
			t.Errorf("%s", diff.Diff("shipped/"+name, want, "made/"+name, got))
		}
	}
	t.Logf("%d of %d CRDs are those that ship", len(files), len(known))
	if len(files) != len(known) {
		t.Errorf("%d CRDs are made, and %d ship", len(files), len(known))
	}
}

// plainCRD returns a CRD in the layout of sigs.k8s.io/yaml, without the version of the generator, and its name.
func plainCRD(t *testing.T, path string) (string, []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := yaml.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	metadata := object["metadata"].(map[string]any)
	delete(metadata["annotations"].(map[string]any), "controller-gen.kubebuilder.io/version")
	out, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return metadata["name"].(string), out
}
