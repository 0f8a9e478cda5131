package rules_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// FuzzCheck validates any CRD: a CRD that an API server rejects has an error, findings lie in the file, and a second
// run finds the same.
func FuzzCheck(f *testing.F) {
	cases, err := filepath.Glob(filepath.Join("..", "testdata", "check", "*", "*.txtar"))
	if err != nil || len(cases) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.Contains(string(file.Data), "CustomResourceDefinition") && len(file.Data) < 4096 {
				f.Add(string(file.Data))
			}
		}
	}
	f.Add(strings.Replace(widget, "SIZE", "type: string", 1))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return // long enough
		}
		checkTwice(t, text)
	})
}

// FuzzRule validates CRDs with any rule, message expression and old value, on schemas of each kind.
func FuzzRule(f *testing.F) {
	for i, expression := range []string{
		"self", "self > 0", "self == oldSelf", "self.a == self.b", "has(self.a)", "!has(self.a) || self.a.size() < 3",
		"self.all(x, self.exists_one(y, y == x))", "self.map(k, self[k])", "self.matches('[a-z]+')", "1/0 == 1",
		"self.?a.orValue(1) > 0", "optional.of(self)", "quantity(self).isInteger()", "ip('1.2.3.4').family() == 4",
		"cel.bind(x, self, x)", "self.items.all(i, i.a in ['x'])", "duration('1h') < duration(self)", "{'a': 1}[self]",
		"self in [1, 2]", "b'\\xff' == bytes(self)", "dyn(self) == 1u", "\"\\u{1F600}\" + self", "self[0].a", "[[[[self]]]]",
		"self.__in__", "type(self) == int", "/* c */ self", "self // c", "self\n", "", " ", "(((((((((((self)))))))))))",
		"google.protobuf.Int32Value{value: 1} == 1", "self ? self : self", "-9223372036854775808 == self", "1e400 > 1.0",
		"[1,2,3].sum() == self", "self.isSorted()", "url(self).getHost()", "sets.contains(self, self)",
		"format.dns1123Label()",
	} {
		f.Add(expression, byte(i), i%3 == 0, i%4 == 0)
	}
	schemas := []string{
		"type: string", "type: integer", "type: string, format: byte, maxLength: 9", "x-kubernetes-int-or-string: true",
		"type: object, properties: {a: {type: string}, b: {type: integer, default: 1}, in: {type: boolean}}",
		"type: object, additionalProperties: {type: string, maxLength: 5}, maxProperties: 4",
		"type: array, items: {type: string}", "type: object, x-kubernetes-preserve-unknown-fields: true",
		"type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a], " +
			"items: {type: object, required: [a], " +
			"properties: {a: {type: string}, items: {type: array, items: {type: number}}}}",
		"type: object, x-kubernetes-embedded-resource: true", "type: number, nullable: true", "type: boolean",
	}
	f.Fuzz(func(t *testing.T, expression string, n byte, optionalOld, inMessage bool) {
		rule := "rule: " + strconv.QuoteToASCII(strings.ToValidUTF8(expression, "?"))
		if inMessage {
			rule = "rule: 'true', messageExpression: " + strings.TrimPrefix(rule, "rule: ")
		}
		if optionalOld {
			rule += ", optionalOldSelf: true"
		}
		size := fmt.Sprintf("%s, x-kubernetes-validations: [{%s}]", schemas[int(n)%len(schemas)], rule)
		checkTwice(t, strings.Replace(widget, "SIZE", size, 1))
	})
}

// checkTwice validates the CRDs in a file twice.
func checkTwice(t *testing.T, text string) {
	t.Helper()
	src := &diag.Source{Path: "crd.yaml", Data: []byte(text), Syntax: diag.YAML}
	docs, _ := read.Documents(src)
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			continue
		}
		var runs [2][]diag.Diagnostic
		for i := range runs {
			of := session.New(doc.CRD, object, session.Options{Kube: kube.DefaultRange()})
			runs[i] = diag.Sort(rules.Check(t.Context(), of))
		}
		if !reflect.DeepEqual(runs[0], runs[1]) {
			t.Errorf("first %v, then %v", runs[0], runs[1])
		}
		reasons, err := kube.Verdict(t.Context(), object)
		if err != nil {
			t.Fatal(err)
		}
		if len(reasons) > 0 && !diag.HasErrors(runs[0]) {
			t.Errorf("nothing explains %v", reasons)
		}
		for _, d := range runs[0] {
			at := d.Span
			if at.IsValid() && (at.Source != src || at.Start < 0 || at.End < at.Start || int(at.End) > len(text)) {
				t.Errorf("%s is reported at %d to %d of %d bytes", d.Message, at.Start, at.End, len(text))
			}
		}
	}
}
