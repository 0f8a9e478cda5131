// Package shipped finds out whether the CRD files of a project have what the CRDs of its Go types lack: scripts may
// edit the files after generation, or another generator may know more markers. Directories enter, places leave. Files
// are only read if something is lacking.
package shipped

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A Finder reads the CRD files of each project once.
type Finder struct {
	budget   *effort.Budget
	mutex    sync.Mutex
	projects map[string]*project
}

// New returns a Finder that has read nothing.
func New(ctx context.Context) *Finder {
	return &Finder{budget: effort.New(ctx, effort.ShippedBytes), projects: map[string]*project{}}
}

type project struct{ crds []*schema.CRD }

// Edited returns where the CRD files of the project of some directories have what its Go types lack.
func (f *Finder) Edited(dirs []string, lack schema.Lack) diag.Related {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, dir := range dirs {
		root := input.Project(input.Absolute(dir))
		if f.projects[root] == nil {
			f.projects[root] = f.read(root)
		}
		for _, crd := range f.projects[root].crds {
			if s := lack.In(crd); s != nil {
				return diag.Related{Span: s.At, Message: "this file has it: it is edited after generation"}
			}
		}
	}
	return diag.Related{}
}

// Fork returns where the module of some directories replaces controller-gen.
func (f *Finder) Fork(dirs []string) diag.Related {
	for _, dir := range dirs {
		for d := range input.Upwards(input.Absolute(dir)) {
			path := filepath.Join(d, "go.mod")
			data, err := input.ReadFile(path)
			if err != nil {
				continue
			}
			if at := fork.FindSubmatchIndex(data); at != nil {
				return diag.Related{Span: diag.At(&diag.Source{Path: path, Data: data}, at[2], at[1]),
					Message: "another generator takes the place of controller-gen, and may know the marker"}
			}
			break
		}
	}
	return diag.Related{}
}

// fork matches the line of a go.mod that replaces the module of controller-gen.
var fork = regexp.MustCompile(`(?m)^(?:replace)?\s+(sigs\.k8s\.io/controller-tools)(?:\s+v\S+)?\s+=>\s+\S+`)

// read reads the CRDs below a directory. What cannot be read shows nothing, and other commands report it.
func (f *Finder) read(root string) *project {
	out := &project{}
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case e.IsDir():
			if name := e.Name(); path != root && (strings.HasPrefix(name, ".") || left[name]) {
				return filepath.SkipDir
			}
			return nil
		case !e.Type().IsRegular() || filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".yml":
			return nil
		}
		info, err := e.Info()
		if err != nil || !f.budget.Spend(int(info.Size())+len(path)) {
			return fs.SkipAll
		}
		out.crds = append(out.crds, crdsOf(path)...)
		return nil
	})
	return out
}

// left are directories whose CRDs are those of other projects, or of tests.
var left = map[string]bool{"vendor": true, "node_modules": true, "testdata": true}

func crdsOf(path string) (out []*schema.CRD) {
	data, err := input.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte("kind: CustomResourceDefinition")) {
		return nil
	}
	read.EachDocument(&diag.Source{Path: path, Data: data}, func(d read.Document) { out = append(out, d.CRD) }, nil)
	return out
}
