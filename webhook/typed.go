package webhook

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// TypedHelpers are the helpers of a kind for its Go type: the variable WidgetHelpers of a generated package.
type TypedHelpers[T any] interface {
	Validate(obj *T) field.ErrorList
	ValidateUpdate(old, obj *T) (field.ErrorList, []string)
	ValidateStatusUpdate(old, obj *T) (field.ErrorList, []string)
	Default(obj *T)
}

// Validator returns a validator of controller-runtime that calls generated helpers:
//
//	ctrl.NewWebhookManagedBy(mgr, &v1.Widget{}).WithValidator(webhook.Validator(&v1.WidgetHelpers))
//
// The error is that of an API server for an invalid object, with its causes. Errors that the stored object has too are
// warnings. Objects are always allowed to be deleted.
func Validator[T any, P object[T]](helpers TypedHelpers[T]) admission.Validator[P] {
	return validator[T, P]{helpers}
}

// An object is a pointer to the Go type of a kind.
type object[T any] interface {
	*T
	runtime.Object
}

type validator[T any, P object[T]] struct{ helpers TypedHelpers[T] }

// ValidateCreate returns the errors of a new object.
func (v validator[T, P]) ValidateCreate(ctx context.Context, obj P) (admission.Warnings, error) {
	return nil, invalidObject(ctx, obj, v.helpers.Validate(obj))
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old, or of its status if the request is
// about that subresource.
func (v validator[T, P]) ValidateUpdate(ctx context.Context, old, obj P) (admission.Warnings, error) {
	validate := v.helpers.ValidateUpdate
	if request, err := admission.RequestFromContext(ctx); err == nil && request.SubResource == "status" {
		validate = v.helpers.ValidateStatusUpdate
	}
	errs, warnings := validate(old, obj)
	return warnings, invalidObject(ctx, obj, errs)
}

// ValidateDelete allows every deletion.
func (validator[T, P]) ValidateDelete(context.Context, P) (admission.Warnings, error) {
	return nil, nil
}

// invalidObject returns the error of an API server for an object. The kind is that of the request, if the object does
// not name it.
func invalidObject(ctx context.Context, obj runtime.Object, errs field.ErrorList) error {
	kind := obj.GetObjectKind().GroupVersionKind().GroupKind()
	if request, err := admission.RequestFromContext(ctx); err == nil && kind.Empty() {
		kind = schema.GroupKind{Group: request.Kind.Group, Kind: request.Kind.Kind}
	}
	name := ""
	if accessor, err := meta.Accessor(obj); err == nil {
		name = accessor.GetName()
	}
	if rejection := invalid(kind, name, errs); rejection != nil {
		return rejection
	}
	return nil
}

// Defaulter returns a defaulter of controller-runtime that calls generated helpers:
//
//	ctrl.NewWebhookManagedBy(mgr, &v1.Widget{}).WithDefaulter(webhook.Defaulter(&v1.WidgetHelpers))
func Defaulter[T any, P object[T]](helpers TypedHelpers[T]) admission.Defaulter[P] {
	return defaulter[T, P]{helpers}
}

type defaulter[T any, P object[T]] struct{ helpers TypedHelpers[T] }

// Default sets the defaults of fields that the JSON of obj does not have.
func (d defaulter[T, P]) Default(_ context.Context, obj P) error {
	d.helpers.Default(obj)
	return nil
}
