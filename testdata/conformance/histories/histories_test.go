package histories_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/testdata/conformance/histories"
)

var list = flag.String("pairs", "", "a file with pairs of CRDs to compare, in place of the pinned releases")

// releases are those of Gateway API whose CRDs are compared with those of the next one.
var releases = []string{"v1.1.0", "v1.2.0", "v1.3.0", "v1.4.0"}

// TestHistories compares the CRDs of releases. These are full of rules, so some answers may be unknown.
func TestHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads modules")
	}
	pairs := pinned(t)
	result, err := histories.Compare(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	result.WriteText(t.Output())
	if result.Pairs < 10 || result.Undecided() > 0.03 {
		t.Errorf("%d pairs, %.1f %% of the answers are unknown", result.Pairs, 100*result.Undecided())
	}
}

// pinned are the pairs of the releases.
func pinned(t *testing.T) (out []histories.Pair) {
	t.Helper()
	if *list != "" {
		pairs, err := histories.Pairs(*list)
		if err != nil {
			t.Fatal(err)
		}
		return pairs
	}
	var before string
	for _, version := range releases {
		dir := filepath.Join(download(t, "sigs.k8s.io/gateway-api@"+version), "config", "crd", "experimental")
		files, err := filepath.Glob(filepath.Join(before, "gateway*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, old := range files {
			now := filepath.Join(dir, filepath.Base(old))
			if _, err := os.Stat(now); before != "" && err == nil {
				out = append(out, histories.Pair{Old: old, New: now})
			}
		}
		before = dir
	}
	return slices.Clip(out)
}

func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	data, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", module, err, data)
	}
	var answer struct{ Dir string }
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Dir
}
