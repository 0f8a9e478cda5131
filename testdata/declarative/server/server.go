// Package server does with custom resources what the API server does when they are created and updated, with the API
// server's own library. The input is JSON, the output is the stored object or the server's error.
package server

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"sigs.k8s.io/yaml"
)

// A Resource is one established CRD of one version.
type Resource struct {
	structural *structuralschema.Structural
	strategy   strategy
	rules      *cel.Validator
}

// strategy is what the server asks before it stores an object: customresource.customResourceStrategy.
type strategy interface {
	Validate(ctx context.Context, object runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList
}

// Establish creates the CRD as a server would. The error is the server's rejection.
func Establish(data []byte) (*Resource, error) {
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(data, &crd); err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(apiextensions.AddToScheme(scheme), apiextensionsv1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	scheme.Default(&crd)
	var internal apiextensions.CustomResourceDefinition
	if err := scheme.Convert(&crd, &internal, nil); err != nil {
		return nil, err
	}
	version := internal.Spec.Versions[0].Name
	// The server's own strategy fills this in before it validates.
	internal.Status.StoredVersions = []string{version}
	if errs := crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	// The conversion moves the schema to the top where all versions share it.
	props := internal.Spec.Validation
	if props == nil {
		props = internal.Spec.Versions[0].Schema
	}
	structural, err := structuralschema.NewStructural(props.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(props.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{Group: internal.Spec.Group, Version: version, Kind: internal.Spec.Names.Kind}
	return &Resource{
		structural: structural,
		strategy:   customresource.NewStrategy(nil, true, kind, validator, nil, structural, nil, nil, nil),
		rules:      cel.NewValidator(structural, true, celconfig.PerCallLimit),
	}, nil
}

// Read does what the server does with the body of a request before it validates: it prunes, drops nulls and fills in
// defaults, in the order of customresource_handler.go in k8s.io/apiextensions-apiserver.
func (r *Resource) Read(body []byte) (map[string]any, error) {
	object := map[string]any{}
	if err := utiljson.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	u := unstructured.Unstructured{Object: object}
	kind, version := u.GetKind(), u.GetAPIVersion()
	meta, found, err := objectmeta.GetObjectMeta(object, false)
	if err != nil {
		return nil, err
	}
	pruning.PruneWithOptions(object, r.structural, true, structuralschema.UnknownFieldPathOptions{})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
	if rejected, _ := objectmeta.CoerceWithOptions(nil, object, r.structural, false,
		objectmeta.CoerceOptions{}); rejected != nil {
		return nil, rejected
	}
	u.SetKind(kind)
	u.SetAPIVersion(version)
	if found {
		if err := objectmeta.SetObjectMeta(object, meta); err != nil {
			return nil, fmt.Errorf("metadata: %w", err)
		}
	}
	defaulting.Default(object, r.structural)
	return object, nil
}

// Create is what the server says against an object that was read, by its own strategy.
func (r *Resource) Create(object map[string]any) field.ErrorList {
	return r.strategy.Validate(context.Background(), &unstructured.Unstructured{Object: object})
}

// Against is all that can be said against an object: the rules in CEL are asked even where Create would not ask them.
func (r *Resource) Against(object map[string]any) field.ErrorList {
	told, _ := r.rules.Validate(context.Background(), nil, r.structural, object, nil, celconfig.RuntimeCELCostBudget)
	return append(r.Create(object), told...)
}

// Added reports whether a value at a path of the object is in an item of a list, an entry of a map or a struct for
// which the old object has nothing that the server would compare it with, or is itself such an item or entry.
func (r *Resource) Added(object, old map[string]any, path []string) bool {
	at := r.correlate(object, old)
	for i, key := range path {
		_, isField := at.Schema.Properties()[key]
		if isField && i == len(path)-1 {
			return false
		}
		if at = child(at, key); at == nil || at.OldValue == nil {
			return true
		}
	}
	return false
}

// Unchanged reports whether the server takes the value at a path of the object for the old one, so that it does not
// validate the value again.
func (r *Resource) Unchanged(object, old map[string]any, path []string) bool {
	at := r.correlate(object, old)
	for _, key := range path {
		if at = child(at, key); at == nil {
			return false
		}
	}
	return at.CachedDeepEqual()
}

func (r *Resource) correlate(object, old map[string]any) *common.CorrelatedObject {
	return common.NewCorrelatedObject(object, old, &model.Structural{Structural: r.structural})
}

// child is the value of a field, or of a key of a map or an index of a list; nil if it has no old value.
func child(of *common.CorrelatedObject, key string) *common.CorrelatedObject {
	if n, err := strconv.Atoi(key); err == nil && of.Schema.Type() == "array" {
		return of.Index(n)
	}
	return of.Key(key)
}

// Update is what the server says against an object that takes the place of an old one.
func (r *Resource) Update(object, old map[string]any) field.ErrorList {
	return r.strategy.ValidateUpdate(context.Background(), &unstructured.Unstructured{Object: object},
		&unstructured.Unstructured{Object: old})
}
