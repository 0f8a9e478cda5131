package absence

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

const runtimeFields = `
type: object
required: [num, l, ratio, when, step]
properties:
  ratio: {type: number, minimum: 0, maximum: 1}
  when: {type: string, format: date-time}
  step: {type: integer, minimum: 1, multipleOf: 5}
  s: {type: string, maxLength: 20}
  p: {type: string, pattern: '^[0-9]+$', maxLength: 5}
  e: {type: string, enum: ["5", "a"]}
  num: {type: integer, minimum: 0, maximum: 3}
  one: {type: integer, minimum: 1}
  l: {type: array, maxItems: 2, items: {type: string, maxLength: 20}}
`

// runtimeObjects are objects of all combinations of a few values.
func runtimeObjects() (out []map[string]any) {
	for _, s := range []any{nil, "", "a", "abc", "5", "1.5", "10GB", "1Gi", "7d", "2h", "https://example.com", "example.com",
		"10.0.0.1", "localhost", "10.0.0.0/8", "true", "yes", "1.2.3", "v1.2", "2026-01-31"} {
		for _, p := range []any{nil, "5"} {
			for _, e := range []any{nil, "5", "a"} {
				for _, n := range []any{int64(0), int64(2)} {
					for _, l := range [][]any{{}, {"5"}, {"abc"}, {"5", "abc"}, {"10.0.0.1"}, {"1Gi", "2h"}} {
						object := map[string]any{"num": n, "one": int64(1), "l": l, "ratio": 0.5,
							"when": "2026-01-31T00:00:00Z", "step": int64(5)}
						for name, value := range map[string]any{"s": s, "p": p, "e": e} {
							if value != nil {
								object[name] = value
							}
						}
						out = append(out, object)
					}
				}
			}
		}
	}
	return out
}

// runtimeRule returns a random rule with a call that may fail, and perhaps a guard.
func runtimeRule(r *rand.Rand) string {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	calls := func(text string) string {
		return one("int("+text+") > 3", "quantity("+text+").isGreaterThan(quantity('1'))",
			"duration("+text+") > duration('1h')", "url("+text+").getScheme() == 'https'", "isQuantity("+text+")",
			"ip("+text+").family() == 4", "cidr("+text+").prefixLength() > 1", "bool("+text+")", "double("+text+") > 1.0",
			"timestamp("+text+") > timestamp('2020-01-01T00:00:00Z')", "semver("+text+").major() > 0",
			text+".substring(1) == 'b'", text+".substring(self.num, 2) == 'b'", text+".charAt(3) == ''",
			text+".split('.')[1] == '5'", "self.l["+text+".indexOf('5')] == '5'")
	}
	call := one(calls("self.s"), calls("self.s"), calls("self.p"), calls("self.e"), "6 / self.num > 1", "6 % self.one == 0",
		"self.l.all(x, "+calls("x")+")", "self.l.exists(x, "+calls("x")+")", "self.l[self.num] == '5'",
		"self.l.max() == '5'", "6 / (self.num - 2) > 0", "self.l[size(self.l) - 1] == '5'", "uint(self.num - 1) > 0u")
	guard := one("has(self.s)", "self.num > 0", "isQuantity(self.s)", "isURL(self.s)", "size(self.l) > self.num",
		"self.e == '5'", "self.s.matches('^[0-9]+$')", "size(self.l) > 0", "isIP(self.s)", "self.num != 2",
		"self.l.all(x, isQuantity(x))")
	switch r.IntN(5) {
	case 0:
		return guard + " && " + call
	case 1:
		return "!(" + guard + ") || " + call
	case 2:
		return guard + " ? " + call + " : true"
	case 3:
		return "has(self.s) && has(self.p) && has(self.e) && " + call
	}
	return "!has(self.s) || !has(self.p) || !has(self.e) || " + call
}

// TestRuntimeErrors compares what is found for random rules with what the API server's code answers to all objects of a
// few values: each value that is found makes it report the error, rules without findings report none, and a rule with
// guards accepts the same objects.
func TestRuntimeErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	objects := runtimeObjects()
	rounds, found, fixed := 150, 0, 0
	if testing.Short() {
		rounds = 40
	}
	for range rounds {
		rule := runtimeRule(r)
		props, s := runtimeSchema(t, rule)
		structure := structuralOf(t, props)
		rules, _, err := tryCompiledRules(structure, false, &schema.Place{Schema: s})
		if err != nil {
			continue // a guard that CEL does not compile with the call
		}
		judge := newJudge(t, props, false)
		errs := symbolic.Of(t.Context(), structure, nil).Errors(&rules[0])
		for _, e := range errs {
			found++
			if got, ok := judge.verdict(e.Object.Object, e.Old); !ok || !strings.Contains(fmt.Sprint(got), e.Message) {
				t.Errorf("%s: %v is expected to fail with %q, got %q", rule, jsonOf(e.Object.Object), e.Message, got)
			}
		}
		for _, d := range runtimeErrors(t.Context(), structure, rules) {
			if text, ok := strings.CutPrefix(d.HelpText, "change the rule to "); ok {
				fixed++
				compareRules(t, judge, text, objects)
			}
		}
		for _, object := range objects {
			if got, ok := judge.verdict(object, nil); ok && len(errs) == 0 && isRuntimeError(got) {
				t.Errorf("%s: nothing is found, but %s fails: %q", rule, jsonOf(object), got)
				break
			}
		}
	}
	if found < rounds/8 || fixed < rounds/16 {
		t.Errorf("only %d parts fail, and %d rules have guards", found, fixed)
	}
}

func isRuntimeError(errs []string) bool {
	text := strings.Join(errs, "\n")
	return strings.Contains(text, " evaluating rule: ") && !strings.Contains(text, "no such key")
}

// runtimeSchema returns the schema with a rule.
func runtimeSchema(t *testing.T, rule string) (*apiext.JSONSchemaProps, *schema.Schema) {
	t.Helper()
	props := &apiext.JSONSchemaProps{}
	if err := yaml.Unmarshal([]byte(runtimeFields), props); err != nil {
		t.Fatal(err)
	}
	props.XValidations = apiext.ValidationRules{{Rule: rule, Message: "false"}}
	return props, &schema.Schema{}
}

// compareRules makes sure that a rule accepts the same objects as that of a judge, and never fails.
func compareRules(t *testing.T, before *judge, rule string, objects []map[string]any) {
	t.Helper()
	props, _ := runtimeSchema(t, rule)
	after := newJudge(t, props, false)
	for _, object := range objects {
		old, ok := before.verdict(object, nil)
		got, _ := after.verdict(object, nil)
		if ok && (len(old) == 0) != (len(got) == 0) || isRuntimeError(got) {
			t.Errorf("%s answers %q to %s, the rule without guards %q", rule, got, jsonOf(object), old)
			return
		}
	}
}
