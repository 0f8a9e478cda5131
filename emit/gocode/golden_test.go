package gocode_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/schema"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// TestGolden shows what becomes of rules.
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal(cases, err)
	}
	for _, name := range cases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var root map[string]any
			if err := yaml.Unmarshal(archive.Files[0].Data, &root); err != nil {
				t.Fatal(err)
			}
			files, found := gocode.RuleFiles(gocode.Package{Name: "widgets",
				Kinds: []gocode.Kind{ruleKind(t, kindOf(t, "Widget", root), 0)}})
			for _, d := range found {
				t.Error(d.Message)
			}
			got := ofRules(files[gocode.FileName])
			if !*update {
				if !bytes.Equal(got, archive.Files[1].Data) {
					t.Errorf("with -update the case would expect\n%s", got)
				}
				return
			}
			archive.Files[1].Data = got
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// ofRules are the declarations that are written for rules, without the structures of schemas.
func ofRules(file []byte) []byte {
	var out [][]byte
	for _, declaration := range bytes.Split(file, []byte("\n\n")) {
		for _, prefix := range []string{"// crdRule", "// crdMessage", "// crdConstant", "// crdPattern"} {
			if bytes.HasPrefix(declaration, []byte(prefix)) && !bytes.HasPrefix(declaration, []byte("// crdRules ")) {
				out = append(out, bytes.TrimSpace(declaration))
			}
		}
	}
	return append(bytes.Join(out, []byte("\n\n")), '\n')
}

// kindOf is a kind with one version, whose schema is given.
func kindOf(t *testing.T, kind string, root map[string]any) *schema.CRD {
	t.Helper()
	names := map[string]any{"kind": kind, "plural": "examples"}
	version := map[string]any{"name": "v1", "served": true, "storage": true,
		"schema": map[string]any{"openAPIV3Schema": root}}
	data, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "examples.example.com"},
		"spec": map[string]any{"group": "example.com", "scope": "Namespaced", "names": names,
			"versions": []any{version}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return decodeRules(t, kind, data)[0]
}
