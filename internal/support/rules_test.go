package support

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiserver/pkg/cel/common"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestOldItems finds old items in lists of type map as the API server's library does, also if keys are missing, of
// wrong types, or duplicated.
func TestOldItems(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	item := func() any {
		if random.IntN(12) == 0 {
			return "no object"
		}
		object := map[string]any{"other": random.IntN(100)}
		for _, key := range []string{"a", "b"} {
			if random.IntN(8) > 0 {
				object[key] = []any{int64(1), int64(2), 1.0, 1.0000001, true, "1", "x", []any{}}[random.IntN(8)]
			}
		}
		return object
	}
	listType := "map"
	for _, keys := range [][]string{{"a"}, {"a", "b"}} {
		schema := &structural.Structural{Generic: structural.Generic{Type: "array"},
			Extensions: structural.Extensions{XListType: &listType, XListMapKeys: keys}}
		for range 500 {
			var old []any
			for range random.IntN(6) {
				old = append(old, item())
			}
			theirs, ours := common.MakeMapList(&model.Structural{Structural: schema}, old),
				oldItems(any(old), keys...)
			for range 8 {
				x := item()
				if got, want := ours.get(x), theirs.Get(x); !reflect.DeepEqual(got, want) {
					t.Fatalf("%v in %v is %v, want %v", x, old, got, want)
				}
			}
		}
	}
	if none := oldItems(nil, "a"); none.get(map[string]any{"a": "x"}) != nil {
		t.Error("there is an old item without an old list")
	}
}

// TestRuleError checks the reason, the path and the message of a failed rule. A messageExpression without a usable
// result is replaced by the message.
func TestRuleError(t *testing.T) {
	broken := func(result Result[bool], value any, rule Rule) string {
		v := Validation{}
		v.path.field("spec")
		v.broken(result, value, "old", &rule)
		return string(v.errs[0].Type) + " " + v.errs[0].Error()
	}
	evaluated := func(message any) Rule {
		return Rule{Message: "written", Expression: func(self, oldSelf any) any {
			if self != "x" || oldSelf != "old" {
				t.Errorf("the message is about %v and %v", self, oldSelf)
			}
			return message
		}}
	}
	no := OK(false)
	for _, c := range []struct{ got, want string }{
		{broken(no, "x", Rule{Message: "m"}), `FieldValueInvalid spec: Invalid value: "x": m`},
		{broken(no, "x", Rule{Type: "object", Message: "m", Path: "a.b"}),
			`FieldValueInvalid spec.a.b: Invalid value: m`},
		{broken(no, "x", Rule{Message: "m", Reason: field.ErrorTypeForbidden}),
			`FieldValueForbidden spec: Forbidden: m`},
		{broken(no, "x", Rule{Message: "m", Reason: field.ErrorTypeRequired}),
			`FieldValueRequired spec: Required value: m`},
		{broken(no, "x", Rule{Message: "m", Reason: field.ErrorTypeDuplicate}),
			`FieldValueDuplicate spec: Duplicate value: "x"`},
		{broken(no, "x", evaluated(" told ")), `FieldValueInvalid spec: Invalid value: "x": told`},
		{broken(no, "x", evaluated("two\nlines")), `FieldValueInvalid spec: Invalid value: "x": written`},
		{broken(no, "x", evaluated(" ")), `FieldValueInvalid spec: Invalid value: "x": written`},
		{broken(no, "x", evaluated(strings.Repeat("x", longestMessage+1))),
			`FieldValueInvalid spec: Invalid value: "x": written`},
		{broken(no, "x", evaluated(&Failure{"no"})), `FieldValueInvalid spec: Invalid value: "x": written`},
		{broken(Verdict(&Failure{"division by zero"}), "x", Rule{Type: "string", Text: "r"}),
			`FieldValueInvalid spec: Invalid value: "string": division by zero evaluating rule: r`},
		{broken(Verdict(noSuchOverload), "x", Rule{Type: "string", Text: "r"}),
			`FieldValueInvalid spec: Invalid value: "string": 'no such overload': call arguments did not ` +
				"match a supported operator, function or macro signature for rule: r"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
	if Verdict(true) != OK(true) || Verdict(nil) != OK(false) {
		t.Error("what is true holds, and nothing else")
	}
}

// TestRulesOfParts visits the parts of values with the old values that belong to them.
func TestRulesOfParts(t *testing.T) {
	item := func(name string, value any) map[string]any { return map[string]any{"name": name, "value": value} }
	object := map[string]any{"map": map[string]any{"b": "x", "a": "y", "null": nil},
		"list": []any{item("a", "x"), nil, item("b", "y")}, "text": "z"}
	old := map[string]any{"map": map[string]any{"a": "w"}, "list": []any{item("b", "v"), item("a", "u")}, "text": "t"}
	var seen []string
	rules := RuleSet{Checks: []func(self, oldSelf any) Result[bool]{func(self, oldSelf any) Result[bool] {
		seen = append(seen, text(self)+text(oldSelf))
		return OK(false)
	}}}
	rule := func(name string) *Type {
		return &Type{Name: name, Has: withRules | withOldRules, readsOld: true, rules: []Rule{{check: 1, Type: name,
			Text: "x", isOptional: true}}}
	}
	in := func(t *Type) *Type { t.Has = withRules | withOldRules; return t }
	pair := in(&Type{Name: "object", Fields: []TypeField{{"name", &Type{}}, {"value", rule("string")}}})
	pair.rules, pair.readsOld = rule("object").rules, true
	root := in(&Type{Name: "object", Fields: []TypeField{
		{"list", in(&Type{Name: "array", ListType: "map", ListKeys: []string{"name"}, Items: pair})},
		{"map", in(&Type{Name: "object", Values: rule("string")})},
		{"missing", rule("string")}, {"text", rule("string")},
	}})
	v := Validation{typ: root, object: object, old: old}
	rules.checkObject(&v)
	want := []string{`{"name":"a","value":"x"}{"name":"a","value":"u"}`, `"x""u"`,
		`{"name":"b","value":"y"}{"name":"b","value":"v"}`, `"y""v"`, `"y""w"`, `"x"null`, `"z""t"`}
	if !slices.Equal(seen, want) || len(v.path) > 0 {
		t.Errorf("got  %q\nwant %q", seen, want)
	}
	seen = nil
	rules.Check(&v, []any{"a"}, in(&Type{Name: "array", ListType: "set", Items: rule("string")}))
	if want := []string{`"a"null`}; !slices.Equal(seen, want) {
		t.Errorf("got  %q\nwant %q", seen, want)
	}
}

// TestOldSelf checks which old value rules see.
func TestOldSelf(t *testing.T) {
	text := &Type{Name: "string"}
	old := map[string]any{"a": "x"}
	for _, c := range []struct{ got, want any }{
		{oldField(old, "a"), "x"}, {oldField(old, "b"), nil}, {oldField(nil, "a"), nil},
		{oldField("x", "a"), nil},
		{OptionalOld(nil, text), Optional{}}, {OptionalOld("x", text), Optional{"x", true}},
		{MessageOld("x"), "x"}, {MessageOld(nil), &Failure{"no such attribute(s): oldSelf"}},
	} {
		if !sameOutcome(c.got, c.want) {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// TestUncompiled reports a rule that does not compile, with the type of its values.
func TestUncompiled(t *testing.T) {
	var v Validation
	v.path.field("spec")
	new(RuleSet).Check(&v, map[string]any{}, &Type{Name: "object", Has: withRules,
		rules: []Rule{{Type: "object", fault: "rule compile error: no"}}})
	if want := `spec: Invalid value: "object": rule compile error: no`; len(v.errs) != 1 || v.errs[0].Error() != want {
		t.Errorf("%v, want %s", v.errs, want)
	}
}
