package cost_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// In a file, a bound is a keyword, and one in imported code is not proposed.
func TestKeywords(t *testing.T) {
	list := node("array")
	list.Items = node("string", "self.matches('^[a-z]+$')")
	spec := node("object")
	spec.Properties = []schema.Property{{Name: "names", Schema: list}}
	root := node("object")
	root.Properties = []schema.Property{{Name: "spec", Schema: spec}}

	found := cost.Check(t.Context(), cost.Estimates(compiled(t, 0, root)), root, 0, cost.Options{})
	want := "set maxItems: 1024 on spec.names (at most 1,524) and maxLength: 4096 on spec.names[] (at most 6,099); " +
		"the cost drops to 33.5 %"
	if len(found) != 1 || found[0].HelpText != want {
		t.Errorf("found %v", found)
	}

	source := &diag.Source{Path: "types.go", Data: []byte("Names []string")}
	root.At, list.At, list.Items.At = diag.At(source, 0, 0), diag.At(source, 0, 5), diag.At(source, 8, 14)
	foreign := func(diag.Span) bool { return false }
	found = cost.Check(t.Context(), cost.Estimates(compiled(t, 0, root)), root, 0, cost.Options{Owns: foreign})
	if len(found) != 1 || !strings.HasPrefix(found[0].HelpText, "simplify the rule") {
		t.Errorf("found %v", found)
	}
}

// The bounds that a help sets are below the share for warnings: no finding follows.
func TestBoundsSuffice(t *testing.T) {
	list := node("array", "self.all(x, x.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$'))")
	list.Items = node("string")
	root := node("object")
	root.Properties = []schema.Property{{Name: "tags", Schema: list}}
	check := func() []diag.Diagnostic {
		return cost.Check(t.Context(), cost.Estimates(compiled(t, 0, root)), root, 0, cost.Options{})
	}
	found := check()
	bounds := regexp.MustCompile(`maxItems: (\d+) on tags .*maxLength: (\d+) on tags\[\]`)
	if len(found) != 1 || !bounds.MatchString(found[0].HelpText) {
		t.Fatalf("found %v", found)
	}
	m := bounds.FindStringSubmatch(found[0].HelpText)
	items, _ := strconv.ParseInt(m[1], 10, 64)
	length, _ := strconv.ParseInt(m[2], 10, 64)
	list.MaxItems, list.Items.MaxLength = &schema.Int{V: items}, &schema.Int{V: length}
	if found := check(); len(found) > 0 {
		t.Errorf("after %s there is %v", m[0], found)
	}
}

// One finding explains all errors of the API server about a rule, at all of its places, and about the sum.
func TestPaths(t *testing.T) {
	list := func() *schema.Schema {
		s := node("array")
		s.Items = node("string", "self.matches('^[a-z]+$')")
		s.Items.Rules[0].Rule.At = diag.At(&diag.Source{Data: []byte("a")}, 0, 1)
		return s
	}
	first := list()
	root := node("object", "true")
	root.Properties = []schema.Property{{Name: "a", Schema: first}, {Name: "b", Schema: first}}
	found := cost.Check(t.Context(), cost.Estimates(compiled(t, 0, root)), root, 0, cost.Options{})
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	const path = "spec.versions[0].schema.openAPIV3Schema"
	for _, want := range []string{
		path, path + ".properties[a].items.x-kubernetes-validations[0].rule", path +
			".properties[b].items.x-kubernetes-validations[0].rule",
	} {
		if found[0].Path != want && !slices.Contains(found[0].AlsoPaths, want) {
			t.Errorf("nothing explains %s", want)
		}
	}
}

func node(jsonType string, rules ...string) *schema.Schema {
	s := &schema.Schema{Type: schema.Text{V: jsonType}}
	for _, r := range rules {
		s.Rules = append(s.Rules, schema.Rule{Rule: schema.Text{V: r}})
	}
	return s
}

func compiled(t *testing.T, version int, s *schema.Schema) []expr.Rule {
	structure, err := kube.Structural(s)
	if err != nil {
		t.Fatal(err)
	}
	rules, found := expr.Compile(version, s, structure,
		expr.Options{Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}})
	for _, d := range found {
		t.Error(d.Path, d.Message)
	}
	return rules
}
