package input

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Upwards are a directory and those above it, as far as the path says.
func Upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}

// Holds reports whether one of the names is in a directory: of a file, or of a directory, as that of git is mostly.
func Holds(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// Repository is the root of the git repository that a directory lies in, "" where it is in none.
func Repository(dir string) string {
	for d := range Upwards(dir) {
		if Holds(d, ".git") {
			return d
		}
	}
	return ""
}
