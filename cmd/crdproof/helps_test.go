package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/followtest"
	"github.com/crdproof/crdproof/internal/structuraltest"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/difftest"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// helpExceptions are the helps about YAML that do not work literally in a case.
var helpExceptions = []followtest.Exception{
	{Check: "nested-keyword", Help: "use a rule, such as", Why: "the rule is an example"},
	{Check: "version-storage", Help: "add storage: true to one version", Why: "the user knows which version"},
	{Case: "script/check_findings/crds/cel", Check: "cel-compile", Help: `did you mean "size"?`,
		Why: "the rule compiles then, and may read an absent field"},
	{Case: "script/check_findings/crds/types", Check: "field-type", Help: `write "yes"`,
		Why: "the CRD can be decoded then, and has other mistakes"},
	{Case: "script/check_undecodable/crds", Check: "type-unknown", Help: `did you mean "string"?`,
		Why: "the rule of the field is compiled then, and reads an absent field"},
	{Check: "immutable-optional", Help: "add the rule", Why: "it names the object that gets the rule"},
	{Check: "yaml-template", Help: "render it first", Why: "it is a command"},
	{Case: "generate/kinds/", Check: "group-missing", Help: "set it to a DNS name",
		Why: "the name of the CRD ends with the group"},
	{Case: "generate/kinds/", Check: "scale-path", Help: "write a path such as", Why: "the case has no such field"},
}

// TestHelp follows the helps about the CRDs of all cases: those of testdata/check, those that scripts read, and those
// that are generated from Go.
func TestHelp(t *testing.T) {
	opts := session.Options{Kube: kube.DefaultRange(), Share: cost.DefaultShare, ByVerdict: true}
	exceptions := slices.DeleteFunc(slices.Clone(helpExceptions), func(e followtest.Exception) bool {
		return testing.Short() && strings.HasPrefix(e.Case, "generate/")
	})
	helps := followtest.Test{Exceptions: exceptions, Find: func(src *diag.Source) []diag.Diagnostic {
		return crds.Validate(t.Context(), []*diag.Source{src}, crds.Validation{Options: opts}).Found
	}, Effect: func(before, after *diag.Source, d *diag.Diagnostic, declared diag.Effect) string {
		return difftest.Compare(t, difftest.Read(t, before), difftest.Read(t, after), d.Check, declared)
	}}
	dir := filepath.Join(root(t), "testdata")
	for _, part := range []string{"check", "script", "generate"} {
		if part == "generate" && testing.Short() {
			continue
		}
		err := filepath.WalkDir(filepath.Join(dir, part), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".txtar" {
				return err
			}
			archive, err := txtar.ParseFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(dir, path)
			for _, f := range archive.Files {
				isYAML := slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(f.Name))
				if isYAML && bytes.Contains(f.Data, []byte("kind: CustomResourceDefinition")) {
					name := filepath.ToSlash(strings.TrimSuffix(name, ".txtar")) + "/" + f.Name
					helps.File(t, name, &diag.Source{Path: f.Name, Data: f.Data})
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	helps.End(t)
}

// effectExceptions are the helps whose effect the comparison of CRDs does not see.
var effectExceptions = []followtest.Exception{
	{Case: "effect/structure", Check: "keyword-type", Help: "remove it", Why: "it is unknown for what anyOf and not have"},
	{Case: "required/unknown", Check: "required-unknown", Help: "did you mean", Why: "no object is valid before"},
	{Case: "subresource/status_required_by_default", Check: "required-status", Help: "remove status from required",
		Why: "no object is valid before, as its status is dropped"},
}

// TestEffects follows the helps about the CRDs of the structural cases, and compares what changes with the effect that
// each declares. Whether they work is tested beside the checks.
func TestEffects(t *testing.T) {
	opts := session.Options{Kube: kube.DefaultRange(), Share: cost.DefaultShare, ByVerdict: true}
	unknown := followtest.Test{Exceptions: effectExceptions}
	compared := 0
	for _, c := range structuraltest.Cases(t, filepath.Join(root(t), "testdata/structural")) {
		text := c.File("crd.yaml")
		if text == "" {
			continue
		}
		src := &diag.Source{Path: "crd.yaml", Data: []byte(structuraltest.Complete(t, text)), Syntax: diag.YAML}
		found := crds.Validate(t.Context(), []*diag.Source{src}, crds.Validation{Options: opts}).Found
		for i := range found {
			d := &found[i]
			for help, effect := range followtest.Alternatives(d) {
				changed, ok := followtest.Follow(d, help)
				if !ok || d.Span.Source != src {
					continue
				}
				compared++
				after := &diag.Source{Path: src.Path, Data: []byte(changed)}
				wrong := difftest.Compare(t, difftest.Read(t, src), difftest.Read(t, after), d.Check, effect)
				if wrong != "" && !unknown.Excepts(c.Name, d, help) {
					t.Errorf("%s: %s: %s\nhelp: %s\n%s", c.Name, d.Check, d.Message, help, wrong)
				}
			}
		}
	}
	if compared == 0 {
		t.Error("no help was followed")
	}
	unknown.Unused(t)
}
