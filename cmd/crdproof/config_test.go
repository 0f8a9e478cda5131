package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
)

// TestSettingsSchema keeps docs/crdproof.schema.json in step with the keys of settings files, or rewrites it.
func TestSettingsSchema(t *testing.T) {
	want, err := config.JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root(t), "docs", "crdproof.schema.json")
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Errorf("%s is not current: run go test ./cmd/crdproof -run TestSettingsSchema -update", path)
	}
}

// TestNumbersInSettings reads numbers as they are written: in YAML, 1.30 is the number 1.3.
func TestNumbersInSettings(t *testing.T) {
	settings := readSettings(t, t.TempDir(), "kube: 1.30\ncrd: {maxDescLen: 0, year: 2031}\n")
	var got []string
	for _, p := range settings.Presets {
		got = append(got, p.Generator+":"+p.Name+"="+p.Value.Text)
	}
	want := []string{"crd:kube=1.30", "helpers:kube=1.30", "crd:maxDescLen=0", "crd:year=2031"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func readSettings(t *testing.T, dir, text string) config.Settings {
	t.Helper()
	src := &diag.Source{Path: filepath.Join(dir, config.Name), Data: []byte(text)}
	settings, found := config.Read(src, catalog.Checks())
	for _, d := range found {
		t.Errorf("%s", d.Message)
	}
	return settings
}

// FuzzSettings reads settings files, which must not panic: every mistake is a finding with a position.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"", "# nothing\n", "---\n", "null\n", "[]", "1", "a: b: c", "{{ . }}", "\xff\xfe",
		"kube: 1.34..1.37\nfail: [all]\nignore:\n- check: cel-absent\n  reason: r\n  paths: [\".\"]\n",
		"crd: {maxDescLen: 0, headerFile: x}\nobject: {year: 2031}\nrbac: {roleName: 1}\n",
		"overrides:\n- paths: [\"...\"]\n  fail: []\n  ignore: []\n- {}\n- 1\n",
		"kube: &a 1.31\ncrd: {kube: *a, ignore: [x]}\nkube: 2\n", "<<: {kube: 1}\n", "overrides: {paths: 1}\n",
		"profiles: {a: [{dir: b, fileName: \"{plural}.yaml\"}, " +
			"{file: c.yaml, list: true, schemas: 1, helm: {keep: true}}, 1]}",
		"profiles: [a]\n",
		"profiles: {a: {helm: 1}, b: [], c: [{dir: ../x}, {file: .}, {maxDescLen: 99999999999999999999}]}",
		"ignore: [cel-absent]\nfail: {}\nbuildTags: [[]]\n", "fail:\nignore:\ncrd:\noverrides:\n", "on: 1\n",
	} {
		f.Add(text)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		src := &diag.Source{Path: filepath.Join(dir, config.Name), Data: []byte(text)}
		_, found := config.Read(src, catalog.Checks())
		for _, d := range found {
			at := d.Span
			if at.Source != src || at.Start < 0 || at.End < at.Start || int(at.End) > len(text) {
				t.Errorf("no position in the file: %s", d.Message)
			}
		}
		var out bytes.Buffer
		if err := diag.Text(&out, found, diag.TextOptions{Dir: dir}); err != nil {
			t.Error(err)
		}
	})
}

// TestOptionsInSettings sets each option of each generator in a settings file: the plan is the one of the same option
// on the command line, and not the one without it.
func TestOptionsInSettings(t *testing.T) {
	dir := t.TempDir()
	header := filepath.Join(dir, "header.txt")
	if err := os.WriteFile(header, []byte("// Copyright YEAR\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	declared := filepath.Join(dir, "formats.yaml")
	format := "formats: [{name: a, docs: d, pattern: p, message: m}]\n"
	if err := os.WriteFile(declared, []byte(format), 0o666); err != nil {
		t.Fatal(err)
	}
	overlaid := filepath.Join(dir, "overlay.yaml")
	if err := os.WriteFile(overlaid, []byte("crds: [{labels: {app: demo}}]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	// The options with values of their own; others are set to true, 3 or ["a"].
	values := map[string]string{
		"headerFile": header, "year": "2031", "crdVersions": "v1", "versionAnnotation": "none",
		"dropDescriptions": "k8s.io/...",
		"maxSize":          "64Ki", "compat": "controller-gen", "without": "number-ranges", "with": "time-patterns",
		"declarative": "all", "mistakes": "warn", "declarativePrefix": "example:", "helpers/mistakes": "error",
		"declarativeFormats": declared, "overlay": overlaid,
		"package": "helpers", "crds": header, "manifests": dir, "roleName": "manager",
		"runtime": "copy", "channels": "a", "gates": "a",
		"externalApplyConfigurations": "example.com/a.B@example.com/c",
	}
	// An option with an effect only beside another one, and those that are always set.
	beside := map[string]string{"year": ",headerFile=" + strconv.Quote(header), "variant": ",channels=a"}
	alike := []string{"helpers/variant", "crd/crdVersions", "applyconfiguration/omitToolVersion"}
	for _, generator := range arguments.Generators() {
		for _, f := range arguments.Fields(generator) {
			if slices.Contains([]string{"kube", "costShare", "ignore", "fail"}, f.Name) {
				continue // settings for all commands
			}
			t.Run(generator+"/"+f.Name, func(t *testing.T) {
				value := cmp.Or(values[generator+"/"+f.Name], values[f.Name])
				switch {
				case value != "":
					value = strconv.Quote(value)
				case f.Type == "bool":
					value = "true"
				case f.Type == "int":
					value = "3"
				case f.Type == "string":
					value = `"a"`
				case f.Type == "map":
					value = `{"a": "b"}`
				}
				line := func(options string, presets []arguments.Preset) arguments.Plan {
					required := ""
					for _, other := range arguments.Fields(generator) {
						if !other.Optional && other.Name != f.Name {
							required += "," + other.Name + "=" + strconv.Quote(cmp.Or(values[other.Name], "a"))
						}
					}
					words := strings.TrimPrefix(options+required+beside[f.Name], ",")
					word := strings.TrimSuffix(generator+":"+words, ":")
					plan, problems := arguments.Parse(arguments.Line{Options: []string{word},
						Presets: presets, Checks: catalog.Checks(), Version: "v1"})
					for _, d := range problems {
						t.Error(d.Message)
					}
					return plan
				}
				stated := line(f.Name+"="+value, nil)
				preset := line("", readSettings(t, dir, generator+": {"+f.Name+": "+value+"}\n").Presets)
				if f.Optional && !slices.Contains(alike, generator+"/"+f.Name) &&
					reflect.DeepEqual(planParts(t, stated), planParts(t, line("", nil))) {
					t.Errorf("%s=%s on the command line has no effect", f.Name, value)
				}
				if a, b := planParts(t, stated), planParts(t, preset); !reflect.DeepEqual(a, b) {
					t.Errorf("%s=%s on the command line:\n%+v\nin the settings:\n%+v", f.Name, value, a, b)
				}
			})
		}
	}
}

// planParts are the parts of a plan with one generator that its options decide, without the table of checks.
func planParts(t *testing.T, plan arguments.Plan) (parts []any) {
	t.Helper()
	if len(plan.Generators) != 1 {
		t.Fatalf("%d generators", len(plan.Generators))
	}
	g := plan.Generators[0]
	if g.CRD != nil {
		opts := *g.CRD
		opts.Policy.Checks = nil
		parts = append(parts, opts)
	}
	if g.Helpers != nil {
		parts = append(parts, g.Helpers.Options, g.Helpers.CRDs)
	}
	return append(parts, g.Tool)
}
