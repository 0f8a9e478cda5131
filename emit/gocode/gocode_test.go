package gocode_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

var (
	crdFile = flag.String("crd", "", "a file of CRDs to write helpers for")
	into    = flag.String("into", "", "the directory to write them into")
)

// TestWrite writes the helpers of any CRD, for looking at them.
func TestWrite(t *testing.T) {
	if *crdFile == "" {
		t.Skip("without -crd")
	}
	data, err := os.ReadFile(*crdFile)
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := read.Documents(&diag.Source{Path: *crdFile, Data: data})
	var crds []*schema.CRD
	for _, doc := range docs {
		crds = append(crds, doc.CRD)
	}
	packages, found := generator.Helpers(crds, generator.HelperOptions{Dir: *into}, kube.DefaultRange())
	for _, d := range found {
		t.Error(d.Message)
	}
	for _, p := range packages {
		for _, f := range p.Files {
			if err := os.WriteFile(filepath.Join(p.Dir, f.Path), f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
