package support

import (
	"fmt"
	"strings"
	"testing"
)

// crates are a kind with all that flat objects are read by: rules, also of old values, lists of type set and map, the
// scale subresource, and defaults. There is a status subresource.
var crates = func() *Resource {
	text := &Type{Name: "string", MaxLength: 3}
	item := &Type{Name: "object", Fields: []TypeField{{"name", text}, {"value", &Type{IntOrString: true}}},
		Needs: []string{"name"}, Defaults: []Default{{"value", int64(1)}}, Has: withRules,
		rules: []Rule{{check: 1, Type: "object", Text: "self.name != 'bad'"}}}
	fixed := &Type{Name: "object", Fields: []TypeField{{"at", text}}, Has: withRules | withOldRules, readsOld: true,
		rules: []Rule{{check: 2, Type: "object", Text: "self == oldSelf", Transition: true}}}
	spec := &Type{Name: "object", Has: Lists | withRules | withOldRules, Fields: []TypeField{
		{"any", &Type{Name: "object", Preserve: true}}, {"fixed", fixed},
		{"free", &Type{Name: "object", Fields: []TypeField{{"a", text}, {"b", &Type{Name: "array", Items: text}}}}},
		{"items", &Type{Name: "array", ListType: "map", ListKeys: []string{"name"}, Items: item, MaxItems: 3,
			Has: Lists | withRules}},
		{"labels", &Type{Name: "object", Values: text, more: &constraints{minFields: 1}}},
		{"replicas", &Type{Name: "integer"}},
		{"set", &Type{Name: "array", ListType: "set", Items: text, Has: Lists}},
	}}
	status := &Type{Name: "object", Fields: []TypeField{{"phase", text}, {"replicas", &Type{Name: "integer"}}}}
	root := &Type{Name: "object", Embedded: true, Has: spec.Has,
		Fields: []TypeField{{"spec", spec}, {"status", status}}}
	return &Resource{Group: "example.com", Version: "v1", Kind: "Crate", Status: true, Types: typesOf(root),
		ScalePaths: &ScalePaths{Replicas: ".spec.replicas", StatusReplicas: ".status.replicas"},
		Rules: &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{
			func(self, _ any) Result[bool] { return Ne(JSONString(new(FieldReader).Get(self, "name")), OK("bad")) },
			func(self, old any) Result[bool] { return EqualRaw(self, old, fixed) },
		}}}
}()

// TestRequest has requests that are answered without maps, and others. Both have the answers of Admit.
func TestRequest(t *testing.T) {
	const old = `"spec":{"fixed":{"at":"a"},"replicas":-1},"status":{"phase":"old","replicas":1}`
	for _, test := range []struct {
		fields, old, subresource string
		isStored                 bool
	}{
		{`"spec":{}`, ``, "", true},
		{` "metadata" : {"name":"a","labels":{"a":"b"}} , "spec":{"free":{"a":"x","b":["y","z"]}} `, ``, "", true},
		{`"spec":{"items":[{"name":"a"},{"name":"b","value":"c"}],"set":["a","b"],"labels":{"a":"b"}}`, ``, "", true},
		{`"spec":{"any":{"a":[{"b":1}]},"replicas":3},"status":{"replicas":-1}`, ``, "", true},
		{`"spec":{"fixed":{"at":"a"}}`, old, "", true},
		{`"spec":{"fixed":{"at":"x"}},"status":{"phase":"new"}`, old, "status", false}, // the old spec has -1 replicas
		{`"spec":{"fixed":{"at":"a"}},"status":{"phase":"new"}`, `"spec":{}`, "status", true},
		{`"spec":{"fixed":{"at":"b"}}`, old, "", false},
		{`"spec":{"items":[{"name":"bad"}]}`, ``, "", false},
		{`"spec":{"items":[{"name":"a"},{"name":"a"}]}`, ``, "", false},
		{`"spec":{"items":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}`, ``, "", false},
		{`"spec":{"items":[{}]}`, ``, "", false},
		{`"spec":{"items":[null]}`, ``, "", false},
		{`"spec":{"set":["a","a"]}`, ``, "", false},
		{`"spec":{"labels":{}}`, ``, "", false},
		{`"spec":{"free":{"a":"long"}}`, ``, "", false},
		{`"spec":{"free":{"a":null}}`, ``, "", false},
		{`"spec":{"free":{"c":1}}`, ``, "", false},
		{`"spec":{"free":{"b":["a"],"a":"x","a":"y"}}`, ``, "", false},
		{`"spec":{"any":{"a":1,"a":2}}`, ``, "", false},
		{`"spec":{"replicas":-1}`, ``, "", false},
		{`"spec":{"replicas":1.5}`, ``, "", false},
		{`"spec":[]`, ``, "", false},
		{`"spec":{}}`, ``, "", false},
		{`"Kind":"Crate"`, ``, "", false},
		{`"kind":"Bin"`, ``, "", false},
		{`"metadata":{"name":""}`, ``, "", false},
		{`"metadata":{"x":1}`, ``, "", false},
		{`"spec":{}`, `"metadata":1`, "", false},
	} {
		body := func(fields string) []byte {
			return []byte(`{"apiVersion":"example.com/v1","kind":"Crate",` + fields + `}`)
		}
		raw, before, operation := body(test.fields), []byte(nil), operationCreate
		if test.old != "" {
			before, operation = body(test.old), operationUpdate
		}
		_, errs, warnings, err := crates.Admit(operation, test.subresource, raw, before)
		gotErrs, gotWarnings, gotErr := crates.ValidateRequest(operation, test.subresource, raw, before)
		want := fmt.Sprint(sentences(errs), warnings, err)
		if got := fmt.Sprint(sentences(gotErrs), gotWarnings, gotErr); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
		isStored := crates.isStored(raw, before, before != nil, test.subresource != "")
		if isStored != test.isStored || isStored && len(errs)+len(warnings) > 0 {
			t.Errorf("%s is stored: %t, %s", raw, isStored, want)
		}
	}
}

// TestRequestMemory has requests that need memory for no part of them.
func TestRequestMemory(t *testing.T) {
	raw := []byte(`{"apiVersion":"example.com/v1","kind":"Crate","spec":{"free":{"a":"x","b":[` +
		strings.TrimSuffix(strings.Repeat(`"y",`, 100), ",") + `]}}}`)
	if !crates.isStored(raw, nil, false, false) {
		t.Fatal("the object may be invalid")
	}
	kind := *crates
	kind.ScalePaths = nil // they keep all values
	const most = 10
	validate := func() { _, _, _ = kind.ValidateRequest(operationCreate, "", raw, nil) }
	if n := testing.AllocsPerRun(100, validate); n > most {
		t.Errorf("%v allocations", n)
	}
}
