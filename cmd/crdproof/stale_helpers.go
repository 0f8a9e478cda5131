package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/generator/diag"
)

// staleHelpers finds helpers that are not written any more: in the folder of all helpers, or else beside the types of the packages
// that declare a group. Helpers in other packages may be those of another run.
func staleHelpers(p plan, made product) (out []staleFile, err error) {
	h := p.find("helpers")
	if h == nil {
		return nil, nil
	}
	var dirs []string
	switch rule := p.outputs.of("helpers"); {
	case rule.kind == toStdout || rule.kind == toNone:
		return nil, nil
	case helperOptions(*h, p.outputs).Dir != "" || len(h.helpers.crds) > 0:
		dirs = []string{cmp.Or(helperOptions(*h, p.outputs).Dir, ".")}
	default:
		if dirs, err = dirsOfGroups(made.dirs); err != nil {
			return nil, err
		}
	}
	written := map[string]bool{}
	for _, a := range made.artifacts {
		written[absolute(a.Path)] = true
	}
	for _, dir := range dirs {
		for _, name := range []string{gocode.FileName, gocode.SupportName} {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				return nil, err
			case !written[absolute(path)] && bytes.Contains(data, []byte(gocode.Signature)):
				out = append(out, staleFile{
					path: path, why: "its package has no kinds any more", at: diag.At(&diag.Source{Path: absolute(path), Data: data}, 0, 0),
				})
			}
		}
	}
	return out, nil
}

// dirsOfGroups are the directories whose Go files declare a group.
func dirsOfGroups(dirs []string) (out []string, err error) {
	for _, dir := range dirs {
		groups, err := groupsIn([]string{dir})
		if err != nil {
			return nil, err
		}
		if len(groups) > 0 {
			out = append(out, dir)
		}
	}
	return out, nil
}
