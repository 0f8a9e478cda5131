package absence

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	celmodel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// widget is a schema with everything that may be absent.
const widget = `
type: object
required: [req]
properties:
  a: {type: string}
  b: {type: integer}
  f: {type: boolean}
  mode: {type: string, enum: [A, B]}
  req:
    type: object
    properties: {x: {type: string}, d: {type: string, default: q}, nd: {type: string, default: q, nullable: true}}
  o:
    type: object
    required: [r]
    properties: {x: {type: string}, r: {type: string}, p: {type: object, properties: {z: {type: string}}}}
  either:
    type: object
    properties: {x: {type: string}, z: {type: string}}
    oneOf: [{required: [x]}, {required: [z]}]
  single:
    type: object
    minProperties: 1
    maxProperties: 1
    properties: {x: {type: string}, z: {type: string}}
  m: {type: object, additionalProperties: {type: string}}
  mo: {type: object, additionalProperties: {type: object, properties: {x: {type: string}}}}
  l: {type: array, items: {type: object, properties: {x: {type: string}, k: {type: string}}}}
  ln: {type: array, items: {type: object, nullable: true, required: [r], properties: {r: {type: string}}}}
  ls: {type: array, minItems: 1, items: {type: string}}
  e: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
  i: {x-kubernetes-int-or-string: true}
  a-b.c: {type: string}
`

// widgetWith is the schema with rules.
func widgetWith(t testing.TB, rules ...apiext.ValidationRule) *apiext.JSONSchemaProps {
	t.Helper()
	var props apiext.JSONSchemaProps
	if err := yaml.Unmarshal([]byte(widget), &props); err != nil {
		t.Fatal(err)
	}
	props.XValidations = rules
	return &props
}

func structuralOf(t testing.TB, props *apiext.JSONSchemaProps) *structural.Structural {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, &internal, nil); err != nil {
		t.Fatal(err)
	}
	s, err := structural.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compileAt compiles an expression as the API server does for a rule on a node of that type.
func compileAt(decl *apiservercel.DeclType, expression string, optionalOldSelf bool) (*cel.Env, *cel.Ast, error) {
	scoped := decl.MaybeAssignTypeName("selfType")
	old := scoped.CelType()
	if optionalOldSelf {
		old = cel.OptionalType(old)
	}
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", scoped.CelType()), cel.Variable("oldSelf", old)},
		DeclTypes:         []*apiservercel.DeclType{scoped},
	})
	if err != nil {
		return nil, nil, err
	}
	checked, issues := set.StoredExpressionsEnv().Compile(expression)
	return set.StoredExpressionsEnv(), checked, issues.Err()
}

// compiledRules compiles all rules of a schema.
func compiledRules(t testing.TB, s *structural.Structural, isRoot bool, at *schema.Place) ([]expr.Rule,
	[]apiext.ValidationRule) {
	t.Helper()
	placed, rules, err := tryCompiledRules(s, isRoot, at)
	if err != nil {
		t.Fatal(err)
	}
	return placed, rules
}

func tryCompiledRules(s *structural.Structural, isRoot bool, at *schema.Place) (out []expr.Rule,
	rules []apiext.ValidationRule, err error) {
	below := func(s *structural.Structural, at *schema.Place) {
		placed, list, e := tryCompiledRules(s, s.XEmbeddedResource, at)
		out, rules, err = append(out, placed...), append(rules, list...), errors.Join(err, e)
	}
	for _, r := range s.XValidations {
		optional := r.OptionalOldSelf != nil && *r.OptionalOldSelf
		decl := celmodel.SchemaDeclType(s, isRoot)
		if decl == nil {
			err = errors.Join(err, errors.New("a rule on a node without a type"))
			continue
		}
		p := expr.Rule{Place: at, Kube: kube.DefaultRange(),
			Source: &schema.Rule{OptionalOldSelf: &schema.Flag{V: optional}}}
		var e error
		if p.Env, p.Checked, e = compileAt(decl, r.Rule, optional); e != nil {
			err = errors.Join(err, e)
			continue
		}
		p.UsesOldSelf = expr.UsesOldSelf(p.Checked)
		if r.MessageExpression != "" {
			if _, p.Message, e = compileAt(decl, r.MessageExpression, optional); e != nil {
				err = errors.Join(err, e)
			}
		}
		out, rules = append(out, p), append(rules, r)
	}
	for _, name := range sortedKeys(s.Properties) {
		child := s.Properties[name]
		below(&child, &schema.Place{Above: at, Step: schema.InProperty, Name: name})
	}
	if s.Items != nil {
		below(s.Items, &schema.Place{Above: at, Step: schema.InItems})
	}
	if a := s.AdditionalProperties; a != nil && a.Structural != nil {
		below(a.Structural, &schema.Place{Above: at, Step: schema.InValues})
	}
	return out, rules, err
}

// TestReads lists the unguarded reads in all rules of one object.
func TestReads(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		{"self.a == 'x'", "self.a"},
		{"has(self.a) && self.a == 'x'", ""},
		{"self.a == 'x' && has(self.a)", ""},
		{"!has(self.a) || self.a == 'x'", ""},
		{"has(self.a) || self.a == 'x'", "self.a"},
		{"has(self.a) ? self.a == 'x' : true", ""},
		{"has(self.a) ? true : self.a == 'x'", "self.a"},
		{"self.a == 'x' ? true : true", "self.a"},
		{"has(self.o.x)", "self.o"},
		{"has(self.o) && has(self.o.x) && self.o.x == self.o.r", ""},
		{"self.o.p.z == ''", "self.o,self.o.p,self.o.p.z"},
		{"self.req.x == self.req.d", "self.req.x"},
		{"self.req.nd == ''", "self.req.nd"},
		{"has(self.a) == has(self.b) && (!has(self.a) || self.b > 1)", ""},
		{"self.m['q'] == ''", "self.m,self.m['q']"},
		{"has(self.m) && 'q' in self.m && self.m.q == ''", ""},
		{"has(self.m) && self.m.exists(k, k == 'q') && self.m.q == ''", ""},
		{"!has(self.m) || self.m.all(k, self.m[k] == '')", ""},
		{"!has(self.m) || self.m.all(k, v, v == '')", ""},
		{"!has(self.mo) || self.mo.all(k, self.mo[k].x == '')", "self.mo[k].x"},
		{"!has(self.l) || self.l.all(i, i.x == '')", "i.x"},
		{"!has(self.l) || self.l.all(i, has(i.x) && i.x == '')", ""},
		{"!has(self.l) || self.l.filter(i, has(i.x)).all(i, i.x == '')", ""},
		{"!has(self.l) || self.l.filter(i, has(i.x)).map(i, i.x).all(i, i == '')", ""},
		{"!has(self.l) || self.l.filter(i, has(i.k)).map(i, i.x).all(i, i == '')", "i.x"},
		{"!has(self.l) || self.l.exists_one(i, i.x == '')", "i.x"},
		{"!has(self.l) || self.l[0].k == ''", "self.l[0],self.l[0].k"},
		{"!has(self.l) || self.l.size() == 0 || has(self.l[0].k)", ""},
		{"!has(self.l) || self.l.size() < 2 || has(self.l[2].k)", "self.l[2]"},
		{"!has(self.ls) || self.ls[0] == ''", ""},
		{"!has(self.l) || size(self.l.filter(i, has(i.k))) == 0 || self.l.filter(i, has(i.k))[0].k == ''", ""},
		{"!has(self.ln) || self.ln.all(i, i.r == '')", "i.r"},
		{"!has(self.ln) || self.ln.all(i, i == null || i.r == '')", ""},
		{"self.?a.orValue('') == 'x'", ""},
		{"self.?a.orValue('') != 'x' || self.a == 'x'", ""},
		{"self.?a.hasValue() && self.a == 'x'", ""},
		{"self.?a.value() == 'x'", "self.?a.value()"},
		{"self.?o.x.orValue('') == 'x'", ""},
		{"self.?o.optMap(v, v.x == 'x').orValue(true)", "v.x"},
		{"self.?o.optMap(v, v.r == 'x').orValue(true)", ""},
		{"[has(self.a), has(self.b)].filter(x, x == true).size() == 1 && (has(self.a) || self.b == 1)", ""},
		{"[has(self.a), has(self.b)].exists_one(x, x) && (has(self.a) || self.b == 1)", ""},
		{"(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1 && (has(self.a) || self.b == 1)", ""},
		{"has(self.a) || has(self.b)\nhas(self.a) || self.b == 1", ""},
		{"has(self.mode)\nself.mode == 'A' ? has(self.a) : has(self.b)\nself.mode != 'A' || self.a == ''\nself.mode " +
			"!= 'B' || self.b == 1", ""},
		{"self.a == oldSelf.a", "self.a,oldSelf.a"},
		{"has(self.a)\nself.a == oldSelf.a", ""},
		{"has(self.mode)\nself.mode == oldSelf.mode\nself.mode == 'A' ? has(self.a) : true\nself.mode == 'A' ? " +
			"self.a == oldSelf.a : true", ""},
		{"dyn(self).a == ''", "dyn(self).a"},
		{"self.f ? true : true", "self.f"},
		{"self.f || true", ""},
		{"has(self.l) && self.l.exists(i, has(i.x)) ? self.l.exists(i, i.x == '') : true", "i.x"},
		{"self.?l.orValue([]).all(i, has(i.x))\n!has(self.l) || self.l.all(i, i.x == '')", ""},
		{"self.metadata.name == 'x' && self.kind == 'K' && has(self.metadata.generateName)", ""},
		{"self.metadata.generateName == 'x'", "self.metadata.generateName"},
		{"self.e.kind == 'K' && self.e.metadata.name == 'x'", "self.e,self.e.metadata,self.e.metadata.name"},
		{"!has(self.either) || has(self.either.x) || self.either.z == ''", ""},
		{"!has(self.either) || self.either.x == ''", "self.either.x"},
		{"!has(self.single) || has(self.single.x) || self.single.z == ''", ""},
		{"!has(self.single) || !has(self.single.x) || self.single.z == ''", "self.single.z"},
		{"has(self.i) && (type(self.i) == int ? has(self.a) : has(self.b)) && (type(self.i) == string || self.a == '')",
			""},
		{"has(self.a) && self.a == '' || has(self.a) && self.a.size() > 0 || self.a == ''", "self.a"},
		{"self.a__dash__b__dot__c == ''", "self.a__dash__b__dot__c"},
		{"['x', 'y'].all(k, has(self.m) && k in self.m) ? self.m.x == self.m['y'] : true", ""},
		{"has(self.m) && self.a in self.m && self.m[self.a] == ''", "self.a"},
		{"has(self.a) && has(self.m) ? self.m[self.a] == '' : true", "self.m[self.a]"},
		{"self.mode == 'A' ? has(self.a) : true\nself.mode != 'A' || self.a.startsWith('x')", "self.mode,self.mode"},
		{"has(self.a) && self.a.startsWith('x') ? has(self.b) : true\n!has(self.a) || !self.a.startsWith('x') || " +
			"self.b > 0", ""},
		{"!has(self.l) || self.l.all(i, has(i.x) || has(i.k))\n!has(self.l) || self.l.filter(i, !has(i.x)).all(i, " +
			"i.k != '')", ""},
		{"optional.ofNonZeroValue(self.?a.orValue('')).hasValue() ? self.a == 'x' : true", ""},
		{"self.?l[?0].?x.hasValue() ? self.l[0].x == '' : true", ""},
		{"has(self.l) ? self.l.first().x.hasValue() && self.l[0].x == '' : true", ""},
		{"self == oldSelf || self.a == oldSelf.a", "self.a,oldSelf.a"},
		{"self.req == oldSelf.req\nself.req.d == oldSelf.req.d || self.a == ''", ""},
		{"has(self.mode)\n(self.mode == 'A') == (oldSelf.mode == 'A')\nself.mode == oldSelf.mode || self.a == ''", ""},
		{"!has(oldSelf.a) || has(self.a)\n!has(oldSelf.a) || self.a == oldSelf.a", ""},
		{"self.?a == oldSelf.?a", ""},
	} {
		var rules []apiext.ValidationRule
		for rule := range strings.Lines(c.rules) {
			rules = append(rules, apiext.ValidationRule{Rule: strings.TrimSpace(rule)})
		}
		s := structuralOf(t, widgetWith(t, rules...))
		compiled, _ := compiledRules(t, s, true, &schema.Place{})
		var got []string
		for _, f := range findAll(t, s, compiled) {
			for _, r := range f.Reads {
				got = append(got, r.Text)
			}
		}
		if got := strings.Join(got, ","); got != c.want {
			t.Errorf("%s\n   got %s\n  want %s", c.rules, got, c.want)
		}
	}
}

// TestOldSelf is about rules that compare with the old value even if it does not exist.
func TestOldSelf(t *testing.T) {
	for _, c := range []struct {
		rule, want string
		never      bool
	}{
		{"oldSelf.value().req == self.req", "oldSelf.value()", true},
		{"!oldSelf.hasValue() || oldSelf.value().req == self.req", "", false},
		{"!oldSelf.hasValue() || oldSelf.value().a == self.a", "oldSelf.value().a,self.a", false},
		{"oldSelf.optMap(o, o.?a == self.?a).orValue(true)", "", false},
		{"oldSelf.a.orValue('') == self.?a.orValue('')", "", false},
	} {
		yes := true
		s := structuralOf(t, widgetWith(t, apiext.ValidationRule{Rule: c.rule, OptionalOldSelf: &yes}))
		compiled, _ := compiledRules(t, s, true, &schema.Place{})
		var got []string
		for _, f := range findAll(t, s, compiled) {
			for _, r := range f.Reads {
				got = append(got, r.Text)
			}
			if f.Never != c.never {
				t.Errorf("%s: can be created is %t", c.rule, c.never)
			}
		}
		if got := strings.Join(got, ","); got != c.want {
			t.Errorf("%s\n   got %s\n  want %s", c.rule, got, c.want)
		}
	}
}

// TestMessages compares the findings about messageExpressions with the API server's answers: the plain message or the
// computed one.
func TestMessages(t *testing.T) {
	for _, c := range []struct {
		rule, message      string
		optional           bool
		onCreate, onUpdate string // the reads that fail
	}{
		{"self.req == oldSelf.req && false", "'was ' + oldSelf.req.d", false, "", ""},
		{"has(self.a) && false", "'is ' + self.a", false, "self.a", "self.a"},
		{"!has(self.a) && false", "'is ' + self.a", false, "self.a", "self.a"},
		{"has(self.b)", "'is ' + self.req.d", false, "", ""},
		{"has(self.b)", "'was ' + oldSelf.req.d", false, "oldSelf", "oldSelf"},
		{"oldSelf.hasValue() && false", "'was ' + oldSelf.value().req.d", true, "oldSelf.value()", "oldSelf.value()"},
		{"oldSelf.hasValue() && false", "oldSelf.hasValue() ? 'x' : 'y'", true, "oldSelf.hasValue()",
			"oldSelf.hasValue()"},
		{"oldSelf.hasValue() && false", "'was ' + oldSelf.?a.orValue('none')", true, "oldSelf", ""},
		{"oldSelf.hasValue() && false", "'was ' + oldSelf.a.orValue('none')", true, "oldSelf.a.orValue('none')",
			"oldSelf.a.orValue('none')"},
		{"oldSelf.hasValue() && false", "oldSelf.optMap(o, 'x').orValue('none')", true, "oldSelf.optMap(o, 'x')",
			"oldSelf.optMap(o, 'x')"},
	} {
		r := apiext.ValidationRule{Rule: c.rule, Message: "plain", MessageExpression: c.message}
		if c.optional {
			r.OptionalOldSelf = &c.optional
		}
		props := widgetWith(t, r)
		s := structuralOf(t, props)
		compiled, _ := compiledRules(t, s, false, &schema.Place{})
		var got []string
		for _, f := range findAll(t, s, compiled) {
			for _, r := range f.Reads {
				got = append(got, r.Text)
			}
		}
		if got := strings.Join(got, ","); got != c.onCreate {
			t.Errorf("%s\n   got %s\n  want %s", c.message, got, c.onCreate)
		}
		object := map[string]any{"req": map[string]any{}}
		for _, old := range []map[string]any{nil, object} {
			want := c.onCreate
			if old != nil {
				want = c.onUpdate
			}
			j := newJudge(t, props, false)
			var before any
			if old != nil {
				before = j.prepared(old)
			}
			for _, err := range first(j.cel.Validate(t.Context(), nil, j.s, j.prepared(object), before, 1e9)) {
				if (err.Detail == "plain") != (want != "") {
					t.Errorf("%s says %s where %s fails, before %v", c.message, err.Detail, want, old)
				}
			}
		}
	}
}

// TestFixes shows the suggested rules: one that rejects what the rule fails for, and one that accepts it.
func TestFixes(t *testing.T) {
	for _, c := range []struct{ rule, fix, lenient string }{
		{"self.a == 'x'",
			"has(self.a) && self.a == 'x'",
			"!has(self.a) || self.a == 'x'"},
		{"self.a == 'x' && self.b > 1",
			"has(self.a) && self.a == 'x' && has(self.b) && self.b > 1",
			"(!has(self.a) || self.a == 'x') && (!has(self.b) || self.b > 1)"},
		{"has(self.o) || self.a == 'x'",
			"has(self.o) || has(self.a) && self.a == 'x'",
			""},
		{"self.a != 'x' || has(self.o)",
			"has(self.a) && self.a != 'x' || has(self.o)",
			"!has(self.a) || self.a != 'x' || has(self.o)"},
		{"self.a == 'x' ? has(self.b) : true",
			"has(self.a) && (self.a == 'x' ? has(self.b) : true)",
			"has(self.a) && self.a == 'x' ? has(self.b) : true"},
		{"!(self.a == 'x')",
			"has(self.a) && !(self.a == 'x')",
			"!has(self.a) || !(self.a == 'x')"},
		{"!self.f",
			"has(self.f) && !self.f",
			"!has(self.f) || !self.f"},
		{"self.l.size() > 0",
			"has(self.l) && self.l.size() > 0",
			"!has(self.l) || self.l.size() > 0"},
		{"size(self.l) <= 3",
			"has(self.l) && size(self.l) <= 3",
			"!has(self.l) || size(self.l) <= 3"},
		{"self.l.all(i, i.x == '')",
			"has(self.l) && self.l.all(i, has(i.x) && i.x == '')",
			"!has(self.l) || self.l.all(i, !has(i.x) || i.x == '')"},
		{"self.l.exists(i, i.x == '')",
			"has(self.l) && self.l.exists(i, has(i.x) && i.x == '')",
			"!has(self.l) || self.l.exists(i, !has(i.x) || i.x == '')"},
		{"self.o.p.z == self.a",
			"has(self.o) && has(self.o.p) && has(self.o.p.z) && has(self.a) && self.o.p.z == self.a",
			"!has(self.o) || !has(self.o.p) || !has(self.o.p.z) || !has(self.a) || self.o.p.z == self.a"},
		{"has(self.m) && self.m['k'] == ''",
			"has(self.m) && 'k' in self.m && self.m['k'] == ''",
			"has(self.m) && (!('k' in self.m) || self.m['k'] == '')"},
		{"has(self.ls) == (self.l[0].x == '')",
			"has(self.l) && size(self.l) > 0 && has(self.l[0].x) && has(self.ls) == (self.l[0].x == '')",
			"!has(self.l) || size(self.l) == 0 || !has(self.l[0].x) || has(self.ls) == (self.l[0].x == '')"},
		{"!has(self.l) || self.l[1].x == ''",
			"!has(self.l) || size(self.l) > 1 && has(self.l[1].x) && self.l[1].x == ''",
			"!has(self.l) || size(self.l) <= 1 || !has(self.l[1].x) || self.l[1].x == ''"},
		{"self.?a.value() == ''",
			"self.?a.hasValue() && self.?a.value() == ''",
			"!self.?a.hasValue() || self.?a.value() == ''"},
		{"self.l.all(x, !has(x.k) ? x.x == 'Exists' : true)",
			"has(self.l) && self.l.all(x, !has(x.k) ? has(x.x) && x.x == 'Exists' : true)",
			"!has(self.l) || self.l.all(x, !has(x.k) ? !has(x.x) || x.x == 'Exists' : true)"},
		{"self.l.exists_one(i, i.x == '')",
			"has(self.l) && self.l.all(i, has(i.x)) && self.l.exists_one(i, i.x == '')",
			"!has(self.l) || self.l.exists(i, !has(i.x)) || self.l.exists_one(i, i.x == '')"},
		{"'A' in self.ls",
			"has(self.ls) && 'A' in self.ls",
			"!has(self.ls) || 'A' in self.ls"},
		{"self.o != null",
			"has(self.o)",
			""},
		{"null != self.o",
			"has(self.o)",
			""},
		{"self.o == null || self.b > 1",
			"",
			"!has(self.o) || !has(self.b) || self.b > 1"},
		{"!(self.o != null)",
			"",
			"!has(self.o)"},
		{"self.o != null && self.o.p != null",
			"has(self.o) && has(self.o.p)",
			""},
		{"self.o.p != null",
			"has(self.o) && has(self.o.p)",
			""},
		{"self.o.p == null",
			"",
			"!has(self.o) || !has(self.o.p)"},
		{"has(self.a) && self.o.p == null",
			"",
			"has(self.a) && (!has(self.o) || !has(self.o.p))"},
		{"self.b != 1 || self.a != ''",
			"has(self.b) && self.b != 1 || has(self.a) && self.a != ''",
			"!has(self.b) || self.b != 1 || !has(self.a) || self.a != ''"},
		{"has(self.o) || self.a != ''",
			"has(self.o) || has(self.a) && self.a != ''",
			""},
		{"has(self.o) || self.b != 0",
			"has(self.o) || has(self.b) && self.b != 0",
			""},
		{"!(self.a != '')",
			"has(self.a) && !(self.a != '')",
			"!has(self.a) || !(self.a != '')"},
		{"has(self.a) != (self.b > 0)",
			"has(self.b) && has(self.a) != (self.b > 0)",
			"!has(self.b) || has(self.a) != (self.b > 0)"},
		{"has(self.l) ? self.l.map(i, i.x).all(x, x == '') : true",
			"has(self.l) ? self.l.all(i, has(i.x)) && self.l.map(i, i.x).all(x, x == '') : true",
			"has(self.l) ? self.l.exists(i, !has(i.x)) || self.l.map(i, i.x).all(x, x == '') : true"},
		{"'ä' != 'ö' && self.a == '\\'' // ü",
			"'ä' != 'ö' && has(self.a) && self.a == '\\'' // ü",
			"'ä' != 'ö' && (!has(self.a) || self.a == '\\'') // ü"},
		{"self.a == r'\\' && self\n  .a == \"\"\"b\n\"\"\"",
			"",
			"(!has(self.a) || self.a == r'\\') && (!has(self\n  .a) || self\n  .a == \"\"\"b\n\"\"\")"},
	} {
		s := structuralOf(t, widgetWith(t, apiext.ValidationRule{Rule: c.rule}))
		compiled, _ := compiledRules(t, s, true, &schema.Place{})
		found := findAll(t, s, compiled)
		if len(found) != 1 || found[0].Fix != c.fix || found[0].Lenient != c.lenient {
			t.Errorf("%s\n   got %+v\n  want %s\n    or %s", c.rule, found, c.fix, c.lenient)
		}
	}
}

// FuzzFind looks for rules that make the analysis fail, and for positions outside of the text.
func FuzzFind(f *testing.F) {
	for _, rule := range []string{
		"self.a == 'x'", "self.l.filter(i, has(i.x))[0].k == 'ä'",
		"self.m.all(k, v, k in self.m && v == self.?a.orValue(''))",
		"self.l.map(i, i.x).sort() == [self.a]",
		"self.?o.?p.optFlatMap(p, p.?z).or(self.?a).value() == {'a': self.b}[self.a]",
		"self.ls.transformMap(i, v, v.size() > i, self.l[i].x).exists_one(k, k == 1)", "has(self.o) ? self.o : self.o",
	} {
		f.Add(rule)
	}
	decl := celmodel.SchemaDeclType(structuralOf(f, widgetWith(f)), true)
	f.Fuzz(func(t *testing.T, rule string) {
		if _, checked, err := compileAt(decl, rule, false); err != nil || checked.OutputType() != cel.BoolType {
			return
		}
		s := structuralOf(t, widgetWith(t, apiext.ValidationRule{Rule: rule}))
		compiled, _ := compiledRules(t, s, true, &schema.Place{})
		for _, f := range findAll(t, s, compiled) {
			for _, r := range f.Reads {
				if r.Start >= r.End || r.End > len(rule) || rule[r.Start:r.End] != r.Text {
					t.Errorf("%s: %q is not at %d to %d", rule, r.Text, r.Start, r.End)
				}
			}
		}
	})
}

func first[A, B any](a A, _ B) A { return a }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// TestLimits has rules whose analysis would take too long.
func TestLimits(t *testing.T) {
	loops := "true"
	for i := range 7 {
		loops = fmt.Sprintf("self.l.all(i%d, self.l[%d].x == i%d.x && %s)", i, i%4, i, loops)
	}
	unions, sums := "true", "0"
	for i := range 24 {
		unions = fmt.Sprintf("(%s) && (self.m['a%d'] == 'x' || self.m['b%d'] == self.m['c%d'])", unions, i, i, i)
		sums += fmt.Sprintf(" + ('k%d' in self.m ? size(self.m['k%d']) : %d)", i, i, i)
	}
	for i, rule := range []string{
		loops, unions, sums + " > 0",
		"self.?a" + strings.Repeat(".optMap(v, v + v)", 6) + ".hasValue()",
		"self.?a" + strings.Repeat(".optMap(v, [v, v])", 6) + ".hasValue()",
	} {
		s := structuralOf(t, widgetWith(t, apiext.ValidationRule{Rule: rule}))
		compiled, _ := compiledRules(t, s, true, &schema.Place{})
		if _, undecided := Find(t.Context(), s, compiled); (undecided != nil) != (i < 2) {
			t.Errorf("%.40s… is decided: %v", rule, undecided == nil)
		}
	}
}

// TestPresence evaluates both suggested rules with the API server's code for an object that has none of the optional
// fields: one rejects it, and the other one accepts it. For comparisons with null, one of them may say nothing at all.
func TestPresence(t *testing.T) {
	for _, c := range []struct {
		rule         string
		fix, lenient bool
	}{
		{"self.o != null", true, false},
		{"null != self.o", true, false},
		{"self.o == null", false, true},
		{"null == self.o", false, true},
		{"!(self.o != null)", false, true},
		{"self.o.p != null", true, false},
		{"self.o.p == null", false, true},
		{"self.o == null || self.o.p != null", false, false},
		{"self.a != ''", true, true},
		{"has(self.o) || self.a != ''", true, false},
		{"self.b != 0", true, true},
		{"size(self.l) > 0", true, true},
		{"self.b > 0", true, true},
		{"self.f", true, true},
		{"self.f == true", true, true},
		{"[self.o].all(x, !has(x.r) ? x.x == 'Exists' : true)", true, true},
	} {
		props := widgetWith(t, apiext.ValidationRule{Rule: c.rule})
		compiled, _ := compiledRules(t, structuralOf(t, props), true, &schema.Place{})
		found := findAll(t, structuralOf(t, props), compiled)
		if len(found) != 1 || c.fix != (found[0].Fix != "") || c.lenient != (found[0].Lenient != "") {
			t.Errorf("%s: %+v is suggested", c.rule, found)
			continue
		}
		for _, text := range []string{found[0].Fix, found[0].Lenient} {
			if text == "" {
				continue
			}
			j := newJudge(t, widgetWith(t, apiext.ValidationRule{Rule: text}), true)
			errs, ok := j.verdict(map[string]any{"req": map[string]any{}}, nil)
			if accepted := text == found[0].Lenient; !ok || accepted != (len(errs) == 0) {
				t.Errorf("%s: %s: %v", c.rule, text, errs)
			}
		}
	}
}

// findAll looks through rules that are few enough to decide all of them.
func findAll(t *testing.T, s *structural.Structural, rules []expr.Rule) []Finding {
	t.Helper()
	found, undecided := Find(t.Context(), s, rules)
	if undecided != nil {
		t.Errorf("%s is not decided", undecided.Rule.Source.Rule.V)
	}
	return found
}
