// Package server does with custom resources what an API server does between the body of a request and its answer. The
// input is the body of a write and the stored object. The output is what would be stored and answered, or the server's
// error. The package calls the server's own library. What that library does not export, or has in packages that need a
// store, is restated step by step. Each step names the file that it follows. testdata/conformance compares every
// answer with that of a real server.
//
// Nothing else that a cluster may have takes part: no admission, no other writers, no quota. Values that a server
// invents are always the same: a uid and a creation time (see metadata.go), resource versions that count from 1, and
// the suffixes of generated names. Managed fields are neither stored nor answered.
package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/klog/v2"
	kjson "sigs.k8s.io/json"

	"github.com/crdproof/crdproof/rules/kube"
)

// A Resource is a CRD as an API server serves it. It may be used by several goroutines at once.
type Resource struct {
	crd      *apiext.CustomResourceDefinition
	versions map[string]*version
	// storage is the version in which objects are stored.
	storage *version
}

// New creates a CRD. The error is a *Refused where an API server would not accept it. Once the context has ended, the
// proof is worth nothing.
func New(ctx context.Context, object *apiext.CustomResourceDefinition) (*Resource, error) {
	refusals, err := kube.Verdict(ctx, object)
	if err != nil {
		return nil, err
	}
	if len(refusals) > 0 {
		return nil, &Refused{Name: object.Name, Reasons: refusals}
	}
	return Accepted(object)
}

// Accepted is New for a CRD that is known to be accepted, such as one that differs from another in messages alone:
// proving a CRD costs more than serving it.
func Accepted(object *apiext.CustomResourceDefinition) (*Resource, error) {
	crd := object.DeepCopy()
	apiext.SetObjectDefaults_CustomResourceDefinition(crd)
	r := &Resource{crd: crd, versions: map[string]*version{}}
	for i := range crd.Spec.Versions {
		v := newVersion(crd, &crd.Spec.Versions[i])
		r.versions[v.spec.Name] = v
		if v.spec.Storage {
			r.storage = v
		}
	}
	if r.storage == nil {
		return nil, fmt.Errorf("%s has no storage version", crd.Name)
	}
	return r, nil
}

// A Request is a write of one object.
type Request struct {
	// Object is the body, as JSON.
	Object []byte
	// Old is what is stored: Answer.Stored of an earlier write, also one under another state of the CRD. Without it the
	// object is created; with it, the write goes to the address of Old. An update that names no resource version is one
	// of what is stored.
	Old map[string]any
	// Status says that it is a write of the status subresource.
	Status bool
	// Version is the version of the address that the object is sent to; "" is that of the object, as clients have it,
	// and the storage version if the CRD does not have that one.
	Version string
	// Validation says what becomes of fields that are unknown or twice there, as the query parameter fieldValidation
	// does: "Strict", "Warn", which "" stands for, or "Ignore".
	Validation string
}

// An Answer is what comes of a write.
type Answer struct {
	// Stored is what is stored, in the storage version. Defaults of that version that the object lacks are not in it:
	// they are filled in when it is read. It is nil where the write is refused.
	Stored map[string]any
	// Object is what the client gets back, in the version of the address. It is nil where the write is refused.
	Object map[string]any
	// Refusal holds the server's words; it is nil where the write is accepted.
	Refusal *apierrors.StatusError
	// Errors are the causes of a refusal because the object is invalid, in the server's order (see order.go).
	Errors field.ErrorList
	// Unknown are the paths of fields that are dropped since no schema has them, in the server's notation.
	Unknown []string
	// Warnings are what the server says beside: each once, and as far as headers hold it.
	Warnings []string
}

// Write does what a server does with a write. The error is a bug, a body that is no JSON object, or a version that only
// a webhook could convert to. A panic of the server's code is no answer, though a server would survive it and answer
// 500: no object is known that brings one about, so that it is taken for a bug of crdproof's.
func (r *Resource) Write(ctx context.Context, req Request) (answer Answer, err error) {
	var fields map[string]json.RawMessage
	if err := kjson.UnmarshalCaseSensitivePreserveInts(req.Object, &fields); err != nil {
		return Answer{}, fmt.Errorf("the object is no JSON object: %w", err)
	}
	if fields == nil {
		return Answer{}, errNull
	}
	said := &recorder{}
	w := &writer{Resource: r, Request: req, answer: &answer}
	defer func() { answer.Warnings = said.sent }()
	if !w.address(fields) {
		verb := http.MethodPost
		if req.Old != nil {
			verb = http.MethodPut
		}
		resource := r.groupResource()
		answer.refuse(apierrors.NewGenericServerResponse(http.StatusNotFound, verb, resource, w.name, "", 0, true))
		return answer, nil
	}
	ctx = klog.NewContext(ctx, logr.Discard()) // the library tells its operators what no user of it wants to know
	stored, err := w.write(warning.WithWarningRecorder(ctx, said))
	if err != nil {
		return answer, answer.refuse(err)
	}
	return answer, answer.accept(r, stored, w.version)
}

// accept fills in what is stored and what is answered.
func (a *Answer) accept(r *Resource, stored *unstructured.Unstructured, v *version) error {
	a.Stored = stored.Object
	read, err := r.read(stored, v)
	if err != nil {
		return err
	}
	a.Object = read.Object
	return nil
}

// Read returns a stored object in a version, as a server returns it: pruned and with the defaults of the storage
// version, and then converted. The error says that only a webhook could convert it, or why a server could not return
// it.
func (r *Resource) Read(stored map[string]any, version string) (map[string]any, error) {
	v, ok := r.versions[version]
	if !ok {
		return nil, fmt.Errorf("%s has no version %q", r.crd.Name, version)
	}
	u, err := r.read(&unstructured.Unstructured{Object: stored}, v)
	if err != nil {
		return nil, err
	}
	return u.Object, nil
}

func (r *Resource) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.crd.Spec.Group, Resource: r.crd.Spec.Names.Plural}
}

func (r *Resource) namespaced() bool { return r.crd.Spec.Scope == apiext.NamespaceScoped }
