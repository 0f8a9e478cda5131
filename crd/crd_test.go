package crd_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/crd"
)

// widget has the code that crdproof generates for a kind with a format, an unknown field and a rule.
var widget = crd.Resource{
	Group: "example.com", Version: "v1", Kind: "Widget", Plural: "widgets",
	Type: &crd.Type{Name: "object", Embedded: true, Fields: []crd.TypeField{
		{Name: "count", Type: &crd.Type{Name: "integer"}},
		{Name: "name", Type: &crd.Type{Name: "string", Own: func(v *crd.Validation, value any) {
			if x, ok := value.(string); ok && !crd.HasFormat("k8sshortname", x) {
				v.NotFormat(x, "k8s-short-name")
			}
		}}},
	}},
	CheckRules: func(v *crd.Validation, value, _ any) {
		count := crd.Peek(value, "count")
		v.Rule(crd.Gt(crd.JSONInt(fields.There(count, "count")), crd.OK[int64](1)), value, nil,
			crd.Rule{Type: "object", Text: "self.count > 1"})
	},
}

var fields = crd.NewFieldReader("count")

// TestWidget runs the runtime with the oldest versions of its dependencies.
func TestWidget(t *testing.T) {
	for body, want := range map[string]string{
		`{"apiVersion":"example.com/v1","kind":"Widget","name":"a","count":2}`:         "",
		`{"apiVersion":"example.com/v1","kind":"Widget","name":"a","count":2,"old":1}`: `unknown field "old"`,
		`{"apiVersion":"example.com/v1","kind":"Widget","name":"A","count":2}`: `name: Invalid value: "A": name in body must be of ` +
			`type k8s-short-name: "A"`,
		`{"apiVersion":"example.com/v1","kind":"Widget","name":"a","count":1}`: `<nil>: Invalid value: failed rule: self.count > 1`,
		`{"apiVersion":"example.com/v1","kind":"Widget","name":"a"}`:           `no such key: count evaluating rule: self.count > 1`,
		`{"apiVersion":"example.com/v1","kind":"Gadget"}`:                      `kind: Invalid value: "Gadget": must be Widget`,
	} {
		_, errs, said, err := widget.Admit("CREATE", "", []byte(body), nil)
		for _, e := range errs {
			said = append(said, e.Error())
		}
		if err != nil {
			said = append(said, err.Error())
		}
		if want == "" && len(said) > 0 || want != "" && !slices.ContainsFunc(said, func(text string) bool {
			return strings.Contains(text, want)
		}) {
			t.Errorf("%s: %q, want %q", body, said, want)
		}
	}
}
