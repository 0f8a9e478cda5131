package read_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

const objects = `# Two documents, of which the first has a bit of everything.
apiVersion: example.com/v1
kind: Widget
metadata:
  name: one
  namespace: here
  labels: {"example.com/a.b": x, plain: "y"}
spec:
  base: &base
    size: 1
  copy: *base
  merged:
    <<: *base
    color: 'red'
  ports:
  - name: http
    number: 80
  - {name: "ht\u0074ps", number: 443}
  a.b: dotted
  a: {b: nested}
  nothing:
  text: |
    two
    lines
---
kind: WidgetList
apiVersion: example.com/v1
items:
- metadata: {name: two}
- {apiVersion: v1, kind: Service, metadata: {name: three}}
---
apiVersion: v1
kind: List
items:
- {apiVersion: example.com/v1, kind: Widget, metadata: {name: four}}
---
- no object
---
replicas: 1
replicas: 2
on: 3
---
{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "five"}, "spec": {"ports": [{"name": "a", "name": "b"}]}}
`

// TestObjects reads objects of all forms, and what clients send of each.
func TestObjects(t *testing.T) {
	list, found := read.Objects(&diag.Source{Path: "objects.yaml", Data: []byte(objects)})
	if len(found) > 0 {
		t.Fatal(found)
	}
	var got []string
	for _, o := range list {
		line, _ := o.At.Source.Position(int(o.At.Start))
		got = append(got, fmt.Sprintf("%d: %s %s %s/%s", line, o.APIVersion, o.Kind, o.Namespace, o.Name))
		for _, d := range append(o.Duplicates, o.Renamed...) {
			got = append(got, fmt.Sprintf("%s %s %s", d.Check, d.Path, d.Span.Text()))
		}
	}
	want := `2: example.com/v1 Widget here/one
29: example.com/v1 Widget /two
30: v1 Service /three
35: example.com/v1 Widget /four
40:   /
yaml-duplicate replicas replicas
yaml-key true on
43: example.com/v1 Widget /five
yaml-duplicate spec.ports[0].name "name"`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if got, want := string(list[1].JSON),
		`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"two"}}`; got != want {
		t.Errorf("an item of a list is sent as %s, not as %s", got, want)
	}
}

// TestLists distinguishes objects in lists that clients cannot send from other documents with lists.
func TestLists(t *testing.T) {
	const object = `{"apiVersion":"example.com/v1","kind":"Widget"}`
	for _, c := range []struct {
		text    string
		objects int
		want    string
	}{
		{`{"apiVersion":"v1","kind":"List","items":[` + object + `]}`, 1, ""},
		{`{"apiVersion":"v1","kind":"List","items":null}`, 0, ""},
		{`{"apiVersion":"v1","kind":"List","items":` + object + `}`, 0,
			"1:43: expected a list for items of a List, got an object"},
		{"kind: List\nitems: text\n", 0, "2:8: expected a list for items of a List, got a string"},
		{`{"apiVersion":"example.com/v1","kind":"AllowList","items":{}}`, 1, ""},
		{"[\n" + object + "]", 0,
			"2:2: this object is in a list without a kind, which clients cannot send"},
		{"- op: add\n- " + object + "\n", 0,
			"2:4: this object is in a list without a kind, which clients cannot send"},
		{"- {op: add, path: /spec}\n", 0, ""},
		{"- kind: a field of that name\n", 0, ""},
	} {
		list, found := read.Objects(&diag.Source{Path: "o.yaml", Data: []byte(c.text)})
		var got []string
		for _, d := range found {
			line, column := d.Span.Source.Position(int(d.Span.Start))
			got = append(got, fmt.Sprintf("%d:%d: %s", line, column, d.Message))
		}
		if strings.Join(got, "\n") != c.want || len(list) != c.objects {
			t.Errorf("%s\ngot %d objects, %q; want %d, %q", c.text, len(list), got, c.objects, c.want)
		}
	}
}

// TestLocate follows paths in all notations that an API server has.
func TestLocate(t *testing.T) {
	list, _ := read.Objects(&diag.Source{Path: "objects.yaml", Data: []byte(objects)})
	for _, c := range []struct{ path, key, value, missing string }{
		{"metadata.name", "name", "one", ""},
		{".metadata.name", "name", "one", ""},
		{"metadata.labels[example.com/a.b]", `"example.com/a.b"`, "x", ""},
		{`metadata.labels["example.com/a.b"]`, `"example.com/a.b"`, "x", ""},
		{"metadata.labels['example.com/a.b']", `"example.com/a.b"`, "x", ""},
		{"metadata.labels.example.com/a.b", `"example.com/a.b"`, "x", ""},
		{"metadata.labels[plain]", "plain", `"y"`, ""},
		{"spec.ports[0].name", "name", "http", ""},
		{"spec.ports[1].name", "name", `"ht\u0074ps"`, ""},
		{"spec.ports[1]", "", `{name: "ht\u0074ps", number: 443}`, ""},
		{"spec.copy.size", "size", "1", ""},
		{"spec.merged.size", "size", "1", ""},
		{"spec.merged.color", "color", "'red'", ""},
		{"spec[a.b]", "a.b", "dotted", ""},
		{"spec.a.b", "b", "nested", ""},
		{"spec.nothing", "nothing", "", ""},
		{"spec.text", "text", "|\n    two\n    lines", ""},
		{"spec.ports[2].name", "ports", "", "[2].name"},
		{"spec.ports[0].protocol", "", "", ".protocol"},
		{"spec.merged.shape.sides", "merged", "", ".shape.sides"},
		{"status.ready", "", "", "status.ready"},
		{"", "", "", ""},
		{"<nil>", "", "", ""},
	} {
		got := list[0].Root.Locate(c.path)
		if got.Key.Text() != c.key || got.Missing != c.missing {
			t.Errorf("%s: key %q, missing %q", c.path, got.Key.Text(), got.Missing)
		}
		if isRoot := len(got.Way) == 0; isRoot != (got.Node == list[0].Root) {
			t.Errorf("%s: the way is %v", c.path, got.Way)
		}
		if value := strings.TrimRight(got.Value.Text(), "\n"); c.missing == "" && len(got.Way) > 0 && value != c.value {
			t.Errorf("%s: value %q", c.path, value)
		}
	}
}

// FuzzObjects reads any text. Each path of an object leads to the value that clients send and to its position, where
// the text has the same meaning. No path leads outside of the object.
func FuzzObjects(f *testing.F) {
	f.Add(objects, "spec.ports[0].name")
	f.Add(`{"a": {"[b]": {"": [1, "x", {"'": null}]}, "b": 1}, "a.b": 2, "<nil>": {"\"": true}}`, "a[[b]][\"\"][0]")
	paths, err := filepath.Glob("../../testdata/read/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(archive.Files[0].Data), "spec.versions[0]")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		src := &diag.Source{Path: "objects.yaml", Data: []byte(text)}
		list, _ := read.Objects(src)
		for _, o := range list {
			var sent any
			if err := yaml.Unmarshal(o.JSON, &sent); err != nil {
				t.Fatal(err)
			}
			mustBeInside(t, src, o.Root.Locate(path))
			o.Root.Fields(func(path schema.Path, m *schema.Member) { mustLead(t, o.Root, sent, path.String(), m) })
		}
	})
}

func mustBeInside(t *testing.T, src *diag.Source, at schema.Location) {
	t.Helper()
	for _, s := range []diag.Span{at.Key, at.Value} {
		if s.IsValid() && (s.Start < 0 || s.End < s.Start || int(s.End) > len(src.Data)) {
			t.Fatalf("a span is %d..%d of %d bytes", s.Start, s.End, len(src.Data))
		}
	}
}

// mustLead follows the path of a field, in the tree and in what is sent.
func mustLead(t *testing.T, root *schema.Value, sent any, path string, m *schema.Member) {
	t.Helper()
	at := root.Locate(path)
	if at.Missing != "" || at.Node != &m.Value || at.Key != m.KeyAt {
		t.Fatalf("%s leads to %q, and %q is missing", path, at.Value.Text(), at.Missing)
	}
	for _, step := range at.Way {
		if step.Index >= 0 {
			sent = sent.([]any)[step.Index]
			continue
		}
		value, ok := sent.(map[string]any)[step.Name]
		if !ok {
			t.Fatalf("nothing is sent at %s", path)
		}
		sent = value
	}
	if data, err := json.Marshal(sent); err != nil || !sameJSON(data, at.Node) {
		t.Fatalf("at %s is %q, and %s is sent (%v)", path, at.Node.Text, data, err)
	}
}

// sameJSON compares a value that is sent with a node, but for the precision of numbers.
func sameJSON(data []byte, n *schema.Value) bool {
	switch data[0] {
	case '{':
		return n.Kind == schema.Object
	case '[':
		return n.Kind == schema.Array
	case '"':
		var text string
		return json.Unmarshal(data, &text) == nil && n.Kind == schema.String && n.Text == text
	case 'n':
		return n.Kind == schema.Null
	case 't', 'f':
		return n.Kind == schema.Bool && n.Text == string(data)
	}
	return n.Kind == schema.NumberKind
}
