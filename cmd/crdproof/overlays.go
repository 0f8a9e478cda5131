package main

import (
	"path/filepath"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/input"
)

// overlaysIn returns the overlays of a run as a revision has them: they belong to its Go types. dir is the working
// directory in the checkout of the revision. Files that the revision does not have changed nothing there.
func overlaysIn(dir string, set *overlay.Set) (*overlay.Set, []diag.Diagnostic) {
	var files []*diag.Source
	for _, src := range set.Files() {
		rel, err := filepath.Rel(workingDir(), src.Path)
		if err != nil {
			continue // on another volume, outside of the repository
		}
		path := filepath.Join(dir, rel)
		if data, err := input.ReadFile(path); err == nil {
			files = append(files, &diag.Source{Path: path, Data: data})
		}
	}
	return overlay.Read(files)
}
