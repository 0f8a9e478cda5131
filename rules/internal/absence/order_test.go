package absence

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/schema"
)

// TestOrder compares numbers with constants, in schemas with random bounds. If a constant is reported, the API server's
// code gives the rule the same result for all numbers that the schema accepts.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	reported := 0
	for range 120 {
		least, most := r.IntN(4), 4+r.IntN(4)
		value := []string{"self.num", "size(self.s)", "size(self.l)", "self.f"}[r.IntN(4)]
		operator := []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)]
		limit := fmt.Sprint(r.IntN(14) - 3)
		if value == "self.f" {
			limit += ".0" // an integer is equal to no such number for the compiler
		}
		rule := value + " " + operator + " " + limit
		if r.IntN(2) == 0 {
			rule = limit + " " + operator + " " + value
		}
		text := fmt.Sprintf(`{type: object, required: [num, s, l, f], properties: {num: {type: integer, minimum: %[1]d,
			maximum: %[2]d}, f: {type: number, minimum: %[1]d, maximum: %[2]d}, s: {type: string, minLength: %[1]d,
			maxLength: %[2]d}, l: {type: array, minItems: %[1]d, maxItems: %[2]d, items: {type: string}}}}`, least, most)
		props := &apiext.JSONSchemaProps{}
		if err := yaml.Unmarshal([]byte(text), props); err != nil {
			t.Fatal(err)
		}
		props.XValidations = apiext.ValidationRules{{Rule: rule, Message: "false"}}
		structure := structuralOf(t, props)
		rules, _, err := tryCompiledRules(structure, false, &schema.Place{Schema: bounded(least, most)})
		if err != nil {
			t.Fatal(err)
		}
		judge, results := newJudge(t, props, false), map[bool]bool{}
		for n := -1; n < 9; n++ {
			object := map[string]any{"num": int64(n), "f": float64(n), "s": strings.Repeat("a", max(n, 0)),
				"l": items(max(n, 0))}
			if got, ok := judge.verdict(object, nil); ok {
				results[len(got) == 0] = true
			}
		}
		found := Misfits(rules)
		reported += len(found)
		if len(found) > 0 && len(results) > 1 {
			t.Errorf("%s: %q is reported, but the rule has two results in %s", rule, found[0].Message, text)
		}
	}
	if reported < 10 {
		t.Errorf("only %d constants are reported", reported)
	}
}

// bounded returns the schema of the text, as a CRD has it.
func bounded(least, most int) *schema.Schema {
	low, high := &schema.Number{V: strconv.Itoa(least)}, &schema.Number{V: strconv.Itoa(most)}
	small, large := &schema.Int{V: int64(least)}, &schema.Int{V: int64(most)}
	return &schema.Schema{Properties: []schema.Property{
		{Name: "num", Schema: &schema.Schema{Type: schema.Text{V: "integer"}, Minimum: low, Maximum: high}},
		{Name: "f", Schema: &schema.Schema{Type: schema.Text{V: "number"}, Minimum: low, Maximum: high}},
		{Name: "s", Schema: &schema.Schema{Type: schema.Text{V: "string"}, MinLength: small, MaxLength: large}},
		{Name: "l", Schema: &schema.Schema{Type: schema.Text{V: "array"}, MinItems: small, MaxItems: large}},
	}}
}

func items(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = "a"
	}
	return out
}
