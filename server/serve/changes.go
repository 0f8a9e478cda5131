package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/server"
)

// changes notices when the files of arguments change.
type changes struct {
	roots []root
	// loaded and last are the states of the files: when they were loaded, and when they were looked at.
	loaded, last string
}

// A root is a file or a directory with files.
type root struct {
	path string
	// isTree is set if its subdirectories count.
	isTree bool
}

func newChanges(options server.Options) *changes {
	c := &changes{}
	for _, arg := range options.Packages {
		c.roots = append(c.roots, moduleOf(arg))
	}
	for _, arg := range options.CRDs {
		switch {
		case server.NamesPackages(arg):
			c.roots = append(c.roots, moduleOf(arg))
		case !input.IsRevision(arg): // a revision does not change
			c.roots = append(c.roots, rootsOf(arg)...)
		}
	}
	c.loaded = c.state()
	c.last = c.loaded
	return c
}

// moduleOf returns the module of a package: types may be anywhere in it.
func moduleOf(arg string) root {
	dir, _ := strings.CutSuffix(filepath.ToSlash(input.Absolute(arg)), "/...")
	for d := range input.Upwards(dir) {
		if input.Holds(d, "go.mod") {
			return root{d, true}
		}
	}
	return root{dir, true}
}

// rootsOf returns the files and directories that an argument names.
func rootsOf(arg string) (out []root) {
	path, isTree := strings.CutSuffix(filepath.ToSlash(arg), "/...")
	paths := []string{path}
	if matches, err := filepath.Glob(path); err == nil && len(matches) > 0 {
		paths = matches
	}
	for _, p := range paths {
		out = append(out, root{p, isTree})
	}
	return out
}

// state describes the files: their paths, sizes and times.
func (c *changes) state() string {
	var out strings.Builder
	for _, r := range c.roots {
		_ = filepath.WalkDir(r.path, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil: // it has gone, which is a change
				return nil
			case e.IsDir() && path != r.path && (!r.isTree || strings.HasPrefix(e.Name(), ".")):
				return filepath.SkipDir
			case e.IsDir() || path != r.path && !matters(path):
				return nil
			}
			if info, err := e.Info(); err == nil {
				fmt.Fprintln(&out, path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return out.String()
}

// matters reports whether a file in a directory may be, or change, a CRD.
func matters(path string) bool {
	return filepath.Ext(path) == ".go" || filepath.Base(path) == "go.mod" || input.IsManifest(path)
}

// settled reports whether files have changed since they were loaded, and no longer change: a program may be writing
// several of them. The files then count as loaded.
func (c *changes) settled() bool {
	now := c.state()
	isStable := now == c.last
	c.last = now
	if !isStable || now == c.loaded {
		return false
	}
	c.loaded = now
	return true
}
