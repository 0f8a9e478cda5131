package stale

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/internal/input"
)

// staleHelpers finds helpers that the run no longer writes: in the folder of all helpers, or else beside the types of
// packages that declare a group. Helpers in other packages may belong to another run.
func staleHelpers(run Run) (out []File, err error) {
	dirs := run.Helpers
	if run.BesideTypes {
		groups, err := groupsIn(run.Dirs)
		if err != nil {
			return nil, err
		}
		declaring := slices.Concat(slices.Collect(maps.Values(groups))...)
		dirs = slices.DeleteFunc(slices.Clone(run.Dirs), func(d string) bool { return !slices.Contains(declaring, d) })
	}
	written := run.writes()
	why := func(dir, name string) string {
		if name == gocode.SupportName && written[input.Absolute(filepath.Join(dir, gocode.FileName))] {
			return "the helpers import the module " + gocode.RuntimePath
		}
		return "its package no longer has kinds"
	}
	for _, dir := range dirs {
		for _, name := range []string{gocode.FileName, gocode.SupportName} {
			path := filepath.Join(dir, name)
			if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
				continue // no run has written a link
			}
			data, err := input.ReadFile(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return nil, err
			case !written[input.Absolute(path)] && bytes.Contains(data, []byte(gocode.Signature)):
				at := diag.At(&diag.Source{Path: input.Absolute(path), Data: data}, 0, 0)
				out = append(out, File{Path: path, Why: why(dir, name), At: at})
			}
		}
	}
	return out, nil
}
