package webhook

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Validator returns a validator of controller-runtime that calls generated functions:
//
//	ctrl.NewWebhookManagedBy(mgr, &v1.Widget{}).
//		WithValidator(webhook.Validator(v1.ValidateWidget, v1.ValidateWidgetUpdate))
//
// The error is that of an API server for an invalid object, with its causes. Errors that the stored object has too are
// warnings. Objects are always allowed to be deleted.
func Validator[T runtime.Object](create func(obj T) field.ErrorList,
	update func(obj, old T) (field.ErrorList, []string)) admission.Validator[T] {
	return validator[T]{create, update}
}

type validator[T runtime.Object] struct {
	create func(obj T) field.ErrorList
	update func(obj, old T) (field.ErrorList, []string)
}

// ValidateCreate returns the errors of a new object.
func (v validator[T]) ValidateCreate(ctx context.Context, obj T) (admission.Warnings, error) {
	return nil, invalidObject(ctx, obj, v.create(obj))
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old.
func (v validator[T]) ValidateUpdate(ctx context.Context, old, obj T) (admission.Warnings, error) {
	errs, warnings := v.update(obj, old)
	return warnings, invalidObject(ctx, obj, errs)
}

// ValidateDelete allows every deletion.
func (validator[T]) ValidateDelete(context.Context, T) (admission.Warnings, error) { return nil, nil }

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

// Defaulter returns a defaulter of controller-runtime that calls a generated function:
//
//	ctrl.NewWebhookManagedBy(mgr, &v1.Widget{}).WithDefaulter(webhook.Defaulter(v1.DefaultWidget))
func Defaulter[T runtime.Object](set func(obj T)) admission.Defaulter[T] { return defaulter[T](set) }

type defaulter[T runtime.Object] func(obj T)

// Default sets the defaults of fields that the JSON of obj does not have.
func (d defaulter[T]) Default(_ context.Context, obj T) error {
	d(obj)
	return nil
}
