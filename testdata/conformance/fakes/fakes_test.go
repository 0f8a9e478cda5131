package fakes

import (
	"cmp"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/testdata/conformance/harness"
	"github.com/crdproof/crdproof/testdata/conformance/server"
	quickstart "github.com/crdproof/crdproof/testdata/quickstart/v1"
)

var (
	seed  = flag.Uint64("seed", 1, "choose the calls by this number")
	calls = flag.Int("calls", 1500, "how many calls to make")
	more  = flag.String("crds", "", "take the CRDs that match this pattern, such as dir/*/*.yaml, instead of those of crds")
)

// read reads the CRDs of files.
func read(t *testing.T, paths []string) (out []*apiext.CustomResourceDefinition) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), "\nkind: CustomResourceDefinition\n") {
			continue
		}
		fixed, _, err := harness.Fix(data)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiext.CustomResourceDefinition{}
		if err := yaml.Unmarshal(fixed, crd); err != nil {
			t.Fatal(err)
		}
		out = append(out, crd)
	}
	return out
}

// TestCalls makes random calls of both clients, with unstructured objects.
func TestCalls(t *testing.T) {
	paths, err := filepath.Glob(cmp.Or(*more, "../crds/*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no CRDs", err)
	}
	compare(t, Config{CRDs: read(t, paths), Scheme: runtime.NewScheme()})
}

// TestModel compares the fake client with objects/write: both have the steps of a write.
func TestModel(t *testing.T) {
	paths, err := filepath.Glob(cmp.Or(*more, "../crds/*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no CRDs", err)
	}
	r, err := RunModel(t.Context(), Config{CRDs: read(t, paths), Scheme: runtime.NewScheme(), Seed: *seed, Calls: *calls})
	if err != nil {
		t.Error(err)
	}
	check(t, r)
	// The other calls change what the next ones find.
	for _, verb := range []string{"create", "update", "status update", "merge patch", "JSON patch", "status patch", "apply",
		"status apply"} {
		if r.Calls[verb]*500 < *calls {
			t.Errorf("few calls of %s are compared", verb)
		}
	}
}

// TestTyped makes random calls with the Go types of a real API.
func TestTyped(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := gateway.Install(scheme); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(gatewayCRDs(t), "gateway.*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no CRDs", err)
	}
	if r := compare(t, Config{CRDs: read(t, paths), Scheme: scheme}); r.Typed*4 < *calls {
		t.Error("few calls are typed")
	}
}

// gatewayCRDs is the folder of the CRDs of the gateway API.
func gatewayCRDs(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/gateway-api").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "config/crd/standard")
}

// TestHelpers makes random calls with the rules of generated helpers.
func TestHelpers(t *testing.T) {
	paths, err := filepath.Glob("../../quickstart/crd/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no CRDs", err)
	}
	list := read(t, paths)
	models, err := builder.BuildOpenAPIV3(list[0], list[0].Spec.Versions[0].Name, builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Helpers do not have the types of lists, which server-side apply needs.
	types, err := managedfields.NewTypeConverter(models.Components.Schemas, false)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, Config{CRDs: list, Scheme: runtime.NewScheme(), Rules: []fakeclient.Option{
		fakeclient.WithKinds(quickstart.Kinds()), fakeclient.WithTypeConverter(types)}})
}

// compare makes the calls of a configuration.
func compare(t *testing.T, cfg Config) *Report {
	t.Helper()
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	cfg.Seed, cfg.Calls = *seed, *calls
	r, err := Run(t.Context(), s, cfg)
	if err != nil {
		t.Error(err)
	}
	check(t, r)
	return r
}

// check reports what the answers differ in.
func check(t *testing.T, r *Report) {
	t.Helper()
	t.Log(r)
	for i, finding := range r.Findings {
		if i == 10 {
			t.Errorf("and %d more", len(r.Findings)-i)
			break
		}
		t.Error(finding)
	}
	total := 0
	for _, n := range r.Calls {
		total += n
	}
	if accepted, invalid := r.Answers["accepted"], r.Answers["Invalid"]; accepted*6 < total || invalid*16 < total {
		t.Errorf("too many answers are the same: %d accepted, %d invalid", accepted, invalid)
	}
}
