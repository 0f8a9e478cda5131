// Package cache keeps results of earlier runs in the user's cache directory.
//
// What enters is a kind of result, a key and the bytes of the result. The key is a hash of everything that the result
// depends on, and always of the program itself (key.go). What leaves is either exactly these bytes, or nothing: a
// damaged entry is a miss. A directory that cannot be read or written is an empty cache, never an error.
//
// The entries are trusted as much as the user: whoever can write them decides what crdproof writes. So the folder is
// for this user alone, and a folder in which others can write is not used (folder.go). The checksums show accidents,
// not attacks.
//
// A Writer turns values into bytes, and a Reader turns them back (codec.go, diagnostics.go).
package cache

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// A Cache is a directory of entries, shared by all processes of the user. Its methods are safe for concurrent use. A
// nil *Cache has no entries and stores nothing.
type Cache struct {
	dir string
	// now is the clock.
	now func() time.Time
	// identity is that of the program.
	identity func() (Key, bool)
	// closed is set when an entry cannot be written: the next ones could not be, either.
	closed atomic.Bool
	trim   sync.Once
	// opening guards root and distrust.
	opening sync.Mutex
	// root is the folder, nil until it is opened; distrust says why it must not be used.
	root     *os.Root
	distrust string
}

// Open returns the cache of the user, or nil if there is no directory for one. CRDPROOF_CACHE names the directory, or
// disables the cache. The error is a mistake in it.
func Open() (*Cache, error) {
	dir := os.Getenv("CRDPROOF_CACHE")
	switch {
	case dir == "off":
		return nil, nil
	case dir == "":
		parent, err := os.UserCacheDir()
		if err != nil || !filepath.IsAbs(parent) {
			return nil, nil
		}
		dir = filepath.Join(parent, "crdproof")
	case !filepath.IsAbs(dir):
		return nil, fmt.Errorf("CRDPROOF_CACHE: expected an absolute path or off, got %q", dir)
	}
	return in(dir), nil
}

// in returns the cache in a directory, which is created with the first entry.
func in(dir string) *Cache {
	c := &Cache{dir: dir, now: time.Now}
	c.identity = sync.OnceValues(c.identify)
	return c
}

// Dir returns the directory, or "" for none.
func (c *Cache) Dir() string {
	if c == nil {
		return ""
	}
	return c.dir
}

// file returns the path of an entry in the folder.
func file(kind string, key Key) string {
	name := hex.EncodeToString(key[:])
	return filepath.Join(name[:2], name+"-"+kind)
}

// sum returns the head of an entry. It contains the name of the entry, so that a file under another name is damaged.
func sum(kind string, key Key, data []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "crdproof cache 1\n%s\n%s\n", kind, key[:])
	h.Write(data)
	return h.Sum(nil)
}

// Get returns the data of an entry. kind consists of lowercase letters.
func (c *Cache) Get(kind string, key Key) (data []byte, ok bool) {
	if c == nil {
		return nil, false
	}
	root := c.open(false)
	if root == nil {
		return nil, false
	}
	path := file(kind, key)
	info, err := root.Lstat(path)
	if err != nil || !isOwn(info) {
		return nil, false
	}
	entry, err := root.ReadFile(path)
	if err != nil || len(entry) < sha256.Size {
		return nil, false
	}
	head, data := entry[:sha256.Size], entry[sha256.Size:]
	if !bytes.Equal(head, sum(kind, key, data)) {
		return nil, false
	}
	c.renew(root, path, info)
	return data, true
}

// Put stores an entry. A process that reads it at the same time gets the old data, the new data, or nothing.
func (c *Cache) Put(kind string, key Key, data []byte) {
	if c == nil || c.closed.Load() {
		return
	}
	root := c.open(true)
	if root == nil || write(root, file(kind, key), sum(kind, key, data), data) != nil {
		c.closed.Store(true)
		return
	}
	c.trim.Do(func() { c.trimDaily(root) })
}

// write creates a file with a head and data, or replaces it. It is not synced to disk: after a failure of the system,
// the head shows what is missing.
func write(root *os.Root, path string, head, data []byte) (err error) {
	name := filepath.Join(filepath.Dir(path), "temporary-"+rand.Text())
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	temp, err := root.OpenFile(name, flags, entryMode)
	if os.IsNotExist(err) {
		if err = root.Mkdir(filepath.Dir(path), folderMode); err == nil || os.IsExist(err) {
			temp, err = root.OpenFile(name, flags, entryMode)
		}
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(name)
		}
	}()
	_, err = temp.Write(head)
	if err == nil {
		_, err = temp.Write(data)
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return root.Rename(name, path)
}
