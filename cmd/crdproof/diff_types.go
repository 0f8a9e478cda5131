package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/internal/cli/config"
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

// likeWritten returns the CRDs of a side: if they are of Go packages, and the old ones are files that crdproof has
// written, those with compat=controller-gen if that makes them more like the old ones. Files do not say with which
// options they were written.
func (set *diffSettings) likeWritten(
	ctx context.Context, sides []diffSide, i int, lists [][]crds.CRD,
) ([]crds.CRD, []diag.Diagnostic) {
	if i == 0 || len(sides[i].where.Paths) == 0 || len(sides[0].where.Paths) > 0 || sides[i].where.CRD.Compat ||
		!slices.ContainsFunc(lists[0], func(c crds.CRD) bool {
			return c.Object.Annotations[crd.VersionAnnotation] != ""
		}) {
		return lists[i], nil
	}
	differing := apart(lists[0], lists[i])
	if differing == 0 {
		return lists[i], nil
	}
	other := sides[i]
	other.where.CRD.Compat = true
	list, found := other.find(ctx)
	if diag.HasErrors(found) || apart(lists[0], list) >= differing {
		return lists[i], nil
	}
	return list, []diag.Diagnostic{diag.Diagnostic{Severity: diag.Note, Message: "the CRDs of the Go packages are " +
		"generated with compat=controller-gen, which makes them more like the old ones"}.
		Help("if these are generated so, write compat: controller-gen to %s, so that all commands know it",
			config.Name)}
}

// apart counts the lines in which CRDs of the same names differ.
func apart(before, after []crds.CRD) (n int) {
	was := byName(before)
	for _, c := range after {
		old, ok := was[c.Object.Name]
		if !ok {
			continue
		}
		lines := map[string]int{}
		for line := range strings.Lines(objectText(old)) {
			lines[line]++
		}
		for line := range strings.Lines(objectText(c)) {
			lines[line]--
		}
		for _, more := range lines {
			n += max(more, -more)
		}
	}
	return n
}

// objectText returns the spec of a CRD, line by line.
func objectText(c crds.CRD) string {
	data, err := json.MarshalIndent(c.Object.Spec, "", " ")
	if err != nil {
		panic(err) // it has been decoded
	}
	return string(data)
}

// stale compares the Go types, too, if the CRDs of both sides are files that were found where operators keep them, and
// Go files of the module have changed: types may be in each of its packages. It returns errors about files that do not
// have the changes of the types, and a warning if the types cannot be read.
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
	return report.Stale(other, fmt.Sprintf("crdproof diff %s %s", typesOf(&sides[0], &types[0]),
		typesOf(&sides[1], &types[1])))
}

// typesOf returns the argument for the Go types of a side.
func typesOf(side *diffSide, types *crds.Where) string {
	path := types.Paths[0]
	if rel, err := filepath.Rel(cmp.Or(side.where.Dir, workingDir()), types.Dir); err == nil && rel != "." {
		path = filepath.ToSlash(filepath.Join(rel, path))
		if !strings.HasPrefix(path, "../") {
			path = "./" + path
		}
	}
	if side.commit != "" {
		return side.commit + ":" + path
	}
	return path
}

// readsFiles reports whether a side has its CRDs in files.
func readsFiles(side diffSide) bool {
	where, problem := side.where.Settled()
	return problem == nil && len(where.Files) > 0
}

// goFiles returns the Go files of a module, and its dependencies, by their paths.
func goFiles(where crds.Where) map[string][]byte {
	out := map[string][]byte{}
	_ = filepath.WalkDir(where.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil { // it is reported when the package is loaded
			return nil
		}
		switch name := e.Name(); {
		case e.IsDir() && path != where.Dir && strings.HasPrefix(name, "."):
			return filepath.SkipDir
		case e.Type().IsRegular() && name == "go.mod",
			e.Type().IsRegular() && filepath.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go"):
			out[filepath.ToSlash(diag.Relative(path, where.Dir))], _ = os.ReadFile(path)
		}
		return nil
	})
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
