package generator_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/internal/stage"
)

// fuzzImports loads the packages that mutated source may import, so that the go command runs only once, before the
// test.
const fuzzImports = `package v1

import (
	_ "net/url"
	_ "time"
	_ "unsafe"

	_ "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	_ "k8s.io/apimachinery/pkg/api/resource"
	_ "k8s.io/apimachinery/pkg/runtime"
	_ "k8s.io/apimachinery/pkg/types"
	_ "k8s.io/apimachinery/pkg/util/intstr"
)
`

// FuzzPipeline feeds mutated Go source to all stages after the go command. For any source the result is files or
// errors, never both and never a panic, the diagnostics lie in the source and can be rendered, and a second run has the
// same result.
func FuzzPipeline(f *testing.F) {
	for i, c := range readCases(f) {
		for _, file := range c.archive.Files {
			if file.Name == "v1/types.go" && (i%10 == 0 || !testing.Short()) {
				f.Add(string(file.Data), byte(0))
			}
		}
	}
	p := newPipeline(f)
	f.Fuzz(p.check)
}

// A pipeline is a package with one file that is replaced for each source.
type pipeline struct {
	root, file string
	config     generator.Config
	listing    *load.Listing
}

func newPipeline(f testing.TB) *pipeline {
	f.Helper()
	root := f.TempDir()
	dir := filepath.Join(root, "v1")
	p := &pipeline{root: root, file: filepath.Join(dir, "types.go")}
	moduletest.Write(f, root, caseModule, nil)
	writeFile(f, filepath.Join(dir, "kind.go"), []byte(moduletest.Kind("example")))
	writeFile(f, filepath.Join(dir, "imports.go"), []byte(fuzzImports))
	writeFile(f, p.file, []byte("package v1\n"))
	p.config = generator.Config{Dir: root, Paths: []string{"./..."}, Env: moduletest.Env()}
	listing, err := generator.List(context.Background(), p.config, nil)
	if err != nil {
		f.Fatal(err)
	}
	p.listing = listing
	return p
}

// check runs the stages on a source.
func (p *pipeline) check(t *testing.T, src string, options byte) {
	if err := os.WriteFile(p.file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := p.config
	cfg.CRD = fuzzOptions(options)
	start := time.Now()
	result := generator.RunListed(p.listing, cfg)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	if diag.HasErrors(result.Diagnostics) && len(result.Files) > 0 {
		t.Error("files are written in spite of errors")
	}
	text := renderAll(t, result.Diagnostics, p.root)
	again := generator.RunListed(p.listing, cfg)
	if !reflect.DeepEqual(result.Files, again.Files) || renderAll(t, again.Diagnostics, p.root) != text {
		t.Error("a second run differs")
	}
	for _, d := range result.Diagnostics {
		at := d.Span
		if d.Check == stage.Internal.ID {
			t.Error(d.Message, d.Notes)
		}
		if at.IsValid() && at.Source.Path == p.file && (at.Start < 0 || at.End < at.Start || int(at.End) > len(src)) {
			t.Errorf("%s is reported at %d to %d of %d bytes", d.Message, at.Start, at.End, len(src))
		}
	}
	for _, file := range result.Files {
		var object struct{ Kind string }
		if err := yaml.Unmarshal(file.Data, &object); err != nil || object.Kind != "CustomResourceDefinition" {
			t.Errorf("%s is not a CRD: %v\n%s", file.Path, err, file.Data)
		}
	}
}

// fuzzOptions returns options for the bits of a byte.
func fuzzOptions(bits byte) generator.Options {
	opts := generator.Options{Options: lower.Options{
		AllowDangerousTypes:        bits&1 != 0,
		IgnoreUnexportedFields:     bits&2 != 0,
		GenerateEmbeddedObjectMeta: bits&4 != 0,
		Compat:                     bits&8 != 0,
	}}
	opts.Tolerate, opts.Unproved = opts.Compat, opts.Compat
	if bits&16 != 0 {
		length := int(bits >> 5)
		opts.MaxDescLen = &length
	}
	return opts
}
