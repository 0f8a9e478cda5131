package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Validating returns the HTTP handler of a validating webhook for all kinds of a generated package:
//
//	mgr.GetWebhookServer().Register("/validate", webhook.Validating(v1.Kinds()))
//
// A request with an invalid object is denied with the error of an API server, with its causes. Unknown and duplicate
// fields, and errors that the stored object has too, are warnings. Requests to delete objects are allowed. It answers
// AdmissionReviews of the version v1.
func Validating[K Helpers](all []K) *admission.Webhook {
	known := list(all)
	handle := func(_ context.Context, r admission.Request) admission.Response {
		if !isWrite(r) {
			return admission.Allowed("")
		}
		kind, err := known.find(schema.GroupVersionKind(r.Kind))
		if err != nil {
			return admission.Errored(http.StatusBadRequest, err)
		}
		obj, errs, warnings, err := kind.Admit(string(r.Operation), r.SubResource, r.Object.Raw, r.OldObject.Raw)
		if err != nil {
			return admission.Errored(http.StatusBadRequest, fmt.Errorf("%s cannot be decoded: %w", r.Kind.Kind, err))
		}
		u := unstructured.Unstructured{Object: obj}
		return answer(invalid(kind.GroupVersionKind().GroupKind(), u.GetName(), errs)).WithWarnings(warnings...)
	}
	return &admission.Webhook{Handler: admission.HandlerFunc(handle)}
}

// Defaulting returns the HTTP handler of a mutating webhook for all kinds of a generated package:
//
//	mgr.GetWebhookServer().Register("/default", webhook.Defaulting(v1.Kinds()))
//
// It sets the defaults of the schema, and nulls that are not allowed become defaults or are removed. It answers
// AdmissionReviews of the version v1.
func Defaulting[K Helpers](all []K) *admission.Webhook {
	known := list(all)
	handle := func(_ context.Context, r admission.Request) admission.Response {
		if !isWrite(r) {
			return admission.Allowed("")
		}
		kind, err := known.find(schema.GroupVersionKind(r.Kind))
		if err != nil {
			return admission.Errored(http.StatusBadRequest, err)
		}
		var obj map[string]any
		if err := utiljson.Unmarshal(r.Object.Raw, &obj); err != nil {
			return admission.Errored(http.StatusBadRequest, fmt.Errorf("%s cannot be decoded: %w", r.Kind.Kind, err))
		}
		kind.Default(obj)
		defaulted, err := json.Marshal(obj)
		if err != nil {
			return admission.Errored(http.StatusInternalServerError, err)
		}
		return admission.PatchResponseFromRaw(r.Object.Raw, defaulted)
	}
	return &admission.Webhook{Handler: admission.HandlerFunc(handle)}
}

// isWrite reports whether a request has an object that is to be stored.
func isWrite(r admission.Request) bool {
	return r.Operation == admissionv1.Create || r.Operation == admissionv1.Update
}

// invalid returns the error of an API server for an invalid object, nil if there are no errors.
func invalid(kind schema.GroupKind, name string, errs field.ErrorList) *apierrors.StatusError {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(kind, name, errs)
}

// answer allows or denies a request.
func answer(rejection *apierrors.StatusError) admission.Response {
	if rejection == nil {
		return admission.Allowed("")
	}
	status := rejection.Status()
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &status}}
}
