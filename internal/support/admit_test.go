package support

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// widgets are a kind with a default, a limit, a set, an embedded resource and a rule.
var widgets = Resource{
	Group: "example.com", Version: "v1", Kind: "Widget",
	Types: typesOf(&Type{Name: "object", Embedded: true, Has: Resources | Lists | withRules, Fields: []TypeField{
		{"colors", &Type{Name: "array", ListType: "set", Items: &Type{Name: "string"}, Has: Lists}},
		{"size", &Type{Name: "string", MaxLength: 3, Has: withRules,
			rules: []Rule{{check: 1, Type: "string", Message: "is odd"}}}},
		{"template", &Type{Name: "object", Embedded: true, Preserve: true, Has: Resources}},
		{"unit", &Type{Name: "string"}},
	}, Defaults: []Default{{"unit", "mm"}}, Needs: []string{"size"}}),
	Rules: &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{func(self, _ any) Result[bool] {
		return OK(self != "9")
	}}},
}

// typesOf are types with one root, which has no name.
func typesOf(root *Type) *Types {
	t := &Types{}
	t.known.Store(&map[string]*Type{"": root})
	return t
}

// TestAdmit shows what becomes of the bytes of a request: the object with its defaults, errors and warnings, or the
// reason why a server does not read it.
func TestAdmit(t *testing.T) {
	const noRules = "<nil>: Invalid value: null: some validation rules were not checked because the object was " +
		"invalid; correct the existing errors to complete validation"
	for _, test := range []struct{ name, fields, old, want string }{
		{"valid", `"size":"1"`, ``, `map[size:1 unit:mm]`},
		{"null and duplicate", `"size":"0","unit":null,"size":"1"`, ``, `map[size:1 unit:mm]; duplicate field "size"`},
		{"unknown", `"size":"1","color":"red","metadata":{"name":"a","lables":{}}`, ``,
			`map[metadata:map[name:a] size:1 unit:mm]; unknown field "metadata.lables"; unknown field "color"`},
		{"too long", `"size":"1000"`, ``,
			`map[size:1000 unit:mm]; size: Too long: may not be more than 3 bytes; ` + noRules},
		{"duplicate", `"size":"1","colors":["red","red"]`, ``,
			`map[colors:[red red] size:1 unit:mm]; colors[1]: Duplicate value: "red"`},
		{"old duplicate", `"size":"1","colors":["red","red"]`, `{"size":"1","colors":["red","red"]}`,
			`map[colors:[red red] size:1 unit:mm]`},
		{"missing", `"unit":"in"`, ``, `map[unit:in]; size: Required value; ` + noRules},
		{"update", `"size":"9","unit":"in"`, `{"size":"9"}`, `map[size:9 unit:in]; size: Invalid value: "9": is odd`},
		{"ratcheted", `"size":"1000"`, `{"size":"1000"}`, `map[size:1000 unit:mm]`},
		{"embedded", `"size":"1","template":{"apiVersion":"v1","kind":"A","metadata":{"labels":{"a":null},"x":1}}`, ``,
			`map[size:1 template:map[apiVersion:v1 kind:A metadata:map[labels:map[a:]]] unit:mm]; ` +
				`unknown field "template.metadata.x"`},
		{"embedded kind", `"template":{"kind":1}`, ``, `template.kind: Invalid value: 1: must be a string`},
		{"embedded metadata", `"template":{"metadata":[]}`, ``, `template.metadata: Invalid value: []: ` +
			`json: cannot unmarshal array into Go value of type v1.ObjectMeta`},
		{"metadata", `"metadata":{"name":1}`, ``,
			`json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`},
		{"other kind", `"kind":"Gadget"`, ``, `kind: Invalid value: "Gadget": must be Widget`},
		{"no kind", `"kind":""`, ``,
			`Object 'Kind' is missing in '{"apiVersion":"example.com/v1","kind":"Widget","kind":""}'`},
		{"other version", `"apiVersion":"example.com/v2"`, ``,
			`the API version in the data (example.com/v2) does not match the expected API version (example.com/v1)`},
		{"no version", `"apiVersion":null`, ``,
			`.apiVersion accessor error: <nil> is of the type <nil>, expected string`},
		{"kind in capitals", `"KIND":1`, ``, `couldn't get version/kind; json parse error: ` +
			`json: cannot unmarshal number into Go struct field .kind of type string`},
		{"not JSON", `"size":`, ``, `couldn't get version/kind; json parse error: ` +
			`invalid character '}' looking for beginning of value`},
		{"old null", `"size":"1"`, `null`, `expected a JSON object, got null`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var old []byte
			if test.old != "" {
				old = []byte(test.old)
			}
			raw := `{"apiVersion":"example.com/v1","kind":"Widget",` + test.fields + `}`
			operation := operationUpdate
			if old == nil {
				operation = operationCreate
			}
			object, errs, warnings, err := widgets.Admit(operation, "", []byte(raw), old)
			again := widgets.Validate(object)
			if old == nil && err == nil && !reflect.DeepEqual(again, errs) {
				t.Error("the object has the errors", again)
			}
			delete(object, "apiVersion")
			delete(object, "kind")
			says := append([]string{fmt.Sprint(object)}, warnings...)
			for _, e := range errs {
				says = append(says, e.Error())
			}
			if err != nil {
				says = []string{err.Error()}
			}
			if got := strings.Join(says, "; "); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", raw, got, test.want)
			}
			if err != nil && object != nil {
				t.Error("there is an object", object)
			}
		})
	}
}

// TestPlainMeta has metadata that a server does not change, and some that it does.
func TestPlainMeta(t *testing.T) {
	for text, isPlain := range map[string]bool{
		`{}`:           true,
		`{"name":"a"}`: true,
		`{"name":"a","labels":{"a":"","b":"c"},"finalizers":["x"],"generation":3,"uid":"u","resourceVersion":"1",` +
			`"creationTimestamp":"2020-01-02T03:04:05Z","annotations":{"a":"b"},"namespace":"n",` +
			`"generateName":"a-"}`: true,
		`{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"","uid":"","controller":true}]}`: true,
		`{"managedFields":[{"manager":"m","operation":"Apply","fieldsV1":{"f:spec":{"f:a":{}}},` +
			`"fieldsType":"FieldsV1","time":"2020-01-02T03:04:05Z","apiVersion":"v1"}]}`: true,
		`null`: false, `{"name":""}`: false, `{"labels":{}}`: false, `{"labels":{"a":null}}`: false,
		`{"finalizers":[]}`: false, `{"generation":0}`: false, `{"ownerReferences":[{"kind":"Pod"}]}`: false,
		`{"x":1}`: false,
		`{"creationTimestamp":"2020-01-02T03:04:05+01:00"}`: false, `{"creationTimestamp":null}`: false,
		`{"deletionTimestamp":"0001-01-01T00:00:00Z"}`: false, `{"managedFields":[{"fieldsV1":null}]}`: false,
		`{"managedFields":[{"fieldsV1":{"a":1.0}}]}`: false,
	} {
		object, _ := decode([]byte(`{"metadata":`+text+`}`), &Type{Embedded: true}, nil, nil)
		metadata := object["metadata"]
		if got := isPlainValue(metadata, &metaType); got != isPlain {
			t.Errorf("%s is plain: %t", text, got)
		}
		c := coercion{reportPath: func([]byte) {}}
		if err := c.meta(object); err != nil || c.changed == isPlain {
			t.Errorf("%s: changed %t, %v", text, c.changed, err)
		}
		if back, err := throughMeta(metadata); err != nil || isPlain && !reflect.DeepEqual(any(back), metadata) {
			t.Errorf("%s becomes %v, %v", text, back, err)
		}
	}
}
