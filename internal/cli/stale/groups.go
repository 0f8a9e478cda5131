package stale

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/internal/input"
)

// groupsElsewhere returns the API groups that Go packages declare that a run does not read, each with the directories
// of these packages. It searches the repositories of the working directory and of the folder of CRDs, including
// vendored packages. unread are the directories that cannot be read.
func groupsElsewhere(run Run) (groups map[string][]string, unread []string, err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	here, folder := input.Resolved(here), input.Resolved(input.Absolute(run.folder.Dir))
	var files []string
	for i, root := range []string{input.Project(here), input.Project(folder)} {
		if i > 0 && input.Within(root, input.Project(here)) {
			continue // already searched
		}
		found, closed, err := goFiles(root, []string{here, folder}, run.reads())
		if err != nil {
			return nil, nil, err
		}
		files, unread = append(files, found...), append(unread, closed...)
	}
	groups, err = groupsOf(files)
	return groups, unread, err
}

// goFiles returns the Go files below root, without tests and without those in the directories of except. Directories
// that patterns of packages leave out, such as testdata, may be named by another run. It skips directories whose names
// begin with a dot, such as caches, unless they contain one of the directories of inside. unread are the directories
// below root that cannot be read.
func goFiles(root string, inside []string, except func(dir string) bool) (out, unread []string, err error) {
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			unread = append(unread, path)
			return filepath.SkipDir
		case e.IsDir() && path != root && skipped(e.Name()) && !input.Within(inside[0], path) &&
			!input.Within(inside[1], path):
			return filepath.SkipDir
		case isSource(e) && !except(filepath.Dir(path)):
			out = append(out, path)
		}
		return nil
	})
	return out, unread, err
}

// isSource reports whether a file is a Go file and not a test.
func isSource(e fs.DirEntry) bool {
	return e.Type().IsRegular() && filepath.Ext(e.Name()) == ".go" && !strings.HasSuffix(e.Name(), "_test.go")
}

// skipped reports whether directories of that name have no packages that a run may name.
func skipped(dir string) bool { return dir == "node_modules" || strings.HasPrefix(dir, ".") }
