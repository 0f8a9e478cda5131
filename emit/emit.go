// Package emit defines File, which all emitters return. Emitters make no decisions and write nothing to disk.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package emit

import "path/filepath"

// A File is a finished artifact in memory.
type File struct {
	// Path is relative to the output directory, with forward slashes. After the output rules are applied, it is the
	// path in the file system, or "" for standard output.
	Path string
	// Data is the whole content.
	Data []byte
}

// Effective returns the files to write. If two generators make the same file, the later one wins, as if both had
// written it.
func Effective(list []File) (out []File) {
	full := func(path string) string {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
		return path
	}
	last := map[string]int{}
	for i, a := range list {
		last[full(a.Path)] = i
	}
	for i, a := range list {
		if a.Path != "" && last[full(a.Path)] == i {
			out = append(out, a)
		}
	}
	return out
}
