package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/generator/catalog"
	"github.com/crdproof/crdproof/generator/config"
	"github.com/crdproof/crdproof/generator/diag"
)

// TestSettingsSchema keeps docs/crdproof.schema.json in step with the keys of settings files, or rewrites it.
func TestSettingsSchema(t *testing.T) {
	want, err := config.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root(t), "docs", "crdproof.schema.json")
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("%s is not current: run go test ./cmd/crdproof -run TestSettingsSchema -update", path)
	}
}

// TestNumbersInSettings reads numbers as they are written: in YAML, 1.30 is the number 1.3.
func TestNumbersInSettings(t *testing.T) {
	settings := readSettings(t, "kube: 1.30\ncrd: {maxDescLen: 0, year: 2031}\n")
	var got []string
	for _, p := range settings.Presets {
		got = append(got, p.Generator+":"+p.Name+"="+p.Value.Text)
	}
	want := []string{"crd:kube=1.30", "helpers:kube=1.30", "crd:maxDescLen=0", "crd:year=2031"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func readSettings(t *testing.T, text string) config.Settings {
	t.Helper()
	src := &diag.Source{Path: filepath.Join(t.TempDir(), config.Name), Data: []byte(text)}
	settings, found := config.Read(src, catalog.Checks())
	for _, d := range found {
		t.Errorf("%s", d.Message)
	}
	return settings
}

// FuzzSettings reads settings files, which must not panic: every mistake is a finding with a position.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"", "# nothing\n", "---\n", "null\n", "[]", "1", "a: b: c", "{{ . }}", "\xff\xfe",
		"kube: 1.34..1.37\nfail: [all]\nignore:\n- check: cel-absent\n  reason: r\n  paths: [\".\"]\n",
		"crd: {maxDescLen: 0, headerFile: x}\nobject: {year: 2031}\nrbac: {roleName: 1}\n",
		"overrides:\n- paths: [\"...\"]\n  fail: []\n  ignore: []\n- {}\n- 1\n",
		"kube: &a 1.31\ncrd: {kube: *a, ignore: [x]}\nkube: 2\n", "<<: {kube: 1}\n", "overrides: {paths: 1}\n",
		"ignore: [cel-absent]\nfail: {}\nbuildTags: [[]]\n", "fail:\nignore:\ncrd:\noverrides:\n", "on: 1\n",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		src := &diag.Source{Path: filepath.Join(dir, config.Name), Data: []byte(text)}
		_, found := config.Read(src, catalog.Checks())
		for _, d := range found {
			if !d.Span.IsValid() || d.Span.Source != src {
				t.Errorf("no position in the file: %s", d.Message)
			}
		}
		var out bytes.Buffer
		if err := diag.Text(&out, found, diag.TextOptions{Dir: dir}); err != nil {
			t.Error(err)
		}
	})
}
