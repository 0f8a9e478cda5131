package stale

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/generator/input"
)

// groupsElsewhere returns the API groups that Go packages declare which are not among dirs, each with the directories
// that do so. The packages are those of the repositories that the working directory and a folder lie in, with what is
// vendored there. unread are the directories that cannot be read.
func groupsElsewhere(folder string, dirs []string) (groups map[string][]string, unread []string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	except := map[string]bool{}
	for _, dir := range dirs {
		except[resolved(dir)] = true
	}
	here, folder = resolved(here), resolved(input.Absolute(folder))
	var files []string
	for i, root := range []string{repository(here), repository(folder)} {
		if i > 0 && within(root, repository(here)) {
			continue // has been looked through
		}
		found, closed, err := goFiles(root, []string{here, folder}, except)
		if err != nil {
			return nil, nil, err
		}
		files, unread = append(files, found...), append(unread, closed...)
	}
	groups, err = groupsOf(files)
	return groups, unread, err
}

// goFiles returns the Go files below root, but for tests, for those in the directories of except, and for what the go
// command passes over, unless one of the given directories lies there. unread are the directories below root that
// cannot be read.
func goFiles(root string, inside []string, except map[string]bool) (out, unread []string, err error) {
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			unread = append(unread, path)
			return filepath.SkipDir
		case e.IsDir() && path != root && passedOver(e.Name()) && !within(inside[0], path) && !within(inside[1], path):
			return filepath.SkipDir
		case isSource(e) && !except[filepath.Dir(path)]:
			out = append(out, path)
		}
		return nil
	})
	return out, unread, err
}

// isSource reports whether a file is Go, and no test.
func isSource(e fs.DirEntry) bool {
	return e.Type().IsRegular() && filepath.Ext(e.Name()) == ".go" && !strings.HasSuffix(e.Name(), "_test.go")
}

// passedOver reports whether the go command does not look for packages in a directory of that name.
func passedOver(dir string) bool {
	return dir == "testdata" || dir == "node_modules" || strings.HasPrefix(dir, ".") || strings.HasPrefix(dir, "_")
}

// repository is the root of the repository that a directory lies in: where git's is, or else the outermost Go module or
// workspace; the directory itself where it is in none.
func repository(dir string) string {
	if root := input.Repository(dir); root != "" {
		return root
	}
	root := dir
	for d := range input.Upwards(dir) {
		if input.Holds(d, "go.work", "go.mod") {
			root = d
		}
	}
	return root
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// within reports whether a path is a directory or lies below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
