package generator_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator"
)

// TestKeptFiles keeps files in memory, in a temporary file, and where there can be no temporary file.
func TestKeptFiles(t *testing.T) {
	files := []emit.File{
		{Path: "a.yaml", Data: []byte("a: 1\n")}, {Path: "empty.yaml", Data: []byte{}}, {Path: "b.yaml", Data: []byte("b: 2\n")},
	}
	for _, c := range []struct {
		name, dir string
		before    int64
		written   int
	}{
		{"few", t.TempDir(), 0, 0},
		{"many", t.TempDir(), generator.FewBytes, len(files)},
		{"until it is full", t.TempDir(), generator.FewBytes - 5, len(files) - 2},
		{"no directory", filepath.Join(t.TempDir(), "missing"), generator.FewBytes, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
				t.Setenv(name, c.dir)
			}
			got, written, err := generator.Kept(c.before, files)
			slices.Reverse(got)
			same := func(a, b emit.File) bool { return a.Path == b.Path && slices.Equal(a.Data, b.Data) }
			if err != nil || written != c.written || !slices.EqualFunc(got, files, same) {
				t.Errorf("%d written, want %d: %q %v", written, c.written, got, err)
			}
			if left, _ := filepath.Glob(filepath.Join(c.dir, "*")); len(left) > 0 {
				t.Errorf("left behind: %s", left)
			}
		})
	}
}
