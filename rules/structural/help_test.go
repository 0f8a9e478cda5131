package structural_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/followtest"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
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
	{Check: "default-invalid", Help: `add "apiVersion" to the default`, Why: "the user knows the value"},
	{Check: "type-unknown", Help: "write the type of the other values, and", Why: "the user knows the type"},
	{Case: "enum/impossible", Check: "enum-impossible", Help: `write it in quotes: "1"`,
		Why: "the enum has another such value"},
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
	files, err := filepath.Glob(filepath.Join(casesDir, "*", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var versions kube.Range
	helps := followtest.Test{Exceptions: exceptions, Find: func(src *diag.Source) []diag.Diagnostic {
		opts := session.Options{Kube: versions, ByVerdict: true}
		return crds.Validate(t.Context(), []*diag.Source{src}, crds.Validation{Options: opts}).Found
	}}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), casesDir+"/"), ".txtar")
		c := &testCase{name: name, archive: archive}
		if text := c.file("crd.yaml"); text != "" {
			versions = c.versions(t)
			helps.File(t, name, &diag.Source{Path: "crd.yaml", Data: []byte(completed(t, text))})
		}
	}
	helps.End(t)
}
