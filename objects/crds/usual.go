package crds

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/internal/input"
)

// usual returns where the CRDs of a directory probably are: in the nearest of the folders in which projects keep them,
// up to the root of the repository or the module, or else in Go types.
func usual(dir string) (Where, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Where{}, err
	}
	dirs := upwards(dir)
	for _, d := range dirs {
		for _, folder := range folders() {
			if full := filepath.Join(d, filepath.FromSlash(folder)); hasManifests(full) {
				return Where{Files: []string{full}}, nil
			}
		}
	}
	if types := typesIn(dirs); len(types.Paths) > 0 {
		return types, nil
	}
	if root := dirs[len(dirs)-1]; input.Holds(root, "go.mod") && hasGo(root) {
		return Where{Dir: root, Paths: []string{"./..."}}, nil
	}
	return Where{}, nil
}

// Types returns where the Go types of the CRDs of a directory are, in the folders in which projects keep them. It has
// no Paths if there are none.
func Types(dir string) Where {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Where{}
	}
	return typesIn(upwards(dir))
}

func typesIn(dirs []string) Where {
	for _, d := range dirs {
		if paths := packages(d); len(paths) > 0 {
			return Where{Dir: d, Paths: paths}
		}
	}
	return Where{}
}

// folders returns the usual folders of CRDs: that of OpenShift's API, next to the folder of its suites; that of
// kubebuilder and operator-sdk; and that of older projects.
func folders() []string {
	return []string{"zz_generated.crd-manifests", "config/crd/bases", "config/crd"}
}

// upwards returns a directory and those above it, up to the root of the module or the repository.
func upwards(dir string) (out []string) {
	for d := range input.Upwards(dir) {
		if out = append(out, d); input.Holds(d, "go.mod", ".git") {
			break
		}
	}
	return out
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
		return !e.IsDir() && input.IsManifest(e.Name()) && e.Name() != "kustomization.yaml" &&
			e.Name() != "kustomization.yml"
	})
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
