package generator_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/rules/kube"
)

// TestVersionsReference checks the table of differences in docs/versions.md, and its range of versions.
func TestVersionsReference(t *testing.T) {
	const path = "../docs/versions.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- differences -->\n", "<!-- end of differences -->\n"
	before, rest, _ := strings.Cut(string(data), begin)
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no %q and %q", path, begin, end)
	}
	want := before + begin + differences() + end + after
	if *update {
		writeFile(t, path, []byte(want))
	} else if want != string(data) {
		t.Errorf("%s is not current: run go test ./generator -run TestVersionsReference -update", path)
	}
}

// differences is a table of what older versions do, the oldest change last.
func differences() string {
	isBefore := func(f kube.Feature) bool { return f.Since() <= kube.Oldest } // all supported versions have it
	list := slices.DeleteFunc(kube.Features(), isBefore)
	slices.SortStableFunc(list, func(a, b kube.Feature) int { return int(b.Since() - a.Since()) })
	var out strings.Builder
	out.WriteString("\n| Before | API servers differ in this | Source |\n|---|---|---|\n")
	for _, f := range list {
		fmt.Fprintf(&out, "| %s | %s | %s |\n", f.Since(), f.Older(), f.Source())
	}
	out.WriteByte('\n')
	return out.String()
}
