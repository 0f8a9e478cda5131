package main

import (
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
)

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
		p, problems := parsePlan(append([]string{"crd", "object"}, test.options...), nil)
		if len(problems) > 0 {
			t.Errorf("%v: %v", test.options, problems)
			continue
		}
		path, keep := p.outputs.of(test.generator).place(test.inPackage, "f")
		if path != test.path || keep == test.dropped || keep && (path == "") != test.toStdout {
			t.Errorf("%v: %s goes to %q, kept: %v", test.options, test.generator, path, keep)
		}
	}
}

// Every option of the table has to be understood, and every name that the grammar checks has to be in the table.
func TestOptionsAreKnown(t *testing.T) {
	values := map[markers.Kind]string{markers.Bool: "true", markers.Int: "3", markers.String: "x", markers.List: "v1"}
	for _, def := range markers.Options().Definitions() {
		for _, param := range def.Params {
			if def.Name != "crd" && def.Name != "helpers" || param.Name == "headerFile" {
				continue
			}
			value := values[param.Shape.Kind]
			if enumerated := map[string]string{
				"compat": "controller-gen", "mistakes": "warn", "kube": "1.31..1.33", "ignore": "json-null", "fail": "json-null", "maxSize": "256Ki",
			}[param.Name]; enumerated != "" {
				value = enumerated
			}
			if _, problems := parsePlan([]string{def.Name + ":" + param.Name + "=" + value}, nil); len(problems) > 0 {
				t.Errorf("%s: %v", param.Name, problems)
			}
		}
	}
	for _, name := range generatorNames() {
		for _, form := range []string{"dir=x", "stdout", "none", "artifacts:config=x"} {
			option := "output:" + name + ":" + form
			p, problems := parsePlan([]string{"crd", "helpers", "rbac:roleName=r", "object", "webhook", "applyconfiguration", "schemapatch:manifests=m", option}, nil)
			if len(problems) > 0 || len(p.outputs.own) != 1 {
				t.Errorf("%s: %v", option, problems)
			}
		}
	}
}

func TestWithout(t *testing.T) {
	src := &diag.Source{Path: "a.go", Data: []byte("package a")}
	here, there := diag.At(src, 1, 1), diag.At(src, 2, 2)
	known := []diag.Diagnostic{
		{Span: here, Check: "load", Message: "expected package"},
		{Span: there, Check: "load", Message: "odd", Severity: diag.Warning},
		{Message: "no network"},
	}
	list := []diag.Diagnostic{
		{Span: here, Message: "expected 'package'"}, {Span: there, Message: "wrong"},
		{Message: "no network"}, {Message: "other"},
	}
	if got := without(list, known); !reflect.DeepEqual(got, []diag.Diagnostic{list[1], list[3]}) {
		t.Errorf("kept %v", got)
	}
}

func TestVersionOf(t *testing.T) {
	own := func(version string) debug.Module { return debug.Module{Path: modulePath, Version: version} }
	dep := own("v1.2.3")
	for _, test := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{Main: own("v1.0.0")}, "v1.0.0"},
		{debug.BuildInfo{Main: own("")}, "(devel)"},
		{debug.BuildInfo{Main: debug.Module{Path: "example.com/op", Version: "v9.0.0"}, Deps: []*debug.Module{&dep}}, "v1.2.3"},
		{debug.BuildInfo{Deps: []*debug.Module{{Path: modulePath, Version: "v1.0.0", Replace: &debug.Module{Path: "../x"}}}}, "(devel)"},
		{debug.BuildInfo{Main: debug.Module{Path: "example.com/op"}}, "(unknown)"},
	} {
		if got := versionOf(&test.info); got != test.want {
			t.Errorf("%v: %s, want %s", test.info.Main, got, test.want)
		}
	}
}
