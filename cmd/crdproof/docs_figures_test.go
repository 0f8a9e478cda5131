package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFigures makes sure that all pages have the figures of the table in docs/compare.md, which `make bench` measures.
func TestFigures(t *testing.T) {
	read := func(path ...string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(append([]string{root(t)}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(data)), " ")
	}
	// The columns are the time of both, its ratio, that of the processor, warm and unchanged, and the memory of both.
	page := read("docs", "compare.md")
	mean := regexp.MustCompile(`\| geometric mean \| \| \| ([\d.]+) \| [\d.]+ \| [\d.]+ \| ([\d.]+) \| \| \| ([\d.]+) \|`).
		FindStringSubmatch(page)
	if mean == nil {
		t.Fatal("docs/compare.md has no geometric means")
	}
	percent := func(ratio string) string {
		f, err := strconv.ParseFloat(ratio, 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(100*f, 'f', 0, 64) + " %"
	}
	time, unchanged, memory := percent(mean[1]), percent(mean[2]), percent(mean[3])
	modules := len(regexp.MustCompile(`\| [a-z-]+ \| [\d.]+ s \|`).FindAllString(page, -1))
	for path, sentences := range map[string][]string{
		"docs/compare.md": {
			"crdproof needs " + time + " of controller-gen's time and " + memory + " of its memory",
			"it needs " + unchanged + " of the time",
		},
		"README.md": {
			"crdproof needs " + time + " of controller-gen's time and " + memory + " of its memory on [" +
				strconv.Itoa(modules) + " real modules](docs/compare.md)",
			unchanged + " of the time if nothing has changed",
		},
	} {
		for _, sentence := range sentences {
			if !strings.Contains(read(path), sentence) {
				t.Errorf("%s does not say %q", path, sentence)
			}
		}
	}
}
