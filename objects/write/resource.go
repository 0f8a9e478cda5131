// Package write does with custom resources what an API server does between the body of a request and its answer. The
// input is the body of a write and the stored object. The output is what would be stored and answered, or the server's
// error. The package calls the server's own library. What that library does not export, or has in packages that need a
// store, is restated step by step. Each step names the file that it follows. testdata/conformance compares every
// answer with that of a real server.
//
// Nothing else that a cluster may have takes part: no admission, no other writers, no quota. Values that a server
// invents are always the same: a uid and a creation time (see metadata.go), resource versions that count from 1, and
// the suffixes of generated names. Managed fields are neither stored nor answered.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package write

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/go-logr/logr"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/klog/v2"
	kjson "sigs.k8s.io/json"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// A Resource is a CRD as an API server serves it. It is safe for concurrent use.
type Resource struct {
	// minor is the version of the API server.
	minor    kube.Minor
	crd      *apiext.CustomResourceDefinition
	versions map[string]*version
	// storage is the version in which objects are stored.
	storage *version
	// others are the same CRD as other minors serve it, by minor.
	others sync.Map
}

// New creates a CRD. The error is a *Rejected if an API server rejects it. The result is undefined after cancellation;
// check ctx.Err() first.
func New(ctx context.Context, object *apiext.CustomResourceDefinition) (*Resource, error) {
	reasons, err := kube.Verdict(ctx, object)
	if err != nil {
		return nil, err
	}
	if len(reasons) > 0 {
		return nil, &Rejected{Name: object.Name, Reasons: reasons}
	}
	return Accepted(object)
}

// Accepted is New for a CRD that is known to be valid, such as one that differs from a valid one only in messages.
// Validating a CRD takes longer than serving it.
func Accepted(object *apiext.CustomResourceDefinition) (*Resource, error) {
	crd := object.DeepCopy()
	apiext.SetObjectDefaults_CustomResourceDefinition(crd)
	r := &Resource{minor: kube.Latest(), crd: crd, versions: map[string]*version{}}
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

// OnlyVersion returns a CRD with one of its versions, which is served and stored: its objects are not converted.
func OnlyVersion(object *apiext.CustomResourceDefinition, name string) *apiext.CustomResourceDefinition {
	out := object.DeepCopy()
	out.Spec.Versions = slices.DeleteFunc(out.Spec.Versions,
		func(v apiext.CustomResourceDefinitionVersion) bool { return v.Name != name })
	for i := range out.Spec.Versions {
		out.Spec.Versions[i].Served, out.Spec.Versions[i].Storage = true, true
	}
	return out
}

// A Request is a write of one object.
type Request struct {
	// Object is the body, as JSON.
	Object []byte
	// Old is the stored object: Answer.Stored of an earlier write, even one with an earlier state of the CRD. Without
	// Old the write is a creation; with it, the write goes to the address of Old. An update without a resource version
	// gets that of the stored object.
	Old map[string]any
	// Status says that it is a write of the status subresource.
	Status bool
	// Version is the version of the address to which the object is sent. "" is that of the object, as with clients, or
	// the storage version if the CRD does not have the object's.
	Version string
	// Validation is the query parameter fieldValidation, for unknown and duplicate fields: "Strict", "Warn", which is
	// the default, or "Ignore".
	Validation string
}

// An Answer is the result of a write.
type Answer struct {
	// Stored is the stored object, in the storage version. It lacks the defaults of that version that the server fills
	// in when the object is read. It is nil if the write is rejected.
	Stored map[string]any
	// Object is what the client gets back, in the version of the address. It is nil if the write is rejected.
	Object map[string]any
	// Rejection is the server's error; it is nil if the write is accepted.
	Rejection *apierrors.StatusError
	// Errors are the causes if the object is invalid, in the server's order (see order.go).
	Errors field.ErrorList
	// Unknown are the paths of the fields that are dropped because the schema does not have them, in the server's
	// notation.
	Unknown []string
	// Warnings are the server's warnings: each once, up to the limit of the response headers.
	Warnings []string
}

// Write does what a server does with a write. The error is a bug, a body that is not a JSON object, or a version to
// which only a webhook could convert. A panic of the server's code is not recovered, although a server would answer
// 500: no known object causes one, so it is probably a bug in crdproof.
func (r *Resource) Write(ctx context.Context, req Request) (answer Answer, err error) {
	var fields map[string]json.RawMessage
	if err := kjson.UnmarshalCaseSensitivePreserveInts(req.Object, &fields); err != nil {
		return Answer{}, fmt.Errorf("expected a JSON object: %w", err)
	}
	if fields == nil {
		return Answer{}, errNull
	}
	said := &support.WarningRecorder{}
	w := &writer{Resource: r, Request: req, answer: &answer}
	defer func() { answer.Warnings = said.Sent() }()
	if !w.address(fields) {
		verb := http.MethodPost
		if req.Old != nil {
			verb = http.MethodPut
		}
		resource := r.groupResource()
		answer.reject(apierrors.NewGenericServerResponse(http.StatusNotFound, verb, resource, w.name, "", 0, true))
		return answer, nil
	}
	ctx = klog.NewContext(ctx, logr.Discard()) // the library logs for operators of servers
	stored, err := w.write(warning.WithWarningRecorder(ctx, said))
	if err != nil {
		return answer, answer.reject(err)
	}
	return answer, answer.accept(r, stored, w.version)
}

// accept fills in the stored and the returned object.
func (a *Answer) accept(r *Resource, stored *unstructured.Unstructured, v *version) error {
	a.Stored = stored.Object
	read, err := r.read(stored, v)
	if err != nil {
		return err
	}
	a.Object = read.Object
	return nil
}

// Read returns a stored object in a version, as a server returns it: pruned, with the defaults of the storage version,
// and then converted. The error says that only a webhook could convert it, or why a server could not return it.
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
