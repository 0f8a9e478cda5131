package generator_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/crdproof/crdproof/internal/moduletest"
)

// An oracle runs controller-gen's own generator in this process. It lists and type-checks the packages of all cases
// together, once; this takes most of its time.
type oracle struct {
	root string

	mu     sync.Mutex
	loaded bool
	roots  []*loader.Package
	// collector and checker remember what they found in packages of libraries, which most cases have in common.
	collector *ctmarkers.Collector
	checker   *loader.TypeChecker
	err       error
}

// An answer is controller-gen's output for a case.
type answer struct {
	// verdict is "" if it wrote files, "refuses" if it reported errors, or "panics".
	verdict  string
	files    map[string][]byte
	messages []string
}

// run runs controller-gen on a case. It is not safe for use by several goroutines, hence the lock.
func (o *oracle) run(t *testing.T, c *testCase) (out answer) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.loaded {
		o.loaded = true
		o.err = o.load()
	}
	if o.err != nil {
		t.Fatal(o.err)
	}
	roots := o.of(c)
	opts := c.options(t)
	gen := crd.Generator{
		MaxDescLen:                 opts.MaxDescLen,
		AllowDangerousTypes:        &opts.AllowDangerousTypes,
		IgnoreUnexportedFields:     &opts.IgnoreUnexportedFields,
		GenerateEmbeddedObjectMeta: &opts.GenerateEmbeddedObjectMeta,
		DeprecatedV1beta1CompatibilityPreserveUnknownFields: opts.PreserveUnknownFields,
	}
	memory := &memoryOutput{files: map[string][]byte{}}
	defer func() {
		if r := recover(); r != nil {
			out = answer{verdict: "panics", messages: []string{fmt.Sprint(r)}}
		}
	}()
	before := elsewhere(roots)
	err := gen.Generate(&genall.GenerationContext{
		Collector:  o.collector,
		Roots:      roots,
		Checker:    o.checker,
		OutputRule: memory,
		InputRule:  genall.InputFromFileSystem,
	})
	out.files = memory.files
	if err != nil {
		out.messages = append(out.messages, err.Error())
	}
	out.messages = append(out.messages, errorsOf(roots, true)...)
	if n := elsewhere(roots) - before; n != 0 {
		out.messages = append(out.messages, errorsOf(roots, false)...)
	}
	if len(out.messages) > 0 {
		out.verdict = "refuses"
	}
	return out
}

// load lists the packages of all cases.
func (o *oracle) load() (err error) {
	registry := &ctmarkers.Registry{}
	if err := (crd.Generator{}).RegisterMarkers(registry); err != nil {
		return err
	}
	o.collector = &ctmarkers.Collector{Registry: registry}
	o.checker = &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}}
	o.roots, err = loader.LoadRootsWithConfig(&packages.Config{Dir: o.root, Env: moduletest.Env()}, "./...")
	return err
}

// of returns the packages that the paths of a case name.
func (o *oracle) of(c *testCase) []*loader.Package {
	var out []*loader.Package
	for _, path := range c.paths() {
		pattern := caseModule + "/" + filepath.ToSlash(filepath.Join(c.name, path))
		out = append(out, caseRoots(o.roots, pattern, func(pkg *loader.Package) string { return pkg.PkgPath })...)
	}
	return out
}

// errorsOf returns the errors that controller-gen prints: all but those of type-checking. own selects those of cases;
// the others stay with the packages of the module cache from run to run.
func errorsOf(roots []*loader.Package, own bool) []string {
	var list []*packages.Package
	for _, r := range roots {
		list = append(list, r.Package)
	}
	var out []string
	packages.Visit(list, nil, func(p *packages.Package) {
		if strings.HasPrefix(p.PkgPath, caseModule+"/") != own {
			return
		}
		for _, e := range p.Errors {
			if e.Kind != packages.TypeError {
				out = append(out, e.Error())
			}
		}
	})
	return out
}

func elsewhere(roots []*loader.Package) int { return len(errorsOf(roots, false)) }

// A memoryOutput is an output rule that keeps files in memory.
type memoryOutput struct{ files map[string][]byte }

func (m *memoryOutput) Open(_ *loader.Package, path string) (io.WriteCloser, error) {
	return &memoryFile{output: m, path: path}, nil
}

type memoryFile struct {
	bytes.Buffer
	output *memoryOutput
	path   string
}

func (f *memoryFile) Close() error {
	f.output.files[f.path] = f.Bytes()
	return nil
}
