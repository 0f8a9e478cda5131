package rules_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// TestCertainRules compares the verdict of a session, which does not ask the API server's code about rules that are
// certain, with the verdict of that code on the whole CRD.
func TestCertainRules(t *testing.T) {
	compare := func(t *testing.T, data []byte) {
		t.Helper()
		docs, _ := read.Documents(&diag.Source{Path: "crd.yaml", Data: data, Syntax: diag.YAML})
		if len(docs) == 0 {
			t.Fatalf("no CRD:\n%s", data)
		}
		for _, doc := range docs {
			want, wantErr := kube.Verdict(t.Context(), kube.Object(doc.CRD))
			got, gotErr := session.New(doc.CRD, nil, session.Options{}).Verdict(t.Context())
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !slices.EqualFunc(got, want, sameRejection) {
				t.Errorf("%s\ngot:  %v %v\nwant: %v %v", data, got, gotErr, want, wantErr)
			}
		}
	}
	files, err := filepath.Glob("../testdata/minors/recorded/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) { compare(t, archive.Files[0].Data) })
	}
	for _, c := range schemasWithRules {
		t.Run(c.name, func(t *testing.T) {
			const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
				"metadata: {name: widgets.example.com%s}\n" +
				"spec:\n  group: example.com\n  names: {plural: widgets, kind: Widget}\n  scope: Namespaced\n" +
				"  versions:\n"
			const version = "  - name: %s\n    served: true\n    storage: %t\n    schema:\n" +
				"      openAPIV3Schema: {type: object, properties: {spec: %s}}\n"
			one, two := fmt.Sprintf(version, "v1", true, c.spec), fmt.Sprintf(version, "v2", false, c.spec)
			const always = "{type: object, x-kubernetes-validations: [{rule: 'self == self'}]}"
			other := fmt.Sprintf(version, "v2", false, always)
			for _, versions := range []string{one, one + two, one + other} {
				compare(t, []byte(fmt.Sprintf(head, "")+versions))
				compare(t, []byte(fmt.Sprintf(head, ", resourceVersion: \"1\"")+versions))
			}
		})
	}
}

func sameRejection(a, b kube.Rejection) bool { return a.Path == b.Path && a.Message == b.Message }

// schemasWithRules are all that the API server looks at in rules, right and wrong.
var schemasWithRules = []struct{ name, spec string }{
	{"right", withRules(`{rule: 'self.a > 0', message: is above 0}`)},
	{"two", withRules(`{rule: 'self.a > 0'}, {rule: 'self.b != ""'}`)},
	{"one of two does not compile", withRules(`{rule: 'self.a > 0'}, {rule: 'self.c > 0'}`)},
	{"does not return a bool", withRules(`{rule: 'self.a'}`)},
	{"constant that does not exist", withRules(`{rule: 'int("x") == self.a'}`)},
	{"pattern that does not compile", withRules(`{rule: 'self.b.matches("[")'}`)},
	{"type", withRules(`{rule: 'type(self.a) == int && type(self.b) != google.protobuf.Timestamp'}`)},
	{"constant of a list", withRules(`{rule: 'self.a in [1, 2, int("x")]'}`)},
	{"constant of a map", withRules(`{rule: '{"a": 1, "a": 2}["a"] == self.a'}`)},
	{"constant duration", withRules(`{rule: 'self.a > 0 || duration("x") > duration("1s")'}`)},
	{"constant of a message", withRules(`{rule: 'self.a > 0', messageExpression: '"a" + string(int("x"))'}`)},
	{"free", withRules(`{rule: 'true'}`)},
	{"blank", withRules(`{rule: ' '}`)},
	{"field path in brackets", withRules(`{rule: 'self.a > 0', fieldPath: "['a']"}`)},
	{"field path without a dot", withRules(`{rule: 'self.a > 0', fieldPath: a}`)},
	{"field path below a value", withRules(`{rule: 'self.a > 0', fieldPath: .a.b}`)},
	{"field path of lines", withRules(`{rule: 'self.a > 0', fieldPath: ".a\n"}`)},
	{"blank field path", withRules(`{rule: 'self.a > 0', fieldPath: ' '}`)},
	{"field path to an item", `{type: object, properties: {l: {type: array, items: {type: object, properties: ` +
		`{a: {type: integer}}}}}, x-kubernetes-validations: [{rule: 'has(self.l)', fieldPath: '.l[0].a'}, ` +
		`{rule: 'has(self.l)', fieldPath: '.l[a]'}]}`},
	{"field path to a value of a map", `{type: object, properties: {m: {type: object, additionalProperties: ` +
		`{type: object, properties: {a: {type: integer}}}}}, x-kubernetes-validations: [` +
		`{rule: 'has(self.m)', fieldPath: ".m['x'].a"}, {rule: 'has(self.m)', fieldPath: '.m.x.a'}]}`},
	{"lines", withRules(`{rule: "self.a\n> 0"}`)},
	{"lines with a message", withRules(`{rule: "self.a\n> 0", message: is above 0}`)},
	{"message of lines", withRules(`{rule: 'self.a > 0', message: "above\n0"}`)},
	{"blank message", withRules(`{rule: 'self.a > 0', message: ' '}`)},
	{"message expression", withRules(`{rule: 'self.a > 0', messageExpression: '"a is " + string(self.a)'}`)},
	{"wrong message expression", withRules(`{rule: 'self.a > 0', messageExpression: 'self.a'}`)},
	{"blank message expression", withRules(`{rule: 'self.a > 0', messageExpression: ' '}`)},
	{"field path", withRules(`{rule: 'self.a > 0', fieldPath: .a}`)},
	{"wrong field path", withRules(`{rule: 'self.a > 0', fieldPath: .c}`)},
	{"reason", withRules(`{rule: 'self.a > 0', reason: FieldValueRequired}`)},
	{"wrong reason", withRules(`{rule: 'self.a > 0', reason: Bad}`)},
	{"update", withRules(`{rule: 'self.a > oldSelf.a'}`)},
	{"optional old value", withRules(`{rule: 'self.a > oldSelf.orValue(self).a', optionalOldSelf: true}`)},
	{"idle optional old value", withRules(`{rule: 'self.a > 0', optionalOldSelf: true}`)},
	{"update below a list", `{type: array, maxItems: 3, items: ` + withRules(`{rule: 'self.a > oldSelf.a'}`) + `}`},
	{"costs too much", `{type: array, items: {type: array, items: ` + withRules(`{rule: 'self.b.matches("a+b")'}`) +
		`}}`},
	{"costs too much together", `{type: array, maxItems: 9000, items: ` +
		withRules(strings.TrimSuffix(strings.Repeat(`{rule: 'self.c.all(x, x > 0)'}, `, 60), ", ")) + `}`},
	{"message costs too much", withRules(`{rule: 'self.a > 0', messageExpression: 'self.b.replace("a", self.b)'}`)},
	{"default", withDefault(`{a: 1}`, `{type: integer}`)},
	{"default that violates", withDefault(`{a: 0}`, `{type: integer}`)},
	{"default that violates a rule below", withDefault(`{a: 1}`,
		`{type: integer, x-kubernetes-validations: [{rule: 'self > 1'}]}`)},
	{"default of a list that violates", listsWithDefault(`[{a: 1}, {a: 0}]`)},
	{"default of a list", listsWithDefault(`[{a: 1}]`)},
	{"default of an empty list", listsWithDefault(`[]`)},
	{"default of null in a list", listsWithDefault(`[null]`)},
	{"default of a map that violates", mapsWithDefault(`{x: {a: 1}, y: {a: 0}}`)},
	{"default of a map", mapsWithDefault(`{x: {a: 1}}`)},
	{"default beside a rule", `{type: object, default: {b: x}, properties: {b: {type: string}, a: ` +
		withRules(`{rule: 'self.a > 0'}`) + `}}`},
	{"default that is invalid beside a rule", `{type: object, default: {b: 1}, properties: {b: {type: string}, a: ` +
		withRules(`{rule: 'self.a > 0'}`) + `}}`},
	{"default with a rule beside an invalid one", `{type: object, properties: {b: {type: string, default: 1}, a: ` +
		withDefault(`{a: 1}`, `{type: integer}`) + `}}`},
	{"default below", withDefault(`{a: 1}`, `{type: integer, default: 0}`)},
	{"in a junctor", `{type: object, properties: {a: {type: integer}}, ` +
		`anyOf: [{x-kubernetes-validations: [{rule: 'self.a > 0'}]}]}`},
	{"without a type", `{x-kubernetes-preserve-unknown-fields: true, ` +
		`x-kubernetes-validations: [{rule: 'self == self'}]}`},
	{"embedded", `{type: object, x-kubernetes-embedded-resource: true, properties: {a: {type: integer}}, ` +
		`x-kubernetes-validations: [{rule: 'self.metadata.name != ""'}]}`},
	{"embedded with a default", `{type: object, x-kubernetes-embedded-resource: true, ` +
		`default: {metadata: {name: A}, kind: K, apiVersion: v1}, x-kubernetes-preserve-unknown-fields: true, ` +
		`x-kubernetes-validations: [{rule: 'self.kind != ""'}]}`},
	{"of embedded metadata", `{type: object, x-kubernetes-embedded-resource: true, ` +
		`x-kubernetes-preserve-unknown-fields: true, ` +
		`properties: {metadata: {type: object, x-kubernetes-validations: [{rule: 'self.name != ""'}]}}, ` +
		`x-kubernetes-validations: [{rule: 'self.kind != ""'}]}`},
	{"of the object's metadata", `{type: object}, metadata: {type: object, properties: {name: {type: string}}, ` +
		`x-kubernetes-validations: [{rule: 'self.name != ""'}]}`},
	{"of the object's metadata and of the spec", withRules(`{rule: 'self.a > 0'}`) + `, metadata: {type: object, ` +
		`properties: {name: {type: string, x-kubernetes-validations: [{rule: 'self != ""'}]}}}`},
	{"beside a wrong schema", `{type: object, properties: {a: {type: integer, pattern: "("}, b: {type: wrong}}, ` +
		`x-kubernetes-validations: [{rule: 'self.c > 0'}]}`},
}

// withRules is a schema with two fields and rules.
func withRules(list string) string {
	return `{type: object, required: [a, b], properties: {a: {type: integer}, b: {type: string}, ` +
		`c: {type: array, maxItems: 5000, items: {type: integer}}}, x-kubernetes-validations: [` + list + `]}`
}

// listsWithDefault is a schema of a list of objects with a rule.
func listsWithDefault(value string) string {
	return `{type: array, maxItems: 5, default: ` + value + `, items: ` + withRules(`{rule: 'self.a > 0'}`) + `}`
}

// mapsWithDefault is a schema of a map of objects with a rule.
func mapsWithDefault(value string) string {
	return `{type: object, maxProperties: 5, default: ` + value + `, additionalProperties: ` +
		withRules(`{rule: 'self.a > 0'}`) + `}`
}

// withDefault is a schema with a default, a field, and a rule on both.
func withDefault(value, field string) string {
	return `{type: object, default: ` + value + `, properties: {a: ` + field + `}, ` +
		`x-kubernetes-validations: [{rule: 'self.a > 0'}]}`
}
