package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/markers"
)

// The rules of output say for each generator where its files go.
func TestOutputRules(t *testing.T) {
	for _, test := range []struct {
		options           []string
		generator         string
		inPackage         string
		path              string
		dropped, toStdout bool
	}{
		{nil, "crd", "", "config/crd/f", false, false},
		{nil, "object", "/src/api", "/src/api/f", false, false},
		{[]string{"output:dir=out"}, "crd", "", "out/f", false, false},
		{[]string{"output:dir=out"}, "object", "/src/api", "out/f", false, false},
		{[]string{"output:crd:dir=own"}, "crd", "", "own/f", false, false},
		{[]string{"output:object:dir=own"}, "crd", "", "config/crd/f", false, false},
		{[]string{"output:none", "output:crd:dir=own"}, "crd", "", "own/f", false, false},
		{[]string{"output:none", "output:crd:dir=own"}, "object", "/src/api", "", true, false},
		{[]string{"output:stdout"}, "crd", "", "", false, true},
		{[]string{"output:artifacts:config=c"}, "crd", "", "c/f", false, false},
		{[]string{"output:artifacts:config=c"}, "object", "/src/api", "/src/api/f", false, false},
		{[]string{"output:artifacts:config=c,code=d"}, "object", "/src/api", "d/f", false, false},
		{[]string{"output:crd:artifacts:config=c", "output:crd:stdout"}, "crd", "", "", false, true},
	} {
		p, problems := arguments.Parse(arguments.Line{Options: append([]string{"crd", "object"}, test.options...)})
		if len(problems) > 0 {
			t.Errorf("%v: %v", test.options, problems)
			continue
		}
		path, keep := p.Find(test.generator).Output.Place(test.inPackage, "f")
		if path != test.path || keep == test.dropped || keep && (path == "") != test.toStdout {
			t.Errorf("%v: %s goes to %q, kept: %v", test.options, test.generator, path, keep)
		}
	}
}

// crdproof must understand every option of the table, and every name that the grammar checks must be in the table.
func TestOptionsAreKnown(t *testing.T) {
	values := map[markers.Kind]string{markers.Bool: "true", markers.Int: "3", markers.String: "x", markers.List: "v1",
		markers.Map: "{x: {}}"}
	for _, def := range arguments.Table().Definitions() {
		for _, param := range def.Params {
			if def.Name != "crd" && def.Name != "helpers" ||
				slices.Contains([]string{"headerFile", "declarativeFormats", "overlay"}, param.Name) {
				continue
			}
			value := values[param.Shape.Kind]
			if enumerated := map[string]string{
				"compat": "controller-gen", "mistakes": "warn", "kube": "1.31..1.33", "ignore": "json-null",
				"fail": "json-null", "maxSize": "256Ki", "versionAnnotation": "controller-gen",
				"without": "number-ranges", "with": "time-patterns", "declarative": "all",
				"runtime": "copy", "declarativePrefix": "example:", "variant": "x,channels=x",
			}[param.Name]; enumerated != "" {
				value = enumerated
			}
			option := def.Name + ":" + param.Name + "=" + value
			line := arguments.Line{Options: []string{option}, Checks: catalog.Checks()}
			if _, problems := arguments.Parse(line); len(problems) > 0 {
				t.Errorf("%s: %v", param.Name, problems)
			}
		}
	}
	for _, name := range arguments.Generators() {
		for _, form := range []string{"dir=x", "stdout", "none", "artifacts:config=x"} {
			option := "output:" + name + ":" + form
			rule := form[:strings.IndexAny(form+"=", ":=")]
			p, problems := arguments.Parse(arguments.Line{Options: []string{
				"crd", "helpers", "rbac:roleName=r", "object", "webhook", "applyconfiguration",
				"schemapatch:manifests=.", option,
			}})
			if len(problems) > 0 || p.Find(name).Output.Form != rule {
				t.Errorf("%s: %v", option, problems)
			}
		}
	}
}
