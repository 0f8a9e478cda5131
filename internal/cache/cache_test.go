package cache

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crdproof/crdproof/internal/filestate"
)

// keyOf returns the key of one text.
func keyOf(t *testing.T, c *Cache, text string) Key {
	t.Helper()
	h := c.Hasher()
	h.String(text)
	key, ok := h.Key()
	if !ok {
		t.Fatal("the program cannot be identified")
	}
	return key
}

// only returns the files of all entries but the hash of the program, and fails unless there are as many as expected.
func only(t *testing.T, c *Cache, want int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(c.dir, "??", "*"))
	files = slices.DeleteFunc(files, func(path string) bool { return strings.HasSuffix(path, "-"+programKind) })
	if err != nil || len(files) != want {
		t.Fatalf("%d files, want %d: %v", len(files), want, err)
	}
	return files
}

func TestCache(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "a", "b"))
	key := keyOf(t, c, "x")
	if _, ok := c.Get("run", key); ok {
		t.Fatal("an empty cache has an entry")
	}
	for _, data := range []string{"first", "second", ""} {
		c.Put("run", key, []byte(data))
		if got, ok := in(c.dir).Get("run", key); !ok || string(got) != data {
			t.Fatalf("%q, %v", got, ok)
		}
	}
	if _, ok := c.Get("verdict", key); ok {
		t.Error("kinds share an entry")
	}
	if _, ok := c.Get("run", keyOf(t, c, "y")); ok {
		t.Error("keys share an entry")
	}
	only(t, c, 1)
}

// TestNil uses the cache that Open returns if there is none.
func TestNil(t *testing.T) {
	var c *Cache
	c.Put("run", Key{}, []byte("data"))
	if _, ok := c.Get("run", Key{}); ok || c.Dir() != "" {
		t.Error("a nil cache has an entry")
	}
	if _, ok := c.Hasher().Key(); ok {
		t.Error("a nil cache has keys")
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	for value, want := range map[string]string{"off": "", dir: dir} {
		t.Setenv("CRDPROOF_CACHE", value)
		if c, err := Open(); err != nil || c.Dir() != want {
			t.Errorf("%s: %q, %v", value, c.Dir(), err)
		}
	}
	t.Setenv("CRDPROOF_CACHE", "here")
	const want = `CRDPROOF_CACHE: expected an absolute path or off, got "here"`
	if c, err := Open(); c != nil || err == nil || err.Error() != want {
		t.Errorf("%v, %v", c, err)
	}
}

// TestDamaged damages the file of an entry in many ways: each is a miss, and the next run replaces it.
func TestDamaged(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "cache"))
	key, data := keyOf(t, c, "x"), []byte(strings.Repeat("data", 50))
	c.Put("run", key, data)
	path := only(t, c, 1)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := [][]byte{append(bytes.Clone(whole), 0)}
	for i := range whole {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1
		damaged = append(damaged, whole[:i], flipped)
	}
	for _, bad := range damaged {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.Get("run", key); ok {
			t.Fatalf("%d bytes: got %q", len(bad), got)
		}
	}
	c.Put("run", key, data)
	if got, ok := c.Get("run", key); !ok || !bytes.Equal(got, data) {
		t.Error("the damaged entry was not replaced")
	}
	// An entry under the name of another one is damaged too.
	other := keyOf(t, c, "y")
	if err := os.MkdirAll(filepath.Dir(filepath.Join(c.dir, file("run", other))), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, filepath.Join(c.dir, file("run", other))); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("run", other); ok {
		t.Error("a renamed entry was returned")
	}
}

// TestConcurrent writes and reads the same entries from several caches, as several processes do.
func TestConcurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	keys := []Key{sha256.Sum256([]byte("a")), sha256.Sum256([]byte("b"))}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			c := in(dir)
			for j := range 50 {
				key := keys[(i+j)%2]
				c.Put("run", key, bytes.Repeat(key[:], 1+i*100))
				data, ok := c.Get("run", key)
				if !ok || len(data) == 0 || len(bytes.ReplaceAll(data, key[:], nil)) > 0 {
					t.Errorf("an entry is missing or torn: %d bytes, %v", len(data), ok)
				}
			}
		})
	}
	wg.Wait()
	only(t, in(dir), len(keys))
}

// TestNoDirectory uses caches whose directories cannot be created or written.
func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), readOnly, "/proc/none"} {
		c := in(dir)
		c.Put("run", Key{1}, []byte("data"))
		if dir == readOnly && os.Getuid() == 0 {
			continue // root may write
		}
		if _, ok := c.Get("run", Key{1}); ok || !c.closed.Load() {
			t.Errorf("%s has an entry", dir)
		}
	}
}

// TestTrim lets days pass: used entries stay, others are removed, and no more often than once a day.
func TestTrim(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "cache"))
	day := time.Now()
	c.now = func() time.Time { return day }
	next := func(d time.Duration) { day, c.trim = day.Add(d), sync.Once{} }
	entry := func(i int) Key { return sha256.Sum256(fmt.Append(nil, i)) }
	c.Put("run", entry(0), []byte("used"))
	c.Put("run", entry(1), []byte("unused"))
	for range 6 {
		next(trimEvery)
		if _, ok := c.Get("run", entry(0)); !ok {
			t.Fatal("a used entry was removed")
		}
		c.Put("run", entry(2), nil) // its file has the time of the test, which the trim finds too old in the end
	}
	if _, err := os.Stat(filepath.Join(c.dir, file("run", entry(1)))); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an unused entry is still there: ", err)
	}
	only(t, c, 1)
	next(trimEvery - time.Minute)
	before, err := os.Stat(filepath.Join(c.dir, "trimmed"))
	if err != nil {
		t.Fatal(err)
	}
	c.Put("run", entry(3), nil)
	if after, err := os.Stat(filepath.Join(c.dir, "trimmed")); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Error("trimmed twice a day: ", err)
	}
}

// TestTrimSize limits the bytes of a cache: the entries that were used last stay.
func TestTrimSize(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "cache"))
	for i := range 10 {
		key := sha256.Sum256(fmt.Append(nil, i))
		c.Put("run", key, make([]byte, 968)) // 1000 with the head
		used := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(filepath.Join(c.dir, file("run", key)), used, used); err != nil {
			t.Fatal(err)
		}
	}
	c.trimTo(c.open(false), 3500)
	only(t, c, 3)
	for i := range 10 {
		_, ok := c.Get("run", sha256.Sum256(fmt.Append(nil, i)))
		if ok != (i >= 7) {
			t.Errorf("entry %d: %v", i, ok)
		}
	}
}

// TestIdentity compares this program with itself, and with another one.
func TestIdentity(t *testing.T) {
	a, b := in(filepath.Join(t.TempDir(), "cache")), in(filepath.Join(t.TempDir(), "cache"))
	if keyOf(t, a, "x") != keyOf(t, b, "x") {
		t.Error("the keys of one program differ")
	}
	b.identity = func() (Key, bool) { return Key{1}, true }
	if keyOf(t, a, "x") == keyOf(t, b, "x") {
		t.Error("two programs share a key")
	}
}

// TestPrograms identifies programs that claim the build ID and the size of another one, or replace it in its file.
func TestPrograms(t *testing.T) {
	c, dir := in(filepath.Join(t.TempDir(), "cache")), t.TempDir()
	path := filepath.Join(dir, "program")
	identify := func(content string, later time.Duration) Key {
		t.Helper()
		if content != "" {
			if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		id, err := c.hashOf(f, time.Now().Add(later))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	stored := func() int {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(c.dir, "??", "*-"+programKind))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	const head = "Go build ID: \"abc/def/ghi/jkl\""
	first := identify(head+"first", 0)
	if stored() != 0 {
		t.Error("the hash of a file that was changed a moment ago is stored")
	}
	for range 2 { // the second one may be the stored one
		if identify("", time.Minute) != first {
			t.Error("the hashes of one program differ")
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if filestate.In(info).Changed != 0 && stored() != 1 {
		t.Errorf("%d hashes are stored", stored())
	}
	if identify(head+"other", time.Minute) == first {
		t.Error("another program of the same size and build ID has the same hash")
	}
}

// TestHasher hashes lists of items that have the same text.
func TestHasher(t *testing.T) {
	c := in(filepath.Join(t.TempDir(), "cache"))
	keys := map[Key]string{}
	for name, hash := range map[string]func(*Hasher){
		"ab":       func(h *Hasher) { h.String("ab") },
		"a, b":     func(h *Hasher) { h.String("a"); h.Bytes([]byte("b")) },
		"[a, b]":   func(h *Hasher) { h.Strings([]string{"a", "b"}) },
		"[a], [b]": func(h *Hasher) { h.Strings([]string{"a"}); h.Strings([]string{"b"}) },
		"[]":       func(h *Hasher) { h.Strings(nil) },
		"nothing":  func(*Hasher) {},
	} {
		h := c.Hasher()
		hash(h)
		key, ok := h.Key()
		if other, exists := keys[key]; exists || !ok {
			t.Errorf("%s and %s share a key", name, other)
		}
		keys[key] = name
	}
}
