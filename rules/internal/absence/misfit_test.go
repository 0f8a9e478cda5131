package absence

import (
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/schema"
)

const originFields = `
type: object
required: [q, x, d, count]
properties:
  q: {x-kubernetes-int-or-string: true}
  x: {x-kubernetes-int-or-string: true}
  d: {type: string, maxLength: 9}
  count: {type: integer}
`

// originSchema is the same with origins, as Go types have it.
func originSchema() *schema.Schema {
	either := schema.Schema{IntOrString: &schema.Flag{V: true}}
	q := either
	q.Origin = schema.Quantity
	d := schema.Schema{Type: schema.Text{V: "string"}, Origin: schema.Duration}
	return &schema.Schema{Properties: []schema.Property{
		{Name: "q", Schema: &q}, {Name: "x", Schema: &either}, {Name: "d", Schema: &d},
		{Name: "count", Schema: &schema.Schema{Type: schema.Text{V: "integer"}}},
	}}
}

// originObjects are valid objects of all combinations.
func originObjects() (out []map[string]any) {
	for _, q := range []any{int64(5), "5", "10Gi", "9Gi", "1000m"} {
		for _, x := range []any{int64(3), int64(5), "50%", "5"} {
			for _, d := range []any{"1h", "60m", "60s", "9s"} {
				for _, n := range []any{int64(1), int64(5)} {
					out = append(out, map[string]any{"q": q, "x": x, "d": d, "count": n})
				}
			}
		}
	}
	return out
}

// originRules are all small rules over such fields, some of which do not compile.
func originRules() (out []string) {
	operands := []string{"self.q", "self.x", "self.d", "self.count", "'10Gi'", "'1h'", "'5'", "5", "quantity('5')",
		"quantity(self.q)", "quantity(string(self.q))", "duration('1h')", "true"}
	for _, a := range operands {
		for _, b := range operands {
			for _, operator := range []string{"<", "<=", ">", ">=", "==", "!="} {
				out = append(out, a+" "+operator+" "+b, "!("+a+" "+operator+" "+b+")")
			}
			out = append(out, a+" in ["+b+"]", a+".isGreaterThan("+b+")", a+".compareTo("+b+") == 0",
				a+" + "+b+" != "+a)
		}
		out = append(out, "size("+a+") < 9", a+".size() < 9", a+".matches('^5')", a+".startsWith('5')",
			a+".isInteger()")
	}
	return out
}

// outcomes are what the API server's evaluator answers to a rule for all objects.
func outcomes(t *testing.T, rule string) (failed, accepted, total int) {
	j := newJudge(t, originProps(t, rule), false)
	for _, object := range originObjects() {
		errs, ok := j.verdict(object, nil)
		if !ok {
			t.Fatalf("invalid object: %v", errs)
		}
		total++
		switch {
		case len(errs) == 0:
			accepted++
		case strings.Contains(errs[0], "no such overload"):
			failed++
		}
	}
	return failed, accepted, total
}

func originProps(t *testing.T, rule string) *apiext.JSONSchemaProps {
	t.Helper()
	var props apiext.JSONSchemaProps
	if err := yaml.Unmarshal([]byte(originFields), &props); err != nil {
		t.Fatal(err)
	}
	props.XValidations = []apiext.ValidationRule{{Rule: rule}}
	return &props
}

// misfitOf returns the finding about a rule; compiles is false if an API server rejects it.
func misfitOf(t *testing.T, rule string) (found []diag.Diagnostic, compiles bool) {
	at := &schema.Place{Schema: originSchema()}
	list, _, err := tryCompiledRules(structuralOf(t, originProps(t, rule)), false, at)
	if err != nil {
		return nil, false
	}
	list[0].Source.Rule.V = rule
	return Misfits([]expr.Rule{list[0]}), true
}

// TestMisfits compares the findings about all small rules with what the API server's evaluator does: a call that fails
// for all objects is reported as one that never applies, one that fails for some is reported, and rules without
// findings never fail. A suggested rule compiles and never fails.
func TestMisfits(t *testing.T) {
	reported, fixed := 0, 0
	for i, rule := range originRules() {
		if testing.Short() && i%7 != 0 {
			continue
		}
		found, compiles := misfitOf(t, rule)
		if !compiles {
			continue
		}
		failed, accepted, total := outcomes(t, rule)
		never := slices.ContainsFunc(found,
			func(d diag.Diagnostic) bool { return strings.Contains(d.Message, " never applies") })
		switch {
		case never && failed != total:
			t.Errorf("%s: %s, but fails for %d of %d", rule, found[0].Message, failed, total)
		case failed > 0 && len(found) == 0 && strings.Count(rule, "self.q") < 2 && strings.Count(rule, "self.x") < 2:
			t.Errorf("%s fails for %d of %d objects, which is not reported", rule, failed, total)
		case len(found) == 0:
			continue
		case found[0].Check == celUnequal.ID && failed == 0 && accepted != 0 && accepted != total:
			t.Errorf("%s: %s, but is true for %d of %d", rule, found[0].Message, accepted, total)
		}
		reported++
		fix, ok := strings.CutPrefix(found[0].HelpText, "change the rule to ")
		if !ok {
			continue
		}
		fixed++
		if again, ok := misfitOf(t, fix); !ok || len(again) > 0 {
			t.Errorf("%s: the rule %s compiles: %t, findings %v", rule, fix, ok, again)
		} else if failed, _, _ := outcomes(t, fix); failed > 0 {
			t.Errorf("%s: the rule %s fails for %d objects", rule, fix, failed)
		}
	}
	if reported < 40 || fixed < 20 {
		t.Errorf("only %d findings, %d with a fix", reported, fixed)
	}
}
