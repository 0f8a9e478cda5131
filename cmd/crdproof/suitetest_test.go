package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// operator is the module of an operator whose Kubernetes libraries are older than crdproof's.
var operator = map[string]string{
	"go.mod": "module example.com/operator\n\ngo 1.24.0\n\nrequire sigs.k8s.io/controller-runtime v0.21.0\n",
	"main.go": `package main

import (
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
)

func main() { fmt.Println(ctrl.GetConfigOrDie().Host) }
`,
	"config/crd/bases/widgets.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
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
              size: {type: integer}
            x-kubernetes-validations:
            - rule: self.size < 10
              message: too large
`,
	"test/suites/widget.testsuite.yaml": `crdName: widgets.example.com
tests:
  onCreate:
  - name: small
    initial: |
      apiVersion: example.com/v1
      kind: Widget
      spec: {size: 5}
`,
	"test/rules_test.go": `package test

import (
	"testing"

	"github.com/crdproof/crdproof/suitetest"
)

func TestRules(t *testing.T) { suitetest.Run(t, "./suites/...") }
`,
}

// TestSuitetest runs suites in the module of an operator. Its Kubernetes libraries stay as they are, and go test runs
// the cases again after a change of a CRD.
func TestSuitetest(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests install nothing")
	}
	proxy := newModuleProxy(t)
	r := &reader{t: t, page: &page{path: "suitetest"}, proxy: proxy}
	r.home = filepath.Join(t.TempDir(), "a home with spaces")
	r.dir = filepath.Join(r.home, "my operator")
	for name, text := range operator {
		path := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(command string, want int, words ...string) {
		t.Helper()
		printed, code := r.shell(command)
		text := strings.Join(printed, "\n")
		if code != want {
			t.Fatalf("%s: ends with %d, want %d\n%s", command, code, want, text)
		}
		for _, word := range words {
			if !strings.Contains(text, word) {
				t.Errorf("%s prints\n%s\nwithout %q", command, text, word)
			}
		}
	}
	// The test imports suitetest, which tidy must not look for in the network.
	run("mv test ../test && go mod tidy && go build ./... && mv ../test test", 0)
	run("go list -m all | grep k8s.io >../before", 0)
	run("go get -t github.com/crdproof/crdproof/suitetest@latest && go mod tidy && go build ./...", 0)
	run("go list -m all | grep k8s.io >../after && diff ../before ../after", 0)
	const install = "go get -modfile=tools.mod -tool github.com/crdproof/crdproof/cmd/crdproof@latest"
	run("go test ./test", 1, "go mod init -modfile=tools.mod tools", install)
	run("go mod init -modfile=tools.mod tools && "+install, 0)
	run("go test -v ./test", 0, "--- PASS: TestRules/widget/onCreate/small")
	run("touch -d '1 hour ago' $(git ls-files -o --exclude-standard 2>/dev/null) * */* */*/* */*/*/*; "+
		"go test ./test && go test ./test", 0, "(cached)")
	run("go mod vendor && go work init . && go test ./test", 0)
	run("rm -r vendor go.work", 0)
	run("sed -i 's/< 10/< 5/' config/crd/bases/widgets.yaml && go test ./test", 1,
		"suites/widget.testsuite.yaml:8:7: error: the API server rejects the creation of the object [suite-refused]",
		"my operator/config/crd/bases/widgets.yaml:21:21: the rule: self.size < 5",
		"suites/widget.testsuite.yaml:4:11: the case failed")
	run("sed -i 's/< 5/< 10/' config/crd/bases/widgets.yaml && rm test/suites/*.yaml && go test ./test", 1, "no suite")
	run("go mod tidy && go list -m all | grep k8s.io | diff ../before -", 0)
}
