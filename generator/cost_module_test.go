package generator_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// importable are the packages that sources may name without importing them.
var importable = [...]struct{ name, path string }{
	{"metav1", "k8s.io/apimachinery/pkg/apis/meta/v1"},
	{"runtime", "k8s.io/apimachinery/pkg/runtime"},
	{"resource", "k8s.io/apimachinery/pkg/api/resource"},
	{"networkingv1", "k8s.io/api/networking/v1"},
	{"big", "math/big"},
	{"unstructured", "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"},
	{"intstr", "k8s.io/apimachinery/pkg/util/intstr"},
}

// configOf writes a module with a package of each source, which declares the type Spec of a kind.
func configOf(t *testing.T, sources ...string) generator.Config {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	for i, source := range sources {
		head := "package v1\n\n"
		for _, p := range importable {
			if strings.Contains(source, p.name+".") {
				head += fmt.Sprintf("import %s %q\n", p.name, p.path)
			}
		}
		files[packageOf(i)+"/kind.go"] = moduletest.Kind(packageOf(i) + ".example")
		files[packageOf(i)+"/types.go"] = head + source
	}
	moduletest.Write(t, dir, "crd.test", files)
	return generator.Config{
		Dir: dir, Paths: []string{"./..."},
		Env: moduletest.Env(),
		CRD: generator.Options{Options: lower.Options{Tolerate: true}},
	}
}

func packageOf(i int) string { return fmt.Sprintf("p%03d", i) }

// crdsOf are the CRDs of sources.
func crdsOf(t *testing.T, sources ...string) []*schema.CRD {
	t.Helper()
	return generated(t, configOf(t, sources...))
}

// generated are the CRDs of Go packages.
func generated(t *testing.T, cfg generator.Config) (crds []*schema.CRD) {
	t.Helper()
	made, err := generator.CRDs(t.Context(), cfg)
	if err != nil || diag.HasErrors(made.Diagnostics) {
		t.Fatal(err, made.Diagnostics)
	}
	for _, s := range made.CRDs {
		crds = append(crds, s.CRD)
	}
	return crds
}

// findings are those of each source when its CRD is generated and validated.
func findings(t *testing.T, sources ...string) [][]diag.Diagnostic {
	t.Helper()
	return findingsAbove(t, 0, sources...)
}

// findingsAbove does what findings does, with a share of the budget above which there are warnings; 0 is the default.
func findingsAbove(t *testing.T, share int, sources ...string) [][]diag.Diagnostic {
	t.Helper()
	cfg := configOf(t, sources...)
	cfg.CRD.Validation.Share = share
	cfg.CRD.Validation.Kube = kube.Range{First: 30, Last: kube.Latest()} // what is proposed must suffice for all of them
	result, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]diag.Diagnostic, len(sources))
	for _, d := range result.Diagnostics {
		found := false
		for i := range sources {
			if d.Span.IsValid() && filepath.Base(filepath.Dir(d.Span.Source.Path)) == packageOf(i) {
				out[i], found = append(out[i], d), true
			}
		}
		if !found && d.Check != "not-validated" { // which is about CRDs
			t.Errorf("a finding without a package: %s", d.Message)
		}
	}
	return out
}
