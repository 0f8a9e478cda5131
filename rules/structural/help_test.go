package structural_test

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/followtest"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// exceptions are the helps that do not work literally in a case.
var exceptions = []followtest.Exception{
	{Check: "version-storage", Help: "add storage: true to one version", Why: "the user knows which version"},
	{Check: "version-storage", Help: "keep storage: true on one of them", Why: "the user knows which version"},
	{Check: "version-served", Help: "set served: true in one of them", Why: "the user knows which version"},
	{Check: "nested-keyword", Help: "use a rule, such as",
		Why: "the rule is an example: the user knows what it must check"},
	{Check: "root-keyword", Help: "move it to a field, such as spec", Why: "the field is an example"},
	{Check: "keyword-forbidden", Help: "replace it with a rule, such as", Why: "the rule is an example"},
	{Check: "keyword-forbidden", Help: "use additionalProperties, and check the keys",
		Why: "the pattern is an example"},
	{Check: "pattern-invalid", Help: "check that part with a rule",
		Why: "it goes with the removal of that part of the pattern"},
	{Check: "cel-field-path", Help: "name a field below self, such as", Why: "the field is an example"},
	{Check: "cel-cost-message", Help: "format numbers as in", Why: "the expression is an example"},
	{Check: "default-invalid", Help: "use one of", Why: "the user knows the value"},
	{Check: "default-invalid", Help: `add "apiVersion" to the default`, Why: "the user knows the value"},
	{Check: "type-unknown", Help: "write the type of the other values, and", Why: "the user knows the type"},
	{Case: "enum/null_listed", Check: "enum-null", Help: "remove nullable",
		Why: "the enum lists null, which no string is then"},
	{Case: "list/set_of_sets", Check: "list-items", Help: "remove x-kubernetes-list-type of the items",
		Why: "rules and server-side apply do not support a set of lists"},
	{Case: "rule/too_new", Check: "kube-feature", Help: "remove it", Why: "the rule of the case needs it"},
	{Case: "subresource/column_missing", Check: "column-invalid", Help: "add jsonPath: .spec.replicas",
		Why: "the case has no such field"},
	{Case: "subresource/scale_missing", Check: "scale-path", Help: "add statusReplicasPath: ",
		Why: "the case has no such field"},
}

// TestHelp follows the helps about the CRDs of the cases. All checks find what is new, not only those of this package.
func TestHelp(t *testing.T) {
	var versions kube.Range
	helps := followtest.Test{Exceptions: exceptions, Find: func(src *diag.Source) []diag.Diagnostic {
		return found(t, src, session.Options{Kube: versions, ByVerdict: true})
	}}
	for _, c := range structuraltest.Cases(t, "../../testdata/structural") {
		if text := c.File("crd.yaml"); text != "" {
			versions = c.Versions(t)
			helps.File(t, c.Name, &diag.Source{Path: "crd.yaml", Data: []byte(structuraltest.Complete(t, text))})
		}
	}
	helps.End(t)
}

// found returns what all checks find in a file.
func found(t *testing.T, src *diag.Source, opts session.Options) []diag.Diagnostic {
	t.Helper()
	docs, out := read.Documents(src)
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rules.Check(t.Context(), session.New(doc.CRD, object, opts))...)
	}
	return diag.Sort(out)
}
