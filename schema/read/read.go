// Package read decodes files of CustomResourceDefinitions into the intermediate representation, with the position of
// each part in the file, and files of other objects into what a client sends for them.
//
// The input is a YAML or JSON stream, as given to kubectl. The output is the CRDs that an API server can decode, and
// findings about the rest. The files:
//
//  1. stream.go splits the stream into documents, as kubectl does
//  2. list.go reads the items of lists one by one, and drops objects that are too large to be sent
//  3. yaml.go and json.go parse each document into a tree (node.go), whose scalars have the JSON types that kubectl
//     sends
//  4. fields.go reads CRDs with the tables of fields in crd.go and schema.go
//  5. objects.go reads other objects as they are, and path.go finds their fields
//
// A document with a value that no API server can decode is dropped. Everything else is retained, even if a server
// would reject it: this package does not validate CRDs.
package read

import (
	"bytes"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A Document is a CRD of a file.
type Document struct {
	CRD *schema.CRD
	// JSON is the object as a client sends it to an API server: what sigs.k8s.io/yaml makes of the document.
	JSON []byte
	// File is the size of the source in bytes; 0 if the source has several CRDs.
	File int
}

// Documents reads all CRDs of a source, whose Data must be set; Documents sets its Syntax. It skips objects of other
// kinds, and reads the items of lists (kind List).
func Documents(src *diag.Source) ([]Document, []diag.Diagnostic) {
	var out []Document
	_, found := eachDocument(src, false, func(d Document) { out = append(out, d) }, nil)
	return out, found
}

// EachDocument does what Documents does for files of any size: it calls visit with one CRD after the other, and broken,
// if it is not nil, with those that no API server can decode. These lack what is wrong; inFrame is set if that is
// outside of their schemas, too. EachDocument also skips patches of CRDs, and templates that are not rendered, and
// counts all that is skipped.
func EachDocument(
	src *diag.Source, visit func(Document), broken func(crd *schema.CRD, inFrame bool),
) (skipped Skipped, found []diag.Diagnostic) {
	return eachDocument(src, true, visit, broken)
}

func eachDocument(
	src *diag.Source, skips bool, visit func(Document), broken func(crd *schema.CRD, inFrame bool),
) (skipped Skipped, found []diag.Diagnostic) {
	r := &reader{src: src, crd: crdFields(), schema: schemaFields(), skips: skips, broken: broken}
	var first *Document // held back until it is certain whether there is another one
	several := false
	r.document = func(d Document) {
		if first == nil && !several {
			first = &d
			return
		}
		if first != nil {
			visit(*first)
			first, several = nil, true
		}
		visit(d)
	}
	r.visit = r.object
	r.item = func(item *schema.Value, data []byte, found []diag.Diagnostic) {
		r.found = append(r.found, found...)
		r.object(item, data, nil)
	}
	r.read()
	if first != nil {
		first.File = len(src.Data)
		visit(*first)
	}
	if r.hasCRD {
		for _, n := range r.others {
			r.found = append(r.found, diag.Errorf(n.At, badType, "expected an object, got %s", kindName(n.Kind)).
				Note("kubectl rejects the file: its documents, and the items of a list of kind List, are objects"))
		}
	}
	return r.skipped, r.found
}

// A reader reads one source.
type reader struct {
	src    *diag.Source
	crd    fields[schema.CRD]
	schema fields[schema.Schema]
	// document is called with each CRD.
	document func(Document)
	// broken is called with each CRD that no API server can decode, unless it is nil.
	broken func(crd *schema.CRD, inFrame bool)
	found  []diag.Diagnostic
	// hasCRD is set once there is a CRD, or something that is meant as one; others are values that are no objects.
	hasCRD bool
	others []*schema.Value
	// skips is set if patches of CRDs and templates are skipped, which skipped counts with all other documents.
	skips   bool
	skipped Skipped
	// isPart is set for a schema in a file that is not a CRD, which clients do not send.
	isPart bool
	// visit is called with the root of each document, the JSON that clients send, and the findings in its text. item is
	// called with the items of a list that are read one by one; without it, lists are documents like others.
	visit, item func(n *schema.Value, data []byte, found []diag.Diagnostic)

	// meanings are those of the scalars that the YAML library resolved so far.
	meanings map[string]meaning

	// The fields below belong to the document that is being read.

	// path are the fields from the object's root to the value being read, in the notation of the API server.
	path []string
	// lenient counts the values around the one being read in which strict decoding ignores unknown fields.
	lenient int
	// failed is set if no API server can decode the document, or if it is too large; partFailed if that is because of
	// the innermost schema that is being read, or of something outside of all schemas.
	failed, partFailed bool
	// levels counts the schemas around the one being read, schemas those of the version. tooLargeSchema is set once one
	// of them is beyond its limit.
	levels, schemas int64
	tooLargeSchema  bool
}

// read visits all documents.
func (r *reader) read() {
	r.src.Syntax = diag.YAML
	if bytes.HasPrefix(r.src.Data, []byte("\xFF\xFE")) || bytes.HasPrefix(r.src.Data, []byte("\xFE\xFF")) {
		r.report(diag.Errorf(diag.At(r.src, 0, 0), syntax, "the file is encoded in UTF-16").
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

// reject reports why an API server cannot decode the document.
func (r *reader) reject(d diag.Diagnostic) {
	r.failed, r.partFailed = true, true
	r.report(d)
}

func (r *reader) enter(step string) { r.path = append(r.path, step) }

func (r *reader) leave() { r.path = r.path[:len(r.path)-1] }

const (
	crdGroup   = "apiextensions.k8s.io"
	crdVersion = crdGroup + "/v1"
	crdKind    = "CustomResourceDefinition"
)

// object reads an object of the API: a CRD, a list of objects, or something else. The findings in its text are kept
// for CRDs and lists only.
func (r *reader) object(n *schema.Value, data []byte, found []diag.Diagnostic) {
	if n.Kind != schema.Object {
		r.skipped.skip(n, r.src)
		isCRD := func(item schema.Value) bool { return hasText(item.Find("kind"), crdKind) }
		r.hasCRD = r.hasCRD || n.Kind == schema.Array && slices.ContainsFunc(n.Items, isCRD)
		if n.Kind != schema.Null && !(n.Kind == schema.Array && slices.ContainsFunc(n.Items, isOperation)) {
			r.others = append(r.others, n)
		}
		return
	}
	apiVersion, kind := n.Find("apiVersion"), n.Find("kind")
	switch {
	case r.skips && hasText(kind, crdKind) && isPatch(n):
		r.skipped.Patches++
	case hasText(kind, crdKind) && hasText(apiVersion, crdVersion):
		r.found = append(r.found, found...)
		r.crdDocument(n, data)
	case hasText(kind, crdKind):
		r.report(otherAPIVersion(apiVersion, kind))
	case isList(n):
		r.found = append(r.found, found...)
		eachItem(n, data, func(item *schema.Value, data []byte) { r.object(item, data, nil) })
	case isBrokenList(n):
		r.report(brokenList(n.Find("items")))
	case isString(apiVersion) && strings.HasPrefix(apiVersion.Text, crdGroup+"/") && !hasText(kind, "ConversionReview"):
		r.report(otherKind(apiVersion, kind))
	default:
		r.skipped.skip(n, r.src)
	}
}

func (r *reader) crdDocument(n *schema.Value, data []byte) {
	r.path, r.lenient, r.failed, r.partFailed, r.tooLargeSchema = r.path[:0], 0, false, false, false
	r.hasCRD = true
	c := &schema.CRD{At: n.Find("kind").At}
	readObject(r, n, c, r.crd)
	if c.Name.At.IsValid() {
		c.At = c.Name.At
	}
	switch {
	case !r.failed:
		r.document(Document{CRD: c, JSON: data})
	case r.broken != nil && !r.tooLargeSchema:
		r.broken(c, r.partFailed)
	}
}

// isPatch reports whether an object of the kind of CRDs is a patch of one, as kustomize takes it: it says nothing of
// what identifies a CRD.
func isPatch(n *schema.Value) bool {
	spec, apiVersion := n.Find("spec"), n.Find("apiVersion")
	if !isString(apiVersion) || !strings.HasPrefix(apiVersion.Text, crdGroup+"/") {
		return false
	}
	return spec == nil || spec.Kind == schema.Object &&
		spec.Find("group") == nil && spec.Find("names") == nil && spec.Find("scope") == nil
}

// isOperation reports whether an object is an operation of a JSON patch (RFC 6902).
func isOperation(n schema.Value) bool {
	return n.Kind == schema.Object && n.Find("op") != nil && n.Find("path") != nil
}

// otherAPIVersion reports a CRD of another version than v1, or without apiVersion.
func otherAPIVersion(apiVersion, kind *schema.Value) diag.Diagnostic {
	const help = "write apiVersion: " + crdVersion
	switch {
	case apiVersion == nil:
		return diag.Errorf(kind.At, noCRD, "missing apiVersion of a "+crdKind).Help(help)
	case hasText(apiVersion, crdGroup+"/v1beta1"):
		return diag.Errorf(apiVersion.At, noCRD, "%s is not served since Kubernetes 1.22", apiVersion.Text).
			Help("migrate the CRD to " + crdVersion + ": each version has its own, structural schema")
	}
	return diag.Errorf(apiVersion.At, noCRD, "unknown apiVersion %s of a "+crdKind, shown(apiVersion)).Help(help)
}

// otherKind reports an object of the API's group that is not a CRD.
func otherKind(apiVersion, kind *schema.Value) diag.Diagnostic {
	const help = "write kind: " + crdKind
	if kind == nil {
		return diag.Errorf(apiVersion.At, noCRD, "missing kind of an object of %s", apiVersion.Text).Help(help)
	}
	return diag.Errorf(kind.At, noCRD, "unknown kind %s in %s", shown(kind), apiVersion.Text).Help(help)
}
