package gocode_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode"
	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// TestRules checks rules that together use all of the language and of its libraries, on random objects that are nearly
// what the schema says, and now and then not. Errors, warnings and their texts are those of the API server's library.
func TestRules(t *testing.T) {
	crds := append(manyRules(t), readRules(t, "testdata/rules/places.yaml")...)
	crds = append(crds, readRules(t, "testdata/rules/unreached.yaml")...)
	p := startRules(t, crds)
	random := ruleMaker{rand.New(rand.NewPCG(*seed, 0))}
	for _, crd := range crds {
		kind, j := crd.Kind.V, newRuleJudge(p.resources[crd.Kind.V].schema)
		outcomes := map[bool]int{}
		for range objectCount() / 5 {
			object, old := random.update(j.schema)
			got := p.ask(t, "Check"+kind+"Rules", object, old)
			errs, warnings := j.judge(object, old)
			missing, extra := differences(errs, got.Errors)
			// The reported one of several failures in a value may differ.
			for n := 0; n < 20 && (missing != nil || extra != nil); n++ {
				errs, warnings = j.judge(object, old)
				missing, extra = differences(errs, got.Errors)
			}
			outcomes[len(errs) > 0]++
			if missing != nil || extra != nil {
				t.Errorf("%s\nobject %s\nold    %s\nmissing errors %s\nextra errors   %s", kind, object, old,
					list(missing), list(extra))
			}
			if missing, extra := differences(warnings, got.Warnings); missing != nil || extra != nil {
				t.Errorf("%s\nobject %s\nold    %s\nmissing warnings %s\nextra warnings   %s", kind, object, old,
					list(missing), list(extra))
			}
		}
		t.Logf("%s: %d objects break rules, %d do not", kind, outcomes[true], outcomes[false])
	}
}

// manyRules is a kind with all rules of a file.
func manyRules(t *testing.T) []*schema.CRD {
	t.Helper()
	var root map[string]any
	if err := yaml.Unmarshal(readFile(t, "testdata/rules/everything.yaml"), &root); err != nil {
		t.Fatal(err)
	}
	var rules []any
	for line := range strings.Lines(string(readFile(t, "testdata/rules/everything.txt"))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		rule := map[string]any{"rule": line}
		if value, ok := strings.CutPrefix(line, "= "); ok {
			// A rule that fails if the expression fails, and reports its value otherwise.
			rule = map[string]any{"rule": "[dyn(" + value + ")].size() == 0", "messageExpression": "'%s'.format([dyn(" +
				value + ")])"}
		}
		rules = append(rules, rule)
	}
	root["x-kubernetes-validations"] = rules
	return []*schema.CRD{kindOf(t, "Everything", root)}
}

func readRules(t *testing.T, name string) []*schema.CRD {
	t.Helper()
	return decodeRules(t, name, readFile(t, name))
}

func decodeRules(t *testing.T, name string, data []byte) (crds []*schema.CRD) {
	t.Helper()
	docs, found := read.Documents(&diag.Source{Path: name, Data: data})
	for _, d := range found {
		t.Errorf("%s: %s", name, d.Message)
	}
	for _, doc := range docs {
		crds = append(crds, doc.CRD)
	}
	return crds
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ruleKind is a version of a kind with its rules, which compile.
func ruleKind(t *testing.T, crd *schema.CRD, version int) gocode.Kind {
	t.Helper()
	root := crd.Versions[version].Schema
	structure, err := kube.Structural(root)
	if err != nil {
		t.Fatal(err)
	}
	rules, found := expr.Compile(version, root, structure,
		expr.Options{Kube: kube.Range{First: kube.Latest(), Last: kube.Latest()}})
	for _, d := range found {
		t.Errorf("%s: %s", crd.Kind.V, d.Message)
	}
	return gocode.Kind{Name: crd.Kind.V, CRD: crd, Version: version, Rules: rules}
}

// startRules builds and starts a program that checks the rules of kinds and nothing else.
func startRules(t *testing.T, crds []*schema.CRD) *program {
	t.Helper()
	out := gocode.Package{Name: "main"}
	for _, crd := range crds {
		out.Kinds = append(out.Kinds, ruleKind(t, crd, 0))
	}
	files, found := gocode.RuleFiles(out)
	for _, d := range found {
		t.Errorf("%s", d.Message)
	}
	if t.Failed() {
		t.FailNow()
	}
	p := &program{resources: resources(t, crds)}
	p.run(t, exec.Command(build(t, "testdata/program", withTable(files))))
	return p
}

// A ruleJudge is the API server's library.
type ruleJudge struct {
	schema    *structural.Structural
	validator *apicel.Validator
}

func newRuleJudge(s *structural.Structural) ruleJudge {
	return ruleJudge{s, apicel.NewValidator(s, true, math.MaxInt64)}
}

// judge returns errors and warnings; old is nil for a new object.
func (j ruleJudge) judge(object, old []byte) (errs, warnings []string) {
	var recorded warningRecorder
	ctx := warning.WithWarningRecorder(context.Background(), &recorded)
	value := exchange.Decode(object)
	var before any
	var options []apicel.Option
	if decoded := exchange.Decode(old); decoded != nil {
		before = decoded
		options = append(options, apicel.WithRatcheting(common.NewCorrelatedObject(value, before,
			&model.Structural{Structural: j.schema})))
	}
	list, _ := j.validator.Validate(ctx, nil, j.schema, value, before, math.MaxInt64, options...)
	return exchange.Texts(list), recorded
}

type warningRecorder []string

func (r *warningRecorder) AddWarning(_, text string) { *r = append(*r, text) }

// differences are what is only in one of two lists, whose order does not count: the library goes through maps.
func differences(want, got []string) (missing, extra []string) {
	count := map[string]int{}
	for _, text := range want {
		count[text]++
	}
	for _, text := range got {
		if count[text]--; count[text] < 0 {
			extra = append(extra, text)
			count[text] = 0
		}
	}
	for text, n := range count {
		if n > 0 {
			missing = append(missing, text)
		}
	}
	slices.Sort(missing)
	return missing, extra
}

func list(texts []string) string { return "\n\t" + strings.Join(texts, "\n\t") }

// A ruleMaker makes random objects for rules.
type ruleMaker struct{ *rand.Rand }

// update makes an object, and every other time an old one, which is much like it.
func (m ruleMaker) update(s *structural.Structural) (object, old []byte) {
	value := m.value(s)
	object = exchange.Exact(value.(map[string]any))
	if m.IntN(2) == 0 {
		return object, nil
	}
	before := exchange.Decode(object)
	for name, below := range s.Properties {
		if m.IntN(4) == 0 {
			before[name] = m.value(&below)
		}
	}
	if below, ok := s.Properties["spec"]; ok && m.IntN(3) > 0 {
		if spec, ok := before["spec"].(map[string]any); ok {
			m.change(spec, &below)
		}
	}
	return object, exchange.Exact(before)
}

// change gives an object some other fields.
func (m ruleMaker) change(object map[string]any, s *structural.Structural) {
	for name, below := range s.Properties {
		if m.IntN(4) == 0 {
			object[name] = m.value(&below)
		}
	}
}

// value makes a value of a schema, seldom one of another type.
func (m ruleMaker) value(s *structural.Structural) any {
	switch n := m.IntN(60); {
	case s.Type == "object" && s.Properties != nil && s.Properties["kind"].Type != "":
	case n == 0:
		return m.scalar()
	case n == 1 || s.Nullable && n < 15:
		return nil
	case s.XIntOrString:
		return []any{"50%", "a", int64(1), int64(3)}[m.IntN(4)]
	}
	switch s.Type {
	case "array":
		items := []any{}
		for range m.IntN(4) {
			items = append(items, m.value(s.Items))
		}
		return items
	case "object":
		return m.object(s)
	case "integer":
		if m.IntN(40) == 0 {
			return []any{int64(math.MaxInt64), int64(math.MinInt64), 2.0}[m.IntN(3)]
		}
		return int64(m.IntN(5) - 1)
	case "number":
		return []any{int64(2), 1.0, -1.5, 0.25, 0.0}[m.IntN(5)]
	case "boolean":
		return m.IntN(2) == 0
	case "string":
		format := ""
		if s.ValueValidation != nil {
			format = s.ValueValidation.Format
		}
		return m.text(format)
	}
	if s.Properties != nil {
		return m.object(s)
	}
	return m.scalar()
}

func (m ruleMaker) object(s *structural.Structural) map[string]any {
	object := map[string]any{}
	for name, below := range s.Properties {
		if m.IntN(5) > 0 {
			object[name] = m.value(&below)
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
		for range m.IntN(3) {
			object[[]string{"a", "b", "cpu", "x.y/z"}[m.IntN(4)]] = m.value(s.AdditionalProperties.Structural)
		}
	}
	if s.XPreserveUnknownFields && m.IntN(2) == 0 {
		object["unknown"] = m.scalar()
	}
	if s.XEmbeddedResource || s.Properties["kind"].Type != "" {
		object["apiVersion"], object["kind"], object["metadata"] = "v1", "Kind", map[string]any{"name": m.text("")}
	}
	return object
}

func (m ruleMaker) scalar() any {
	return []any{"a", int64(1), 1.5, true, map[string]any{}, []any{"a"}}[m.IntN(6)]
}

// text is a string of a format, seldom not.
func (m ruleMaker) text(format string) string {
	texts := map[string][]string{
		"byte":      {"YWJj", "", "YWJk"},
		"date":      {"2020-01-01", "2021-02-28"},
		"date-time": {"2020-01-01T00:00:00Z", "2020-07-01T12:30:45.123+02:00", "1999-12-31T23:59:59Z"},
		"duration":  {"1h", "90m30s", "2 days", "0s"},
	}[format]
	if texts == nil {
		texts = []string{"a", "b", "ab", "", "a.b.c", "12", "1.5", "true", "ä€", "1h", "2020-01-01T00:00:00Z", "10Gi",
			"500m", "192.168.0.1", "::1",
			"10.0.0.0/8", "http://x.y/z", "https://a.b:80/c?d=e", "1.2.3", "3.0.0-beta", "[", "none", "Aa", " a ",
			"x-y"}
		if m.IntN(2) == 0 {
			texts = texts[:3]
		}
	}
	if m.IntN(50) == 0 {
		return "wrong"
	}
	return texts[m.IntN(len(texts))]
}
