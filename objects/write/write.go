package write

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/warning"
	kjson "sigs.k8s.io/json"
)

// A writer is a write in progress.
type writer struct {
	*Resource
	Request
	answer *Answer
	// version, namespace and name are the address of the request.
	version         *version
	namespace, name string
}

// address finds out where a client sends the object, and reports whether the address exists. Fields that it cannot read
// are rejected later.
func (w *writer) address(fields map[string]json.RawMessage) bool {
	name := w.Version
	if name == "" {
		name = w.storage.spec.Name
		if gv, err := schema.ParseGroupVersion(textOf(fields["apiVersion"])); err == nil &&
			gv.Group == w.crd.Spec.Group {
			name = gv.Version
		}
	}
	if w.Old != nil {
		stored := &unstructured.Unstructured{Object: w.Old}
		w.namespace, w.name = stored.GetNamespace(), stored.GetName()
	} else {
		var meta map[string]json.RawMessage
		_ = kjson.UnmarshalCaseSensitivePreserveInts(fields["metadata"], &meta)
		w.namespace = textOf(meta["namespace"])
	}
	switch {
	case !w.namespaced():
		w.namespace = ""
	case w.namespace == "":
		w.namespace = metav1.NamespaceDefault
	}
	v, ok := w.versions[name]
	w.version = v
	return ok && v.spec.Served
}

func textOf(data json.RawMessage) (text string) {
	_ = kjson.UnmarshalCaseSensitivePreserveInts(data, &text)
	return text
}

// write returns the stored object. The error is the rejection, or a *WebhookError.
func (w *writer) write(ctx context.Context) (*unstructured.Unstructured, error) {
	ctx = genericapirequest.WithNamespace(ctx, w.namespace)
	warning.AddWarning(ctx, "", w.version.deprecation)
	strategy, err := w.version.strategy()
	if err != nil {
		return nil, err
	}
	if w.Status && !strategy.hasStatus {
		return nil, apierrors.NewNotFound(w.groupResource(), w.name)
	}
	object, err := w.readBody(func(text string) { warning.AddWarning(ctx, "", text) })
	if err != nil {
		return nil, err
	}
	if w.Old == nil && !w.Status {
		return w.create(ctx, strategy, object)
	}
	return w.update(ctx, strategy, object)
}

// create follows handlers/create.go (createHandler) and k8s.io/apiserver/pkg/registry/generic/registry/store.go
// (Create).
func (w *writer) create(ctx context.Context, s *strategy,
	object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	rest.WipeObjectMetaSystemFields(object)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(w.namespace, object); err != nil {
		return nil, err
	}
	dedupOwners(ctx, object)
	keepReadableManagedFields(object)
	fillSystemFields(object)
	if object.GetGenerateName() != "" && object.GetName() == "" {
		object.SetName(s.GenerateName(object.GetGenerateName()))
	}
	c := &creating{strategy: s, recorded: recorded{by: s}}
	if err := rest.BeforeCreate(c, ctx, object); err != nil {
		w.answer.Errors = c.errs
		return nil, err
	}
	if err := checkKey(object.GetName()); err != nil {
		return nil, err
	}
	if version, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(object); err == nil && version != 0 {
		return nil, storage.ErrResourceVersionSetOnCreate
	}
	return w.store(object, 1)
}

// update follows handlers/update.go (UpdateResource), store.go (Update) and k8s.io/apiserver/pkg/storage/etcd3/store.go
// (GuaranteedUpdate).
func (w *writer) update(ctx context.Context, s *strategy,
	object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(w.namespace, object); err != nil {
		return nil, err
	}
	if err := w.checkName(object); err != nil {
		return nil, err
	}
	dedupOwners(ctx, object)
	if w.Old == nil {
		return nil, apierrors.NewNotFound(w.groupResource(), w.name)
	}
	existing, err := w.read(&unstructured.Unstructured{Object: w.Old}, w.version)
	if err != nil {
		return nil, err
	}
	revision, err := w.checkPreconditions(object, existing)
	if err != nil {
		return nil, err
	}
	keepReadableManagedFields(object)
	p := &updating{strategy: s, recorded: recorded{by: s}, statusOnly: w.Status}
	before := existing.DeepCopy()
	if err := rest.BeforeUpdate(p, ctx, object, existing); err != nil {
		w.answer.Errors = p.errs
		return nil, err
	}
	return w.replace(object, before, revision)
}

// checkName follows that of handlers/rest.go: the address of an update names the object, too.
func (w *writer) checkName(object *unstructured.Unstructured) error {
	switch name := object.GetName(); {
	case name == "":
		empty := apierrors.NewBadRequest("name must be provided")
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: %v",
			w.name, empty))
	case name != w.name:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the "+
			"URL (%s)", name, w.name))
	}
	return nil
}

// checkPreconditions checks that the uid and the resource version of an object are those of the existing one, and
// returns the existing resource version. An object without a resource version gets the existing one, as if its client
// had just read the existing object.
func (w *writer) checkPreconditions(object, existing *unstructured.Unstructured) (uint64, error) {
	if uid := object.GetUID(); uid != "" {
		conditions := &storage.Preconditions{UID: &uid}
		if err := conditions.Check(w.key(), existing); err != nil {
			return 0, apierrors.NewConflict(w.groupResource(), w.name, err)
		}
	}
	var versioner storage.APIObjectVersioner
	revision, err := versioner.ObjectResourceVersion(existing)
	if err != nil {
		return 0, err
	}
	if object.GetResourceVersion() == "" {
		return revision, versioner.UpdateObject(object, revision)
	}
	switch wanted, err := versioner.ObjectResourceVersion(object); {
	case err != nil:
		return 0, err
	case wanted == 0:
		kind := schema.GroupKind{Group: w.crd.Spec.Group, Kind: w.crd.Spec.Names.Plural}
		path := field.NewPath("metadata", "resourceVersion")
		w.answer.Errors = field.ErrorList{field.Invalid(path, wanted, "must be specified for an update")}
		return 0, apierrors.NewInvalid(kind, w.name, w.answer.Errors)
	case wanted != revision:
		return 0, apierrors.NewConflict(w.groupResource(), w.name, errOutdated)
	}
	return revision, nil
}

// keepReadableManagedFields drops managed fields that the server does not understand, as its field manager does.
func keepReadableManagedFields(object *unstructured.Unstructured) {
	if managedfields.ValidateManagedFields(object.GetManagedFields()) != nil {
		object.SetManagedFields(nil)
	}
}
