package input

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Upwards yields a directory and its parents, as far as the path goes.
func Upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}

// Holds reports whether a directory has a file or a directory with one of the names.
func Holds(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// Repository returns the root of the git repository that contains a directory, or "" outside of repositories.
func Repository(dir string) string {
	for d := range Upwards(dir) {
		if Holds(d, ".git") {
			return d
		}
	}
	return ""
}
