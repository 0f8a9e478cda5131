package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"os"
	"regexp"
	"runtime"
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
	if c != nil {
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

// buildID matches the build ID that the Go linker writes near the beginning of a program: its last part is a hash of
// the whole program. Other build systems write constants.
var buildID = regexp.MustCompile(`[A-Za-z0-9_-]{20}/[A-Za-z0-9_-]{20}/[A-Za-z0-9_-]{20}/[A-Za-z0-9_-]{20}`)

// headSize is where the go command stops to search for the build ID (cmd/internal/buildid).
const headSize = 32 << 10

// identify returns a hash that only this program has: of its build ID, or else of all its bytes.
func (c *Cache) identify() (id Key, ok bool) {
	f, err := openSelf()
	if err != nil {
		return id, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return id, false
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return id, false
	}
	head = head[:n]
	var about bytes.Buffer
	if name := buildID.Find(head); name != nil {
		about.Write(name)
		about.Write(binary.LittleEndian.AppendUint64(nil, uint64(info.Size())))
		return sha256.Sum256(about.Bytes()), true
	}
	h := sha256.New()
	h.Write(head)
	if _, err := io.Copy(h, f); err != nil {
		return id, false
	}
	h.Sum(id[:0])
	return id, true
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
