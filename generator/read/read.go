// Package read turns files of CustomResourceDefinitions into the intermediate representation, with the place of each
// part in the file.
//
// What enters is a YAML or JSON stream as one gives it to kubectl, what leaves is the CRDs that an API server can decode,
// and what is wrong with the rest. The steps, one file each:
//
//  1. stream.go cuts the stream into documents, where kubectl cuts it
//  2. yaml.go, json.go make a tree of each (node.go), whose scalars have the JSON types that kubectl sends
//  3. fields.go reads objects with the help of tables of their fields, which crd.go and schema.go hold
//
// A document with a value that no API server can decode is left out. All else that a server would refuse is kept: whether
// a CRD is sound is not decided here.
package read

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A Document is a CRD of a file.
type Document struct {
	CRD *schema.CRD
	// JSON is the object as a client sends it to an API server: what sigs.k8s.io/yaml makes of the document.
	JSON []byte
}

// Documents reads all CRDs of a source, whose Data must be set; its Syntax is set here. Objects of other kinds are passed
// over, and lists (kind List) are entered.
func Documents(src *diag.Source) ([]Document, []diag.Diagnostic) {
	src.Syntax = diag.YAML
	r := &reader{src: src, tables: newTables()}
	if bytes.HasPrefix(src.Data, []byte("\xFF\xFE")) || bytes.HasPrefix(src.Data, []byte("\xFE\xFF")) {
		return nil, []diag.Diagnostic{notUTF8(diag.At(src, 0, 0))}
	}
	for _, c := range r.chunks() {
		r.chunk(c)
	}
	return r.documents, r.found
}

// A reader reads one source.
type reader struct {
	src *diag.Source
	tables
	documents []Document
	found     []diag.Diagnostic

	// What follows belongs to the document that is being read.

	// path are the fields from the object's root to the value being read, in the notation of the API server.
	path []string
	// lenient counts the values around the one being read in which strict decoding overlooks unknown fields.
	lenient int
	// failed is set once no API server can decode the document.
	failed bool
}

func (r *reader) report(d diag.Diagnostic) {
	d.Path = strings.TrimPrefix(strings.Join(r.path, ""), ".")
	r.found = append(r.found, d)
}

// refuse reports what keeps an API server from decoding the document.
func (r *reader) refuse(d diag.Diagnostic) {
	r.failed = true
	r.report(d)
}

func (r *reader) enter(step string) { r.path = append(r.path, step) }

func (r *reader) leave() { r.path = r.path[:len(r.path)-1] }

const (
	crdGroup   = "apiextensions.k8s.io"
	crdVersion = crdGroup + "/v1"
	crdKind    = "CustomResourceDefinition"
)

// object reads an object of the API: a CRD, a list of objects, or something else. What was found in its text counts only
// where it is of interest.
func (r *reader) object(n *node, data []byte, found []diag.Diagnostic) {
	if n.kind != schema.Object {
		return
	}
	apiVersion, kind := n.find("apiVersion"), n.find("kind")
	switch {
	case kind.is(crdKind) && apiVersion.is(crdVersion):
		r.found = append(r.found, found...)
		r.crdDocument(n, data)
	case kind.is(crdKind):
		r.report(otherAPIVersion(apiVersion, kind))
	case kind.isString() && strings.HasSuffix(kind.text, "List") && n.find("items") != nil:
		r.found = append(r.found, found...)
		r.list(n, data)
	case apiVersion.isString() && strings.HasPrefix(apiVersion.text, crdGroup+"/") && !kind.is("ConversionReview"):
		r.report(otherKind(apiVersion, kind))
	}
}

// list reads the items of a list. Those of a list of CRDs need not say what they are.
func (r *reader) list(n *node, data []byte) {
	var list struct {
		Items []json.RawMessage `json:"items"`
	}
	items := n.find("items").items
	if json.Unmarshal(data, &list) != nil || len(list.Items) != len(items) {
		return
	}
	for i, item := range items {
		if n.find("kind").is(crdKind+"List") && item.kind == schema.Object && item.find("kind") == nil && item.find("apiVersion") == nil {
			whole := *item
			whole.members = slices.Concat(item.members, []member{
				{key: "kind", value: &node{kind: schema.String, text: crdKind, at: n.find("kind").at}},
			})
			if v := n.find("apiVersion"); v != nil {
				whole.members = append(whole.members, member{key: "apiVersion", value: v})
			}
			item = &whole
		}
		r.object(item, list.Items[i], nil)
	}
}

func (r *reader) crdDocument(n *node, data []byte) {
	r.path, r.lenient, r.failed = r.path[:0], 0, false
	c := &schema.CRD{At: n.find("kind").at}
	readObject(r, n, c, r.crd)
	if c.Name.At.IsValid() {
		c.At = c.Name.At
	}
	if !r.failed {
		r.documents = append(r.documents, Document{CRD: c, JSON: data})
	}
}
