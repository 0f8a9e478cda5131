package suitetest

import (
	"io/fs"
	"path/filepath"
)

// readInputs lists the directories of a module. The cache of go test only knows what the test itself opens, not what
// the program reads. For a directory that was opened, it compares the sizes and times of all files. So the result is
// reused only if no file of the module has changed.
func readInputs(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path != root:
			return nil // the program reports what it cannot read
		case err == nil && d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		}
		return err
	})
}
