package gocode_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// TestForeign gives helpers values that no decoder makes, such as an int: none may panic, and where a schema asks for
// a type, such a value is not of it. Nor may a value that contains itself end in a stack overflow.
func TestForeign(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/values.txtar")
	if err != nil {
		t.Fatal(err)
	}
	archive.Files = append(archive.Files, txtar.File{Name: "Foreign", Data: []byte(`
type: object
properties:
  junctor:
    {x-kubernetes-preserve-unknown-fields: true, multipleOf: 0.5,
    anyOf: [{minimum: 0.5}, {maxLength: 3}, {minItems: 1}]}
  unknown: {x-kubernetes-preserve-unknown-fields: true}
  set: {type: array, x-kubernetes-list-type: set,
    items: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}}
  default: {type: object, default: {a: b}, properties: {a: {type: string, default: b},
    c: {type: object, default: {}, properties: {d: {type: integer, default: 1}}}}}
`)})
	var crds []*schema.CRD
	fields, typed := map[string][]string{}, map[string]bool{}
	for _, f := range archive.Files {
		crd := parseCRDs(t, f.Name, crdOf(f.Name, f.Data))[0]
		crds = append(crds, crd)
		for _, p := range crd.Versions[0].Schema.Property("spec").Properties {
			fields[f.Name] = append(fields[f.Name], p.Name)
			typed[f.Name+"."+p.Name] = p.Schema.Type.V != ""
		}
	}
	in, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(build(t, "testdata/foreign", helpers(t, crds, kube.Latest())))
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		place, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		what, verdict, _ := strings.Cut(rest, ": ")
		inside := strings.Contains(what, " ") || strings.HasPrefix(what, "map[string]interface") ||
			strings.HasPrefix(what, "[]interface")
		if verdict != "valid" || typed[place] && !inside {
			t.Error(line)
		}
		if place == "Foreign.unknown" && (strings.Contains(what, "cyclic") || strings.Contains(what, "deep")) {
			t.Error(line) // the schema has no limit for it
		}
	}
}
