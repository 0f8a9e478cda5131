package structural_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/examples"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/structural"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

var update = flag.Bool("update", false, "rewrite what the cases expect")

// TestTable rejects checks that are not described, or described twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range session.Checks(structural.Rows()) {
		if seen[c.ID] {
			t.Errorf("there are two checks %s", c.ID)
		}
		seen[c.ID] = true
		if bad, good := examples.Of(c.ID); !strings.HasSuffix(c.Doc, ".") || bad == "" || good == "" {
			t.Errorf("check %s is not described", c.ID)
		}
		if c.Verdict && c.Severity != diag.Error {
			t.Errorf("check %s is not an error, although API servers reject what it finds", c.ID)
		}
	}
}

// TestExamples makes sure that a check finds the bad example of its row, and nothing in the good one.
func TestExamples(t *testing.T) {
	for _, name := range []string{"bad", "good"} {
		src := newSources(t)
		for _, c := range session.Checks(structural.Rows()) {
			if code := exampleOf(c, name); isGo(code) {
				src.add(c.ID, code)
			}
		}
		crds, errors := src.build(t)
		for _, c := range session.Checks(structural.Rows()) {
			crd := crds[c.ID]
			if code := exampleOf(c, name); !isGo(code) {
				crd = readCRD(t, code)
			}
			if crd == nil {
				t.Errorf("%s: the %s example has no CRD: %v", c.ID, name, errors[c.ID])
				continue
			}
			checkExample(t, c, name, crd)
		}
	}
}

func exampleOf(c *diag.Check, name string) string {
	bad, good := examples.Of(c.ID)
	if name == "good" {
		return good
	}
	return bad
}

func checkExample(t *testing.T, c *diag.Check, name string, crd *schema.CRD) {
	t.Helper()
	found := check(t, crd, kube.DefaultRange())
	isFound := slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Check == c.ID })
	if name == "bad" != isFound || name == "good" && len(found) > 0 {
		t.Errorf("%s: the %s example has the findings %v", c.ID, name, found)
	}
	rejections := verdict(t, crd)
	if rejected := len(rejections) > 0; rejected != (c.Verdict && name == "bad") {
		t.Errorf("%s: the API server's answer to the %s example: %v", c.ID, name, rejections)
	}
	explains(t, found, rejections)
}

// isGo reports whether an example is Go rather than YAML.
func isGo(code string) bool {
	return strings.Contains(code, "`json:") || strings.HasPrefix(code, "// +") || strings.HasPrefix(code, "type Widget")
}

// readCRD reads a part of a CRD in YAML: fields of its metadata and spec, or the schema of the field spec.
func readCRD(t testing.TB, part string) *schema.CRD {
	t.Helper()
	src := &diag.Source{Path: "crd.yaml", Data: []byte(completed(t, part))}
	documents, found := read.Documents(src)
	if len(documents) != 1 || len(found) > 0 {
		t.Fatalf("cannot read: %v\n%s", found, src.Data)
	}
	return documents[0].CRD
}

// completed appends the missing parts of a CRD.
func completed(t testing.TB, part string) string {
	t.Helper()
	const versions = "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n" +
		"      openAPIV3Schema:\n        type: object\n"
	indent := func(text string, by int) string {
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		return strings.Repeat(" ", by) + strings.Join(lines, "\n"+strings.Repeat(" ", by)) + "\n"
	}
	var given struct {
		Metadata, Spec map[string]any
		Type           string
	}
	if err := yaml.Unmarshal([]byte(part), &given); err != nil {
		t.Fatalf("%v in\n%s", err, part)
	}
	out := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	if given.Metadata == nil {
		out += "metadata: {name: widgets.example.com}\n"
	}
	if given.Spec == nil && given.Metadata != nil {
		part += "\nspec:\n"
		given.Spec = map[string]any{}
	}
	if given.Spec == nil {
		part = "spec:\n" + versions + "        properties:\n          spec:\n" + indent(part, 12)
	}
	out += strings.TrimRight(part, "\n") + "\n"
	for _, field := range []struct{ name, text string }{
		{"group", "  group: example.com\n"}, {"scope", "  scope: Namespaced\n"},
		{"names", "  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}\n"},
		{"versions", versions},
	} {
		if _, ok := given.Spec[field.name]; !ok && (field.name != "versions" || given.Spec != nil) {
			out += field.text
		}
	}
	return out
}

// check returns what the package's rows find.
func check(t testing.TB, crd *schema.CRD, versions kube.Range) []diag.Diagnostic {
	t.Helper()
	return session.New(crd, nil, session.Options{Kube: versions}).Run(t.Context(), structural.Rows())
}

func verdict(t testing.TB, crd *schema.CRD) []kube.Rejection {
	t.Helper()
	rejections, err := kube.Verdict(context.Background(), kube.Object(crd))
	if err != nil {
		return []kube.Rejection{{Message: err.Error()}}
	}
	return rejections
}

// explains makes sure that the API server rejects what we report as rejected, at the same path, and that we report all
// that it rejects.
func explains(t *testing.T, found []diag.Diagnostic, rejections []kube.Rejection) {
	t.Helper()
	isVerdict := map[string]bool{}
	for _, c := range session.Checks(structural.Rows()) {
		isVerdict[c.ID] = c.Verdict
	}
	for _, d := range found {
		for _, path := range paths(d) {
			if isVerdict[d.Check] && !slices.ContainsFunc(rejections,
				func(r kube.Rejection) bool { return r.Path == path }) {
				t.Errorf("the API server does not reject %s: %s [%s]", path, d.Message, d.Check)
			}
		}
	}
	for _, r := range rejections {
		if !slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
			return isVerdict[d.Check] && slices.Contains(paths(d), r.Path)
		}) {
			t.Errorf("the rejection is not reported: %s: %s", r.Path, r.Message)
		}
	}
}

// paths are all fields that a finding is about.
func paths(d diag.Diagnostic) []string { return append([]string{d.Path}, d.AlsoPaths...) }

// TestFormatExamples makes sure that the example of a format that a help gives is accepted as a default.
func TestFormatExamples(t *testing.T) {
	for _, format := range []string{
		"bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor",
		"hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13", "k8s-long-name", "k8s-short-name", "mac", "rgbcolor",
		"ssn", "uri", "uuid", "uuid3", "uuid4", "uuid5",
	} {
		part := "type: object\nproperties: {a: {type: string, format: " + format + ", default: \"%\"}}"
		found := check(t, readCRD(t, part), kube.DefaultRange())
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Check == "default-invalid" })
		if i < 0 {
			t.Errorf("%s: a default without the format is not reported: %v", format, found)
			continue
		}
		help := found[i].HelpText
		example := strings.Trim(help[strings.LastIndexByte(help, ' ')+1:], `"`)
		if rejections := verdict(t, readCRD(t, strings.Replace(part, "%", example, 1))); len(rejections) > 0 {
			t.Errorf("%s: the example %s is rejected: %v", format, example, rejections)
		}
	}
}
