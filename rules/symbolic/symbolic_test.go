package symbolic_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema/read"
)

// crd is a CRD with a schema of spec, in the form of JSON, and rules about spec.
func crd(spec string, rules ...string) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            %s
            x-kubernetes-validations:
`, strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n            "))
	for _, rule := range rules {
		fmt.Fprintf(&out, "            - rule: %q\n", rule)
	}
	return []byte(out.String())
}

// compile compiles the rules of a CRD.
func compile(data []byte) (*structural.Structural, []expr.Rule, error) {
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: data})
	if len(found) > 0 {
		return nil, nil, fmt.Errorf("%s", found[0].Message)
	}
	v := session.New(docs[0].CRD, nil, session.Options{}).Versions[0]
	structure, err := v.Structure()
	for _, d := range v.Faults() {
		if d.Severity == diag.Error {
			return nil, nil, fmt.Errorf("%s", d.Message)
		}
	}
	return structure, v.Rules(), err
}

// tolerations is a list like the one of pods.
const tolerations = `type: object
properties:
  mode: {type: string, enum: [A, B]}
  size: {type: integer, minimum: 0}
  list:
    type: array
    items: {type: object, properties: {key: {type: string}, operator: {type: string}}}
  names: {type: array, items: {type: string}}
  labels: {type: object, additionalProperties: {type: string}}
  inner: {type: object, required: [x], properties: {x: {type: string}, z: {type: string, default: d}}}
  either: {x-kubernetes-int-or-string: true}
  hidden: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// A comparison says how one rule answers in comparison with another.
type comparison struct {
	// equal answers whether it has the same value wherever the other one has a value. different shows that it has not.
	equal     symbolic.Answer
	different *symbolic.Object
	// accepts answers whether it is true for some object for which the other one fails.
	accepts symbolic.Answer
}

func compare(all *symbolic.Objects, original, other *expr.Rule) (out comparison) {
	const any = symbolic.True | symbolic.False | symbolic.Fails
	exists := func(x, y symbolic.Outcomes) symbolic.Answer {
		answer, object := all.Exists(symbolic.Claim{Rule: original, Outcomes: x}, symbolic.Claim{Rule: other, Outcomes: y})
		if object != nil {
			out.different = object
		}
		return answer
	}
	answers := []symbolic.Answer{exists(symbolic.True, any&^symbolic.True), exists(symbolic.False, any&^symbolic.False)}
	switch {
	case slices.Contains(answers, symbolic.Yes):
		out.equal = symbolic.No
	case !slices.Contains(answers, symbolic.Unknown):
		out.equal = symbolic.Yes
	}
	out.accepts = exists(symbolic.Fails, symbolic.True)
	return out
}

// TestCompare compares rules with those that may take their place.
func TestCompare(t *testing.T) {
	const list = "has(self.list) && self.list."
	for _, c := range []struct {
		original, other string
		equal, accepts  symbolic.Answer
	}{
		{list + "all(x, !has(x.key) ? x.operator == 'Exists' : true)",
			list + "all(x, !has(x.key) ? has(x.operator) && x.operator == 'Exists' : true)", symbolic.Yes, symbolic.No},
		{list + "all(x, !has(x.key) ? x.operator == 'Exists' : true)",
			list + "all(x, !has(x.key) ? !has(x.operator) || x.operator == 'Exists' : true)", symbolic.Yes, symbolic.Yes},
		{list + "all(x, has(x.key))", list + "exists(x, has(x.key))", symbolic.No, symbolic.No},
		{list + "all(x, has(x.key))", "has(self.list) && !self.list.exists(y, !has(y.key))", symbolic.Yes, symbolic.No},
		{"self.mode == 'A'", "has(self.mode) && self.mode == 'A'", symbolic.Yes, symbolic.No},
		{"self.mode == 'A'", "!has(self.mode) || self.mode == 'A'", symbolic.Yes, symbolic.Yes},
		{"self.mode == 'A'", "self.mode != 'B'", symbolic.Yes, symbolic.No},
		{"self.mode == 'A'", "self.?mode.orValue('B') == 'A'", symbolic.Yes, symbolic.No},
		{"self.mode in ['A']", "self.mode == 'A'", symbolic.Yes, symbolic.No},
		{"self.size > 2", "self.size >= 3", symbolic.Yes, symbolic.No},
		{"self.size >= 0", "has(self.size)", symbolic.Yes, symbolic.No},
		{"self.size > 2", "self.size > 3", symbolic.No, symbolic.No},
		{"size(self.list) > 0", "has(self.list) && self.list != []", symbolic.Yes, symbolic.No},
		{"self.inner.x == self.inner.z", "has(self.inner) && self.inner.z == self.inner.x", symbolic.Yes, symbolic.No},
		{"self.labels['a'] == 'b'", "has(self.labels) && 'a' in self.labels && self.labels['a'] == 'b'",
			symbolic.Yes, symbolic.No},
		{"self.list[0].key == self.list[1].key", "self.list[1].key == self.list[0].key", symbolic.Yes, symbolic.No},
		{"self.list[0].key == 'a'", "self.list[1].key == 'a'", symbolic.No, symbolic.Yes},
		{"self.mode.startsWith('a')", "has(self.mode) && self.mode.startsWith('a')", symbolic.Yes, symbolic.No},
		{"self.either < 5", "has(self.either) && self.either < 5", symbolic.Yes, symbolic.No},
		// Pairs of items, and most functions of values whose type is known at run time only, are not understood.
		{list + "all(x, self.list.exists(y, has(x.key) != has(y.key)))",
			list + "all(x, self.list.exists(y, has(y.key) != has(x.key)))", symbolic.Unknown, symbolic.Unknown},
		{"self.?names.orValue([]).last().orValue('') == 'a'", "self.?names.orValue([]).first().orValue('') == 'a'",
			symbolic.Unknown, symbolic.Unknown},
		{"has(self.names) && " + list + "exists(x, has(x.key) && self.names.filter(y, y == x.key).size() > 1) && " +
			"self.list.exists(x, has(x.key) && self.names.filter(y, y == x.key).size() == 1)", "false",
			symbolic.Unknown, symbolic.No},
		{"int(self.either) < 5", "has(self.either) && int(self.either) < 5", symbolic.Unknown, symbolic.Unknown},
	} {
		structure, rules, err := compile(crd(tolerations, c.original, c.other))
		if err != nil {
			t.Errorf("%s: %v", c.original, err)
			continue
		}
		got := compare(symbolic.Of(t.Context(), structure, nil), &rules[0], &rules[1])
		if got.equal != c.equal || got.accepts != c.accepts {
			t.Errorf("%s\n%s\n   got equal %s, accepts %s (%v)\n  want equal %s, accepts %s", c.original, c.other,
				got.equal, got.accepts, got.different, c.equal, c.accepts)
		}
	}
}

// TestAssumptions asks about objects for which other rules are not false.
func TestAssumptions(t *testing.T) {
	structure, rules, err := compile(crd(tolerations, "has(self.mode)", "self.mode == 'A'", "self.mode == 'B'"))
	if err != nil {
		t.Fatal(err)
	}
	all := symbolic.Of(t.Context(), structure, nil)
	if answer, object := all.Exists(symbolic.Claim{Rule: &rules[1], Outcomes: symbolic.Fails}); answer != symbolic.Yes {
		t.Errorf("without a mode: %s %v", answer, object)
	}
	with := symbolic.Of(t.Context(), structure, rules[:1])
	if answer, object := with.Exists(symbolic.Claim{Rule: &rules[1], Outcomes: symbolic.Fails}); answer != symbolic.No {
		t.Errorf("with a mode: %s %v", answer, object)
	}
	if answer, object := with.Exists(symbolic.Claim{Rule: &rules[1], Outcomes: symbolic.True},
		symbolic.Claim{Rule: &rules[2], Outcomes: symbolic.True}); answer != symbolic.No {
		t.Errorf("A and B: %s %v", answer, object)
	}
}
