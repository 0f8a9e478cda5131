package read

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// An Object is an object of a file, of any kind or without a kind.
type Object struct {
	// APIVersion, Kind, Namespace and Name are "" if they are missing or not strings.
	APIVersion, Kind, Namespace, Name string
	// JSON is the object as a client sends it to an API server: what sigs.k8s.io/yaml makes of the document.
	JSON []byte
	// At is where the object begins: its first field.
	At diag.Span
	// Duplicates are the duplicate keys of a mapping, of which clients send one, and Renamed the keys that are sent as
	// others. The Path of each is that of the field.
	Duplicates, Renamed []diag.Diagnostic
	// Root is the object as a tree, whose Locate finds fields.
	Root *schema.Value
}

// Objects reads all objects of a source, whose Data must be set; Objects sets its Syntax. The items of lists (kind
// List and the lists of a kind) are objects too. A document that is not a mapping is not an object. The findings are
// about documents that cannot be read, and about objects that no client finds.
func Objects(src *diag.Source) ([]Object, []diag.Diagnostic) {
	var out []Object
	found := EachObject(src, func(o *Object) { out = append(out, *o) })
	return out, found
}

// EachObject does what Objects does for files of any size: it calls visit with one object after the other.
func EachObject(src *diag.Source, visit func(*Object)) []diag.Diagnostic {
	r := objectReader(src, visit)
	r.read()
	return r.found
}

// Unrendered sets the help of findings about templates that are not rendered.
func Unrendered(found []diag.Diagnostic, help string) {
	for i := range found {
		if found[i].Check == template.ID {
			found[i].HelpText = help
		}
	}
}

// objectReader returns a reader that calls visit with each object.
func objectReader(src *diag.Source, visit func(*Object)) *reader {
	r := &reader{src: src}
	var add func(n *schema.Value, data []byte, found []diag.Diagnostic)
	add = func(n *schema.Value, data []byte, found []diag.Diagnostic) {
		switch {
		case isList(n):
			eachItem(n, data, func(item *schema.Value, data []byte) { add(item, data, found) })
		case isBrokenList(n):
			r.report(brokenList(n.Find("items")))
		case n.Kind == schema.Object:
			o := newObject(n, data, found)
			visit(&o)
		case n.Kind == schema.Array && slices.ContainsFunc(n.Items, isTyped):
			first := &n.Items[slices.IndexFunc(n.Items, isTyped)]
			r.report(diag.Errorf(first.Start(), syntax,
				"this object is in a list without a kind, which clients cannot send").
				Help("put the list into an object of kind List, or each object into its own document"))
		}
	}
	r.visit, r.item = add, add
	return r
}

// A Tree is a document of any kind.
type Tree struct {
	Root *schema.Value
	// Found are the duplicate keys in the document, and the keys that YAML 1.1 renames.
	Found []diag.Diagnostic
}

// Trees reads all documents of a source, whose Data must be set; Trees sets its Syntax. The findings are about
// documents that cannot be read.
func Trees(src *diag.Source) ([]Tree, []diag.Diagnostic) {
	var out []Tree
	r := &reader{src: src}
	r.visit = func(n *schema.Value, _ []byte, found []diag.Diagnostic) { out = append(out, Tree{n, found}) }
	r.read()
	return out, r.found
}

// newObject describes an object. The findings in the text of its document may be about other objects in it.
func newObject(n *schema.Value, data []byte, found []diag.Diagnostic) Object {
	o := Object{
		APIVersion: textOf(n.Find("apiVersion")), Kind: textOf(n.Find("kind")),
		JSON: data, At: n.Start(), Root: n,
	}
	if metadata := n.Find("metadata"); metadata != nil {
		o.Namespace, o.Name = textOf(metadata.Find("namespace")), textOf(metadata.Find("name"))
	}
	if len(found) == 0 {
		return o
	}
	paths := map[diag.Span]string{}
	n.Fields(func(path schema.Path, m *schema.Member) { paths[m.KeyAt] = path.String() })
	for _, d := range found {
		if d.Path = paths[d.Span]; !n.At.Contains(d.Span) {
			continue
		}
		if d.Check == duplicate.ID {
			o.Duplicates = append(o.Duplicates, d)
		} else {
			o.Renamed = append(o.Renamed, d)
		}
	}
	return o
}

// isList reports whether an object is a list of objects. A kind whose name ends with List may have its own field
// items.
func isList(n *schema.Value) bool {
	kind, items := n.Find("kind"), n.Find("items")
	return isString(kind) && strings.HasSuffix(kind.Text, "List") && items != nil &&
		(items.Kind == schema.Array || items.Kind == schema.Null)
}

// isBrokenList reports whether an object is of kind List, and its items are not a list.
func isBrokenList(n *schema.Value) bool {
	return n.Kind == schema.Object && hasText(n.Find("kind"), "List") && n.Find("items") != nil && !isList(n)
}

// brokenList reports the items of such a list.
func brokenList(items *schema.Value) diag.Diagnostic {
	return diag.Errorf(items.Start(), syntax, "expected a list for items of a List, got %s", kindName(items.Kind)).
		Note("clients cannot send its objects").Help("start each item with a dash")
}

// isTyped reports whether a value has an apiVersion and a kind.
func isTyped(n schema.Value) bool {
	return n.Kind == schema.Object && isString(n.Find("apiVersion")) && isString(n.Find("kind"))
}

// eachItem visits the items of a list. Those in the list of a kind need no apiVersion and kind
// (k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/helpers.go).
func eachItem(list *schema.Value, data []byte, visit func(item *schema.Value, data []byte)) {
	var sent struct {
		Items []json.RawMessage `json:"items"`
	}
	items := list.Find("items").Items
	if json.Unmarshal(data, &sent) != nil || len(sent.Items) != len(items) {
		return
	}
	for i := range items {
		visit(inferred(&items[i], sent.Items[i], list))
	}
}

// inferred adds apiVersion and kind to an item that has neither, from the list around it.
func inferred(item *schema.Value, data []byte, list *schema.Value) (*schema.Value, []byte) {
	kind := strings.TrimSuffix(list.Find("kind").Text, "List")
	if kind == "" || item.Kind != schema.Object || item.Find("kind") != nil || item.Find("apiVersion") != nil {
		return item, data
	}
	whole := *item
	whole.Members = slices.Concat(item.Members, []schema.Member{
		{Key: "kind", Value: schema.Value{Kind: schema.String, Text: kind, At: list.Find("kind").At}},
	})
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return item, data
	}
	fields["kind"], _ = json.Marshal(kind) // a string always has JSON
	if v := list.Find("apiVersion"); isString(v) {
		whole.Members = append(whole.Members, schema.Member{Key: "apiVersion", Value: *v})
		fields["apiVersion"], _ = json.Marshal(v.Text)
	}
	data, _ = json.Marshal(fields) // what was JSON is JSON again
	return &whole, data
}

// textOf returns the text of a string, "" for all others.
func textOf(n *schema.Value) string {
	if !isString(n) {
		return ""
	}
	return n.Text
}
