package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// TestChannels generates the CRDs of projects that have generators of their own for channels and feature gates, and
// compares them with those that the projects ship.
func TestChannels(t *testing.T) {
	work := t.TempDir()
	tools, err := harness.Build(t.Context(), ".", work, os.Getenv("CRDPROOF"))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("gateway-api", func(t *testing.T) { testGatewayChannels(t, tools, filepath.Join(work, "gateway-api")) })
	t.Run("openshift", func(t *testing.T) { testFeatureSets(t, tools, filepath.Join(work, "openshift")) })
}

// moduleDir returns where the go command has a module that a folder below modules requires.
func moduleDir(t *testing.T, dir, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir, cmd.Env = filepath.Join("modules", dir), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// What gateway-api's generator has in its code is in markers here: the annotations of each CRD, that the standard
// channel does not serve alpha versions, and that it has no CRDs of the group for experiments.
const gatewayAnnotations = `// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=%s"
// +kubebuilder:metadata:annotations="gateway.networking.k8s.io/bundle-version=v1.6.3"
// +crdproof:channel(standard)=+kubebuilder:metadata:annotations="gateway.networking.k8s.io/channel=standard"
// +crdproof:channel(experimental)=+kubebuilder:metadata:annotations="gateway.networking.k8s.io/channel=experimental"
`

const gatewayApproval = "https://github.com/kubernetes-sigs/gateway-api/pull/4530"

// gatewayKind is the marker above each kind, and above each list of them.
var gatewayKind = regexp.MustCompile(`(?m)^// \+kubebuilder:object:root=true\n`)

// testGatewayChannels compares both channels of gateway-api byte for byte. Its generator writes no line "---".
func testGatewayChannels(t *testing.T, tools harness.Tools, work string) {
	from := moduleDir(t, "gateway-api", "sigs.k8s.io/gateway-api")
	copied := filepath.Join(work, "copy")
	copyTypes(t, from, copied)
	module := filepath.Join(work, "module")
	if err := os.MkdirAll(module, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join("modules", "gateway-api", name))
		if name == "go.mod" {
			data = append(data, fmt.Sprintf("\nreplace sigs.k8s.io/gateway-api => %q\n", copied)...)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(module, name), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(work, "out")
	report, err := harness.Run(t.Context(), harness.Job{Tool: tools.Crdproof, Dir: module, Out: out,
		Options: []string{"channels={standard,experimental}", "compat=controller-gen", "omitToolVersion=true"},
		Paths:   "sigs.k8s.io/gateway-api/apis/...;sigs.k8s.io/gateway-api/apisx/..."})
	if err != nil {
		t.Fatalf("%v\n%s", err, report.Output)
	}
	for channel, want := range map[string]int{"standard": 10, "experimental": 13} {
		var same []string
		shipped, _ := filepath.Glob(filepath.Join(from, "config", "crd", channel, "gateway.networking.*.yaml"))
		for _, file := range shipped {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(data, []byte("\nkind: CustomResourceDefinition\n")) {
				continue
			}
			made, err := os.ReadFile(filepath.Join(out, channel, filepath.Base(file)))
			if made = bytes.TrimPrefix(made, []byte("---\n")); err != nil || !bytes.Equal(made, data) {
				t.Errorf("%s/%s differs: %v", channel, filepath.Base(file), err)
			}
			same = append(same, filepath.Base(file))
		}
		made, _ := os.ReadDir(filepath.Join(out, channel))
		if len(same) != want || len(made) != want {
			t.Errorf("%s: %d CRDs are shipped and %d are made, want %d", channel, len(same), len(made), want)
		}
	}
}

// copyTypes copies the Go types of gateway-api, and adds the markers.
func copyTypes(t *testing.T, from, to string) {
	t.Helper()
	write := func(path string) error {
		data, err := os.ReadFile(filepath.Join(from, path))
		if err != nil {
			return err
		}
		text := fmt.Sprintf(gatewayAnnotations, gatewayApproval)
		if strings.Contains(path, "alpha") {
			text += "// +crdproof:channel(standard)=+kubebuilder:unservedversion\n"
		}
		data = gatewayKind.ReplaceAllFunc(data, func(marker []byte) []byte { return append([]byte(text), marker...) })
		data = gatewayList.ReplaceAllFunc(data, func(decl []byte) []byte {
			return bytes.ReplaceAll(decl, []byte(text), nil)
		})
		if strings.HasPrefix(path, "apisx/") && filepath.Base(path) == "doc.go" {
			data = bytes.Replace(data, []byte("\npackage "), []byte("\n// +crdproof:channel=experimental\npackage "), 1)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, path)), 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), data, 0o666)
	}
	err := fs.WalkDir(os.DirFS(from), ".", func(path string, d fs.DirEntry, err error) error {
		isTypes := strings.HasPrefix(path, "apis/") || strings.HasPrefix(path, "apisx/")
		if err != nil || d.IsDir() || path != "go.mod" && (!isTypes || filepath.Ext(path) != ".go") {
			return err
		}
		return write(path)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// gatewayList matches the comments and the declaration of a list of a kind.
var gatewayList = regexp.MustCompile(`(?m)(^//.*\n)+type \w+List struct`)

// differing are CRDs of OpenShift that differ, with what its generator does. It makes a CRD for each gate and merges
// them.
var differing = map[string]string{
	"TechPreviewNoUpgrade controllerconfigs.machineconfiguration.openshift.io": "the merge loses rules of gates",
	"Default machineconfigs.machineconfiguration.openshift.io":                 "the merge drops subresources: {}",
	"TechPreviewNoUpgrade machineconfigs.machineconfiguration.openshift.io":    "the merge drops subresources: {}",
}

// testFeatureSets compares the specs of CRDs of OpenShift for two feature sets with those in its module. CRDs that it
// edits by hand afterwards are left out.
func testFeatureSets(t *testing.T, tools harness.Tools, work string) {
	from := moduleDir(t, "openshift", "github.com/openshift/api")
	packages := []string{"config/v1", "operator/v1", "machineconfiguration/v1"}
	paths, edited := "", map[string]bool{}
	for _, pkg := range packages {
		paths += ";github.com/openshift/api/" + pkg
		dirs, _ := filepath.Glob(filepath.Join(from, pkg, "manual-override-crd-manifests", "*"))
		for _, dir := range dirs {
			edited[filepath.Base(dir)] = true
		}
	}
	sets := "Default: " + enabledGates(t, from, "Default") + ", TechPreviewNoUpgrade: " +
		enabledGates(t, from, "TechPreviewNoUpgrade")
	report, err := harness.Run(t.Context(), harness.Job{Tool: tools.Crdproof, Dir: filepath.Join("modules", "openshift"),
		Options: []string{"compat=controller-gen", "omitToolVersion=true", "variants={" + sets + "}"},
		Paths:   strings.TrimPrefix(paths, ";"), Out: work})
	if err != nil {
		t.Fatalf("%v\n%s", err, report.Output)
	}
	var same, byHand, known int
	for _, pkg := range packages {
		files, _ := filepath.Glob(filepath.Join(from, pkg, "zz_generated.crd-manifests", "*.crd.yaml"))
		for _, file := range files {
			for _, set := range setsOf(file) {
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name := crdName.FindStringSubmatch(string(want))[1]
				made, err := os.ReadFile(filepath.Join(work, set, fileOf(name)))
				switch {
				case edited[name]:
					byHand++
				case differing[set+" "+name] != "" && err == nil && specOf(made) != specOf(want):
					known++
				case err != nil || specOf(made) != specOf(want):
					t.Errorf("%s %s differs: %v", set, name, err)
				default:
					same++
				}
			}
		}
	}
	t.Logf("%d specs are the same, %d are edited by hand, %d differ for a known reason", same, byHand, known)
	if same == 0 || known != len(differing) {
		t.Errorf("%d specs are the same, and %d differ for a known reason; want %d", same, known, len(differing))
	}
}

// crdName finds the name of a CRD.
var crdName = regexp.MustCompile(`(?m)^  name: (\S+)$`)

// fileOf returns the name that the file of a CRD has.
func fileOf(name string) string {
	plural, group, _ := strings.Cut(name, ".")
	return group + "_" + plural + ".yaml"
}

// specOf returns the text of the spec of a CRD.
func specOf(crd []byte) string {
	_, spec, _ := strings.Cut(string(crd), "\nspec:\n")
	spec, _, _ = strings.Cut(spec, "\nstatus:\n")
	return strings.TrimSpace(spec)
}

// setsOf returns the feature sets of the test that a file is for; a name without one is for all.
func setsOf(file string) []string {
	name := strings.TrimSuffix(filepath.Base(file), ".crd.yaml")
	switch _, last, isForOne := strings.Cut(name, "-Hypershift"); {
	case isForOne || last != "":
		return nil
	case strings.HasSuffix(name, "-Default"):
		return []string{"Default"}
	case strings.HasSuffix(name, "-TechPreviewNoUpgrade"):
		return []string{"TechPreviewNoUpgrade"}
	case strings.HasSuffix(name, "NoUpgrade"):
		return nil
	}
	return []string{"Default", "TechPreviewNoUpgrade"}
}

// enabledGates returns the gates of a feature set, in braces.
func enabledGates(t *testing.T, from, set string) string {
	t.Helper()
	path := filepath.Join(from, "payload-manifests", "featuregates", "featureGate-SelfManagedHA-"+set+".yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, enabled, _ := strings.Cut(string(data), `"enabled": [`)
	var out []string
	for _, m := range regexp.MustCompile(`"name": "(\w+)"`).FindAllStringSubmatch(enabled, -1) {
		out = append(out, m[1])
	}
	return "{" + strings.Join(out, ",") + "}"
}
