package git_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/git"
	"github.com/crdproof/crdproof/internal/git/gittest"
)

// newRepository returns a repository with two commits.
func newRepository(t *testing.T) string {
	t.Helper()
	dir := resolved(t, t.TempDir())
	gittest.Run(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "api/types.go", "// +groupName=example.com\npackage api\n\ntype Gadget struct{}\n")
	write(t, dir, "crds/a.yaml", "a")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "one")
	gittest.Run(t, dir, "tag", "v1")
	write(t, dir, "crds/a.yaml", "b")
	if err := os.Symlink("a.yaml", filepath.Join(dir, "crds", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "crds", "out.yaml")); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "-q", "-m", "two")
	return dir
}

func resolved(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readAll calls everything that a repository offers, and returns the contents of the files of v1.
func readAll(t *testing.T, dir string) (contents []string, err error) {
	t.Helper()
	ctx := t.Context()
	repo, err := git.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	tree, err := repo.Tree(ctx, "v1")
	if err != nil {
		return nil, err
	}
	entries, err := repo.List(ctx, tree, true)
	if err != nil {
		return nil, err
	}
	data, err := repo.Read(ctx, tree, entries)
	for _, d := range data {
		contents = append(contents, string(d))
	}
	_, err1 := repo.References(ctx)
	commit, err2 := repo.LastChange(ctx, filepath.Join(dir, "crds", "a.yaml"))
	if commit == "" {
		return contents, errors.Join(err, err1, err2)
	}
	for _, isRegexp := range []bool{false, true} {
		_, err3 := repo.Grep(ctx, commit, "groupName", isRegexp)
		err = errors.Join(err, err3)
	}
	return contents, errors.Join(err, err1, err2)
}

func TestRead(t *testing.T) {
	dir := newRepository(t)
	ctx := t.Context()
	repo, err := git.Open(ctx, filepath.Join(dir, "crds"))
	if err != nil || repo.Prefix != "crds/" {
		t.Fatal(repo, err)
	}
	tree, err := repo.Tree(ctx, "main")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := repo.List(ctx, tree, true, "crds")
	if err != nil {
		t.Fatal(err)
	}
	data, err := repo.Read(ctx, tree, entries)
	if err != nil || len(data) != 3 || string(data[0]) != "b" || string(data[1]) != "b" || data[2] != nil {
		t.Errorf("%q %v", data, err)
	}
	for _, name := range []string{"v2", "-x", "--all", "main:crds/a.yaml", ""} {
		if _, err := repo.Tree(ctx, name); !errors.Is(err, git.ErrUnknown) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestKeys makes sure that every key of git's settings is known as one that may start a command, or that cannot.
func TestKeys(t *testing.T) {
	out, err := exec.Command("git", "help", "-c").Output()
	if err != nil {
		t.Fatal(err)
	}
	starting, harmless := gittest.Starting(), harmless(t)
	known := 0
	for key := range strings.Lines(string(out)) {
		key = strings.TrimSpace(key)
		switch {
		case key == "" || strings.Contains(key, " "):
		case slices.Contains(starting, key), slices.ContainsFunc(harmless, func(h string) bool {
			section, isSection := strings.CutSuffix(h, "*")
			return h == key || isSection && strings.HasPrefix(key, section)
		}):
			known++
		default:
			t.Errorf("%s is unknown: add it to gittest/starting.txt if it may start a command, else to "+
				"testdata/harmless.txt", key)
		}
	}
	if known < 500 {
		t.Errorf("git lists only %d keys", known)
	}
}

func harmless(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/harmless.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// TestNothingStarts reads a repository whose settings start a command wherever they may.
func TestNothingStarts(t *testing.T) {
	dir := newRepository(t)
	trap := gittest.NewTrap(t)
	trap.Set(t, dir)
	trap.Spring(t, dir)
	contents, err := readAll(t, dir)
	if err != nil || len(contents) != 2 || contents[1] != "a" {
		t.Errorf("%q %v", contents, err)
	}
	if started := trap.Started(); started != "" {
		t.Errorf("git started a command: %s", started)
	}
}

// TestMissing reads a partial clone whose settings start a command to fetch what is missing.
func TestMissing(t *testing.T) {
	dir := newRepository(t)
	blob := strings.TrimSpace(gittest.Run(t, dir, "rev-parse", "v1:crds/a.yaml"))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	trap := gittest.NewTrap(t)
	trap.Set(t, dir)
	_, err := readAll(t, dir)
	want := "the clone is partial and lacks crds/a.yaml (" + blob + ")"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if started := trap.Started(); started != "" {
		t.Errorf("git started a command: %s", started)
	}
}

// TestFetch follows what the error of a partial clone says.
func TestFetch(t *testing.T) {
	source := newRepository(t)
	gittest.Run(t, source, "config", "uploadpack.allowFilter", "true")
	gittest.Run(t, source, "config", "uploadpack.allowAnySHA1InWant", "true")
	for _, filter := range []string{"blob:none", "tree:0"} {
		clone := filepath.Join(resolved(t, t.TempDir()), "clone")
		gittest.Run(t, source, "clone", "-q", "--no-checkout", "--filter="+filter, "file://"+source, clone)
		gittest.Run(t, clone, "config", "maintenance.auto", "false") // it would still run when the test ends
		_, err := readAll(t, clone)
		var failed *git.Error
		if !errors.As(err, &failed) {
			t.Fatalf("%s: %v", filter, err)
		}
		script, ok := strings.CutPrefix(failed.Help, "run ")
		if !ok {
			t.Fatalf("%s: no command in %+v", filter, failed)
		}
		command := exec.Command("sh", "-c", script)
		command.Dir = clone
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		if contents, err := readAll(t, clone); err != nil || len(contents) != 2 {
			t.Errorf("%s: after %s: %v", filter, script, err)
		}
	}
}

// TestOpen opens directories in which git must not run, or must not use what it finds.
func TestOpen(t *testing.T) {
	dir := newRepository(t)
	bare := filepath.Join(dir, "crds", "bare")
	gittest.Run(t, dir, "init", "-q", "--bare", bare)
	repo, err := git.Open(t.Context(), bare)
	if err != nil || repo.Prefix != "crds/bare/" {
		t.Errorf("a bare repository below the working directory: %+v %v", repo, err)
	}

	outer := filepath.Join(t.TempDir(), "outer.git")
	gittest.Run(t, dir, "init", "-q", "--bare", outer)
	if err := os.Mkdir(filepath.Join(outer, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := git.Open(t.Context(), outer); err == nil {
		t.Error("a bare repository around an empty .git was opened")
	}
	if _, err := git.Open(t.Context(), t.TempDir()); !errors.Is(err, git.ErrOutside) {
		t.Errorf("no repository: %v", err)
	}

	clone := filepath.Join(t.TempDir(), "clone")
	gittest.Run(t, dir, "clone", "-q", "--shared", dir, clone)
	var failed *git.Error
	_, err = git.Open(t.Context(), clone)
	if !errors.As(err, &failed) || !strings.Contains(failed.Message, "alternates") {
		t.Errorf("borrowed objects: %v", err)
	}

	tree := filepath.Join(t.TempDir(), "tree")
	gittest.Run(t, dir, "worktree", "add", "-q", tree)
	if contents, err := readAll(t, tree); err != nil || len(contents) != 2 {
		t.Errorf("a worktree: %q %v", contents, err)
	}
}

// TestEachKey sets each key that is said to be harmless to a command, one at a time.
func TestEachKey(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git thousands of times")
	}
	dir := newRepository(t)
	config := filepath.Join(dir, ".git", "config")
	before, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	trap := gittest.NewTrap(t)
	for _, key := range harmless(t) {
		if err := os.WriteFile(config, before, 0o666); err != nil {
			t.Fatal(err)
		}
		trap.SetKey(t, dir, key)
		_, _ = readAll(t, dir) // git may not understand the value
		if started := trap.Started(); started != "" {
			t.Fatalf("%s starts a command: %s", key, started)
		}
	}
}
