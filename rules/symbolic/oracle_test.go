package symbolic_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	apicel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdproof/crdproof/rules/symbolic"
)

var (
	randomRounds = flag.Int("rounds", 60, "number of random schemas, each with a pair of rules")
	randomSeed   = flag.Uint64("seed", 1, "the first of their seeds")
)

// A field is a property that random schemas may have: its schema, and its values in small objects.
type field struct {
	schema string
	values []any
}

// fields are those of random schemas.
func fields() map[string]field {
	items := []any{map[string]any{}, map[string]any{"k": "A"}, map[string]any{"k": "B"}, map[string]any{"o": "A"},
		map[string]any{"k": "A", "o": "B"}}
	return map[string]field{
		"a": {"{type: string, maxLength: 2}", []any{"", "A", "B", "CC", "a", " A", "b-", "-"}},
		"e": {"{type: string, enum: [A, B]}", []any{"A", "B"}},
		"i": {"{type: integer, minimum: 0, maximum: 3}", []any{int64(0), int64(1), int64(2), int64(3)}},
		"j": {"{type: integer, minimum: -4, maximum: 6}", []any{int64(-4), int64(-3), int64(-1), int64(0), int64(1), int64(2),
			int64(3), int64(4), int64(6)}},
		"g": {"{type: integer}", []any{int64(-1 << 63), int64(-1), int64(0), int64(2), int64(1<<63 - 1)}},
		"t": {"{type: string, format: duration}", []any{"-1s", "0s", "1s", "90m", "1h30m", "2h"}},
		"w": {"{x-kubernetes-int-or-string: true}", []any{int64(-1), int64(0), int64(1), int64(2), int64(5), "", "A", "B", "AA"}},
		"f": {"{type: boolean}", []any{true, false}},
		"d": {"{type: string, enum: [A, B], default: A}", []any{"A", "B"}},
		"u": {"{type: string, nullable: true}", []any{nil, "A", "B"}},
		"l": {"{type: array, maxItems: 3, items: {type: object, properties: {k: {type: string}, o: {type: string}}}}",
			lists(items, 3)},
		"s": {"{type: array, maxItems: 2, items: {type: string}}", lists([]any{"A", "B", "CC"}, 2)},
		"m": {"{type: object, maxProperties: 2, additionalProperties: {type: string}}", []any{map[string]any{},
			map[string]any{"k": "A"}, map[string]any{"k": "B"}, map[string]any{"l": "A"}, map[string]any{"z": "B"},
			map[string]any{"k": "A", "l": "B"}, map[string]any{"k": "B", "z": "A"}, map[string]any{"y": "A", "z": "B"}}},
		"b": {"{type: object, required: [x], properties: {x: {type: string}, t: {type: string}}}", []any{
			map[string]any{"x": "A"}, map[string]any{"x": "B"}, map[string]any{"x": "A", "t": "A"},
			map[string]any{"x": "A", "t": "B"}}},
	}
}

// lists are all lists of up to n items.
func lists(items []any, n int) []any {
	out := []any{[]any{}}
	for last := out; n > 0; n-- {
		var longer []any
		for _, list := range last {
			for _, item := range items {
				longer = append(longer, append(slices.Clip(list.([]any)), item))
			}
		}
		out, last = append(out, longer...), longer
	}
	return out
}

// A generator makes a random schema with a pair of rules.
type generator struct {
	*rand.Rand
	// names are the fields of the schema.
	names []string
}

func (g *generator) one(list ...string) string { return list[g.IntN(len(list))] }

// schema is that of spec, with some of the fields.
func (g *generator) schema() string {
	all := []string{"a", "e", "i", "f", "d", "u", "l", "s", "m", "b", "j", "g", "t", "w"}
	if g.IntN(3) == 0 { // which are compared
		all = []string{"i", "j", "g"}
	}
	g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	g.names = all[:2]
	if g.IntN(2) == 0 && !slices.Contains(g.names, "l") {
		g.names = all[:3]
	}
	var out, required []string
	for _, name := range g.names {
		out = append(out, name+": "+fields()[name].schema)
		if g.IntN(4) == 0 {
			required = append(required, name)
		}
	}
	return fmt.Sprintf("type: object\nrequired: [%s]\nproperties:\n  %s", strings.Join(required, ", "),
		strings.Join(out, "\n  "))
}

// rule returns a rule, and one that is like it, or nearly so.
func (g *generator) rule(depth int) (x, y string) {
	if depth == 0 || g.IntN(5) == 0 {
		x = "(" + g.condition() + ")"
		if y = x; g.IntN(8) == 0 {
			y = "(" + g.condition() + ")"
		}
		return x, y
	}
	a, b := g.rule(depth - 1)
	c, d := g.rule(depth - 1)
	switch g.IntN(8) {
	case 0:
		return "(" + a + " && " + c + ")", g.one("("+d+" && "+b+")", "!(!"+b+" || !"+d+")", "("+b+" ? "+d+" : false)")
	case 1:
		return "(" + a + " || " + c + ")", g.one("("+d+" || "+b+")", "!(!"+b+" && !"+d+")", "("+b+" ? true : "+d+")")
	case 2:
		return "!" + a, g.one("!"+b, "("+b+" ? false : true)", b)
	case 3:
		e, f := g.rule(depth - 1)
		return "(" + a + " ? " + c + " : " + e + ")", g.one("("+b+" ? "+d+" : "+f+")", "(!"+b+" ? "+f+" : "+d+")")
	case 4:
		return "(" + a + " == " + c + ")", g.one("("+b+" == "+d+")", "("+d+" == "+b+")", "("+b+" != !"+d+")")
	case 5, 6: // with a guard
		name := "self." + g.one(g.names...)
		return a, g.one("(has("+name+") && "+b+")", "(!has("+name+") || "+b+")")
	}
	return a, b
}

// condition is a condition on a field.
func (g *generator) condition() string {
	name := g.one(g.names...)
	self := "self." + name
	if g.IntN(4) == 0 {
		return "has(" + self + ")"
	}
	text := func(of string) string {
		return of + g.one(" == 'A'", " != 'A'", " == 'B'", " in ['A', 'B']", ".size() > 1", ".startsWith('A')")
	}
	item := func(x string) string {
		return g.one("has("+x+".k)", "has("+x+".o)", text(x+".k"), text(x+".o"), "has("+x+".k) && "+text(x+".k"),
			"!has("+x+".k) ? "+text(x+".o")+" : true", x+".k == "+x+".o", x+".?k.orValue('A') == 'A'")
	}
	if g.IntN(4) == 0 {
		if hard := g.hard(name); hard != "" {
			return hard
		}
	}
	switch name {
	case "i", "j", "g":
		other := "self." + g.one(g.names...)
		if !slices.Contains([]string{"self.i", "self.j", "self.g"}, other) || g.IntN(2) == 0 {
			return self + g.one(" == 1", " > 0", " <= 1", " != 2", " in [0, 1]", " + 1 > 2", " >= 0", " % 2 == 0", " % 4 == 2",
				" % 4 == -1", " % 2 != 1", " - 3 < 0", " - 1 == 1")
		}
		return self + g.one("", " + 1", " - 1", " + 2", " - 3") + g.one(" < ", " <= ", " == ", " > ", " >= ", " != ") + other +
			g.one("", "", " + 1", " - 2", " + 1 - 2")
	case "t":
		return self + g.one(" > duration('0s')", " >= duration('1s')", " == duration('90m')", " != duration('5400s')",
			" <= duration('1h')", " < duration('2h')", " < duration('1h') || self.t == duration('2h')")
	case "w":
		return g.one("type(self.w) == int", "type(self.w) == string", "(type(self.w) == int ? self.w > 0 : true)",
			"(type(self.w) == string || self.w >= 1)", "self.w == 1", "self.w == 'A'", "self.w < 3", "self.w.startsWith('A')",
			"(type(self.w) == string ? self.w.matches('^A+$') : self.w != 5)",
			"(type(self.w) == int || self.w.contains('B'))", "self.w <= 'A'")
	case "f":
		return g.one(self, "("+self+" == true)")
	case "l":
		return g.one(self+".all(x, "+item("x")+")", self+".exists(x, "+item("x")+")", self+".exists_one(x, "+item("x")+")",
			self+".filter(x, "+item("x")+").all(x, "+item("x")+")", self+".filter(x, "+item("x")+").size() > 0",
			self+".all(x, "+self+".exists(y, x.k == y.o))", item(self+"[0]"), self+".size() > 1", self+" == []",
			self+".filter(x, "+item("x")+").size() == 1", "1 == size("+self+".filter(x, "+item("x")+"))",
			"'A' in "+self+".map(x, x.?k.orValue('B'))", "'A' in "+self+".filter(x, has(x.o)).map(x, x.o)",
			self+".map(x, "+item("x")+").exists(x, x)", self+".all(i, x, i > 0 || "+item("x")+")")
	case "s":
		return g.one(self+".all(x, "+text("x")+")", self+".exists(x, "+text("x")+")", "'A' in "+self, self+"[1] == 'A'",
			self+".size() > 0", self+" == ['A']", self+".exists_one(x, "+text("x")+")",
			self+".filter(x, "+text("x")+").size() == 1", self+".all(x, x.lowerAscii() != 'a')")
	case "m":
		return g.one("'k' in "+self, text(self+"['k']"), self+".all(k, "+text(self+"[k]")+")", self+".size() > 1",
			self+".exists(k, k == 'l')", self+".all(k, v, k != 'k' || "+text("v")+")")
	case "b":
		return g.one("has("+self+".t)", text(self+".t"), text(self+".x"), "("+self+".x == "+self+".t)",
			self+".?t.orValue('B') == 'B'")
	}
	return g.one(text(self), "self.?"+name+".orValue('B') == 'B'", "self.?"+name+".hasValue()")
}

// hard is a condition that the engine may take for another one if it is not careful: about pairs of items, items that
// represent no others, and functions that fail. It is "" for some fields.
func (g *generator) hard(name string) string {
	self := "self." + name
	switch name {
	case "a":
		return g.one("int(self.a) > 1", "self.a.substring(1) == 'C'", "self.a.charAt(0) == 'A'",
			"self.a.substring(0, 1) == 'A'", "self.a.lowerAscii() == 'a'", "self.a.upperAscii() != 'A'",
			"self.a.trim() == 'A'", "self.a.lowerAscii() == self.a", "self.a.split('').size() == 2",
			"!format.dns1123Label().validate(self.a).hasValue()", "!format.dns1123Subdomain().validate(self.a).hasValue()",
			"self.a.lowerAscii().trim() == 'a'", "self.a.split(' ')[1] == 'A'")
	case "i":
		return "1 / self.i > 0"
	case "l":
		if slices.Contains(g.names, "s") && g.IntN(2) == 0 {
			return "self.l." + g.one("exists", "all") + "(x, has(x.k) && self.s.filter(y, y == x.k).size() " +
				g.one("== 1", "> 0", "== 0") + ")"
		}
		return g.one(self+".exists(x, "+self+".exists(y, has(x.k) && has(y.k) && x.k != y.k))",
			self+".all(x, "+self+".exists(y, has(x.k) != has(y.k)))", self+".filter(x, has(x.k))[0].k == 'A'",
			self+".filter(x, has(x.o)).map(x, x.o)[1] == 'A'", self+"["+self+".size() - 1].k == 'A'",
			self+".all(i, x, has(x.k) == has("+self+"["+self+".size() - 1 - i].k))")
	case "s":
		return g.one(self+".exists(x, "+self+".exists(y, x != y))", self+".filter(x, x != 'A')[0] == 'B'",
			self+"["+self+".size() - 1] == 'A'", self+".all(x, "+self+".exists_one(y, x == y))",
			self+".last().orValue('B') == 'A'", self+".map(x, x == 'A')[0]")
	case "m":
		return g.one(self+".exists(j, "+self+".exists(k, j != k))", self+".exists(k, "+self+".all(j, "+self+"[j] == "+self+"[k]))")
	}
	return ""
}

// objects are all small objects of the schema, as they are after defaulting.
func (g *generator) objects(structure *structural.Structural) (out []map[string]any) {
	specs := []map[string]any{{}}
	for _, name := range g.names {
		for _, spec := range slices.Clone(specs) {
			for _, value := range fields()[name].values {
				with := map[string]any{name: value}
				for other, value := range spec {
					with[other] = value
				}
				specs = append(specs, with)
			}
		}
	}
	validator := validation.NewSchemaValidatorFromOpenAPI(structure.ToKubeOpenAPI())
	for _, spec := range specs {
		object := runtime.DeepCopyJSON(map[string]any{"apiVersion": "example.com/v1", "kind": "Thing",
			"metadata": map[string]any{"name": "a"}, "spec": spec})
		defaulting.PruneNonNullableNullsWithoutDefaults(object, structure)
		defaulting.Default(object, structure)
		if len(validation.ValidateCustomResource(nil, object, validator)) == 0 {
			out = append(out, object)
		}
	}
	return out
}

// A judge is the API server's validation of a schema with one rule.
type judge struct {
	structure *structural.Structural
	cel       *apicel.Validator
}

func newJudge(structure *structural.Structural, rule string) judge {
	copied := structure.DeepCopy()
	spec := copied.Properties["spec"]
	spec.XValidations = apiext.ValidationRules{{Rule: rule, Message: "false"}}
	copied.Properties["spec"] = spec
	return judge{copied, apicel.NewValidator(copied, true, 10_000_000)}
}

// outcome is what the rule does with an object.
func (j judge) outcome(t *testing.T, object map[string]any) symbolic.Outcomes {
	t.Helper()
	switch errs, _ := j.cel.Validate(t.Context(), nil, j.structure, object, nil, 1e9); {
	case len(errs) == 0:
		return symbolic.True
	case errs[0].Detail == "false":
		return symbolic.False
	}
	return symbolic.Fails
}

// TestRandom asks about random rules. The API server's code evaluates them for all small objects: if the answer is no,
// none of these may be such an object; if it is yes, the object that is returned must be one.
func TestRandom(t *testing.T) {
	outcomes := []symbolic.Outcomes{symbolic.True, symbolic.False, symbolic.Fails}
	answers, equal := map[symbolic.Answer]int{}, map[symbolic.Answer]int{}
	objects, rounds := 0, *randomRounds
	if testing.Short() {
		rounds = min(rounds, 20)
	}
	for n := range rounds {
		g := &generator{Rand: rand.New(rand.NewPCG(*randomSeed+uint64(n), 1))}
		var texts [2]string
		schema := g.schema()
		texts[0], texts[1] = g.rule(3)
		structure, rules, err := compile(crd(schema, texts[:]...))
		if err != nil {
			t.Fatalf("%s\n%q: %v", schema, texts, err)
		}
		judges := [2]judge{newJudge(structure, texts[0]), newJudge(structure, texts[1])}
		found := map[[2]symbolic.Outcomes]map[string]any{}
		for _, object := range g.objects(structure) {
			found[[2]symbolic.Outcomes{judges[0].outcome(t, object), judges[1].outcome(t, object)}] = object
			objects++
		}
		all := symbolic.Of(t.Context(), structure, nil)
		for _, x := range outcomes {
			for _, y := range outcomes {
				answer, shown := all.Exists(symbolic.Claim{Rule: &rules[0], Outcomes: x},
					symbolic.Claim{Rule: &rules[1], Outcomes: y})
				answers[answer]++
				object := found[[2]symbolic.Outcomes{x, y}]
				if answer == symbolic.No && object != nil {
					t.Errorf("seed %d: no object, but %v\n%s\n%s\n%s", n, object["spec"], texts[0], texts[1], schema)
				}
				if answer == symbolic.Yes &&
					(judges[0].outcome(t, shown.Object) != x || judges[1].outcome(t, shown.Object) != y) {
					t.Errorf("seed %d: not so for %v\n%s\n%s\n%s", n, shown.Object["spec"], texts[0], texts[1], schema)
				}
				if answer == symbolic.Unknown && testing.Verbose() {
					t.Logf("seed %d: %d %d unknown\n%s\n%s", n, x, y, texts[0], texts[1])
				}
			}
		}
		equal[compare(all, &rules[0], &rules[1]).equal]++
	}
	t.Logf("%d objects; %v answers; equal where the first has a value: %v", objects, answers, equal)
	if total := answers[symbolic.Yes] + answers[symbolic.No]; answers[symbolic.Unknown]*4 > total {
		t.Errorf("too many answers are unknown: %v", answers)
	}
}
