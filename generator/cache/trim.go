package cache

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
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
func (c *Cache) renew(path string) {
	if info, err := os.Stat(path); err == nil && c.now().Sub(info.ModTime()) > renewAfter {
		// Without it the entry is only removed too early.
		_ = os.Chtimes(path, time.Time{}, c.now())
	}
}

// trimDaily removes unused entries if the last trim was a day ago. The time of a file records the last trim.
func (c *Cache) trimDaily() {
	stamp := filepath.Join(c.dir, "trimmed")
	info, err := os.Stat(stamp)
	age := trimEvery
	if err == nil {
		age = c.now().Sub(info.ModTime())
	}
	if 0 <= age && age < trimEvery {
		return
	}
	// It is written first, so that few processes trim at the same time. That would be slow, but not wrong.
	if os.WriteFile(stamp, nil, 0o666) != nil || os.Chtimes(stamp, time.Time{}, c.now()) != nil {
		return
	}
	c.trimTo(maxBytes)
}

// An entry is a file of the cache.
type entry struct {
	path string
	used time.Time
	size int64
}

// trimTo removes entries that were not used for long, and then the oldest until the rest has at most that many bytes.
// What cannot be removed stays.
func (c *Cache) trimTo(most int64) {
	entries := c.entries()
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.path, b.path)) })
	var total int64
	for _, e := range entries {
		total += e.size
		if total > most || c.now().Sub(e.used) > keepFor {
			os.Remove(e.path)
		}
	}
}

// entries returns the files in the directories of entries.
func (c *Cache) entries() (out []entry) {
	dirs, err := os.ReadDir(c.dir)
	if err != nil {
		return nil
	}
	for _, dir := range dirs {
		if !dir.IsDir() || len(dir.Name()) != 2 {
			continue
		}
		files, err := os.ReadDir(filepath.Join(c.dir, dir.Name()))
		if err != nil {
			continue
		}
		for _, f := range files {
			if info, err := f.Info(); err == nil && info.Mode()&fs.ModeType == 0 {
				out = append(out, entry{filepath.Join(c.dir, dir.Name(), f.Name()), info.ModTime(), info.Size()})
			}
		}
	}
	return out
}
