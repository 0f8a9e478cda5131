package input

import (
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/internal/git"
)

// Upwards yields a directory and its parents, as far as the path goes.
func Upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}

// Resolved returns a path without links, as far as it exists.
func Resolved(path string) string {
	for d := range Upwards(path) {
		if real, err := filepath.EvalSymlinks(d); err == nil {
			rest, _ := filepath.Rel(d, path)
			return filepath.Join(real, rest)
		}
	}
	return path
}

// Holds reports whether a directory has a file or a directory with one of the names.
func Holds(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// Repository returns the root of the git repository that contains a directory, or "" outside of repositories.
func Repository(dir string) string { return git.Root(dir) }

// Project returns the root of the git repository that contains a directory, or else of the outermost Go module or
// workspace, or else the directory itself.
func Project(dir string) string {
	if root := Repository(dir); root != "" {
		return root
	}
	root := dir
	for d := range Upwards(dir) {
		if Holds(d, "go.work", "go.mod") {
			root = d
		}
	}
	return root
}

// Within reports whether a path is a directory or is below it.
func Within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
