package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/testdata/circle/program"
	"github.com/crdproof/crdproof/testdata/circle/source"
)

// references are Go types with schemas written by hand, right ones and wrong ones: the circle has to report the latter,
// and nothing of the former.
var references = []struct {
	name string
	// spec is the body of the spec; more are further declarations.
	spec, more string
	// schema is that of the spec, below "type: object".
	schema string
	// warning is a text in the source at which crdproof is said to have warned, by that rule.
	warning, rule string
	// want are the classes of failures, with the key of the field.
	want []string
}{
	{name: "int8", spec: "F1 int8 `json:\"f1\"`",
		schema: "required: [f1]\nproperties: {f1: {type: integer, minimum: -128, maximum: 127}}"},
	{name: "int8 without bounds", spec: "F1 int8 `json:\"f1\"`",
		schema: "required: [f1]\nproperties: {f1: {type: integer}}", want: []string{"unreadable f1"}},
	{name: "int8 without bounds, announced by a rule that says something else", spec: "F1 int8 `json:\"f1\"`",
		schema: "required: [f1]\nproperties: {f1: {type: integer}}", warning: "F1 int8", rule: "field-untagged",
		want: []string{"unreadable f1"}},
	{name: "int8 with bounds that are too tight", spec: "F1 int8 `json:\"f1\"`",
		schema: "properties: {f1: {type: integer, minimum: -100, maximum: 100}}",
		want:   []string{"rejected f1"}},
	{name: "uint64", spec: "F1 uint64 `json:\"f1\"`", schema: "properties: {f1: {type: integer, minimum: 0}}"},
	{name: "uint64, announced", spec: "F1 uint64 `json:\"f1\"`",
		schema:  "properties: {f1: {type: integer, minimum: 0}}",
		warning: "F1 uint64", rule: "type-precision"},
	{name: "uint64, another field announced", spec: "F1 uint64 `json:\"f1\"`\n\tF2 uint64 `json:\"f2\"`",
		schema: "properties: {f1: {type: integer, minimum: 0}, f2: {type: integer, minimum: 0}}", warning: "F2 uint64",
		rule: "type-precision"},
	{name: "uint32, announced without a reason", spec: "F1 uint32 `json:\"f1\"`",
		schema:  "properties: {f1: {type: integer, minimum: 0, maximum: 4294967295}}",
		warning: "F1 uint32", rule: "type-precision", want: []string{"false alarm f1"}},
	{name: "string", spec: "F1 string `json:\"f1,omitempty\"`", schema: "properties: {f1: {type: string}}"},
	{name: "string without a property", spec: "F1 string `json:\"f1,omitempty\"`", schema: "properties: {}",
		want: []string{"pruned f1"}},
	{name: "string that may be left out, but is required", spec: "F1 string `json:\"f1,omitempty\"`",
		schema: "required: [f1]\nproperties: {f1: {type: string}}"},
	{name: "string with a bound", spec: "F1 string `json:\"f1\"`",
		schema: "properties: {f1: {type: string, maxLength: 3}}", want: []string{"rejected f1"}},
	{name: "pointer", spec: "F1 *bool `json:\"f1\"`",
		schema: "required: [f1]\nproperties: {f1: {type: boolean, nullable: true}}"},
	{name: "pointer that is not nullable", spec: "F1 *bool `json:\"f1\"`",
		schema: "required: [f1]\nproperties: {f1: {type: boolean}}"},
	{name: "pointer that is not nullable, announced", spec: "F1 *bool `json:\"f1\"`",
		schema:  "required: [f1]\nproperties: {f1: {type: boolean}}",
		warning: "F1 *bool", rule: "json-null"},
	{name: "pointer that is not required, announced", spec: "F1 *bool `json:\"f1\"`",
		schema:  "properties: {f1: {type: boolean}}",
		warning: "F1 *bool", rule: "json-null", want: []string{"false alarm f1"}},
	{name: "struct that is rejected unset, announced", spec: "F1 Inner2 `json:\"f1\"`",
		more:    "type Inner2 struct {\n\tF2 string `json:\"f2\" circle:\"set,minlen=1,maxlen=3\"`\n}",
		schema:  "properties: {f1: {type: object, properties: {f2: {type: string, minLength: 1}}}}",
		warning: "F1 Inner2", rule: "json-zero"},
	{name: "struct that is rejected unset", spec: "F1 Inner3 `json:\"f1\"`",
		more:   "type Inner3 struct {\n\tF2 string `json:\"f2\" circle:\"set,minlen=1,maxlen=3\"`\n}",
		schema: "properties: {f1: {type: object, properties: {f2: {type: string, minLength: 1}}}}"},
	{name: "pointer whose null is dropped", spec: "F1 *bool `json:\"f1\"`",
		schema: "properties: {f1: {type: boolean}}"},
	{name: "array", spec: "F1 [2]bool `json:\"f1\"`",
		schema: "properties: {f1: {type: array, maxItems: 2, items: {type: boolean}}}"},
	{name: "array without a bound", spec: "F1 [2]bool `json:\"f1\"`",
		schema: "properties: {f1: {type: array, items: {type: boolean}}}", want: []string{"truncated f1"}},
	// The library's check of the format looks only at the text between the first two letters T.
	{name: "time by its format", spec: "F1 metav1.Time `json:\"f1\"`",
		schema: "properties: {f1: {type: string, format: date-time}}", want: []string{"unreadable f1"}},
	{name: "time", spec: "F1 metav1.Time `json:\"f1\"`",
		schema: "properties: {f1: {type: string, format: date-time, pattern: " +
			"'^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$'}}"},
	{name: "time without a format", spec: "F1 metav1.Time `json:\"f1\"`", schema: "properties: {f1: {type: string}}",
		want: []string{"unreadable f1"}},
	{name: "bytes", spec: "F1 []byte `json:\"f1\"`",
		schema: "properties: {f1: {type: string, pattern: " +
			"'^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'}}"},
	{name: "bytes as a list", spec: "F1 []byte `json:\"f1\"`",
		schema: "properties: {f1: {type: array, items: {type: integer}}}",
		want:   []string{"rejected f1", "unreadable f1"}},
	{name: "duration", spec: "F1 metav1.Duration `json:\"f1\"`", schema: "properties: {f1: {type: string}}",
		want: []string{"unreadable f1"}},
	{name: "map with nil elements", spec: "F1 map[string]*bool `json:\"f1\"`",
		schema: "properties: {f1: {type: object, additionalProperties: {type: boolean}}}"},
	{name: "map with nullable elements", spec: "F1 map[string]*bool `json:\"f1\"`",
		schema: "properties: {f1: {type: object, additionalProperties: {type: boolean, nullable: true}}}"},
	{name: "map with integer keys", spec: "F1 map[uint8]bool `json:\"f1\"`",
		schema: "properties: {f1: {type: object, additionalProperties: {type: boolean}}}",
		want:   []string{"lost f1", "unreadable f1"}},
	{name: "map with integer keys, announced", spec: "F1 map[uint8]Inner4 `json:\"f1\"`",
		more: "type Inner4 struct {\n\tF2 string `json:\"f2\"`\n}",
		schema: "properties: {f1: {type: object, additionalProperties: {type: object, properties: {f2: {type: " +
			"string}}}}}",
		warning: "F1 map", rule: "type-map-key"},
	{name: "shadowed", spec: "Base1\n\tF1 string `json:\"f1\"`",
		more:   "type Base1 struct {\n\tF2 bool `json:\"f1\"`\n\tF3 bool `json:\"f3\"`\n}",
		schema: "properties: {f1: {type: string}, f3: {type: boolean}}"},
	{name: "shadowed, by the wrong field", spec: "Base2\n\tF1 string `json:\"f1\"`",
		more:   "type Base2 struct {\n\tF2 bool `json:\"f1\"`\n}",
		schema: "properties: {f1: {type: boolean}}", want: []string{"rejected f1"}},
	{name: "nested", spec: "F1 []map[string]Inner1 `json:\"f1\"`",
		more: "type Inner1 struct {\n\tF2 uint8 `json:\"f2\"`\n\tF3 string `json:\"f3\"`\n}",
		schema: "properties: {f1: {type: array, items: {type: object, additionalProperties: {type: object, " +
			"properties: {f2: {type: integer, minimum: 0, maximum: 255}}}}}}",
		want: []string{"pruned f3"}},
	{name: "metadata", spec: "F1 Template1 `json:\"f1\"`",
		more:   "type Template1 struct {\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
		schema: "properties: {f1: {type: object, properties: {metadata: {type: object}}}}",
		want:   []string{"pruned metadata"}},
	{name: "metadata, announced", spec: "F1 Template2 `json:\"f1\"`",
		more:    "type Template2 struct {\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n}",
		schema:  "properties: {f1: {type: object, properties: {metadata: {type: object}}}}",
		warning: "metav1.ObjectMeta `json:\"metadata,omitempty\"`\n}", rule: "metadata-pruned"},
	{name: "metadata inline, announced", spec: "F1 Template3 `json:\"f1\"`",
		more:   "type Template3 struct {\n\tmetav1.ObjectMeta `json:\",inline\"`\n}",
		schema: "properties: {f1: {type: object}}", warning: "metav1.ObjectMeta `json:\",inline\"`\n}",
		rule: "metadata-pruned"},
	{name: "a type that does not exist", spec: "F1 string `json:\"f1\"`", schema: "properties: {f1: {type: text}}",
		want: []string{"bad CRD "}},
	{name: "a value that Go cannot write", spec: "F1 Odd1 `json:\"f1\"`", schema: "properties: {f1: {type: string}}",
		more: "type Odd1 struct{}\n\nfunc (Odd1) MarshalJSON() ([]byte, error) { return []byte(\"}\"), nil }",
		want: []string{"not writable "}},
}

// reference writes the kind and the CRD of one entry.
func reference(number int, spec, more, schema string) (source.Kind, []byte) {
	name := fmt.Sprintf("R%05d", number)
	kind := source.Kind{Name: name, Package: "reference", Source: fmt.Sprintf(`package reference

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type %[1]s struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	Spec %[1]sSpec `+"`json:\"spec\"`"+`
}

type %[1]sSpec struct {
	%[2]s
}

%[3]s
`, name, spec, more)}
	lower := strings.ToLower(name)
	crd := fmt.Sprintf(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[2]ss.reference.circle.example.com}
spec:
  group: reference.circle.example.com
  names: {kind: %[1]s, listKind: %[1]sList, plural: %[2]ss, singular: %[2]s}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            %[3]s
`, name, lower, strings.ReplaceAll(schema, "\n", "\n            "))
	return kind, []byte(crd)
}

func TestReferences(t *testing.T) {
	if testing.Short() {
		t.Skip("short tests do not test the harness")
	}
	var kinds []source.Kind
	outcomes := map[string]outcome{}
	for i, r := range references {
		kind, crd := reference(i, r.spec, r.more, r.schema)
		o := outcome{crd: crd}
		if r.warning != "" {
			at := strings.LastIndex(kind.Source, r.warning)
			if at < 0 {
				t.Fatalf("%s: the source has no %q", r.name, r.warning)
			}
			o.warnings = []remark{{rule: r.rule, at: source.Position{Offset: at}}}
		}
		kinds, outcomes[kind.Name] = append(kinds, kind), o
	}
	prog := build(t, kinds)
	report := checkReferences(t, prog, kinds, outcomes)
	for i, r := range references {
		if got := failuresOf(t, report, kinds[i].Name); !slices.Equal(got, r.want) {
			t.Errorf("%s: the circle reports %q, want %q\n%s", r.name, got, r.want, details(report, kinds[i].Name))
		}
	}
	for _, way := range breaks {
		broken := map[string]outcome{}
		for i, r := range references {
			if r.want == nil && r.warning == "" {
				broken[kinds[i].Name] = outcome{crd: breakProperties(t, outcomes[kinds[i].Name].crd, way.apply)}
			}
		}
		right := slices.DeleteFunc(slices.Clone(kinds), func(k source.Kind) bool { return broken[k.Name].crd == nil })
		report := checkReferences(t, prog, right, broken)
		for i, r := range references {
			if broken[kinds[i].Name].crd != nil && len(failuresOf(t, report, kinds[i].Name)) == 0 {
				t.Errorf("%s, %s: the circle reports nothing", r.name, way.name)
			}
		}
	}
}

// breaks are ways to break a right schema of a property.
var breaks = []struct {
	name  string
	apply func(properties map[string]apiextensionsv1.JSONSchemaProps, key string)
}{
	{"dropped", func(p map[string]apiextensionsv1.JSONSchemaProps, key string) { delete(p, key) }},
	{"tightened", func(p map[string]apiextensionsv1.JSONSchemaProps, key string) {
		s := p[key]
		s.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"only this"`)}}
		p[key] = s
	}},
	{"widened", func(p map[string]apiextensionsv1.JSONSchemaProps, key string) {
		preserve := true
		p[key] = apiextensionsv1.JSONSchemaProps{XPreserveUnknownFields: &preserve}
	}},
}

// breakProperties breaks all properties of the spec.
func breakProperties(t *testing.T, data []byte, apply func(map[string]apiextensionsv1.JSONSchemaProps, string)) []byte {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(data, &crd); err != nil {
		t.Fatal(err)
	}
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	for _, key := range slices.Sorted(maps.Keys(spec.Properties)) {
		apply(spec.Properties, key)
	}
	spec.Required = nil
	crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = spec
	data, err := yaml.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func build(t *testing.T, kinds []source.Kind) *program.Program {
	t.Helper()
	prog, err := program.Write(t.TempDir(), "..", kinds)
	if err != nil {
		t.Fatal(err)
	}
	if err := prog.Build(context.Background()); err != nil {
		t.Fatal(err)
	}
	return prog
}

func checkReferences(t *testing.T, prog *program.Program, kinds []source.Kind, outcomes map[string]outcome) *Report {
	t.Helper()
	report, err := check(context.Background(), Config{Seed: 1, Values: 40, Mutations: 20, NilElements: true}, prog,
		kinds, outcomes)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// failuresOf are the sorted classes and keys of a kind's failures.
func failuresOf(t *testing.T, report *Report, name string) []string {
	t.Helper()
	var list []string
	for _, f := range report.Failures {
		if f.Kind.Name != name {
			continue
		}
		file, err := source.Locate(f.Kind)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, f.Class+" "+newAnnouncer(file, nil).key(f.Path))
	}
	slices.Sort(list)
	return list
}

func details(report *Report, name string) string {
	one := Report{cfg: report.cfg, Failures: slices.DeleteFunc(slices.Clone(report.Failures),
		func(f Failure) bool { return f.Kind.Name != name })}
	var text strings.Builder
	one.Details(&text, 5)
	return text.String()
}
