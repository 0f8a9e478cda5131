package generator_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWidth looks for lines of Go beyond 120 columns, a tab counted as four, in all code that is neither generated nor
// a test.
func TestWidth(t *testing.T) {
	const most = 120
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != ".."):
			return filepath.SkipDir
		case d.IsDir() || !isProduct(path):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil || bytes.HasPrefix(data, []byte("// Code generated ")) {
			return err
		}
		files++
		for i, line := range strings.Split(string(data), "\n") {
			if width := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); width > most {
				t.Errorf("%s:%d: %d columns", path, i+1, width)
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Fatal(files, err)
	}
}
