package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/diff"
)

// likeFiles generates the CRDs of Go packages as controller-gen does if those of the old side, which have been read,
// are files that it has written: where crdproof differs on purpose is not a change of the user. It says so.
func (set *diffSettings) likeFiles(sides []diffSide, i int, lists [][]crds.CRD) []diag.Diagnostic {
	if i == 0 || len(sides[i].where.Paths) == 0 || len(sides[0].where.Paths) > 0 || len(lists[0]) == 0 ||
		!slices.ContainsFunc(lists[0], func(c crds.CRD) bool {
			return c.Object.Annotations[crd.ControllerGenAnnotation] != ""
		}) || sides[i].where.CRD.Compat {
		return nil
	}
	sides[i].where.CRD.Compat = true
	return []diag.Diagnostic{{Severity: diag.Note, Message: "the CRDs of the Go packages are generated with " +
		"compat=controller-gen, which wrote the old ones"}}
}

// stale compares the Go types, too, if the CRDs of both sides are files that were found where operators keep them, and
// Go files of the types have changed. It returns errors about files that do not have the changes of the types, and a
// warning if the types cannot be read.
func (set *diffSettings) stale(
	ctx context.Context, sides []diffSide, report *diff.Report, rep *reporter,
) []diag.Diagnostic {
	if len(sides) != 2 || !sides[0].isUsual || !sides[1].isUsual {
		return nil
	}
	types := []crds.Where{crds.Types(sides[0].where.Dir), crds.Types(sides[1].where.Dir)}
	if len(types[0].Paths) == 0 || len(types[1].Paths) == 0 || areSame(goFiles(types[0]), goFiles(types[1])) ||
		!readsFiles(sides[0]) || !readsFiles(sides[1]) {
		return nil
	}
	var lists [][]crds.CRD
	for i := range types {
		where := sides[i].where
		where.Dir, where.Paths = types[i].Dir, types[i].Paths
		side := diffSide{where: where, dir: sides[i].dir, commit: sides[i].commit}
		list, found := side.find(ctx)
		if diag.HasErrors(found) {
			return []diag.Diagnostic{diff.Unread(found[0])}
		}
		lists = append(lists, list)
	}
	other, _ := set.compare(ctx, lists, rep.progress())
	return report.Stale(other)
}

// readsFiles reports whether a side has its CRDs in files.
func readsFiles(side diffSide) bool {
	where, problem := side.where.Settled()
	return problem == nil && len(where.Files) > 0
}

// goFiles returns the Go files of packages, by their paths.
func goFiles(where crds.Where) map[string][]byte {
	out := map[string][]byte{}
	for _, pattern := range where.Paths {
		dir := filepath.Join(where.Dir, filepath.FromSlash(strings.TrimSuffix(pattern, "/...")))
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && filepath.Ext(path) == ".go" {
				// What cannot be read here is reported when the package is loaded.
				out[filepath.ToSlash(diag.Relative(path, where.Dir))], _ = os.ReadFile(path)
			}
			return nil
		})
	}
	return out
}

func areSame(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for path, data := range a {
		if other, ok := b[path]; !ok || !bytes.Equal(data, other) {
			return false
		}
	}
	return true
}
