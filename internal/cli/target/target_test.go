package target

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// tree makes a repository with a directory dir and, beside it, a directory outside. It changes to the repository and
// returns the directory of both, without links.
func tree(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"repo/.git", "repo/dir", "outside"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(top, "repo"))
	return top
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip("the system has no links: ", err)
	}
}

func bounds(t *testing.T, named ...string) *Bounds {
	t.Helper()
	b, err := In(named...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestFile finds files behind links of all kinds.
func TestFile(t *testing.T) {
	top := tree(t)
	link(t, "dir", "in")
	link(t, filepath.Join(top, "repo", "dir"), "absolute")
	link(t, "dir/./../in/new", "dangling")
	link(t, "../outside", "out")
	link(t, "../repo/dir", "returning")
	link(t, filepath.Join(top, "alias", "dir"), "through")
	link(t, "repo", filepath.Join(top, "alias"))
	link(t, "loop", "loop")
	link(t, ".git/config", "config")
	for path, want := range map[string]string{
		"dir/file": "dir/file", "dir/a/b/file": "dir/a/b/file", "in/file": "dir/file", "absolute/file": "dir/file",
		"dangling": "dir/new", "dangling/file": "dir/new/file", "through/file": "dir/file",
		filepath.Join(top, "repo", "in", "file"):  "dir/file",
		filepath.Join(top, "alias", "in", "file"): "dir/file", // another name of the repository
	} {
		at, err := bounds(t).File(path)
		if err != nil || at.Name != filepath.FromSlash(want) || at.Root.Name() != filepath.Join(top, "repo") {
			t.Errorf("%s: got %s, %v, want %s", path, at.Name, err, want)
		}
	}
	rejections := map[string]any{"link": new(*LinkError), "outside": new(*OutsideError)}
	for path, want := range map[string]string{
		"out": "link", "out/file": "link", "returning/file": "link", "../outside/file": "outside",
		filepath.Join(top, "alias", "out", "file"): "link", filepath.Join(top, "outside", "file"): "outside",
	} {
		if at, err := bounds(t).File(path); err == nil || !errors.As(err, rejections[want]) {
			t.Errorf("%s: got %s, %v, want a rejection: %s", path, at.Name, err, want)
		}
	}
	for path, want := range map[string]error{"loop": errLoop, "loop/file": errLoop, "config": errGit,
		".git/hooks/x": errGit} {
		if at, err := bounds(t).File(path); !errors.Is(err, want) {
			t.Errorf("%s: got %s, %v, want %v", path, at.Name, err, want)
		}
	}
}

// TestNamed names directories outside of the repository: each is a boundary of its own.
func TestNamed(t *testing.T) {
	top := tree(t)
	link(t, "outside", filepath.Join(top, "alias"))
	link(t, "../third", filepath.Join(top, "outside", "third"))
	for _, named := range []string{"../alias", filepath.Join(top, "alias"), "../outside"} {
		b := bounds(t, "dir", named)
		at, err := b.File(filepath.Join(named, "a", "file"))
		if err != nil || at.Name != filepath.Join("a", "file") || at.Root.Name() != filepath.Join(top, "outside") {
			t.Errorf("%s: got %s, %v", named, at.Name, err)
		}
		var rejected *LinkError
		if _, err := b.File(filepath.Join(named, "third", "file")); !errors.As(err, &rejected) ||
			rejected.Leaves != filepath.Join(top, "outside") {
			t.Errorf("%s/third: got %v", named, err)
		}
	}
	if at, err := bounds(t, "../none/at/all").File("../none/at/all/file"); err != nil ||
		at.Name != filepath.FromSlash("none/at/all/file") {
		t.Errorf("a new directory: got %s, %v", at.Name, err)
	}
}

// TestNamedLink names a link of the repository: the repository decides where it leads, so it remains the boundary.
func TestNamedLink(t *testing.T) {
	top := tree(t)
	link(t, "../outside", "out")
	link(t, "repo", filepath.Join(top, "alias"))
	for _, named := range []string{"out", filepath.Join(top, "alias", "out")} {
		var rejected *LinkError
		if at, err := bounds(t, named).File(filepath.Join(named, "file")); !errors.As(err, &rejected) {
			t.Errorf("%s: got %s, %v", named, at.Name, err)
		}
	}
}

// TestEntry takes a link for what it is, to remove it, but follows those before it.
func TestEntry(t *testing.T) {
	tree(t)
	link(t, "dir", "in")
	link(t, "../../outside/file", "dir/file")
	link(t, "../outside", "out")
	b := bounds(t)
	at, err := b.Entry("in/file")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := at.Root.Lstat(at.Name); err != nil || at.Name != filepath.FromSlash("dir/file") ||
		info.Mode().IsRegular() {
		t.Errorf("got %s, %v", at.Name, err)
	}
	if at, err := b.Entry("out/file"); err == nil {
		t.Errorf("got %s", at.Name)
	}
}
