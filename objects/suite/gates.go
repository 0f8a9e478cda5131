package suite

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
)

// OpenShift writes several files for one CRD. Annotations of each file say for which clusters it is. FeatureGate
// objects in payload-manifests/featuregates say which gates these clusters have.
const (
	annotationProfile    = "include.release.openshift.io/"
	annotationFeatureSet = "release.openshift.io/feature-set"
	annotationMajor      = "release.openshift.io/major-version"

	// defaultSet is the feature set of clusters that do not choose one, allGates the one that has every gate.
	defaultSet = "Default"
	allGates   = "CustomNoUpgrade"
)

// A gateTable has the feature gates of clusters, by the folder of their files.
type gateTable map[string][]gateFile

// A gateFile is a FeatureGate object: it says which gates clusters have.
type gateFile struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		FeatureSet string `json:"featureSet"`
	} `json:"spec"`
	Status struct {
		FeatureGates []struct {
			Enabled, Disabled []struct {
				Name string `json:"name"`
			}
		} `json:"featureGates"`
	} `json:"status"`
}

// gates maps each gate that the file names to whether it is enabled.
func (f *gateFile) gates() map[string]bool {
	out := map[string]bool{}
	if len(f.Status.FeatureGates) > 0 {
		for _, g := range f.Status.FeatureGates[0].Enabled {
			out[g.Name] = true
		}
		for _, g := range f.Status.FeatureGates[0].Disabled {
			out[g.Name] = false
		}
	}
	return out
}

// fits reports whether a CRD is for clusters with the gates of a suite (openshift/api, tests/crd_filter.go). A CRD
// without the annotations fits all suites.
func (t gateTable) fits(object *apiext.CustomResourceDefinition, s *Suite) (bool, *diag.Diagnostic) {
	sets, names := splitList(object.Annotations[annotationFeatureSet]), sortedKeys(object.Annotations)
	profile := slices.IndexFunc(names,
		func(name string) bool {
			return strings.HasPrefix(name, annotationProfile) && object.Annotations[name] == "true"
		})
	if len(sets) == 0 {
		sets = []string{defaultSet}
	}
	switch {
	case len(s.Gates) == 0:
		return true, nil
	case slices.Contains(sets, allGates):
		return !slices.ContainsFunc(s.Gates, func(g schema.Text) bool { return strings.HasPrefix(g.V, "-") }), nil
	case profile < 0:
		return true, nil
	}
	gates, known := t.gates(s, names[profile], sets, splitList(object.Annotations[annotationMajor]))
	if !known {
		return false, new(diag.Errorf(s.Gates[0].At, badGate,
			"no FeatureGate object found for the clusters of a file of %s", object.Name).
			Note("looked for: FeatureGate objects in payload-manifests/featuregates, in the directory of the suite " +
				"and those above it"))
	}
	for _, g := range s.Gates {
		name, disabled := strings.CutPrefix(g.V, "-")
		enabled, ok := gates[name]
		if !ok {
			return false, new(diag.Errorf(g.At, badGate, "unknown feature gate %q", name).
				Help("%s", diag.DidYouMean(name, sortedKeys(gates))))
		}
		if enabled == disabled {
			return false, nil
		}
	}
	return true, nil
}

// gates returns those of the clusters with a profile and one of the feature sets.
func (t gateTable) gates(s *Suite, profile string, sets, majors []string) (map[string]bool, bool) {
	for _, f := range t.files(filepath.Dir(s.Source.Path)) {
		_, hasProfile := f.Metadata.Annotations[profile]
		set := cmp.Or(f.Spec.FeatureSet, f.Metadata.Annotations[annotationFeatureSet], defaultSet)
		own := splitList(f.Metadata.Annotations[annotationMajor])
		common := slices.ContainsFunc(majors, func(m string) bool { return slices.Contains(own, m) })
		if hasProfile && slices.Contains(sets, set) && (len(majors) == 0 || common) {
			return f.gates(), true
		}
	}
	return nil, false
}

// files returns those of the nearest folder with such files, from a directory upwards.
func (t gateTable) files(dir string) []gateFile {
	for d := range input.Upwards(dir) {
		folder := filepath.Join(d, "payload-manifests", "featuregates")
		if list, ok := t[folder]; ok {
			return list
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		t[folder] = []gateFile{}
		for _, e := range entries {
			data, err := input.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				continue
			}
			var f gateFile // other files are ignored
			if data, err = yaml.YAMLToJSON(data); err == nil && json.Unmarshal(data, &f) == nil {
				t[folder] = append(t[folder], f)
			}
		}
		return t[folder]
	}
	return nil
}

func splitList(text string) (out []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}
