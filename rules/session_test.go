package rules_test

import (
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

const twoVersions = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
metadata: {name: widgets.example.com}, spec: {group: example.com, names: {plural: widgets, kind: Widget}, scope: Namespaced, versions: [
{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, description: d, properties: {spec: {
  type: object, description: d, properties: {size: {type: integer, description: d}},
  x-kubernetes-validations: [{rule: self.size > 0},
    {rule: self.size < 9, messageExpression: string(self.size)}, {rule: self.siz > 0}]}}}}},
{name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: {
  type: object, x-kubernetes-validations: [{rule: size(self) > 0}]}}}}}]}}`

// change returns the CRD with another schema of its first version.
func change(c *schema.CRD, change func(*schema.Schema)) *schema.CRD {
	out := *c
	out.Versions = append([]schema.Version(nil), c.Versions...)
	out.Versions[0].Schema = schema.Map(c.Versions[0].Schema, func(p *schema.Place) *schema.Schema {
		s := *p.Schema
		change(&s)
		return &s
	})
	return &out
}

// TestSessionWith drops descriptions and rules, one after the other, and sometimes reads the rules in between. Each
// expression is compiled only once for each version.
func TestSessionWith(t *testing.T) {
	docs, found := read.Documents(&diag.Source{Path: "widget.yaml", Data: []byte(twoVersions)})
	if len(docs) != 1 || len(found) > 0 {
		t.Fatal(found)
	}
	count := map[expr.Compilation]int{}
	opts := session.Options{Trace: func(_ *schema.CRD, c expr.Compilation) { count[c]++ }}
	s := session.New(docs[0].CRD, nil, opts)
	if s.With(s.CRD) != s {
		t.Error("the same CRD has another session")
	}
	look := func(rules, faults int) {
		t.Helper()
		if v := s.Versions[0]; len(v.Rules()) != rules || len(v.Faults()) != faults {
			t.Errorf("%d rules and %d faults", len(v.Rules()), len(v.Faults()))
		}
		for i := range s.Versions[0].Rules() {
			if r := &s.Versions[0].Rules()[i]; r.Source != &s.CRD.Versions[0].Schema.Properties[0].Schema.Rules[i] {
				t.Errorf("rule %d is that of another CRD", i)
			}
		}
		if rules := s.Versions[1].Rules(); len(rules) != 1 {
			t.Errorf("%d rules in v2", len(rules))
		}
	}
	look(3, 1)
	undescribed := func(s *schema.Schema) { s.Description = schema.Text{} }
	s = s.With(change(s.CRD, undescribed))
	s = s.With(change(s.CRD, undescribed))
	look(3, 1)
	s = s.With(change(s.CRD, func(s *schema.Schema) {
		if len(s.Rules) > 2 {
			s.Rules = append([]schema.Rule(nil), s.Rules[1:]...)
			s.Rules[0].MessageExpression = schema.Text{}
		}
	}))
	look(2, 1)
	if rules := s.Versions[0].Rules(); rules[0].Message != nil || rules[0].Checked == nil || rules[1].Checked != nil {
		t.Error("the rules are not those that are left")
	}
	for c, n := range count {
		if n != 1 {
			t.Errorf("%s is compiled %d times for %s", c.Path, n, c.Kube)
		}
	}
	if len(count) == 0 {
		t.Error("nothing is compiled")
	}
}

// TestInstead compiles other texts in place of a rule, also one on which CEL's own code panics.
func TestInstead(t *testing.T) {
	docs, _ := read.Documents(&diag.Source{Path: "widget.yaml", Data: []byte(twoVersions)})
	rule := session.New(docs[0].CRD, nil, session.Options{}).Versions[0].Rules()[0]
	for text, compiles := range map[string]bool{
		"self.size > 1": true, "self.siz > 1": false, "self.size >": false, "[?dyn(self.size)] == []": false,
	} {
		if got := rule.Instead(text) != nil; got != compiles {
			t.Errorf("%s: compiles: %t, want %t", text, got, compiles)
		}
	}
}
