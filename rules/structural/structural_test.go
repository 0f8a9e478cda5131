package structural_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/structural"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// TestTable rejects checks that are not described, or described twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range structural.Checks() {
		if seen[c.ID] {
			t.Errorf("there are two checks %s", c.ID)
		}
		seen[c.ID] = true
		if !strings.HasSuffix(c.Doc, ".") || c.Bad == "" || c.Good == "" {
			t.Errorf("check %s is not described", c.ID)
		}
		if c.Verdict && c.Severity != diag.Error {
			t.Errorf("check %s is no error, although API servers refuse what it finds", c.ID)
		}
	}
}

// TestExamples makes sure that a check finds what its row says that it finds, and nothing in what is said to be written
// instead.
func TestExamples(t *testing.T) {
	for _, name := range []string{"bad", "good"} {
		src := newSources(t)
		for _, c := range structural.Checks() {
			if code := exampleOf(c, name); isGo(code) {
				src.add(c.ID, code)
			}
		}
		crds, errors := src.build(t)
		for _, c := range structural.Checks() {
			crd := crds[c.ID]
			if code := exampleOf(c, name); !isGo(code) {
				crd = decode(t, crdOf(t, code))
			}
			if crd == nil {
				t.Errorf("%s: the %s example has no CRD: %v", c.ID, name, errors[c.ID])
				continue
			}
			checkExample(t, c, name, crd)
		}
	}
}

func exampleOf(c check.Check, name string) string {
	if name == "good" {
		return c.Good
	}
	return c.Bad
}

func checkExample(t *testing.T, c check.Check, name string, crd *schema.CRD) {
	t.Helper()
	found := structural.Check(crd, kube.DefaultRange())
	isFound := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule == c.ID })
	if name == "bad" != isFound || name == "good" && len(found) > 0 {
		t.Errorf("%s: the %s example has the findings %v", c.ID, name, found)
	}
	refusals := verdict(t, crd)
	if refused := len(refusals) > 0; refused != (c.Verdict && name == "bad") {
		t.Errorf("%s: the API server says of the %s example: %v", c.ID, name, refusals)
	}
	explains(t, found, refusals)
}

// isGo reports whether an example is Go rather than YAML.
func isGo(code string) bool {
	return strings.Contains(code, "`json:") || strings.HasPrefix(code, "// +") || strings.HasPrefix(code, "type Widget")
}

// crdOf makes a CRD of YAML that is part of one: fields of its spec, or the schema of a field.
func crdOf(t testing.TB, part string) []byte {
	t.Helper()
	var whole, fields map[string]any
	base := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: widgets.example.com}\nspec:\n" +
		"  group: example.com\n  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}\n  scope: Namespaced\n" +
		"  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties: {spec: {type: object}}\n"
	for text, into := range map[string]*map[string]any{base: &whole, part: &fields} {
		if err := yaml.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	top := whole["spec"].(map[string]any)
	if spec, ok := fields["spec"].(map[string]any); ok && fields["type"] == nil {
		for k, v := range spec {
			top[k] = v
		}
		for k, v := range fields {
			if k != "spec" {
				whole[k] = v
			}
		}
	} else {
		versions := top["versions"].([]any)
		root := versions[0].(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
		root["properties"].(map[string]any)["spec"] = fields
	}
	for _, v := range top["versions"].([]any) {
		v := v.(map[string]any)
		if s, ok := v["schema"]; !ok {
			v["schema"] = map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "description": v["name"]}}
		} else if s == nil {
			delete(v, "schema")
		}
	}
	data, err := yaml.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func verdict(t testing.TB, crd *schema.CRD) []kube.Refusal {
	t.Helper()
	refusals, err := kube.Verdict(context.Background(), kube.Object(crd))
	if err != nil {
		return []kube.Refusal{{Message: err.Error()}}
	}
	return refusals
}

// explains makes sure that what we say the API server refuses, it refuses at the same path, and that nothing is left of what
// it says.
func explains(t *testing.T, found []diag.Diagnostic, refusals []kube.Refusal) {
	t.Helper()
	isVerdict := map[string]bool{}
	for _, c := range structural.Checks() {
		isVerdict[c.ID] = c.Verdict
	}
	for _, d := range found {
		if isVerdict[d.Rule] && !slices.ContainsFunc(refusals, func(r kube.Refusal) bool { return r.Path == d.Path }) {
			t.Errorf("the API server does not refuse %s: %s [%s]", d.Path, d.Message, d.Rule)
		}
	}
	for _, r := range refusals {
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return isVerdict[d.Rule] && d.Path == r.Path }) {
			t.Errorf("nothing is said of the refusal %s: %s", r.Path, r.Message)
		}
	}
}
