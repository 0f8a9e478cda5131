package gocode_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/schema"
)

// TestCosts compares what rules cost at run time with what cel-go counts: those that together use all of the language
// and of its libraries, on random objects.
func TestCosts(t *testing.T) {
	crd := manyRules(t)[0]
	kind := ruleKind(t, crd, 0)
	kind.Uncounted = 1
	files, found := gocode.RuleFiles(gocode.Package{Name: "main", Kinds: []gocode.Kind{kind}})
	for _, d := range found {
		t.Fatal(d.Message)
	}
	s := resources(t, []*schema.CRD{crd})[crd.Kind.V].schema
	meter := newMeter(t, s)
	files = withTable(files)
	files["costs.go"] = fmt.Appendf(nil, costsProgram, len(meter.texts))
	p := &program{}
	p.run(t, exec.Command(build(t, "testdata/program", files)))
	random := ruleMaker{rand.New(rand.NewPCG(*seed, 1))}
	wrong, total := map[string]int{}, 0
	for range objectCount() {
		object, old := random.update(s)
		got := p.ask(t, "Costs", object, old).Warnings
		for i := range meter.rules {
			want := meter.cost(t, i, object, old)
			total++
			isSame := func() bool { return want < 0 || got[i] == strconv.FormatInt(want, 10) }
			for n := 0; n < 20 && !isSame(); n++ { // the order of a map may differ
				want = meter.cost(t, i, object, old)
			}
			if !isSame() {
				if wrong[meter.texts[i]]++; wrong[meter.texts[i]] == 1 {
					t.Errorf("%s costs %s, want %d\nobject %s\nold    %s", meter.texts[i], got[i], want, object, old)
				}
			}
		}
	}
	t.Logf("%d evaluations, %d rules differ", total, len(wrong))
}

// costsProgram is a helper that returns the costs of rules as warnings.
const costsProgram = `package main

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func init() {
	helpers["Costs"] = func(old, object map[string]any) (field.ErrorList, []string) {
		var costs []string
		for i := range %d {
			before := any(nil)
			if old != nil {
				before = old
			}
			costs = append(costs, strconv.FormatUint(crdRuleCosts.cost(i+1, false, object, before, 1<<60), 10))
		}
		return nil, costs
	}
}
`

// A meter evaluates the rules of a resource with cel-go.
type meter struct {
	schema *model.Structural
	texts  []string
	rules  []apicel.CompilationResult
}

// newMeter compiles the rules of a resource, each text once.
func newMeter(t *testing.T, s *structural.Structural) *meter {
	t.Helper()
	results, err := apicel.Compile(s, model.SchemaDeclType(s, true), math.MaxInt64,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), apicel.StoredExpressionsEnvLoader())
	if err != nil {
		t.Fatal(err)
	}
	m := &meter{schema: &model.Structural{Structural: model.WithTypeAndObjectMeta(s)}}
	for i, r := range results {
		if text := s.XValidations[i].Rule; !slices.Contains(m.texts, text) {
			m.texts, m.rules = append(m.texts, text), append(m.rules, r)
		}
	}
	return m
}

// cost returns what a rule costs, -1 if it is not evaluated.
func (m *meter) cost(t *testing.T, rule int, object, old []byte) int64 {
	t.Helper()
	r := m.rules[rule]
	vars := map[string]any{"self": common.UnstructuredToVal(exchange.Decode(object), m.schema)}
	if before := exchange.Decode(old); before != nil {
		vars["oldSelf"] = common.UnstructuredToVal(before, m.schema)
	}
	if r.UsesOldSelf && vars["oldSelf"] == nil {
		return -1
	}
	_, details, _ := r.Program.ContextEval(t.Context(), vars)
	if details == nil || details.ActualCost() == nil {
		t.Fatalf("%s has no cost", m.texts[rule])
	}
	return int64(*details.ActualCost())
}
