package helm

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/testdata/parity/harness"
)

// helpers are the named templates of the chart.
const helpers = `{{- define "demo.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
braces: '{{ "{{" }}'
{{- end }}`

// TestRender writes the CRDs of real projects as templates of a chart, renders the chart with Helm, and compares the
// result with the plain CRDs and what the chart adds. It also compares outputs without descriptions with the files of
// the option maxDescLen.
func TestRender(t *testing.T) {
	for _, c := range harness.Cases() {
		if c.Repeats() || testing.Short() && !c.Small {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			most := 0
			outputs := []profile.Output{{Dir: "plain"}, {Dir: "short", MaxDescLen: &most}, {Dir: "minimal", OmitSchemas: true},
				{Dir: "templates", Helm: &crd.Template{Condition: ".Values.crds.enabled", Keep: ".Values.crds.keep",
					Labels: "demo.labels", Annotations: ".Values.crds.annotations"}}}
			forms := map[string]map[string]string{}
			for path, data := range files(t, c, nil, outputs) {
				form := filepath.Dir(path)
				if forms[form] == nil {
					forms[form] = map[string]string{}
				}
				forms[form][filepath.Base(path)] = data
			}
			for _, values := range []map[string]any{
				{"enabled": true, "keep": true, "annotations": map[string]any{"example.com/a": "{{ b }}"}},
				{"enabled": true, "keep": false}, {"enabled": false},
			} {
				compare(t, render(t, forms["templates"], values), forms["plain"], values)
			}
			if short := files(t, c, &most, nil); !reflect.DeepEqual(short, forms["short"]) {
				t.Error("an output without descriptions differs from the files of maxDescLen=0")
			}
			if len(forms["minimal"]) != len(forms["plain"]) || len(forms["plain"]) == 0 {
				t.Errorf("%d minimal CRDs of %d", len(forms["minimal"]), len(forms["plain"]))
			}
			t.Logf("%d CRDs", len(forms["plain"]))
		})
	}
}

// files generates the files of a case. API servers accept each form of what they accept as a whole.
func files(t *testing.T, c harness.Case, maxDescLen *int, outputs []profile.Output) map[string]string {
	t.Helper()
	settings := &diag.Source{Path: ".crdproof.yaml", Data: []byte("profiles: {}")}
	config := generator.Config{Dir: c.WorkDir("../parity"), Paths: strings.Split(c.Paths, ";")}
	for i := range outputs {
		outputs[i].At = diag.At(settings, 0, 1)
	}
	config.CRD.Outputs, config.CRD.ToolVersion, config.CRD.MaxDescLen = outputs, "v0", maxDescLen
	config.CRD.Tolerate, config.CRD.AllowDangerousTypes, config.CRD.Unproved = true, true, true
	result, err := generator.Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		isOfOutput := slices.ContainsFunc(d.SeeAlso, func(r diag.Related) bool { return r.Span.Source == settings })
		if d.Severity == diag.Error || isOfOutput {
			t.Fatalf("%s: %s", d.Check, d.Message)
		}
	}
	out := map[string]string{}
	for _, f := range result.Files {
		out[f.Path] = string(f.Data)
	}
	return out
}

// render renders a chart with the templates.
func render(t *testing.T, templates map[string]string, crds map[string]any) map[string]string {
	t.Helper()
	c := &chart.Chart{Metadata: &chart.Metadata{Name: "demo", Version: "1.0.0", APIVersion: "v2"},
		Templates: []*chart.File{{Name: "templates/_helpers.tpl", Data: []byte(helpers)}}}
	for name, text := range templates {
		c.Templates = append(c.Templates, &chart.File{Name: "templates/" + name, Data: []byte(text)})
	}
	values, err := chartutil.ToRenderValues(c, map[string]any{"crds": crds},
		chartutil.ReleaseOptions{Name: "demo", Namespace: "system"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := engine.Render(c, values)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, text := range rendered {
		out[filepath.Base(name)] = text
	}
	delete(out, "_helpers.tpl")
	return out
}

// compare compares rendered templates with the plain CRDs and what the chart adds.
func compare(t *testing.T, rendered, plain map[string]string, values map[string]any) {
	t.Helper()
	if len(rendered) != len(plain) {
		t.Fatalf("%d templates of %d CRDs", len(rendered), len(plain))
	}
	for name, text := range plain {
		var got, want map[string]any
		if err := yaml.UnmarshalStrict([]byte(rendered[name]), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if values["enabled"] == true {
			if err := yaml.UnmarshalStrict([]byte(text), &want); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			metadata := want["metadata"].(map[string]any)
			annotations := metadata["annotations"].(map[string]any)
			if values["keep"] == true {
				annotations["helm.sh/resource-policy"] = "keep"
				annotations["example.com/a"] = "{{ b }}"
			}
			labels, _ := metadata["labels"].(map[string]any)
			if labels == nil {
				labels = map[string]any{}
			}
			labels["app.kubernetes.io/name"], labels["braces"] = "demo", "{{"
			metadata["labels"] = labels
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the rendered CRD differs with %v", name, values)
		}
	}
}
