//go:build unix

package cache

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// modeOf returns the permissions of a file or directory.
func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// folder makes a folder with the given permissions.
func folder(t *testing.T, mode fs.FileMode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

// give gives a file to another user, which only root may do.
func give(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	if err := os.Lchown(path, 12345, 12345); err != nil {
		t.Skip("the file cannot be given to another user: ", err)
	}
}

// isUsed reports whether a cache returns what it stores.
func isUsed(c *Cache) bool {
	c.Put("run", Key{1}, []byte("data"))
	_, ok := c.Get("run", Key{1})
	return ok
}

// TestPermissions stores an entry while the umask takes nothing from others.
func TestPermissions(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	c := in(filepath.Join(t.TempDir(), "a", "b"))
	if !isUsed(c) {
		t.Fatal("the cache is not used")
	}
	err := filepath.WalkDir(filepath.Dir(c.dir), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		want := fs.FileMode(entryMode)
		if e.IsDir() {
			want = folderMode
		}
		if got := modeOf(t, path); got != want {
			t.Errorf("%s has %v, want %v", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFolder uses folders with the permissions of other programs and of earlier versions.
func TestFolder(t *testing.T) {
	for mode, want := range map[fs.FileMode]string{
		0o700: "", 0o755: "", 0o750: "", 0o711: "",
		0o775: "other users can write in DIR; remove it", 0o777: "other users can write in DIR; remove it",
		0o702: "other users can write in DIR; remove it", 0o777 | fs.ModeSticky: "other users can write in DIR; remove it",
	} {
		c := in(folder(t, mode))
		if got := strings.Replace(c.Unusable(), c.dir, "DIR", 1); got != want || isUsed(c) != (want == "") {
			t.Errorf("%v: got %q, want %q", mode, got, want)
		}
		if want == "" {
			mode = folderMode
		}
		if got := modeOf(t, c.dir); got != mode.Perm() {
			t.Errorf("a folder with %v has %v", mode, got)
		}
	}
}

// TestFolderOfOthers uses a folder of another user.
func TestFolderOfOthers(t *testing.T) {
	c := in(folder(t, 0o700))
	give(t, c.dir)
	const want = " belongs to another user; set CRDPROOF_CACHE to a folder of your own"
	if got := c.Unusable(); got != c.dir+want || isUsed(c) {
		t.Errorf("got %q", got)
	}
	if _, ok := c.Hasher().Key(); ok {
		t.Error("there are keys")
	}
}

// TestFolderBehindLink reaches the folder through links of this user and of another one.
func TestFolderBehindLink(t *testing.T) {
	dir := folder(t, 0o700)
	parent := filepath.Dir(dir)
	for _, link := range [][2]string{{"link", "./again/.."}, {"again", dir}, {"outer", parent}} {
		if err := os.Symlink(link[1], filepath.Join(parent, link[0])); err != nil {
			t.Fatal(err)
		}
	}
	paths := []string{filepath.Join(parent, "again"), filepath.Join(parent, "outer", "cache"),
		filepath.Join(parent, "link", "cache")}
	for _, path := range paths {
		if c := in(path); c.Unusable() != "" || !isUsed(c) {
			t.Errorf("%s: %s", path, c.Unusable())
		}
	}
	give(t, filepath.Join(parent, "again"))
	give(t, filepath.Join(parent, "outer"))
	for i, link := range []string{"again", "outer", "again"} {
		const want = " belongs to another user; set CRDPROOF_CACHE to a folder of your own"
		if c := in(paths[i]); c.Unusable() != "the link "+filepath.Join(parent, link)+want || isUsed(c) {
			t.Errorf("%s: %q", paths[i], c.Unusable())
		}
	}
}

// TestReplacedFolder replaces the folder by that of another user after it was opened.
func TestReplacedFolder(t *testing.T) {
	c := in(folder(t, 0o700))
	if !isUsed(c) {
		t.Fatal("the cache is not used")
	}
	if err := os.Rename(c.dir, c.dir+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if !isUsed(c) {
		t.Error("the entry is lost")
	}
	if entries, err := os.ReadDir(c.dir); err != nil || len(entries) != 0 {
		t.Errorf("the new folder has %v, %v", entries, err)
	}
}

// TestForeignEntries plants entries that this user did not write as an entry.
func TestForeignEntries(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"writable": func(path string) error { return os.Chmod(path, 0o620) },
		"link": func(path string) error {
			if err := os.Rename(path, path+"2"); err != nil {
				return err
			}
			return os.Symlink(filepath.Base(path)+"2", path)
		},
		"pipe": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return syscall.Mkfifo(path, 0o600)
		},
		"directory": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		c := in(filepath.Join(t.TempDir(), "cache"))
		c.Put("run", Key{1}, []byte("data"))
		if err := plant(only(t, c, 1)[0]); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Get("run", Key{1}); ok {
			t.Errorf("%s: the entry is used", name)
		}
	}
	t.Run("of another user", func(t *testing.T) {
		c := in(filepath.Join(t.TempDir(), "cache"))
		c.Put("run", Key{1}, []byte("data"))
		give(t, only(t, c, 1)[0])
		if _, ok := c.Get("run", Key{1}); ok {
			t.Error("the entry is used")
		}
	})
}

// TestTrimOthers trims a folder that has files of other programs.
func TestTrimOthers(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "cache"))
	c.now = func() time.Time { return time.Now().Add(2 * keepFor) }
	if err := os.MkdirAll(filepath.Join(c.dir, "ab"), 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(c.dir, "ab", "notes.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(c.dir, "ab", "temporary-123")
	if err := os.WriteFile(killed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.Put("run", Key{1}, nil)
	if _, err := os.Lstat(mine); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(killed); err == nil {
		t.Error("a file of a killed run is left")
	}
}
