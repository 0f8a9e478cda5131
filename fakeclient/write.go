package fakeclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// badOptions returns the error for options that a server does not understand.
func badOptions(kind string, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Group: metav1.GroupName, Kind: kind}, "", errs)
}

// coerce makes an object fit its schema: it removes unknown fields, which it returns, and sets defaults.
func (r *request) coerce(object map[string]any) (unknown []string, err error) {
	if unknown, err = r.prune(object); err != nil {
		return nil, err
	}
	return unknown, r.kind.Default(object)
}

// prune removes unknown fields, in the metadata too, and returns them.
func (r *request) prune(object map[string]any) (unknown []string, err error) {
	if unknown, err = readMetadata(object); err != nil {
		return nil, err
	}
	paths, err := r.kind.Prune(object)
	return append(unknown, paths...), err
}

// readBody reads the object that a client sends (k8s.io/apiserver/pkg/endpoints/handlers/create.go and update.go).
func (r *request) readBody() (*unstructured.Unstructured, error) {
	object, err := r.body(r.obj)
	if err != nil {
		return nil, err
	}
	if err := r.interpret(object); err != nil {
		return nil, err
	}
	unknown, err := r.coerce(object)
	if err == nil {
		err = r.checkStrict(unknownFields(unknown))
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v",
			r.kind.GVK.Kind,
			r.kind.GVK.Version, r.kind.GVK.Kind, err))
	}
	u := &unstructured.Unstructured{Object: object}
	return u, r.setNamespace(u)
}

// interpret returns the error of a server that cannot read the version and the kind of an object: it finds them in
// fields whose names differ in case, too (transformDecodeError of handlers/rest.go).
func (r *request) interpret(object map[string]any) error {
	head := maps.Clone(object)
	maps.DeleteFunc(head, func(name string, _ any) bool {
		return !strings.EqualFold(name, "apiVersion") && !strings.EqualFold(name, "kind")
	})
	const known = 2
	if len(head) == known {
		return nil
	}
	data, err := json.Marshal(head)
	if err != nil {
		return err
	}
	_, reason := serializer.DefaultMetaFactory.Interpret(data)
	if reason == nil {
		return nil
	}
	if data, err = json.Marshal(object); err != nil {
		return err
	}
	const most = 30 // the object is longer
	return apierrors.NewBadRequest(fmt.Sprintf("the object provided is unrecognized (must be of type %s): %v (%s ...)",
		r.kind.GVK.Kind, reason, data[:most]))
}

// unknownFields returns the errors of strict decoding for fields that the schema does not have.
func unknownFields(paths []string) (out []error) {
	for _, path := range paths {
		out = append(out, errors.New(`unknown field "`+path+`"`))
	}
	return out
}

// checkStrict returns the error for what strict decoding finds, or makes warnings of it.
func (r *request) checkStrict(found []error) error {
	switch {
	case len(found) == 0 || r.validation == metav1.FieldValidationIgnore:
	case r.validation == metav1.FieldValidationStrict:
		return runtime.NewStrictDecodingError(found)
	default:
		for _, e := range found {
			r.warn(e.Error())
		}
	}
	return nil
}

// setNamespace gives an object the namespace of the request (k8s.io/apiserver/pkg/registry/rest/meta.go).
func (r *request) setNamespace(u *unstructured.Unstructured) error {
	if is := u.GetNamespace(); is != "" && r.namespace != "" && is != r.namespace {
		return apierrors.NewBadRequest(
			"the namespace of the provided object does not match the namespace sent on the request")
	}
	if u.GetNamespace() != r.namespace {
		u.SetNamespace(r.namespace)
	}
	return nil
}

// create follows handlers/create.go and k8s.io/apiserver/pkg/registry/generic/registry/store.go (Create).
func (r *request) create(options *metav1.CreateOptions) (map[string]any, error) {
	r.setOptions(options.DryRun, options.FieldManager, options.FieldValidation)
	if err := r.address(http.MethodPost); err != nil {
		return nil, err
	}
	if err := badOptions("CreateOptions", metavalidation.ValidateCreateOptions(options)); err != nil {
		return nil, err
	}
	u, err := r.readBody()
	if err != nil {
		return nil, err
	}
	r.dropDuplicateOwners(u, "")
	clearDeletion(u) // before managed fields are calculated
	written, managed := r.written(u), u.GetManagedFields()
	if err := r.begin(u); err != nil {
		return nil, err
	}
	r.name = u.GetName()
	if known, err := r.load(); err != nil {
		return nil, err
	} else if version, err := strconv.ParseUint(u.GetResourceVersion(), 10, 64); err == nil && version != 0 &&
		!r.dryRun {
		return nil, failure(fmt.Errorf("resourceVersion should not be set on objects to be created"))
	} else if known != nil {
		return nil, r.exists(u, known)
	}
	object, err := r.save(u, nil, nil)
	if e := r.stored[r.keyOf(r.kind, r.namespace, r.name)]; err == nil && !r.dryRun {
		err = r.kind.manage(e, nil, written, managed)
	}
	return object, err
}

// exists returns the error for an object that exists.
func (r *request) exists(u *unstructured.Unstructured, known *entry) error {
	err := apierrors.NewAlreadyExists(r.resource(), r.name)
	if u.GetGenerateName() != "" {
		err = apierrors.NewGenerateNameConflict(r.resource(), r.name, 1)
	}
	if existing := (&unstructured.Unstructured{Object: known.object}); existing.GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// clearDeletion removes what only a deletion sets.
func clearDeletion(u *unstructured.Unstructured) {
	u.SetDeletionTimestamp(nil)
	u.SetDeletionGracePeriodSeconds(nil)
}

// begin prepares a new object and validates it (k8s.io/apiserver/pkg/registry/rest/create.go).
func (r *request) begin(u *unstructured.Unstructured) error {
	clearDeletion(u)
	u.SetSelfLink("")
	u.SetCreationTimestamp(metav1.Now().Rfc3339Copy())
	u.SetUID(uuid.NewUUID())
	if base := u.GetGenerateName(); base != "" && u.GetName() == "" {
		const suffix = 5
		u.SetName(base[:min(len(base), 63-suffix)] + rand.String(suffix))
	}
	if r.kind.HasStatus {
		delete(u.Object, "status")
	}
	u.SetGeneration(1)
	meta, err := objectMeta(u)
	if err != nil {
		return failure(err)
	}
	at := field.NewPath("metadata")
	errs := byText(validation.ValidateObjectMeta(meta, r.kind.Namespaced, validation.NameIsDNSSubdomain, at))
	errs = r.kind.join(errs, r.kind.Validate(u.Object))
	if len(errs) == 0 {
		errs = validation.ValidateObjectMeta(meta, r.kind.Namespaced, isSegment, at)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(u.GroupVersionKind().GroupKind(), u.GetName(), errs)
	}
	r.warnOfFinalizers(u.GetFinalizers(), nil)
	return nil
}

// isSegment follows validatePathSegment of k8s.io/apiserver/pkg/registry/rest/create.go.
func isSegment(name string, prefix bool) []string { return path.ValidatePathSegmentName(name, prefix) }

// byText sorts errors of metadata, which a server finds in the random order of maps.
func byText(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

// blocked replaces the errors of rules if there are errors that prevent their evaluation.
const blocked = "some validation rules were not checked because the object was invalid; correct the existing " +
	"errors to complete validation"

// join adds the errors of an object to those of its metadata. An error of the metadata may prevent the evaluation of
// rules, too.
func (k *kind) join(metadata, errs field.ErrorList) field.ErrorList {
	blocks := slices.ContainsFunc(metadata, func(e *field.Error) bool {
		switch e.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
			field.ErrorTypeTypeInvalid:
			return true
		}
		return false
	})
	isBlocked := slices.ContainsFunc(errs, func(e *field.Error) bool { return e.Detail == blocked })
	if blocks && !isBlocked && k.HasRules {
		errs = append(slices.Clip(errs), field.Invalid(nil, nil, blocked))
	}
	return append(metadata, errs...)
}

// update follows handlers/update.go and registry/store.go (Update).
func (r *request) update(options *metav1.UpdateOptions) (map[string]any, error) {
	r.setOptions(options.DryRun, options.FieldManager, options.FieldValidation)
	if err := r.address(http.MethodPut); err != nil {
		return nil, err
	}
	if err := badOptions("UpdateOptions", metavalidation.ValidateUpdateOptions(options)); err != nil {
		return nil, err
	}
	u, err := r.readBody()
	if err != nil {
		return nil, err
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	r.dropDuplicateOwners(u, "")
	old, err := r.load()
	if err != nil {
		return nil, err
	}
	if old == nil {
		return nil, apierrors.NewNotFound(r.resource(), r.name)
	}
	existing := &unstructured.Unstructured{Object: old.object}
	if uid := u.GetUID(); uid != "" && uid != existing.GetUID() {
		return nil, apierrors.NewConflict(r.resource(), r.name, fmt.Errorf("StorageError: invalid object, Code: 4, "+
			"Key: %s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %v, UID in "+
			"object meta: %v",
			r.storageKey(), uid, existing.GetUID()))
	}
	return r.replace(u, old, r.written(u))
}

// storageKey returns where a server stores the object, as its errors name it.
func (r *request) storageKey() string {
	parts := []string{"/registry", r.kind.GVK.Group, r.kind.Resource}
	if r.dryRun {
		parts[0] = ""
	}
	if r.namespace != "" {
		parts = append(parts, r.namespace)
	}
	return strings.Join(append(parts, r.name), "/")
}

// checkName follows that of handlers/rest.go: an object has the name of the address.
func (r *request) checkName(u *unstructured.Unstructured) error {
	switch name := u.GetName(); {
	case name == "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: %v",
			r.name, apierrors.NewBadRequest("name must be provided")))
	case name != r.name:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the "+
			"URL (%s)", name, r.name))
	}
	if namespace := u.GetNamespace(); namespace != r.namespace {
		return apierrors.NewBadRequest(fmt.Sprintf("the namespace of the object (%s) does not match the namespace on "+
			"the URL (%s)", namespace, r.namespace))
	}
	return nil
}

// replace stores an object in place of another one, if their versions match, and if it is valid.
func (r *request) replace(u *unstructured.Unstructured, old *entry, written update) (map[string]any, error) {
	existing := &unstructured.Unstructured{Object: old.object}
	if err := r.checkVersion(u, existing); err != nil {
		return nil, err
	}
	if u.GetAPIVersion() == "" {
		return nil, apierrors.NewInternalError(runtime.NewMissingVersionErr("object has no apiVersion field"))
	}
	managed, sent := u.GetManagedFields(), u.GroupVersionKind()
	r.isForeign = sent != r.kind.GVK
	r.prepare(u, existing)
	if err := r.validateUpdate(u, existing, sent); err != nil {
		return nil, err
	}
	u.SetResourceVersion(existing.GetResourceVersion())
	u.SetManagedFields(nil)
	if existing.GetDeletionTimestamp() != nil && len(u.GetFinalizers()) == 0 {
		return r.remove(u, old)
	}
	if err := r.shape(u); err != nil {
		return nil, err
	}
	next := &entry{managed: managed}
	if !r.applies {
		if err := r.kind.manage(next, old, written, managed); err != nil {
			return nil, err
		}
	}
	if isSame, err := r.isSame(u.Object, next, old, written); err != nil || isSame {
		return old.object, err
	}
	object, err := r.save(u, old, nil)
	if e := r.stored[r.keyOf(r.kind, r.namespace, r.name)]; err == nil && !r.dryRun {
		e.managed, e.pending = next.managed, next.pending
	}
	return object, err
}

// isSame reports whether a write changes nothing, not even who manages which field: then the resource version stays the
// same. An update changes that only if the client has sent something else than what is stored.
func (r *request) isSame(object map[string]any, next, old *entry, written update) (bool, error) {
	if isSame, err := same(object, old.raw); err != nil || !isSame {
		return false, err
	}
	if isSame, err := same(written.after, old.raw); err != nil || isSame && !r.applies {
		return isSame, err
	}
	before, err := r.kind.settle(old)
	if err != nil {
		return false, err
	}
	after, err := r.kind.settle(next)
	return sameManaged(before, after), err
}

// checkVersion compares resource versions.
func (r *request) checkVersion(u, existing *unstructured.Unstructured) error {
	var wanted uint64
	if text := u.GetResourceVersion(); text != "" {
		var err error
		if wanted, err = strconv.ParseUint(text, 10, 64); err != nil {
			return apierrors.NewInternalError(err)
		}
	}
	switch {
	case wanted == 0:
		kind := schema.GroupKind{Group: r.kind.GVK.Group, Kind: r.kind.Resource}
		return apierrors.NewInvalid(kind, r.name,
			field.ErrorList{field.Invalid(field.NewPath("metadata", "resourceVersion"),
				wanted, "must be specified for an update")})
	case u.GetResourceVersion() != existing.GetResourceVersion():
		return apierrors.NewConflict(r.resource(), r.name, fmt.Errorf("the object has been modified; please apply "+
			"your changes to the latest version and try again"))
	}
	return nil
}

// prepare gives an object what it must have in common with the existing one (rest/update.go and
// registry/customresource/strategy.go).
func (r *request) prepare(u, existing *unstructured.Unstructured) {
	u.SetGeneration(existing.GetGeneration())
	if r.status {
		written := u.Object
		u.Object = runtime.DeepCopyJSON(existing.Object)
		setStatus(u.Object, written)
	} else {
		if r.kind.HasStatus {
			setStatus(u.Object, runtime.DeepCopyJSON(existing.Object))
		}
		if !sameContent(u.Object, existing.Object) {
			u.SetGeneration(existing.GetGeneration() + 1)
		}
	}
	if u.GetUID() == "" {
		u.SetUID(existing.GetUID())
	}
	if created := existing.GetCreationTimestamp(); !created.IsZero() {
		u.SetCreationTimestamp(created)
	}
	if deleted := existing.GetDeletionTimestamp(); deleted != nil {
		u.SetDeletionTimestamp(deleted)
	}
	if period := existing.GetDeletionGracePeriodSeconds(); period != nil && u.GetDeletionGracePeriodSeconds() == nil {
		u.SetDeletionGracePeriodSeconds(period)
	}
}

// setStatus gives an object the status of another one, or removes it.
func setStatus(object, from map[string]any) {
	if status, ok := from["status"]; ok {
		object["status"] = status
	} else {
		delete(object, "status")
	}
}

// validateUpdate validates an object that replaces an existing one. The error names the kind that the client has sent.
func (r *request) validateUpdate(u, existing *unstructured.Unstructured, sent schema.GroupVersionKind) error {
	meta, err := objectMeta(u)
	if err != nil {
		return failure(err)
	}
	before, err := objectMeta(existing)
	if err != nil {
		return failure(err)
	}
	at := field.NewPath("metadata")
	errs := validation.ValidateObjectMeta(meta, r.kind.Namespaced, isSegment, at)
	errs = append(errs, validation.ValidateObjectMetaUpdate(meta, before, at)...)
	errs = append(errs, validation.ValidateObjectMetaUpdate(meta, before, at)...) // which a server does twice
	validate := r.kind.ValidateUpdate
	if r.status {
		validate = r.kind.ValidateStatus
	}
	found, warnings := validate(u.Object, existing.Object)
	r.warn(warnings...)
	if errs = r.kind.join(byText(errs), found); len(errs) > 0 {
		return apierrors.NewInvalid(sent.GroupKind(), u.GetName(), errs)
	}
	if !r.status {
		r.warnOfFinalizers(u.GetFinalizers(), existing.GetFinalizers())
	}
	return nil
}
