package gocode_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"testing"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// selfTypes are the library's names for the type of self.
var selfTypes = regexp.MustCompile(`selfType[0-9]*`)

// TestUncompiled checks rules that do not compile, in a CRD that an API server has stored before. They are
// errors of each object, in the words of the API server's library.
func TestUncompiled(t *testing.T) {
	crd := readRules(t, "testdata/rules/uncompiled.yaml")[0]
	root := crd.Versions[0].Schema
	structure, err := kube.Structural(root)
	if err != nil {
		t.Fatal(err)
	}
	newest := kube.Range{First: kube.Latest(), Last: kube.Latest()}
	rules, found := expr.Compile(0, root, structure, expr.Options{Kube: newest})
	if len(found) == 0 {
		t.Fatal("all rules compile")
	}
	files, problems := gocode.RuleFiles(gocode.Package{Name: "main",
		Kinds: []gocode.Kind{{Name: crd.Kind.V, CRD: crd, Rules: rules}}})
	for _, d := range problems {
		t.Fatal(d.Message)
	}
	p := &program{resources: resources(t, []*schema.CRD{crd})}
	p.run(t, exec.Command(build(t, "testdata/program", withTable(files))))
	j, random := newRuleJudge(p.resources[crd.Kind.V].schema), ruleMaker{rand.New(rand.NewPCG(*seed, 0))}
	seen := 0
	for range objectCount() / 5 {
		object, old := random.update(j.schema)
		got := p.ask(t, "Check"+crd.Kind.V+"Rules", object, old)
		errs, _ := j.judge(object, old)
		for i := range errs {
			errs[i] = selfTypes.ReplaceAllString(errs[i], "selfType")
		}
		if missing, extra := differences(errs, got.Errors); missing != nil || extra != nil {
			t.Fatalf("object %s\nold    %s\nmissing errors %s\nextra errors   %s", object, old,
				list(missing), list(extra))
		}
		seen += len(errs)
	}
	if seen < objectCount() {
		t.Errorf("only %d errors", seen)
	}
}

// TestUncompiledPatterns validates strings with patterns that do not compile: no string matches one.
func TestUncompiledPatterns(t *testing.T) {
	const name = "Patterns"
	validate(t, decodeRules(t, name, crdOf(name, []byte(`
type: object
properties:
  any: {type: string, anyOf: [{pattern: "a("}, {maxLength: 1}]}
  bounded: {type: string, pattern: "[", minLength: 1, maxLength: 2}
  every: {type: array, items: {type: string, pattern: "*"}}
  nullable: {type: string, pattern: "(?=a)", nullable: true, format: date}
  pattern: {type: string, pattern: "a(b"}
`))), objectCount()/5)
}

// TestNotInGo compiles rules that have no exact form in Go: each is reported at its operator, and those like
// it are not.
func TestNotInGo(t *testing.T) {
	for rule, want := range map[string]string{
		"self.?list.optMap(v, v + [1] == v).orValue(true)":                           "+",
		"self.?list.optMap(v, self.list.all(x, (v + [x]).size() < 3)).orValue(true)": "+",
		"self.?list.optMap(v, [v].all(x, x + [1] == v)).orValue(true)":               "+",
		"self.?list.optFlatMap(v, optional.of(v + [1] + v)).hasValue()":              "+",
		"self.?list.optMap(v, v + [1]).orValue([]).size() < 3":                       "",
		"self.?list.optMap(v, v.all(x, x + 1 < 3) && v.size() < 3).orValue(true)":    "",
		"self.?list.optMap(v, v.map(x, x + 1) != v).orValue(true)":                   "",
		"google.protobuf.StringValue{value: self.text} == 'a'":                       "{",
	} {
		crd := decodeRules(t, "crd.yaml", crdOf("Widget", fmt.Appendf(nil, `
type: object
properties:
  list: {type: array, items: {type: integer}}
  text: {type: string}
x-kubernetes-validations:
- rule: %q
`, rule)))[0]
		root := crd.Versions[0].Schema
		structure, err := kube.Structural(root)
		if err != nil {
			t.Fatal(err)
		}
		newest := kube.Range{First: kube.Latest(), Last: kube.Latest()}
		rules, found := expr.Compile(0, root, structure, expr.Options{Kube: newest})
		if len(found) > 0 {
			t.Fatalf("%s: %s", rule, found[0].Message)
		}
		_, problems := gocode.RuleFiles(gocode.Package{Name: "main",
			Kinds: []gocode.Kind{{Name: "Widget", CRD: crd, Rules: rules}}})
		got := ""
		for _, d := range problems {
			got = string(d.Span.Source.Data[d.Span.Start:d.Span.End])
		}
		if got != want {
			t.Errorf("%s: reported at %q, want %q", rule, got, want)
		}
	}
}
