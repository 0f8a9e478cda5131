package write

import (
	"bytes"
	"fmt"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// maxStored is the maximum size of a stored object in bytes: the default limit of etcd for requests. etcd also counts a
// few hundred bytes of the request around the object, which are ignored here.
const maxStored = 1536 * 1024

// store returns an object as it is stored under a revision (customresource_handler.go, crdConversionRESTOptionsGetter):
// converted to the storage version, and as it comes back from JSON, where 2.0 is 2.
func (r *Resource) store(object *unstructured.Unstructured, revision uint64) (*unstructured.Unstructured, error) {
	data, err := r.encode(object)
	if err != nil {
		return nil, err
	}
	if len(data) > maxStored {
		return nil, errTooLarge
	}
	stored := &unstructured.Unstructured{}
	if err := runtime.DecodeInto(unstructured.UnstructuredJSONScheme, data, stored); err != nil {
		return nil, err
	}
	return stored, storage.APIObjectVersioner{}.UpdateObject(stored, revision)
}

// replace stores an object in place of another. If nothing changes, the revision stays the same.
func (w *writer) replace(object, existing *unstructured.Unstructured, revision uint64) (*unstructured.Unstructured,
	error) {
	stored, err := w.store(object, revision)
	if err != nil {
		return nil, err
	}
	before, err := w.encode(&unstructured.Unstructured{Object: w.Old})
	if err != nil {
		return nil, err
	}
	after, err := w.encode(stored)
	if err != nil || bytes.Equal(before, after) {
		return stored, err
	}
	return stored, storage.APIObjectVersioner{}.UpdateObject(stored, revision+1)
}

func (r *Resource) encode(object *unstructured.Unstructured) ([]byte, error) {
	object = object.DeepCopy()
	if err := (storage.APIObjectVersioner{}).PrepareObjectForStorage(object); err != nil {
		return nil, err
	}
	object.SetManagedFields(nil)
	if object.GroupVersionKind() != r.storage.kind {
		if err := r.convert(object, r.storage); err != nil {
			return nil, err
		}
	}
	return runtime.Encode(unstructured.UnstructuredJSONScheme, object)
}

// read returns a stored object in a version: it is coerced to the schema of the version in which it is stored, gets the
// defaults of that version, and is converted.
func (r *Resource) read(stored *unstructured.Unstructured, v *version) (*unstructured.Unstructured, error) {
	u := stored.DeepCopy()
	if _, err := r.coerce(u, coercion{stored: true}); err != nil {
		return nil, err
	}
	if err := r.setDefaults(u); err != nil {
		return nil, err
	}
	return u, r.convert(u, v)
}

// convert converts an object to a version (apiserver/conversion/nop_converter.go and schemaCoercingConverter), without
// the defaults of that version.
func (r *Resource) convert(u *unstructured.Unstructured, to *version) error {
	from, wanted := u.GroupVersionKind().GroupVersion(), to.kind.GroupVersion()
	if from != wanted && r.crd.Spec.Conversion.Strategy == apiext.WebhookConverter {
		return &WebhookError{From: from, To: wanted}
	}
	if _, ok := r.versions[from.Version]; !ok || from.Group != wanted.Group {
		return fmt.Errorf("request to convert CR from an invalid group/version: %s", from)
	}
	u.SetGroupVersionKind(wanted.WithKind(u.GetKind()))
	_, err := r.coerce(u, coercion{})
	return err
}

// checkKey checks that a name can be part of a key (store.go, NamespaceKeyFunc).
func checkKey(name string) error {
	if name == "" {
		return apierrors.NewBadRequest("Name parameter required.")
	}
	if reasons := content.IsPathSegmentName(name); len(reasons) > 0 {
		return apierrors.NewBadRequest(fmt.Sprintf("Name parameter invalid: %q: %s", name, strings.Join(reasons, ";")))
	}
	return nil
}

// key returns where the object is stored.
func (w *writer) key() string {
	parts := []string{"/registry", w.crd.Spec.Group, w.crd.Spec.Names.Plural}
	if w.namespace != "" {
		parts = append(parts, w.namespace)
	}
	return strings.Join(append(parts, w.name), "/")
}
