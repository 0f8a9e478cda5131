package cache

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

const (
	// renewAfter is the age from which the use of an entry renews its time.
	renewAfter = time.Hour
	// trimEvery is how often unused entries are removed.
	trimEvery = 24 * time.Hour
	// keepFor is how long an entry stays after its last use.
	keepFor = 5 * 24 * time.Hour
	// maxBytes is how much a trim leaves; it removes what was not used for the longest time.
	maxBytes = 1 << 30
)

// renew records that an entry was used. It rarely writes: times are exact to an hour.
func (c *Cache) renew(root *os.Root, path string, info fs.FileInfo) {
	if c.now().Sub(info.ModTime()) > renewAfter {
		// Without it the entry is only removed too early.
		_ = root.Chtimes(path, time.Time{}, c.now())
	}
}

// trimDaily removes unused entries if the last trim was a day ago. The time of a file records the last trim.
func (c *Cache) trimDaily(root *os.Root) {
	const stamp = "trimmed"
	info, err := root.Lstat(stamp)
	age := trimEvery
	if err == nil {
		age = c.now().Sub(info.ModTime())
	}
	if 0 <= age && age < trimEvery {
		return
	}
	// It is written first, so that few processes trim at the same time. That would be slow, but not wrong.
	if root.WriteFile(stamp, nil, entryMode) != nil || root.Chtimes(stamp, time.Time{}, c.now()) != nil {
		return
	}
	c.trimTo(root, maxBytes)
}

// An entry is a file of the cache.
type entry struct {
	path string
	used time.Time
	size int64
}

// trimTo removes entries that were not used for long, and then the oldest until the rest has at most that many bytes.
// What cannot be removed stays.
func (c *Cache) trimTo(root *os.Root, most int64) {
	entries := entriesIn(root)
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.path, b.path))
	})
	var total int64
	for _, e := range entries {
		total += e.size
		if total > most || c.now().Sub(e.used) > keepFor {
			_ = root.Remove(e.path)
		}
	}
}

// entryName matches the names of entries, and of those that were not complete when a run was killed. The folder may
// have other files, if CRDPROOF_CACHE names it.
var entryName = regexp.MustCompile(`^([0-9a-f]{64}-[a-z]+|temporary-[0-9A-Z]+)$`)

// entriesIn returns the entries of a folder.
func entriesIn(root *os.Root) (out []entry) {
	dirs, _ := fs.Glob(root.FS(), "[0-9a-f][0-9a-f]")
	for _, dir := range dirs {
		files, err := fs.ReadDir(root.FS(), dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			path := filepath.Join(dir, f.Name())
			if info, err := root.Lstat(path); err == nil && info.Mode().IsRegular() && entryName.MatchString(f.Name()) {
				out = append(out, entry{path, info.ModTime(), info.Size()})
			}
		}
	}
	return out
}
