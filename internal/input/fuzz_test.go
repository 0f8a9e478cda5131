package input_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// FuzzArgument names files with any text, in a git repository: files are read, or a mistake is reported. No argument
// reaches git as an option, names a file outside of the revision, or changes the repository.
func FuzzArgument(f *testing.F) {
	root := f.TempDir()
	f.Chdir(root)
	for _, name := range []string{"crds/a.yaml", "crds/below/b.json", "-x.yaml", "a:b.yaml", ".hidden/c.yaml"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(name), 0o666); err != nil {
			f.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "fix: the size"}, {"tag", "v1.0.0"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			f.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
	for _, arg := range []string{
		"crds", "crds/...", "crds/*.yaml", "crds/a.yaml", "...", ".", "-", "--", "", "none", "crds/[", "-x.yaml", "*",
		"a:b.yaml", "./a:b.yaml", "HEAD:crds", "v1.0.0:crds/...", "main:", "main:./crds/a.yaml", "HEAD~0:crds/*.yaml",
		"HEAD^{/fix: the}:crds", "HEAD@{0}:crds", "HEAD:../x", "HEAD:/etc/passwd", "HEAD:crds\x00", "--help:crds",
		"-h:x", "HEAD\n:crds", "HEAD:crds\n", ":crds", "0:crds/a.yaml", ":0:crds/a.yaml", "HEAD:crds:a",
		"@:crds", "main..main:x",
		"--output=x:crds", "^HEAD:crds", "{:}:", "HEAD:[", "HEAD:.hidden/c.yaml", "c:/crds", "https://example.com/x",
	} {
		f.Add(arg)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		commit, path, ok := input.Revision(arg)
		if ok && (commit == "" || commit+":"+path != arg) {
			t.Errorf("%q is split into %q and %q", arg, commit, path)
		}
		sources, problems := input.Sources(t.Context(), []string{arg}, strings.NewReader("stdin"))
		if len(sources) == 0 && len(problems) == 0 {
			t.Errorf("%q: %d files, %v", arg, len(sources), problems)
		}
		for _, d := range problems {
			if strings.Contains(d.Message, "is a directory") {
				t.Errorf("%q: %s", arg, d.Message)
			}
			if d.Check != input.Option.ID || d.Message == "" {
				t.Errorf("%q: %+v", arg, d)
			}
		}
		for _, src := range sources {
			if inRevision := !input.IsFile(src) && src.Path != input.StandardInput; inRevision != ok {
				t.Errorf("%q reads %s", arg, src.Path)
			} else if ok && (src.Path != commit+":"+string(src.Data)) {
				t.Errorf("%q reads %q from %s", arg, src.Data, src.Path)
			}
		}
		again, _ := input.Sources(t.Context(), []string{arg}, strings.NewReader("stdin"))
		if !reflect.DeepEqual(paths(sources), paths(again)) {
			t.Errorf("%q: first %v, then %v", arg, paths(sources), paths(again))
		}
		entries, err := os.ReadDir(root)
		if err != nil || len(entries) != 5 {
			t.Fatalf("%q changes the directory: %v, %v", arg, entries, err)
		}
	})
}

func paths(sources []*diag.Source) (out []string) {
	for _, src := range sources {
		out = append(out, src.Path)
	}
	return out
}
