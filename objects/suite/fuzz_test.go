package suite_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/sample"
	"github.com/crdproof/crdproof/objects/suite"
)

// FuzzParse reads any text. The result is a suite, or at least one error with a position in the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(cases))
	f.Add([]byte("crdName: a\ntests: {onCreate: [{name: x, initial: \"{kind: A, apiVersion: b}\"}]}\n"))
	f.Add([]byte("crd: a\ntests:\n  onUpdate:\n  - &a {name: x}\n  - <<: *a\n    initial: >2-\n     a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &diag.Source{Path: "a.yaml", Data: data}
		s, found := suite.Parse(src)
		if s == nil && !diag.HasErrors(found) {
			t.Fatalf("nothing comes of %q", data)
		}
		for _, d := range found {
			if d.Span.Source != src || d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(data) {
				t.Errorf("%s is reported at %d to %d of %d bytes", d.Message, d.Span.Start, d.Span.End, len(data))
			}
		}
	})
}

// FuzzUpdate updates any suite. The updated suite passes, a second update changes nothing, and a suite that cannot be
// updated does not change.
func FuzzUpdate(f *testing.F) {
	dir := folder(f, map[string]string{"widgets.yaml": widgets})
	f.Add([]byte(cases))
	for _, text := range []string{
		"  - name: a\n    initial: |\n      apiVersion: example.com/v1\n      kind: Widget\n    expected: &x >+\n" +
			"      apiVersion: example.com/v1\n      kind: Widget\n\n  - name: b\n    initial: *x\n",
		"  - initial: '{apiVersion: example.com/v1, kind: Widget, spec: {size: -2}}' # c\n    name: b",
		"  - {name: a, expectedError: b, initial: '{apiVersion: example.com/v1, kind: Widget}'}\n",
		"  - expectedError: x\n    name: a\n    initial: |-\n      apiVersion: example.com/v1\n      kind: Widget\r\n" +
			"      spec: {a: b}\n",
		"  - name: a\n    initial: \"{apiVersion: example.com/v1, kind: Widget, spec: {name: \\\"\\\\u0085 \\\\n  " +
			"x\\\"}}\"\n    expected:   # none\n    expectedError: ~\n",
		"  - &a\n    name: a\n    initial: '{apiVersion: example.com/v1, kind: Widget}'\n  - <<: *a\n    name: b\n" +
			"    expectedError: |\n      x\n",
	} {
		f.Add([]byte("crdName: widgets.example.com\ntests:\n  onCreate:\n" + text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, found := suite.Parse(&diag.Source{Path: filepath.Join(dir, "a.testsuite.yaml"), Data: bytes.Clone(data)})
		if s == nil || diag.HasErrors(found) || s.CRDName.V != "widgets.example.com" || len(s.Gates) > 0 ||
			s.Version.V != "" {
			return
		}
		report := run(t, dir, s)
		files, problems := report.Update()
		_, failed := report.Count()
		if diag.HasErrors(problems) || len(files) == 0 {
			return
		}
		again, found := suite.Parse(&diag.Source{Path: files[0].Path, Data: files[0].Data})
		if again == nil || diag.HasErrors(found) {
			t.Fatalf("%q is updated to %q, which is not a suite", data, files[0].Data)
		}
		second := run(t, dir, again)
		if _, left := second.Count(); left != failed {
			t.Fatalf("%q is updated to %q: %d cases fail, want %d: %v", data, files[0].Data, left, failed,
				second.Findings())
		}
		if files, _ := second.Update(); len(files) > 0 {
			t.Fatalf("%q is updated twice, to %q", data, files[0].Data)
		}
	})
}

// FuzzPatch runs a case with any patch of the CRD: a patch that does not apply is a finding, which lies in the suite.
func FuzzPatch(f *testing.F) {
	dir := folder(f, map[string]string{"widgets.yaml": widgets})
	for _, patch := range []string{
		`{op: remove, path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size/minimum}`,
		`{op: add, path: /spec/versions/-, value: {}}`, `{op: add, path: "", value: null}`, `{op: remove, path: ""}`,
		`{op: move, from: /spec, path: /spec/versions}`, `{op: copy, from: /spec/versions/0, path: /spec/versions/1}`,
		`{op: test, path: /spec/group, value: other}`, `{op: replace, path: /spec/versions/01, value: 1}`,
		`{op: remove, path: /spec/versions/-1}`, `{op: copy, from: "", path: /a~1b~0c}`, `{op: add, path: /metadata}`,
		`{op: add, path: /spec/versions/99999999999999999999, value: 1}`, `{op: none, path: a.b[0]}`, `{}`, `1`,
	} {
		f.Add(patch)
	}
	f.Fuzz(func(t *testing.T, patch string) {
		text := "crdName: widgets.example.com\ntests:\n  onUpdate:\n  - name: a\n" +
			"    initialCRDPatches: [" + patch + "]\n" +
			"    initial: &a '{apiVersion: example.com/v1, kind: Widget}'\n    updated: *a\n"
		src := &diag.Source{Path: filepath.Join(dir, "a.testsuite.yaml"), Data: []byte(text)}
		s, found := suite.Parse(src)
		if s == nil || diag.HasErrors(found) || s.CRDName.V != "widgets.example.com" || len(s.Gates) > 0 {
			return
		}
		for _, d := range run(t, dir, s).Findings() {
			if d.Check == stage.Internal.ID {
				t.Error(d.Message, d.Notes)
			}
			if at := d.Span; at.Source == src && (at.Start < 0 || at.End < at.Start || int(at.End) > len(text)) {
				t.Errorf("%s is reported at %d to %d of %d bytes", d.Message, at.Start, at.End, len(text))
			}
		}
	})
}

// FuzzSamples validates any file of objects: findings lie in the file, and a second run finds the same.
func FuzzSamples(f *testing.F) {
	dir := folder(f, map[string]string{"widgets.yaml": widgets})
	list, problems := crds.Find(f.Context(), crds.Where{Files: []string{filepath.Join(dir, "widgets.yaml")}})
	if diag.HasErrors(problems) || len(list) == 0 {
		f.Fatal(problems)
	}
	for _, text := range []string{
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: -2, name: b, c: d, ? {} : 1}\n",
		"{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\", \"metadata\": null, \"spec\": {\"size\": 1e3}}",
		"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: example.com/v1, kind: Widget, spec: &a {size: 08}}\n- *a\n",
		"apiVersion: example.com/v2\nkind: Widget\n---\napiVersion: example.com/v1\nkind: Gadget\n---\n1\n...\n",
		"apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: A, generateName: b-, labels: {a: 1}}\nspec: ~\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var printed [2]bytes.Buffer
		for i := range printed {
			src := &diag.Source{Path: "objects.yaml", Data: []byte(text), Syntax: diag.YAML}
			v := &sample.Run{Catalog: sample.NewCatalog(list)}
			files, found := v.Validate(t.Context(), []*diag.Source{src})
			found = append(found, sample.Findings(files)...)
			for _, d := range found {
				if d.Check == stage.Internal.ID {
					t.Error(d.Message, d.Notes)
				}
				if at := d.Span; at.Source == src && (at.Start < 0 || at.End < at.Start || int(at.End) > len(text)) {
					t.Errorf("%s is reported at %d to %d of %d bytes", d.Message, at.Start, at.End, len(text))
				}
			}
			if err := diag.JSON(&printed[i], diag.Sort(found), 0, ""); err != nil {
				t.Error(err)
			}
		}
		if printed[0].String() != printed[1].String() {
			t.Errorf("first %s, then %s", &printed[0], &printed[1])
		}
	})
}
