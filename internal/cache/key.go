package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/crdproof/crdproof/internal/filestate"
)

// A Key is the hash of everything that a result depends on.
type Key [sha256.Size]byte

// A Hasher computes a key. Each item that it hashes has its length in front, so that different lists of items have
// different keys.
type Hasher struct {
	hash  hash.Hash
	known bool
}

// Hasher returns a Hasher that has hashed the program: two programs never share a key.
func (c *Cache) Hasher() *Hasher {
	h := &Hasher{hash: sha256.New()}
	if c.Unusable() == "" {
		var id Key
		id, h.known = c.identity()
		h.Bytes(id[:])
	}
	return h
}

// Bytes hashes an item.
func (h *Hasher) Bytes(item []byte) {
	h.Int(len(item))
	h.hash.Write(item)
}

// String hashes an item.
func (h *Hasher) String(item string) {
	h.Int(len(item))
	_, _ = io.WriteString(h.hash, item) // the hash never fails
}

// Strings hashes a list as one item.
func (h *Hasher) Strings(items []string) {
	h.Int(len(items))
	for _, item := range items {
		h.String(item)
	}
}

// Int hashes a number.
func (h *Hasher) Int(n int) {
	h.hash.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// Key returns the key of all items. ok is false if the program cannot be identified: then nothing can be cached.
func (h *Hasher) Key() (key Key, ok bool) {
	h.hash.Sum(key[:0])
	return key, h.known
}

// programKind is the kind of entries with the hash of a program.
const programKind = "program"

// identify returns the hash of all bytes of this program. A build ID is not enough: every program can claim one.
func (c *Cache) identify() (Key, bool) {
	began := time.Now()
	f, err := openSelf()
	if err != nil {
		return Key{}, false
	}
	defer f.Close()
	id, err := c.hashOf(f, began)
	return id, err == nil
}

// hashOf returns the hash of a program, which was opened at or after a time.
//
// To hash the program takes longer than a run whose result is in the cache. So its hash is an entry of the cache, under
// the state of its file: device, number, size and times. That is safe. A file cannot change without a new time of the
// last change, which programs cannot set, and the hash is stored only if that time is past. A program can pretend to be
// another one only if its user can set the clock or write to the disk below the file system. Whoever can write entries
// does not need that: the results of runs are entries too. Without a time of the last change, all bytes are hashed each
// time.
func (c *Cache) hashOf(f *os.File, began time.Time) (id Key, err error) {
	info, err := f.Stat()
	if err != nil {
		return id, err
	}
	at := filestate.In(info)
	isStored := at.Changed != 0 && at.IsSettled(began)
	key := sha256.Sum256(fmt.Append(nil, at.Numbers()))
	if data, ok := c.Get(programKind, key); ok && isStored && len(data) == len(id) {
		return Key(data), nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return id, err
	}
	h.Sum(id[:0])
	if info, err := f.Stat(); isStored && err == nil && filestate.In(info) == at {
		c.Put(programKind, key, id[:])
	}
	return id, nil
}

// openSelf opens the program that is running. On Linux, that is this program even if its file was replaced.
func openSelf() (*os.File, error) {
	if runtime.GOOS == "linux" {
		if f, err := os.Open("/proc/self/exe"); err == nil {
			return f, nil
		}
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
