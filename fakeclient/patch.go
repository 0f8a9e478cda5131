package fakeclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
	kjson "sigs.k8s.io/json"
)

// doPatch makes the call of a patch for the object that the caller sends.
func (r *request) doPatch(patch crclient.Patch, options *metav1.PatchOptions) error {
	data, err := patch.Data(r.obj)
	if err != nil {
		return err
	}
	return r.do(func() (map[string]any, error) { return r.patch(patch.Type(), data, options) })
}

// patch follows handlers/patch.go.
func (r *request) patch(as types.PatchType, data []byte, options *metav1.PatchOptions) (map[string]any, error) {
	r.setOptions(options.DryRun, options.FieldManager, options.FieldValidation)
	if err := r.address(http.MethodPatch); err != nil {
		return nil, err
	}
	switch as {
	case types.JSONPatchType, types.MergePatchType, types.ApplyPatchType:
	default:
		// A strategic merge patch needs the Go type, which a server has only of its own kinds.
		return nil, &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
			Code: http.StatusUnsupportedMediaType, Reason: metav1.StatusReasonUnsupportedMediaType,
			Message: "the body of the request was in an unknown format - accepted media types include: " +
				strings.Join([]string{string(types.JSONPatchType), string(types.MergePatchType),
					string(types.ApplyYAMLPatchType)}, ", ")}}
	}
	if err := badOptions("PatchOptions", metavalidation.ValidatePatchOptions(options, as)); err != nil {
		return nil, err
	}
	if as != types.ApplyPatchType && !json.Valid(data) {
		return nil, apierrors.NewBadRequest("invalid JSON patch")
	}
	old, err := r.load()
	if err != nil {
		return nil, err
	}
	if as == types.ApplyPatchType {
		return r.apply(data, old, options.Force != nil && *options.Force)
	}
	if old == nil {
		return nil, apierrors.NewNotFound(r.resource(), r.name)
	}
	current, err := r.current(old, data)
	if err != nil {
		return nil, err
	}
	patched, strict, err := r.applyPatch(as, current, data)
	if err != nil {
		return nil, failure(err)
	}
	u, err := r.readPatched(patched, strict)
	if err != nil {
		return nil, err
	}
	if err := r.setNamespace(u); err != nil {
		return nil, err
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	written := r.written(u) // with duplicates, which count for managed fields
	r.dropDuplicateOwners(u, inPatch)
	if !mentionsManaged(data) {
		u.SetManagedFields(nil)
	}
	return r.replace(u, old, written)
}

// current returns the JSON of a stored object, with its managed fields if the patch is about them.
func (r *request) current(old *entry, patch []byte) ([]byte, error) {
	if !mentionsManaged(patch) {
		return json.Marshal(old.object)
	}
	managed, err := r.kind.settle(old)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old.object)}
	u.SetManagedFields(managed)
	return json.Marshal(u.Object)
}

// applyPatch applies a patch to the JSON of an object. The strict errors are about fields that the patch has twice, or
// that an operation does not have.
func (r *request) applyPatch(as types.PatchType, current, patch []byte) (patched []byte, strict []error, err error) {
	isStrict := r.validation != metav1.FieldValidationIgnore
	undecodable := func(err error) error {
		return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if as == types.MergePatchType {
		if isStrict {
			var v map[string]any
			if strict, err = kjson.UnmarshalStrict(patch, &v); err != nil {
				return nil, nil, undecodable(err)
			}
		}
		if patched, err = jsonpatch.MergePatch(current, patch); errors.Is(err, jsonpatch.ErrBadJSONPatch) {
			err = apierrors.NewBadRequest(err.Error())
		}
		return patched, strict, err
	}
	if isStrict {
		var operations []struct {
			Op    string `json:"op"`
			Path  string `json:"path"`
			From  string `json:"from"`
			Value any    `json:"value"`
		}
		if strict, err = kjson.UnmarshalStrict(patch, &operations); err != nil {
			return nil, nil, undecodable(err)
		}
		for i, e := range strict {
			strict[i] = fmt.Errorf("json patch %w", e)
		}
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	if patched, err = operations.Apply(current); err != nil {
		err = apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "",
			err.Error(),
			0, false)
	}
	return patched, strict, err
}

// readPatched reads a patched object.
func (r *request) readPatched(patched []byte, strict []error) (*unstructured.Unstructured, error) {
	invalid := func(err error) error {
		return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
			field.Invalid(field.NewPath("patch"), string(patched), err.Error())})
	}
	u := &unstructured.Unstructured{}
	reader := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory,
		unstructuredscheme.NewUnstructuredCreator(), unstructuredscheme.NewUnstructuredObjectTyper(),
		serializer.SerializerOptions{})
	if _, _, err := reader.Decode(patched, nil, u); err != nil {
		return nil, invalid(err)
	}
	unknown, err := r.coerce(u.Object)
	if err != nil {
		return nil, invalid(err)
	}
	if err := r.checkStrict(append(strict, unknownFields(unknown)...)); err != nil {
		return nil, invalid(err)
	}
	return u, nil
}
