package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/internal/cli/arguments"
)

// exitFiles are what the mistakes are made of.
const exitFiles = `
-- nomod/api/types.go --
package api
-- mod/go.mod --
module example.com/op

go 1.24
-- mod/empty/README --
-- mod/wrong/types.go --
package wrong

type {
-- mod/wrong.yaml --
kind: CustomResourceDefinition
a: [
-- mod/role.yaml --
kind: Role
-- mod/roles/role.yaml --
kind: Role
-- mod/object.yaml --
apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
-- mod/a.testsuite.yaml --
crdName: widgets.example.com
tests:
  onCreate:
  - name: a
    initial: '{apiVersion: example.com/v1, kind: Widget}'
    expected: '{apiVersion: example.com/v1, kind: Widget}'
-- mod/settings.yaml --
nothing: 1
-- mod/good.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Cluster
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

// A subject is a command or a generator, with the words by which it names Go packages and files of CRDs; $ is the name.
// "" is for what it does not read.
type subject struct{ name, packages, files string }

func subjects() []subject {
	return []subject{
		{"crd", "crd paths=$ output:none", ""},
		{"helpers", "helpers paths=$ output:none", "helpers:crds=$ output:none"},
		{"object", "object paths=$ output:none", ""},
		{"rbac", "rbac:roleName=r paths=$ output:none", ""},
		{"webhook", "webhook paths=$ output:none", ""},
		{"applyconfiguration", "applyconfiguration paths=$ output:none", ""},
		{"schemapatch", "schemapatch:manifests=. paths=$ output:none", ""},
		{"check", "", "check $"},
		{"validate", "validate --paths=$ object.yaml", "validate --crds=$ object.yaml"},
		{"test", "test --paths=$ a.testsuite.yaml", "test --crds=$ a.testsuite.yaml"},
		{"diff", "diff $ $", "diff $ $"},
		{"explain", "explain $", "explain $"},
		{"adopt", "", ""},
		{"config", "", ""},
		{"completion", "", ""},
	}
}

// TestExitCodes makes each mistake with each command: the code depends on the mistake alone.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(exitFiles)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	loop := filepath.Join(dir, "mod", "loop.yaml")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skip(err)
	}
	var names []string
	for _, s := range subjects() {
		names = append(names, s.name)
	}
	if want := slices.Concat(arguments.Generators(), commandNames()); !slices.Equal(names, want) {
		t.Errorf("the test has %v, the commands are %v", names, want)
	}
	expect := func(dir, line, what string, want int) {
		t.Helper()
		if line == "" {
			return
		}
		t.Chdir(dir)
		args := strings.Fields(strings.ReplaceAll(line, "$", what))
		var stdout, stderr bytes.Buffer
		if got := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr); got != want {
			t.Errorf("crdproof %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, want, &stdout, &stderr)
		}
	}
	module := filepath.Join(dir, "mod")
	for _, s := range subjects() {
		found := exitFound
		if s.name == "diff" {
			found = exitUsage // exitFound means that something breaks
		}
		expect(filepath.Join(dir, "nomod"), s.packages, "./...", exitUsage) // no go.mod
		expect(filepath.Join(dir, "nomod"), s.packages, "./api", exitUsage)
		expect(module, s.packages, "./nowhere", exitUsage) // a missing directory
		expect(module, s.packages, "./nowhere/...", exitUsage)
		expect(module, s.packages, "./empty", exitUsage) // no package
		expect(module, s.packages, "./empty/...", exitUsage)
		expect(module, s.packages, "./wrong", found) // a syntax error
		expect(module, s.files, "nowhere.yaml", exitUsage)
		expect(module, s.files, "nowhere/...", exitUsage)
		expect(module, s.files, "loop.yaml", exitUsage) // an unreadable file
		expect(module, s.files, "empty", exitUsage)     // a directory without files
		expect(module, s.files, "role.yaml", exitUsage) // no CRD
		expect(module, s.files, "roles/...", exitUsage)
		expect(module, s.files, "wrong.yaml", found) // a syntax error
		words := s.name
		if line := s.files + s.packages; line != "" {
			words = strings.ReplaceAll(s.files, "$", "good.yaml")
			if s.files == "" {
				words = strings.ReplaceAll(s.packages, "$", "./wrong")
			}
		}
		expect(module, words+" --nothing", "", exitUsage)
		expect(module, words+" --format=nothing", "", exitUsage)
		if s.name == "completion" {
			continue
		}
		expect(module, words+" --config=settings.yaml", "", exitUsage)
		expect(module, words+" --config=nowhere.yaml", "", exitUsage)
	}
	for _, line := range []string{"crd:ignore=nothing paths=./wrong", "helpers:fail=nothing,crds=good.yaml",
		"check --ignore=nothing good.yaml", "validate --fail=nothing --crds=good.yaml object.yaml",
		"test --ignore=nothing --crds=good.yaml a.testsuite.yaml", "explain --ignore=nothing good.yaml",
		"diff --fail=nothing good.yaml good.yaml", "chekc", "help nothing", "crd:nothing=1 paths=./wrong", ""} {
		expect(module, line, "", exitUsage)
	}
}
