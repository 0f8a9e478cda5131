package generator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/objects/write"
)

var (
	escapeText = regexp.MustCompile(`an update can (?:remove|set) (\S+?)(?: to null)?, and the next one can set ` +
		`(?:another value|other values)(?: of ([^,\s]+).*)?, despite`)
	storyText = regexp.MustCompile(`accepts the updates (.+) → (absent|null) → (.+), but rejects`)
	guardText = regexp.MustCompile(`rule=("(?:[^"\\]|\\.)*"),message=.* to the (?:type of|field) (\S+)$`)
)

// TestEscapes makes the updates of each finding of immutable-optional: the API server accepts two updates in a row, and
// rejects the one for which they stand. With the rule of the help, it rejects the first of them.
func TestEscapes(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join(casesDir, "proof", "immutable_optional.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	crd, found := crdOf(t, string(archive.Files[0].Data))
	plain := map[string]any{"storage": map[string]any{"zone": "q"}, "disks": []any{map[string]any{"name": "d", "size": 1}}}
	checked := 0
	for _, d := range found {
		if d.Check != "immutable-optional" {
			continue
		}
		names, story := escapeText.FindStringSubmatch(d.Message), storyText.FindStringSubmatch(strings.Join(d.Notes, "\n"))
		guard := guardText.FindStringSubmatch(guardOf(&d))
		if names == nil || story == nil || guard == nil {
			t.Fatalf("the finding has another form: %s %q %q", d.Message, d.Notes, d.Helps())
		}
		changed := names[2]
		if changed == "" {
			changed = names[1]
		}
		object := func(path, value string) map[string]any {
			out := map[string]any{"spec": runtime.DeepCopyJSON(toJSON(t, plain))}
			if value != "" {
				var v any
				if err := json.Unmarshal([]byte(value), &v); err != nil {
					t.Fatal(err)
				}
				setField(out, changed, v)
			}
			if path != "" {
				setField(out, path, nil)
			}
			return out
		}
		old, between, changedTo := object("", story[1]), object(names[1], story[1]), object("", story[3])
		answers := writes(t, served(t, crd),
			[][]map[string]any{{old}, {old, changedTo}, {old, between}, {old, between, changedTo}})
		if want := []bool{true, false, true, true}; !slices.Equal(answers, want) {
			t.Errorf("%s: creation, one update, the first and the second of two: %v, want %v", names[1], answers, want)
		}
		rule, err := strconv.Unquote(guard[1])
		if err != nil {
			t.Fatal(err)
		}
		answers = writes(t, served(t, guarded(crd, guard[2], rule)), [][]map[string]any{{old}, {old, old}, {old, between}})
		if want := []bool{true, true, false}; !slices.Equal(answers, want) {
			t.Errorf("%s: with the rule %s: %v, want %v", names[1], rule, answers, want)
		}
		checked++
	}
	if checked < 8 {
		t.Errorf("only %d findings", checked)
	}
}

// guardOf returns the help of a finding that adds a rule.
func guardOf(d *diag.Diagnostic) string {
	for _, h := range d.Helps() {
		if strings.Contains(h.Text, "rule=") {
			return h.Text
		}
	}
	return ""
}

func toJSON(t *testing.T, value map[string]any) (out map[string]any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// setField sets a field by its path, in the first item of each list on it, or removes it if the value is nil.
func setField(object map[string]any, path string, value any) {
	first, rest, more := strings.Cut(path, ".")
	name, isList := strings.CutSuffix(first, "[]")
	switch inner, _ := object[name].(map[string]any); {
	case isList:
		setField(object[name].([]any)[0].(map[string]any), rest, value)
	case more:
		if inner == nil {
			inner = map[string]any{}
			object[name] = inner
		}
		setField(inner, rest, value)
	case value == nil:
		delete(object, name)
	default:
		object[name] = value
	}
}

// served returns the resource of a CRD.
func served(t *testing.T, crd *apiext.CustomResourceDefinition) *write.Resource {
	t.Helper()
	res, err := write.New(t.Context(), crd)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// writes reports for each list of objects whether an API server accepts the last one, as an update of those before it.
func writes(t *testing.T, res *write.Resource, list [][]map[string]any) (accepted []bool) {
	t.Helper()
	for _, objects := range list {
		var answer write.Answer
		for _, o := range objects {
			sent := maps.Clone(o)
			sent["apiVersion"], sent["kind"] = "example.com/v1", "Widget"
			sent["metadata"] = map[string]any{"name": "a", "namespace": "b"}
			data, err := json.Marshal(sent)
			if err != nil {
				t.Fatal(err)
			}
			old := answer.Stored
			if answer, err = res.Write(t.Context(), write.Request{Object: data, Old: old}); err != nil {
				t.Fatal(err)
			}
		}
		accepted = append(accepted, answer.Rejection == nil)
	}
	return accepted
}

// guarded returns a CRD with another rule on an object.
func guarded(crd *apiext.CustomResourceDefinition, object, rule string) *apiext.CustomResourceDefinition {
	out := crd.DeepCopy()
	add := apiext.ValidationRules{{Rule: rule}}
	var at func(s *apiext.JSONSchemaProps, path string)
	at = func(s *apiext.JSONSchemaProps, path string) {
		first, rest, _ := strings.Cut(path, ".")
		name, isList := strings.CutSuffix(first, "[]")
		if path == "" {
			s.XValidations = append(s.XValidations, add...)
			return
		}
		child := s.Properties[name]
		if isList {
			at(child.Items.Schema, rest)
		} else {
			at(&child, rest)
		}
		s.Properties[name] = child
	}
	if object == crd.Spec.Names.Kind {
		object = ""
	}
	at(out.Spec.Versions[0].Schema.OpenAPIV3Schema, object)
	return out
}

// crdOf returns the CRD of a package, and the findings.
func crdOf(t *testing.T, source string) (*apiext.CustomResourceDefinition, []diag.Diagnostic) {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, caseModule, map[string]string{"v1/types.go": source})
	if !strings.Contains(source, "+groupName") {
		writeFile(t, filepath.Join(dir, "v1", "kind.go"), []byte(moduletest.Kind("example")))
	}
	cfg := generator.Config{Dir: dir, Paths: []string{"./..."}, Env: moduletest.Env()}
	cfg.CRD.AllowDangerousTypes = true
	result, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Files) != 1 {
		return nil, result.Diagnostics
	}
	crd := &apiext.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(result.Files[0].Data, crd); err != nil {
		t.Fatal(err)
	}
	return crd, result.Diagnostics
}

// A decodedField is a field of a random type with random markers.
type decodedField struct {
	name, goType, marker string
	// value is a pointer to a value of the type.
	value any
}

// decodedFields are all types with all markers.
func decodedFields() (out []decodedField) {
	markers := []string{"", "XIntOrString", "Type=number", "Type=string", "Format=duration", "Format=date", "Format=uri",
		"Pattern=`^[0-9]+(s|m|h|d)$`", "Pattern=`^.*$`", "Pattern=`^[0-9]+h$`", "Nullable", "MinLength=1", "Maximum=10"}
	for _, f := range []decodedField{
		{goType: "string", value: new(string)}, {goType: "bool", value: new(bool)}, {goType: "int8", value: new(int8)},
		{goType: "int32", value: new(int32)}, {goType: "int64", value: new(int64)}, {goType: "uint16", value: new(uint16)},
		{goType: "uint32", value: new(uint32)}, {goType: "float64", value: new(float64)},
		{goType: "[]byte", value: new([]byte)}, {goType: "metav1.Duration", value: new(metav1.Duration)},
		{goType: "metav1.Time", value: new(metav1.Time)}, {goType: "metav1.MicroTime", value: new(metav1.MicroTime)},
		{goType: "resource.Quantity", value: new(resource.Quantity)},
		{goType: "intstr.IntOrString", value: new(intstr.IntOrString)}, {goType: "net.IP", value: new(net.IP)},
		{goType: "netip.Addr", value: new(netip.Addr)},
	} {
		for _, m := range markers {
			f.marker, f.name = m, fmt.Sprintf("f%d", len(out))
			out = append(out, f)
		}
	}
	return out
}

// decodedSource declares the fields, and returns the line of each one's marker.
func decodedSource(fields []decodedField) string {
	out := "package v1\n\nimport (\n\t\"net\"\n\t\"net/netip\"\n\t\"k8s.io/apimachinery/pkg/api/resource\"\n" +
		"\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/util/intstr\"\n)\n\n" +
		"type Spec struct {\n"
	for _, f := range fields {
		out += "\t// +optional\n"
		if f.marker != "" {
			out += "\t// +kubebuilder:validation:" + f.marker + "\n"
		}
		out += fmt.Sprintf("\tF%s %s `json:\"%s,omitempty\"`\n", f.name, f.goType, f.name)
	}
	return out + "}\n"
}

// isLeftOut reports whether a value that Go cannot decode is not reported, as the documentation of the check says.
func (f decodedField) isLeftOut(value string) bool {
	if i, err := strconv.ParseInt(value, 10, 64); err == nil && i > 1<<31 {
		return true
	}
	if value[0] == '[' { // API servers accept lists in place of strings with a format; people do not write them
		return true
	}
	isPlain := !strings.HasPrefix(f.marker, "Pattern") && !strings.HasPrefix(f.marker, "Format") &&
		f.marker != "XIntOrString"
	return f.goType == "metav1.Duration" && isPlain || f.goType == "metav1.MicroTime" && strings.HasSuffix(value, `Z"`)
}

// TestDecoders compares what the API server's code accepts with what Go decodes into the real types. Each value that
// the server accepts and Go does not is reported, and each reported value is such a value.
func TestDecoders(t *testing.T) {
	fields := decodedFields()
	wrong := regexp.MustCompile(`(?:\[|\.)(f\d+)\b`)
	crd, found := crdOf(t, decodedSource(fields))
	for crd == nil { // some markers do not apply to some types
		lines, bad := strings.Split(decodedSource(fields), "\n"), map[string]bool{}
		for _, d := range found {
			if d.Severity == diag.Error {
				line, _ := d.Span.Source.Position(int(d.Span.Start))
				for ; !strings.Contains(lines[line-1], "json:"); line++ {
				}
				bad[strings.Fields(lines[line-1])[0]] = true
			}
		}
		if len(bad) == 0 {
			t.Fatal("no CRD and no errors")
		}
		fields = slices.DeleteFunc(fields, func(f decodedField) bool { return bad["F"+f.name] })
		crd, found = crdOf(t, decodedSource(fields))
	}
	reported := map[string]string{}
	witness := regexp.MustCompile(`^API servers accept (.*) here, which`)
	for _, d := range found {
		if d.Check == "type-undecodable" {
			reported[wrong.FindStringSubmatch(d.Path)[1]] = witness.FindStringSubmatch(d.Message)[1]
		}
	}
	values := []string{"5", "-1", "1.5", "300", "70000", "1099511627776", `"5"`, `"80%"`, `"1d"`, `"1h"`, `"2024-01-31"`,
		`"2024-01-31T12:00:00Z"`, `"hello world"`, `"10GB"`, `"10Gi"`, "true", "{}", `["a"]`, `"10.0.0.1"`, `""`,
		`"https://example.com"`, `"YWJj"`, `"aaaa"`}
	res := served(t, crd)
	for _, f := range fields {
		undecoded := func(value string) bool {
			var v any
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				t.Fatal(err)
			}
			isAccepted := writes(t, res, [][]map[string]any{{{"spec": map[string]any{f.name: json.RawMessage(value)}}}})[0]
			return isAccepted && json.Unmarshal([]byte(value), reflect.New(reflect.TypeOf(f.value).Elem()).Interface()) != nil
		}
		if value, ok := reported[f.name]; ok && !undecoded(value) {
			t.Errorf("%s %s: %s is reported, but the API server rejects it or Go decodes it", f.goType, f.marker, value)
		}
		for _, value := range values {
			if reported[f.name] == "" && !f.isLeftOut(value) && undecoded(value) {
				t.Errorf("%s %s: the API server accepts %s, which Go cannot decode", f.goType, f.marker, value)
			}
		}
	}
	if len(fields) < 100 || len(reported) < 10 {
		t.Errorf("only %d fields and %d findings", len(fields), len(reported))
	}
}
