package write

import (
	"context"
	"fmt"
	"math"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/crdproof/crdproof/rules/kube"
)

// The functions in this file follow registry/customresource/validator.go.

// validateType checks apiVersion and kind.
func (s *strategy) validateType(u *unstructured.Unstructured) (errs field.ErrorList) {
	if u.GetKind() != s.kind.Kind {
		errs = append(errs, field.Invalid(field.NewPath("kind"), u.GetKind(), fmt.Sprintf("must be %v", s.kind.Kind)))
	}
	if want := s.kind.GroupVersion().String(); u.GetAPIVersion() != want {
		errs = append(errs, field.Invalid(field.NewPath("apiVersion"), u.GetAPIVersion(),
			fmt.Sprintf("must be %v", want)))
	}
	return errs
}

// validateMeta checks the metadata of an object; old is the object that it replaces.
func (s *strategy) validateMeta(ctx context.Context, op operation.Type,
	u, old *unstructured.Unstructured) field.ErrorList {
	if s.skipsMeta {
		return nil
	}
	meta, errs := objectMeta(u)
	if len(errs) > 0 {
		return errs
	}
	var oldMeta *metav1.ObjectMeta
	isName := validation.NameIsDNSSubdomain
	if op == operation.Update {
		if oldMeta, errs = objectMeta(old); len(errs) > 0 {
			return errs
		}
		isName = nil
	}
	declarative := utilfeature.DefaultFeatureGate.Enabled(features.DeclarativeValidationBeta)
	path := field.NewPath("metadata")
	errs = validation.ValidateObjectMetaDeclaratively(ctx, op, meta, oldMeta, s.namespaced, isName, path, declarative)
	if !s.minor.Has(kube.DeclarativeMeta) {
		return errs
	}
	// The tags are alpha in the linked library.
	byTags := metavalidation.Validate_ObjectMeta(ctx, operation.Operation{Type: op}, path, meta, oldMeta).MarkBeta()
	return append(validate.FilterCoveredHandwrittenErrors(ctx, errs, byTags, true), byTags...)
}

func objectMeta(u *unstructured.Unstructured) (*metav1.ObjectMeta, field.ErrorList) {
	out := &metav1.ObjectMeta{}
	raw := u.Object["metadata"]
	if raw == nil {
		return out, nil
	}
	fields, ok := raw.(map[string]any)
	if !ok {
		return nil, field.ErrorList{field.Invalid(field.NewPath("metadata"), raw,
			fmt.Sprintf("expected map[string]interface{}, got %T", raw))}
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, out); err != nil {
		return nil, field.ErrorList{field.Invalid(field.NewPath("metadata"), raw, err.Error())}
	}
	return out, nil
}

// validateScale checks the desired number of replicas (except in an update of the status), the actual number, and the
// selector.
func (s *strategy) validateScale(u *unstructured.Unstructured, statusOnly bool) (errs field.ErrorList) {
	if s.scale == nil {
		return nil
	}
	if !statusOnly {
		errs = validateReplicas(u, s.scale.SpecReplicasPath)
	}
	errs = append(errs, validateReplicas(u, s.scale.StatusReplicasPath)...)
	if path := s.scale.LabelSelectorPath; path != nil {
		if selector, _, err := unstructured.NestedString(u.Object, steps(*path)...); err != nil {
			errs = append(errs, field.Invalid(field.NewPath(*path), selector, err.Error()))
		}
	}
	return errs
}

func validateReplicas(u *unstructured.Unstructured, path string) field.ErrorList {
	n, _, err := unstructured.NestedInt64(u.Object, steps(path)...)
	var problem string
	switch {
	case err != nil:
		problem = err.Error()
	case n < 0:
		problem = "should be a non-negative integer"
	case n > math.MaxInt32:
		problem = fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)
	default:
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(path), n, problem)}
}

// steps returns the fields of a path such as .spec.replicas.
func steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }
