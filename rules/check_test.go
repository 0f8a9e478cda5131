package rules_test

import (
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

const widget = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {SIZE}
`

// findings validates a widget whose field size has a schema, and returns the lines of the findings, without the
// field's path.
func findings(t *testing.T, size string, opts session.Options) []string {
	t.Helper()
	src := &diag.Source{Path: "crd.yaml", Data: []byte(strings.Replace(widget, "SIZE", size, 1))}
	docs, found := read.Documents(src)
	if len(docs) != 1 || len(found) > 0 {
		t.Fatalf("%d documents, %v", len(docs), found)
	}
	object, err := kube.Decode(docs[0].JSON)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range diag.Sort(rules.Check(t.Context(), session.New(docs[0].CRD, object, opts))) {
		if text := d.Span.Text(); text == "" || !strings.Contains(size, strings.Trim(text, `"'`)) {
			t.Errorf("%s is reported at %q", d.Message, text)
		}
		out = append(out, d.Severity.String()+" "+d.Check)
	}
	return out
}

// TestCheck is about the verdict: which code decides, and how it affects our own checks.
func TestCheck(t *testing.T) {
	all := session.Options{Kube: kube.DefaultRange()}
	for _, c := range []struct {
		about, size string
		opts        session.Options
		want        string
	}{
		{"what is right", `type: string`, all, ""},
		{"the server has the last word: it takes this for the form of int-or-string",
			`x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string, additionalProperties: false}]`,
			all, ""},
		{"a rejection that a check explains is reported once", `type: strng`, all, "error type-unknown"},
		{"a rejection that no check expects is reported too",
			`type: string, x-kubernetes-validations: [{rule: "self == 'aa'"}], minLength: 2, default: b`,
			all, "error default-invalid"},
		{"what servers accept is not an error if some objects do not have it", `type: integer, minimum: 5, maximum: 3`,
			all, "warning bound-empty"},
		{"old versions reject more", `type: string, x-kubernetes-validations: [{rule: isSemver(self)}]`,
			session.Options{Kube: kube.Range{First: 31, Last: kube.Latest()}}, "error cel-version"},
		{"a range of one old version", `type: string, x-kubernetes-validations: [{rule: isSemver(self)}]`,
			session.Options{Kube: kube.Range{First: 31, Last: 31}}, "error cel-version"},
	} {
		if got := strings.Join(findings(t, c.size, c.opts), ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.about, got, c.want)
		}
	}
}
