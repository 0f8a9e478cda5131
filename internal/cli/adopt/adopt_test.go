package adopt

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/internal/effort"
)

var update = flag.Bool("update", false, "rewrite the expected output")

// TestCases finds the calls in the repositories of testdata, and edits them. One case has one kind of files.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			var files []txtar.File
			var want []byte
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = f.Data
					continue
				}
				files = append(files, f)
				if err := write(filepath.Join(root, f.Name), f.Data); err != nil {
					t.Fatal(err)
				}
			}
			got := describe(t, root, files)
			if *update {
				archive.Files = append(files, txtar.File{Name: "want", Data: got})
				if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// describe returns what is found in a repository, and the lines that differ after the edits.
func describe(t *testing.T, root string, files []txtar.File) []byte {
	t.Helper()
	found, err := Find(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "version %q\n", found.Version)
	var calls []Call
	for _, c := range found.Calls {
		fmt.Fprintf(&out, "%s:%d: %s\n", c.File, c.Line, c.Command)
		if c.Why != "" {
			fmt.Fprintf(&out, "\tnot understood: %s\n", c.Why)
			continue
		}
		fmt.Fprintf(&out, "\tin %s: %s\n", c.Dir, quotedWords(c.Words))
		for _, s := range c.After {
			fmt.Fprintf(&out, "\tthen %d: %s (edits: %t)\n", s.Line, s.Text, changes.MatchString(s.Text))
		}
		if c.Writes() {
			fmt.Fprintf(&out, "\tback: %s\n", c.Back())
			calls = append(calls, c)
		}
	}
	tool := Tool{Command: "GOTOOLCHAIN=go1.26.0+auto go tool -modfile=tools.mod crdproof", Modfile: "tools.mod"}
	for _, edited := range Edited(root, calls, tool) {
		name, err := filepath.Rel(root, edited.Path)
		if err != nil {
			t.Fatal(err)
		}
		before := ""
		for _, f := range files {
			if f.Name == filepath.ToSlash(name) {
				before = string(f.Data)
			}
		}
		old := map[string]bool{}
		for line := range strings.SplitSeq(before, "\n") {
			old[line] = true
		}
		fmt.Fprintf(&out, "edited %s\n", filepath.ToSlash(name))
		for line := range strings.SplitSeq(string(edited.Data), "\n") {
			if !old[line] {
				fmt.Fprintf(&out, "\t%q\n", line)
			}
		}
	}
	return out.Bytes()
}

// TestBounded finds calls in files that are made to take long. The result is incomplete, and says so.
func TestBounded(t *testing.T) {
	recipe := func(line string) []byte { return []byte("all:\n" + strings.Repeat("\t"+line+"\n", 30_000)) }
	for name, data := range map[string][]byte{
		"calls":        recipe("controller-gen crd paths=./..."),
		"steps":        append(recipe("sed -i s/a/b/ x"), "\tcontroller-gen crd paths=./...\n"...),
		"not recipes":  bytes.Repeat([]byte("controller-gen crd paths=./...\n"), 30_000),
		"one line":     []byte("all:\n\tcontroller-gen crd paths=./... " + strings.Repeat("&& sed x ", 300_000)),
		"continued":    []byte("all:\n\tcontroller-gen crd paths=./... " + strings.Repeat("\\\n", 1_000_000)),
		"not closed":   []byte("all:\n\tcontroller-gen crd paths=./... " + strings.Repeat("$(or ", 500_000)),
		"closed":       []byte("all:\n\tcontroller-gen crd paths=" + strings.Repeat("$(or ", 100_000) + strings.Repeat(")", 100_000)),
		"many targets": bytes.Repeat([]byte("all:\n\tcontroller-gen crd paths=./...\n\techo\n"), 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := write(filepath.Join(root, "Makefile"), data); err != nil {
				t.Fatal(err)
			}
			found, err := Find(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			most := effort.AdoptCalls.N()
			if len(found.Calls) == 0 || len(found.Calls) > most || found.IsIncomplete != (len(found.Calls) == most) {
				t.Errorf("%d calls, incomplete: %t", len(found.Calls), found.IsIncomplete)
			}
			for _, c := range found.Calls {
				if len(c.After) > most {
					t.Errorf("%d commands behind a call", len(c.After))
				}
			}
		})
	}
}
