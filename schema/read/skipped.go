package read

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
)

// Skipped counts the documents of files that are not CRDs, by what they are.
type Skipped struct {
	// Patches are those that kustomize applies: JSON patches, and CRDs of which only a part is written.
	Patches int
	// Kustomizations are those of kustomize, with the configurations of its transformers.
	Kustomizations int
	// Templates are not YAML before they are rendered.
	Templates int
	// Values are the values and the descriptions of Helm charts.
	Values int
	// Objects are objects of other kinds, Others are documents that are not objects of an API.
	Objects, Others int
}

// Add adds other counts.
func (s *Skipped) Add(o Skipped) {
	s.Patches += o.Patches
	s.Kustomizations += o.Kustomizations
	s.Templates += o.Templates
	s.Values += o.Values
	s.Objects += o.Objects
	s.Others += o.Others
}

// String returns the counts in words: "2 patches, 1 kustomization"; it is "" for none.
func (s Skipped) String() string {
	var parts []string
	for _, kind := range []struct {
		n            int
		one, several string
	}{
		{s.Patches, "patch", "patches"}, {s.Kustomizations, "kustomization", "kustomizations"},
		{s.Templates, "template", "templates"}, {s.Values, "file of a Helm chart", "files of Helm charts"},
		{s.Objects, "other object", "other objects"}, {s.Others, "other document", "other documents"},
	} {
		if kind.n == 1 {
			parts = append(parts, "1 "+kind.one)
		} else if kind.n > 1 {
			parts = append(parts, fmt.Sprint(kind.n, " ", kind.several))
		}
	}
	return strings.Join(parts, ", ")
}

// skip counts a document that is not a CRD.
func (s *Skipped) skip(n *schema.Value, src *diag.Source) {
	switch {
	case n.Kind == schema.Array && slices.ContainsFunc(n.Items, isOperation):
		s.Patches++
	case n.Kind != schema.Object:
		s.Others++
	case isString(n.Find("apiVersion")) && isString(n.Find("kind")) && !isKustomization(n):
		s.Objects++
	case input.IsFile(src) && input.Holds(filepath.Dir(src.Path), "Chart.yaml"):
		s.Values++
	case isKustomization(n):
		s.Kustomizations++
	default:
		s.Others++
	}
}

// isKustomization reports whether a document is a kustomization, which may omit its kind, or the configuration of a
// transformer of kustomize.
func isKustomization(n *schema.Value) bool {
	if apiVersion := n.Find("apiVersion"); isString(apiVersion) {
		return strings.HasPrefix(apiVersion.Text, "kustomize.config.k8s.io/")
	}
	if kind := n.Find("kind"); kind != nil {
		return hasText(kind, "Kustomization") || hasText(kind, "Component")
	}
	isList := func(m schema.Member) bool { return m.Value.Kind == schema.Array }
	isOther := func(m schema.Member) bool { return !slices.Contains(kustomizeKeys(), m.Key) }
	return slices.ContainsFunc(n.Members, isList) && !slices.ContainsFunc(n.Members, isOther)
}

// kustomizeKeys returns the keys of kustomizations and of the configurations of transformers
// (sigs.k8s.io/kustomize/api/types/kustomization.go and api/internal/plugins/builtinconfig/transformerconfig.go).
func kustomizeKeys() []string {
	return strings.Fields("bases buildMetadata commonAnnotations commonLabels components configMapGenerator " +
		"configurations crds generatorOptions generators helmCharts helmChartInflationGenerator helmGlobals images " +
		"labels metadata namePrefix nameReference namespace nameSuffix openapi patches patchesJson6902 " +
		"patchesStrategicMerge replacements replicas resources secretGenerator sortOptions templateLabels " +
		"transformers validators varReference vars")
}

// EachPatch calls visit with the name of the CRD and the strategy of conversion in each patch of a CRD; both may be "".
func EachPatch(src *diag.Source, visit func(name, strategy string)) {
	// A copy, since the source may be read elsewhere at the same time.
	trees, _ := Trees(&diag.Source{Path: src.Path, Data: src.Data})
	for _, tree := range trees {
		n := tree.Root
		if n.Kind == schema.Object && hasText(n.Find("kind"), crdKind) && isPatch(n) {
			visit(textAt(n, "metadata", "name"), textAt(n, "spec", "conversion", "strategy"))
		}
	}
}

// textAt returns the string at a path of keys, or "".
func textAt(n *schema.Value, keys ...string) string {
	for _, key := range keys {
		if n == nil || n.Kind != schema.Object {
			return ""
		}
		n = n.Find(key)
	}
	return textOf(n)
}
