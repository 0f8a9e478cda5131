package fakeclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
)

// A request is a call of a client for an object whose rules are enforced.
type request struct {
	*client
	ctx  context.Context
	kind *kind
	// obj is what the caller sends, and gets the result. It is nil if the result is dropped.
	obj             crclient.Object
	namespace, name string
	// dryRun, manager and validation are options of the call.
	dryRun              bool
	manager, validation string
	// status says that the call is for the status subresource.
	status bool
	// applies says that the object is the result of an apply.
	applies bool
	// isForeign says that a patch has changed the kind or the version of the object.
	isForeign bool
	// filled is what was stored as a Go value, if it has the type of obj.
	filled   crclient.Object
	reported []string
}

func (r *request) setOptions(dryRun []string, manager, validation string) {
	r.dryRun, r.manager, r.validation = slices.Contains(dryRun, metav1.DryRunAll), manager, validation
	if r.manager == "" {
		r.manager = "unknown" // as a server calls a client without a name
	}
}

// do makes the call. Whatever is not an error of a server or of a client is an internal error of the server.
func (r *request) do(call func() (map[string]any, error)) error {
	result, err := func() (map[string]any, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.kind.Namespaced {
			r.namespace = ""
		}
		return call()
	}()
	r.report(r.reported...)
	if err != nil || r.obj == nil {
		return err
	}
	if r.filled != nil { // decoding it again would take as long as the rest of the call
		reflect.ValueOf(r.obj).Elem().Set(reflect.ValueOf(r.filled).Elem())
		return nil
	}
	return fill(r.obj, result)
}

// warn adds warnings, each text once. What a header cannot have is dropped.
func (r *request) warn(texts ...string) {
	for _, text := range texts {
		_, err := utilnet.NewWarningHeader(warningCode, "", text)
		if text != "" && err == nil && !slices.Contains(r.reported, text) {
			r.reported = append(r.reported, text)
		}
	}
}

// warningCode is the code of all warnings of API servers.
const warningCode = 299

func (r *request) resource() schema.GroupResource {
	return schema.GroupResource{Group: r.kind.GVK.Group, Resource: r.kind.Resource}
}

// address returns the errors of requests that have no address on a server. All others get the warning about a
// deprecated version.
func (r *request) address(method string) error {
	if err := r.refuse(method); err != nil {
		return err
	}
	r.warn(r.kind.Warning)
	if r.status && !r.kind.HasStatus {
		return apierrors.NewNotFound(r.resource(), r.name)
	}
	return nil
}

// refuse returns the errors with which a client refuses to send a request (k8s.io/client-go/rest/request.go).
func (r *request) refuse(method string) error {
	if r.kind.Namespaced && r.namespace != "" {
		if reasons := rest.IsValidPathSegmentName(r.namespace); len(reasons) > 0 {
			return fmt.Errorf("invalid namespace %q: %v", r.namespace, reasons)
		}
	}
	if method == http.MethodPost {
		if r.kind.Namespaced && r.namespace == "" {
			return errors.New("an empty namespace may not be set during creation")
		}
		return nil
	}
	if r.name == "" {
		return errors.New("resource name may not be empty")
	}
	if reasons := rest.IsValidPathSegmentName(r.name); len(reasons) > 0 {
		return fmt.Errorf("invalid resource name %q: %v", r.name, reasons)
	}
	if r.kind.Namespaced && r.namespace == "" {
		if method != http.MethodPatch {
			return errors.New("an empty namespace may not be set when a resource name is provided")
		}
		return r.noAddress(method, r.name)
	}
	return nil
}

// noAddress returns the error for an address that a server does not have.
func (r *request) noAddress(method, name string) error {
	verb := map[string]string{http.MethodPut: "put", http.MethodPatch: "patch", http.MethodDelete: "delete"}[method]
	err := apierrors.NewGenericServerResponse(http.StatusNotFound, verb, r.resource(), name,
		"404 page not found", 0, true)
	return err
}

// failure returns the answer of a server to an error that has no code.
func failure(err error) error {
	if err == nil {
		return nil
	}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		return err
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonUnknown,
		Message: err.Error(),
	}}
}

// body returns the JSON that a client sends for an object.
func (r *request) body(obj crclient.Object) (map[string]any, error) {
	out, err := content(obj)
	if err != nil {
		return nil, err
	}
	out["apiVersion"], out["kind"] = r.kind.GVK.GroupVersion().String(), r.kind.GVK.Kind
	return out, nil
}

// content returns the JSON of an object.
func content(obj runtime.Object) (out map[string]any, err error) {
	data, err := encode(obj)
	if err == nil {
		err = utiljson.Unmarshal(data, &out)
	}
	if err == nil && out == nil {
		err = fmt.Errorf("expected an object, got a nil %T", obj)
	}
	return out, err
}

func encode(obj runtime.Object) ([]byte, error) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		return json.Marshal(u.Object)
	}
	return json.Marshal(obj)
}

// fill writes the JSON of an object into a Go value.
func fill(to crclient.Object, from map[string]any) error {
	if u, ok := to.(*unstructured.Unstructured); ok {
		u.Object = runtime.DeepCopyJSON(from)
		return nil
	}
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	kind := to.GetObjectKind().GroupVersionKind()
	reflect.ValueOf(to).Elem().SetZero()
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("the object does not fit into %T: %w", to, err)
	}
	if !isPartial(to) {
		kind = schema.GroupVersionKind{} // as other clients leave typed objects
	}
	to.GetObjectKind().SetGroupVersionKind(kind)
	return nil
}

// isPartial reports whether a Go value has only the metadata of an object.
func isPartial(obj runtime.Object) bool {
	_, ok := obj.(*metav1.PartialObjectMetadata)
	return ok
}

// same reports whether two objects have the same JSON, as a server compares them.
func same(a, b map[string]any) (bool, error) {
	left, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	right, err := json.Marshal(b)
	return bytes.Equal(left, right), err
}
