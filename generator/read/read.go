// Package read decodes files of CustomResourceDefinitions into the intermediate representation, with the position of
// each part in the file, and files of other objects into what a client sends for them.
//
// The input is a YAML or JSON stream, as given to kubectl. The output is the CRDs that an API server can decode, and
// findings about the rest. The files:
//
//  1. stream.go splits the stream into documents, as kubectl does
//  2. yaml.go and json.go parse each document into a tree (node.go), whose scalars have the JSON types that kubectl
//     sends
//  3. fields.go reads CRDs with the tables of fields in crd.go and schema.go
//  4. objects.go reads other objects as they are, and path.go finds their fields
//
// A document with a value that no API server can decode is dropped. Everything else is retained, even if a server
// would reject it: this package does not validate CRDs.
package read

import (
	"bytes"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A Document is a CRD of a file.
type Document struct {
	CRD *schema.CRD
	// JSON is the object as a client sends it to an API server: what sigs.k8s.io/yaml makes of the document.
	JSON []byte
	// File is how many bytes the source has; 0 where the source holds more CRDs than this.
	File int
}

// Documents reads all CRDs of a source, whose Data must be set; its Syntax is set here. Objects of other kinds are
// passed over, and lists (kind List) are entered.
func Documents(src *diag.Source) ([]Document, []diag.Diagnostic) {
	r := &reader{src: src, crd: crdFields(), schema: schemaFields()}
	r.visit = r.object
	r.read()
	if len(r.documents) == 1 {
		r.documents[0].File = len(src.Data)
	}
	return r.documents, r.found
}

// A reader reads one source.
type reader struct {
	src       *diag.Source
	crd       fields[schema.CRD]
	schema    fields[schema.Schema]
	documents []Document
	found     []diag.Diagnostic
	// visit is called with the root of each document, the JSON that is sent of it, and what was found in its text.
	visit func(n *schema.Value, data []byte, found []diag.Diagnostic)

	// What follows belongs to the document that is being read.

	// path are the fields from the object's root to the value being read, in the notation of the API server.
	path []string
	// lenient counts the values around the one being read in which strict decoding overlooks unknown fields.
	lenient int
	// failed is set once no API server can decode the document.
	failed bool
}

// read visits all documents.
func (r *reader) read() {
	r.src.Syntax = diag.YAML
	if bytes.HasPrefix(r.src.Data, []byte("\xFF\xFE")) || bytes.HasPrefix(r.src.Data, []byte("\xFE\xFF")) {
		r.report(diag.Errorf(diag.At(r.src, 0, 0), syntax, "the file is written in UTF-16").
			Help("save the file as UTF-8"))
		return
	}
	for _, c := range r.chunks() {
		r.chunk(c)
	}
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

// object reads an object of the API: a CRD, a list of objects, or something else. What was found in its text counts
// only where it is of interest.
func (r *reader) object(n *schema.Value, data []byte, found []diag.Diagnostic) {
	if n.Kind != schema.Object {
		return
	}
	apiVersion, kind := n.Find("apiVersion"), n.Find("kind")
	switch {
	case is(kind, crdKind) && is(apiVersion, crdVersion):
		r.found = append(r.found, found...)
		r.crdDocument(n, data)
	case is(kind, crdKind):
		r.report(otherAPIVersion(apiVersion, kind))
	case isList(n):
		r.found = append(r.found, found...)
		eachItem(n, data, func(item *schema.Value, data []byte) { r.object(item, data, nil) })
	case isString(apiVersion) && strings.HasPrefix(apiVersion.Text, crdGroup+"/") && !is(kind, "ConversionReview"):
		r.report(otherKind(apiVersion, kind))
	}
}

func (r *reader) crdDocument(n *schema.Value, data []byte) {
	r.path, r.lenient, r.failed = r.path[:0], 0, false
	c := &schema.CRD{At: n.Find("kind").At}
	readObject(r, n, c, r.crd)
	if c.Name.At.IsValid() {
		c.At = c.Name.At
	}
	if !r.failed {
		r.documents = append(r.documents, Document{CRD: c, JSON: data})
	}
}

// otherAPIVersion is about a CRD of another version than v1, or of none.
func otherAPIVersion(apiVersion, kind *schema.Value) diag.Diagnostic {
	const help = "write apiVersion: " + crdVersion
	switch {
	case apiVersion == nil:
		return diag.Errorf(kind.At, noCRD, "a "+crdKind+" without apiVersion").Help(help)
	case is(apiVersion, crdGroup+"/v1beta1"):
		return diag.Errorf(apiVersion.At, noCRD, "%s is served by no Kubernetes since 1.22", apiVersion.Text).
			Help("write the CRD for " + crdVersion +
				", where each version has its own schema, and the schema is structural")
	}
	return diag.Errorf(apiVersion.At, noCRD, "there is no "+crdKind+" in %s", shown(apiVersion)).Help(help)
}

// otherKind is about an object of the API's group that is no CRD.
func otherKind(apiVersion, kind *schema.Value) diag.Diagnostic {
	const help = "write kind: " + crdKind
	if kind == nil {
		return diag.Errorf(apiVersion.At, noCRD, "an object of %s without kind", apiVersion.Text).Help(help)
	}
	return diag.Errorf(kind.At, noCRD, "there is no kind %s in %s", shown(kind), apiVersion.Text).Help(help)
}
