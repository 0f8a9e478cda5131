package read

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
)

// TestLists reads lists in parts, with the objects, positions and findings of the whole text. The texts without parts
// have a meaning in parts that is another one, or none.
func TestLists(t *testing.T) {
	tests := []struct {
		name, text string
		isCut      bool
	}{
		{"usual", "apiVersion: v1\nkind: List\nitems:\n- kind: A\n  metadata: {name: a}\n# note\n\n- kind: B\n  on: 1\n  b: 010\n", true},
		{"indented", "kind: List\nitems: # all\n  - kind: A\n    text: |\n      - b\n    # end\n  - kind: B\n    kind: C\nmetadata: {}\n", true},
		{"kind at the end", "apiVersion: v1\nitems:\n- a: 1\n- b: [\n  1,\n  2]\nkind: WidgetList\nmetadata:\n  name: x\n", true},
		{"Windows", "kind: List\r\nitems:\r\n-\r\n  kind: A\r\n- kind: B\r\n", true},
		{"anchor in an item", "kind: List\nitems:\n- kind: A\n  a: &a [1]\n  b: *a\n- kind: B\n", true},
		{"byte order mark", "\ufeffkind: List\nitems:\n- kind: A\n- kind: B\n", true},
		{"nested", "kind: List\nitems:\n- kind: List\n  items:\n  - kind: A\n- kind: B\n", true},
		{"items of other types", "kind: List\nitems:\n- 1\n-\n- - a\n  - b\n- kind: B\n", true},
		{"JSON", `{"items": [{"a": 1.0}, {"kind": "B", "b": 1, "b": 2}], "kind": "AList", "apiVersion": "v1"}`, true},
		{"JSON in lines", "{\n  \"kind\": \"List\",\n  \"items\": [\n    {\"kind\": \"A\"},\n    1\n  ]\n}\n", true},
		{"empty JSON", `{"kind": "List", "items": []}`, true},

		{"anchor across items", "kind: List\nitems:\n- &a {kind: A}\n- *a\n", false},
		{"quoted dash", "kind: List\nitems:\n- kind: \"A\n- B\"\n- kind: C\n", false},
		{"quoted key", "a: \"x\nitems:\n- b\nc\"\nkind: List\nitems:\n- kind: A\n", false},
		{"duplicate items", "kind: List\nitems:\n- kind: A\nitems:\n- kind: B\n", false},
		{"not a list", "kind: Widget\nitems:\n- kind: A\n", false},
		{"not closed", "kind: List\nitems:\n- kind: [A\n- kind: B\n", false},
		{"too little indented", "kind: List\nitems:\n  - kind: A\n - kind: B\n", false},
		{"end of document", "kind: List\nitems:\n- kind: A\n...\n- kind: B\n", false},
		{"line separator", "kind: List\nitems:\n- kind: A\u2028- kind: B\n", false},
		{"flow style", "kind: List\nitems: [{kind: A}]\n", false},
		{"tag", "%TAG !e! tag:example.com,2000:\n---\nkind: List\nitems:\n- kind: A\n", false},
		{"two JSON lists", `{"kind": "List", "items": [{}]} {"kind": "List", "items": [{}]}`, false},
		{"number that is not sent", `{"kind": "List", "items": [{"kind": "A"}, {"a": 1e999}]}`, false},
		{"duplicate JSON key", `{"kind": "List", "items": [], "items": [{"kind": "A"}]}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := &diag.Source{Path: "list", Data: []byte(test.text)}
			objects := func(whole bool) (out []Object, found []diag.Diagnostic) {
				r := objectReader(src, func(o *Object) { out = append(out, *o) })
				if whole {
					r.item = nil
				}
				r.read()
				return out, r.found
			}
			got, found := objects(false)
			want, wantFound := objects(true)
			if len(got) != len(want) || !reflect.DeepEqual(found, wantFound) {
				t.Fatalf("got %d objects, %v\nwant %d objects, %v", len(got), found, len(want), wantFound)
			}
			for i := range got {
				if !reflect.DeepEqual(got[i], want[i]) {
					t.Errorf("object %d:\n got %+v %+v\nwant %+v %+v", i, got[i], got[i].Root, want[i], want[i].Root)
				}
			}
			r := objectReader(src, func(*Object) {})
			whole := chunk{0, len(test.text)}
			if isCut := r.yamlList(whole) || r.jsonList(whole); isCut != test.isCut {
				t.Errorf("read in parts: %t", isCut)
			}
		})
	}
}

// TestOversized reports an object that no API server reads, before its tree is built, and reads what is around it.
func TestOversized(t *testing.T) {
	large := "kind: Widget\n  apiVersion: example.com/v1\n  spec: [\n" + strings.Repeat("  abcdefgh,\n", 1<<20) + "  ]\n"
	document := strings.ReplaceAll(large, "\n  ", "\n")
	small := "kind: Widget\n"
	json := `{"kind": "Widget", "spec": [` + strings.Repeat("12345678,\n", 1<<20) + `0]}`
	const finding = "this object has %d bytes; an API server reads at most 3145728 of a request"
	tests := []struct {
		name, text, message string
		line, objects       int
	}{
		{"document", small + "---\n" + document, fmt.Sprintf(finding, len(document)), 3, 1},
		{"item", "kind: List\nitems:\n- " + large + "- " + small, fmt.Sprintf(finding, len("- "+large)), 3, 1},
		{"JSON", json, fmt.Sprintf(finding, len(json)), 1, 0},
		{"comments", small + strings.Repeat("# abcdefghijkl\n", 1<<20), "", 0, 1},
		{"without a kind", strings.TrimPrefix(document, "kind: Widget\napiVersion: example.com/v1\n"), "", 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			src := &diag.Source{Path: "objects", Data: []byte(test.text)}
			objects, found := Objects(src)
			if len(objects) != test.objects {
				t.Errorf("%d objects", len(objects))
			}
			if test.message == "" {
				if len(found) > 0 {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Message != test.message {
				t.Fatalf("got %+v", found)
			}
			if line, _ := src.Position(int(found[0].Span.Start)); line != test.line {
				t.Errorf("line %d", line)
			}
		})
	}
	if _, found := Documents(&diag.Source{Path: "objects", Data: []byte(document)}); len(found) > 0 {
		t.Errorf("an object that is not a CRD: %v", found)
	}
}
