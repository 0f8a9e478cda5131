package crds

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// usual returns where the CRDs of a directory probably are, up to the root of the repository or the module: in the
// nearest of the folders in which generators write them, or else in Go types, or else in the folders of other projects.
func usual(dir string) (Where, error) {
	dirs, err := upwards(dir)
	if err != nil {
		return Where{}, err
	}
	if files := filesIn(dirs, generated()); len(files) > 0 {
		return Where{Files: files}, nil
	}
	if types := typesIn(dirs); len(types.Paths) > 0 {
		return types, nil
	}
	if files := filesIn(dirs, packaged()); len(files) > 0 {
		return Where{Files: files}, nil
	}
	if root := dirs[len(dirs)-1]; input.Holds(root, "go.mod") && hasGo(root) {
		return Where{Dir: root, Paths: []string{allPackages}}, nil
	}
	return Where{}, nil
}

// usualFiles is usual without Go types.
func usualFiles(dir string) (Where, error) {
	dirs, err := upwards(dir)
	if err != nil {
		return Where{}, err
	}
	if files := filesIn(dirs, generated()); len(files) > 0 {
		return Where{Files: files}, nil
	}
	return Where{Files: filesIn(dirs, packaged())}, nil
}

// filesIn returns the directories with manifests that match the first pattern that has any, in the nearest directory.
func filesIn(dirs, folders []string) []string {
	for _, d := range dirs {
		for _, folder := range folders {
			if found := slices.DeleteFunc(matching(filepath.Join(d, filepath.FromSlash(folder))),
				func(dir string) bool { return !hasManifests(dir) }); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

// matching returns the files and directories that a path names: itself, or as a pattern.
func matching(path string) []string {
	if _, err := os.Stat(path); err == nil {
		return []string{path}
	}
	found, err := filepath.Glob(path)
	if err != nil {
		return nil // a pattern that is malformed matches nothing
	}
	return found
}

// named fills in the files of Usual. The problem is one that does not exist.
func (w Where) named() (Where, *diag.Diagnostic) {
	for _, text := range w.Usual {
		if dir, isTree := strings.CutSuffix(filepath.ToSlash(text.V), "/..."); isTree && len(matching(dir)) > 0 ||
			input.IsRevision(text.V) {
			w.Files = append(w.Files, text.V)
			continue
		}
		found := matching(text.V)
		if len(found) == 0 {
			d := input.NotFound(input.Shown(text.V))
			if near := input.Near(text.V, nil); near != "" {
				d.HelpText = diag.Meant(filepath.Base(filepath.Dir(text.V)) + "/" + near)
			}
			d.Span = text.At
			return w, &d
		}
		w.Files = append(w.Files, found...)
	}
	return w, nil
}

// Types returns where the Go types of the CRDs of a directory are: in any package of its module, or else in the folders
// in which projects keep them, also if that is a module of its own. It has no Paths if there are none.
func Types(dir string) Where {
	dirs, err := upwards(dir)
	if err != nil {
		return Where{}
	}
	types := typesIn(dirs)
	for _, path := range types.Paths {
		folder := filepath.Join(types.Dir, filepath.FromSlash(strings.TrimSuffix(path, "/...")))
		if input.Holds(folder, "go.mod") {
			return Where{Dir: folder, Paths: []string{allPackages}}
		}
	}
	if root := dirs[len(dirs)-1]; input.Holds(root, "go.mod") && hasGo(root) {
		return Where{Dir: root, Paths: []string{allPackages}}
	}
	return types
}

// allPackages is the pattern of all packages of a module.
const allPackages = "./..."

func typesIn(dirs []string) Where {
	for _, d := range dirs {
		if paths := packages(d); len(paths) > 0 {
			return Where{Dir: d, Paths: paths}
		}
	}
	return Where{}
}

// generated returns the folders of CRDs that generators write: that of OpenShift's API, next to the folder of its
// suites; that of kubebuilder and operator-sdk; and those of older projects.
func generated() []string {
	return []string{"zz_generated.crd-manifests", "config/crd/bases", "config/crd", "config/crds"}
}

// packaged returns the folders from which projects install CRDs, as patterns: manifests and charts of Helm.
func packaged() []string {
	return []string{"crds", "deploy/crds", "manifests/crds", "charts/*/crds", "helm/crds", "helm/*/crds"}
}

// upwards returns a directory and those above it, up to the root of the module or the repository.
func upwards(dir string) (out []string, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	for d := range input.Upwards(dir) {
		if out = append(out, d); input.Holds(d, "go.mod", ".git") {
			break
		}
	}
	return out, nil
}

// packages returns patterns of the Go packages below a directory in which projects declare their API.
func packages(dir string) (paths []string) {
	for _, folder := range []string{"api", "apis", "pkg/apis"} {
		if hasGo(filepath.Join(dir, filepath.FromSlash(folder))) {
			paths = append(paths, "./"+folder+"/...")
		}
	}
	return paths
}

// hasManifests reports whether a directory holds files that may be CRDs.
func hasManifests(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !e.IsDir() && input.IsManifest(e.Name()) && !slices.Contains(ofKustomize(), e.Name())
	})
}

// ofKustomize returns the names of files beside CRDs that are for kustomize alone, in the layout of kubebuilder.
func ofKustomize() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "kustomizeconfig.yaml"}
}

// hasGo reports whether there is a Go file below a directory.
func hasGo(dir string) (found bool) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil: // a directory that cannot be read is skipped
			return nil
		case e.IsDir() && path != dir && strings.HasPrefix(e.Name(), "."):
			return filepath.SkipDir
		case !e.IsDir() && filepath.Ext(path) == ".go":
			found = true
			return filepath.SkipAll
		}
		return nil
	})
	return found
}
