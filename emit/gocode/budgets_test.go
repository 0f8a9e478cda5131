package gocode_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/kube"
)

// TestBudgets compares what helpers report of objects that just exceed a budget, and of those that are just within it,
// with the answers of the API server's library.
func TestBudgets(t *testing.T) {
	p := start(t, readRules(t, "testdata/rules/budgets.yaml"), kube.Latest())
	s := p.resources["Budget"].schema
	validator := apicel.NewValidator(s, true, celconfig.PerCallLimit)
	list := func(field string, n int) map[string]any {
		var items []any
		for i := range n {
			items = append(items, fmt.Sprintf("a%d", i))
		}
		return map[string]any{field: items}
	}
	one := func(field, text string) func(n int) map[string]any {
		return func(n int) map[string]any { return map[string]any{field: strings.Repeat(text, n)} }
	}
	many := func(text string) func(n int) map[string]any {
		return func(n int) map[string]any {
			return map[string]any{"many": slices.Repeat([]any{strings.Repeat(text, 5000)}, n)}
		}
	}
	for _, test := range []struct {
		name   string
		within int // the largest size within the budget
		part   func(n int) map[string]any
		isOld  bool // the object replaces one in which the last part differs
		text   string
	}{
		{"a loop", 576, func(n int) map[string]any { return list("pairs", n) }, false, "for rule: the items differ"},
		{"a text", 9989, one("text", "ä"), false, "call cost exceeds limit for rule: !self.contains(self + 'a')"},
		{"all rules", 39, many("a"), false, "running out of cost budget"},
		{"all rules that fail", 39, many("i"), false, "running out of cost budget"},
		{"a message", 331, func(n int) map[string]any { return list("told", n) }, false, "limit for messageExpression"},
		{"a message of an update", 331, func(n int) map[string]any { return list("told", n) }, true,
			"limit for messageExpression"},
		{"no old value", 576, func(n int) map[string]any { return list("kept", n) }, false,
			"limit for rule: oldSelf.hasValue"},
		{"an old value", 446, func(n int) map[string]any { return list("kept", n) }, true,
			"limit for rule: self.all(x, oldSelf"},
	} {
		for n := test.within; n <= test.within+1; n++ {
			first, last := test.part(n), map[string]any{"name": "last", "z": "y"}
			first["name"] = "first"
			spec := map[string]any{"spec": []any{first, last}}
			helper, object, old := "Budget.Validate", exchange.Exact(spec), []byte(nil)
			if test.isOld {
				helper, old = "Budget.ValidateUpdate", object
				last["z"] = "yy"
				object = exchange.Exact(spec)
			}
			errs, warnings := budgeted(validator, s, object, old)
			got := p.ask(t, helper, object, old)
			if !slices.Equal(got.Errors, errs) || !slices.Equal(got.Warnings, warnings) {
				t.Errorf("%s of %d:\nerrors   %.2000s\nwant     %.2000s\nwarnings %.2000s\nwant     %.2000s", test.name, n,
					got.Errors, errs, got.Warnings, warnings)
			}
			if exceeds := strings.Contains(fmt.Sprint(errs, warnings), test.text); exceeds != (n > test.within) {
				t.Errorf("%s of %d: an error contains %q: %t", test.name, n, test.text, exceeds)
			}
		}
	}
}

// budgeted returns the errors and warnings of rules, as an API server reports them.
func budgeted(v *apicel.Validator, s *structural.Structural, object, old []byte) (errs, warnings []string) {
	var recorded warningRecorder
	ctx := warning.WithWarningRecorder(context.Background(), &recorded)
	value, before := exchange.Decode(object), exchange.Decode(old)
	if before == nil {
		list, _ := v.Validate(ctx, nil, s, value, nil, celconfig.RuntimeCELCostBudget)
		return exchange.Texts(list), recorded
	}
	correlated := apicel.WithRatcheting(common.NewCorrelatedObject(value, before, &model.Structural{Structural: s}))
	list, _ := v.Validate(ctx, nil, s, value, before, celconfig.RuntimeCELCostBudget, correlated)
	return exchange.Texts(list), recorded
}
