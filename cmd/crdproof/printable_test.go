package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzPrintable plants a text in the names, keys, values, paths and comments that the commands read, and in their
// arguments. Whatever it is, no command may print a control character, a character without a shape, or a line that a
// CI server takes for a command.
func FuzzPrintable(f *testing.F) {
	for i, plant := range []string{
		"plain",
		"\x1b[5mblink\x1b]0;title\a",
		"a\n::stop-commands::t\n",
		"::add-mask::x\r\n  ::set-env name=A::b",
		"\u202eevil\u2066\u200b\ufeff\u2028::group::x",
		"\u009b5m\x7f\x00\x9b\xff",
		"##[stop-commands]t ##vso[task.setvariable variable=A]b",
		"\v\f\t\u0085::debug::x",
		"'\"`%0A::error::x%25",
		":.add-mask::x\r\n  ::set-env nam\xb9=A::b",
	} {
		f.Add(plant, uint8(0), i%2 == 0) // as text
		f.Add(plant, uint8(i), false)
	}
	f.Add("'\"`%0A::error::x%25", uint8(len(formats())), false) // as Markdown, with a suggestion
	env := goEnvironment(f, "GOCACHE", "GOMODCACHE", "GOPATH")
	f.Fuzz(func(t *testing.T, plant string, choice uint8, color bool) {
		t.Chdir(t.TempDir())
		for name, value := range env {
			t.Setenv(name, value)
		}
		t.Setenv("GOPROXY", "off")
		t.Setenv("GOFLAGS", "-mod=mod")
		plantFiles(t, plant)
		formats := append(formats(), formatMarkdown)
		format := formats[int(choice)%len(formats)]
		for _, args := range plantedCommands(plant) {
			if args[0] != "__complete" {
				args = append(args, "--format="+format)
			}
			var stdout, stderr bytes.Buffer
			elapsed := func() time.Duration { return 0 }
			out, errOut := &terminal{&stdout, color, nil, elapsed}, &terminal{&stderr, color, nil, elapsed}
			run(t.Context(), args, strings.NewReader(plant), out, errOut)
			for _, written := range []string{stdout.String(), stderr.String()} {
				if format == formatMarkdown { // a suggestion has the user's own lines, with their tabs
					written = strings.ReplaceAll(written, "\t", " ")
				}
				if bad := unprintable(written); bad != "" {
					t.Errorf("%q prints %q", args, bad)
				}
			}
		}
		report, err := os.ReadFile("report.xml")
		if err != nil {
			t.Fatal(err)
		}
		if bad := unprintable(string(report)); bad != "" {
			t.Errorf("the report has %q", bad)
		}
	})
}

// plantedCommands are command lines that print a planted text, or read the files that have it.
func plantedCommands(plant string) [][]string {
	named := "named/" + fileOf(plant)
	return [][]string{
		{"check", "crds", "broken.json", named, plant, "HEAD:" + plant, "./" + plant},
		{"check", "crds"}, {"check", "broken.json"}, {"check", "list.yaml"}, {"check", named}, {"check", "-"},
		{"check", "--kube=" + plant, "crds"}, {"check", "--ignore=" + plant, "crds"},
		{"validate", "--crds=crds", "samples.json"}, {"validate", "--crds=crds", "others.json"},
		{"validate", "--crds=broken.json", "samples.json"},
		{"validate", "--crds=crds", "--old=samples.json", "others.json"},
		{"validate", "--field-validation=" + plant, "samples.json"},
		{"test", "sound.testsuite.yaml", "planted.testsuite.yaml", "--crds=crds", "-v", "--coverage",
			"--junit=report.xml"},
		{"test", "sound.testsuite.yaml", "--crds=crds", "-v", "--coverage"},
		{"test", "planted.testsuite.yaml", "--crds=crds", "--run=" + plant},
		{"test", "planted.testsuite.yaml", "--crds=broken.json", "-v"},
		{"explain", "crds"}, {"explain", "--size", "crds"}, {"explain", "broken.json"}, {"explain", plant},
		{"crd", "paths=./api", "output:dir=crds", "--verify"},
		{"crd:compat=controller-gen", "paths=./bad", "output:none"}, {"crd", "paths=./bad", "output:dir=crds"},
		{"crd", "paths=./api", "output:dir=crds", "--prune", "--deviations"},
		{"crd", "helpers", "rbac:roleName=" + plant, "webhook", "object", "paths=./api", "output:none"},
		{"crd", "paths=./" + plant}, {"crd", "paths=" + plant, "output:none"}, {plant}, {"crd:" + plant},
		{"crd:ignore=" + plant}, {"output:" + plant}, {"--" + plant}, {"completion", plant}, {"help", plant},
		{"__complete", "paths=./named/"},
	}
}

// fileOf is a text as the name of a file.
func fileOf(plant string) string {
	name := strings.NewReplacer("/", "", "\x00", "").Replace(plant)
	return "a" + name[:min(len(name), 100)]
}

// object is a JSON object.
type object = map[string]any

// plantFiles writes files that have a text wherever foreign text may be.
func plantFiles(t *testing.T, plant string) {
	t.Helper()
	crd := marshal(t, brokenCRD(plant))
	fields := object{plant: plant + "x", "size": plant, "map": object{plant: plant}, plant + "y": plant}
	named := "named/" + fileOf(plant) + "/" + fileOf(plant) + ".yaml"
	files := map[string]string{
		"crds/widgets.yaml":      marshal(t, soundCRD(plant)),
		"broken.json":            crd,
		named:                    crd,
		"list.yaml":              plant + ": [" + plant + "\n- " + plant,
		"samples.json":           plantedObject(t, plant, "Widget", plant, fields),
		"others.json":            plantedObject(t, plant, plant, plant, fields),
		"sound.testsuite.yaml":   soundSuite(t, plant, fields),
		"planted.testsuite.yaml": brokenSuite(t, plant, fields),
		"bad/types.go":           brokenTypes(plant),
		"api/types.go":           soundTypes(plant),
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Skip(err) // not a name for this file system
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skip(err)
		}
	}
	if err := writeModule(t, ".", "example.com/op"); err != nil {
		t.Fatal(err)
	}
}

// plantedCRD is a CRD with a version.
func plantedCRD(plural, group, kind, version, annotation string, schema object) object {
	names := object{"plural": plural, "singular": strings.ToLower(kind), "kind": kind, "listKind": kind + "List"}
	served := object{"name": version, "served": true, "storage": true, "schema": object{"openAPIV3Schema": schema}}
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + group, "annotations": object{"crdproof.dev/version": annotation}},
		"spec":     object{"group": group, "scope": "Namespaced", "names": names, "versions": []any{served}},
	}
}

// soundCRD is a CRD that an API server accepts, unless the text cannot be in a rule.
func soundCRD(plant string) object {
	return plantedCRD("widgets", "example.com", "Widget", "v1", plant, object{
		"type": "object", "description": plant,
		"properties": object{
			plant:  object{"type": "string", "enum": []any{plant}, "default": plant, "description": plant},
			"size": object{"type": "integer", "minimum": 1},
			"map":  object{"type": "object", "additionalProperties": object{"type": "string", "pattern": "^a$"}},
		},
		"x-kubernetes-validations": []any{object{
			"rule":    "self.size > 1 || self.map['a'] == " + fmt.Sprintf("%+q", plant),
			"message": "m" + oneLine(plant),
		}},
	})
}

// brokenCRD is a CRD with a text as every name.
func brokenCRD(plant string) object {
	rule := object{"rule": "self." + plant, "message": plant, "reason": plant}
	out := plantedCRD(plant, plant, plant, plant, plant, object{
		"type": plant, plant: plant, "required": []any{plant},
		"properties": object{
			plant: object{"type": "array", "format": plant, "pattern": "(" + plant},
			"b":   object{"x-kubernetes-validations": []any{rule}},
		},
	})
	out[plant] = plant
	out["metadata"].(object)["labels"] = object{plant: plant}
	return out
}

// plantedObject is an object with fields.
func plantedObject(t *testing.T, plant, kind, name string, fields object) string {
	t.Helper()
	out := object{"apiVersion": "example.com/v1", "kind": kind}
	out["metadata"] = object{"name": name, plant: plant, "labels": object{plant: plant}}
	for key, value := range fields {
		out[key] = value
	}
	return marshal(t, out)
}

// soundSuite is a suite with cases that fail.
func soundSuite(t *testing.T, plant string, fields object) string {
	t.Helper()
	small := object{"size": 1, "map": object{"a": plant}}
	cases := []any{
		object{"name": plant, "initial": plantedObject(t, plant, "Widget", "a", fields), "expectedError": plant},
		object{"name": plant + "2", "initial": plantedObject(t, plant, "Widget", "a", small),
			"expected": plantedObject(t, plant, "Widget", "b", fields)},
	}
	return marshal(t, object{"apiVersion": "apiextensions.k8s.io/v1", "name": plant, "crdName": "widgets.example.com",
		"tests": object{"onCreate": cases}})
}

// brokenSuite is a suite with a text where it does not belong.
func brokenSuite(t *testing.T, plant string, fields object) string {
	t.Helper()
	cases := []any{
		object{"name": plant, "initial": plantedObject(t, plant, "Widget", "a", fields), "expectedError": plant},
		object{"name": plant + "2", "initial": plant, "expected": plant},
		object{"name": "ok", "initial": plantedObject(t, plant, "Widget", "a", object{"size": 2}), "expected": plant},
	}
	return marshal(t, object{"apiVersion": "apiextensions.k8s.io/v1", "name": plant, plant: plant,
		"tests": object{"onCreate": cases}})
}

// oneLine is a text without line breaks, and without what ends a comment or a marker's string.
func oneLine(plant string) string {
	return strings.NewReplacer("\n", " ", "\r", " ", "\"", "", "`", "", "\\", "").Replace(plant)
}

// soundTypes is a Go file without mistakes, and with a text in its comments and markers.
func soundTypes(plant string) string {
	return strings.ReplaceAll(`// +groupName=example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// LINE
type Gadget struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	// LINE
	// +kubebuilder:validation:Enum="LINE"
	Name string `+"`json:\"name\"`"+`
}
`, "LINE", oneLine(plant))
}

// brokenTypes is a Go file with a text in its comments, markers and tags.
func brokenTypes(plant string) string {
	line := strings.NewReplacer("\n", " ", "\r", " ").Replace(plant)
	return strings.NewReplacer("LINE", line, "TAG", strings.ReplaceAll(line, "`", ""),
		"QUOTED", fmt.Sprintf("%+q", `json:"`+plant+`"`)).Replace(`// +groupName=example.com
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:resource:path=LINE,shortName="LINE"
// +kubebuilder:rbac:groups=LINE,resources=LINE,verbs=LINE
// +kubebuilder:webhook:path=LINE
// +kubebuilder:LINE=1
// +LINE
// LINE
type Gadget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	// +kubebuilder:validation:XValidation:rule="self == 'LINE'",message="LINE"
	// +kubebuilder:validation:Enum=LINE
	// +kubebuilder:default=LINE
	Name string QUOTED
	Bad chan int ` + "`json:\"TAG\"`" + `
}
`)
}

func marshal(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// ownStyle matches the colours of crdproof; annotation those lines that the format github consists of.
var (
	ownStyle   = regexp.MustCompile(`\x1b\[(0|1|2|31|32|36|1;31|1;33|1;34)m`)
	annotation = regexp.MustCompile(`^::(error|warning|notice)( (file|title)=[^:]*)?:::?[^:]`)
	anyCommand = regexp.MustCompile(`##[a-zA-Z]*\[`)
)

// unprintable returns the first line of an output that no command may print, or "".
func unprintable(output string) string {
	for line := range strings.SplitSeq(ownStyle.ReplaceAllString(output, ""), "\n") {
		isCommand := strings.HasPrefix(strings.TrimSpace(line), "::") && !annotation.MatchString(line)
		if isCommand || anyCommand.MatchString(line) || !utf8.ValidString(line) ||
			strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsGraphic(r) }) {
			return line
		}
	}
	return ""
}
