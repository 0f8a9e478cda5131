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
	Types: &crd.Types{
		Data: `
Widget {"type":"object","root":true,"properties":{"count":{"type":"integer"},"name":"Name"},"rules":[{"check":1,"text":"self.count > 1"}]}
Name {"type":"string","format":"k8s-short-name","textual":true}
`,
		HasFormat: crd.HasFormat,
	},
	Root: "Widget",
	Rules: &crd.RuleSet{Checks: []func(self, oldSelf any) crd.Result[bool]{func(self, _ any) crd.Result[bool] {
		return crd.Gt(crd.JSONInt(fields.Get(self, "count")), crd.OK[int64](1))
	}}},
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
