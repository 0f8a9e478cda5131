// Package server does with a custom resource what the API server does on a write, with the API server's own library.
// The input is JSON, the output is the stored object or the server's error.
package server

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// A Resource is one established CRD of one version.
type Resource struct {
	// Schema is the version's schema as it was written.
	Schema     *apiextensionsv1.JSONSchemaProps
	structural *structuralschema.Structural
	validator  validation.SchemaValidator
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
	written := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.DeepCopy()
	scheme.Default(&crd)
	var internal apiextensions.CustomResourceDefinition
	if err := scheme.Convert(&crd, &internal, nil); err != nil {
		return nil, err
	}
	for _, v := range internal.Spec.Versions {
		if v.Storage {
			// The server's own strategy fills this in before it validates.
			internal.Status.StoredVersions = append(internal.Status.StoredVersions, v.Name)
		}
	}
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
	return &Resource{Schema: written, structural: structural, validator: validator}, nil
}

// An Answer is what the server makes of one object.
type Answer struct {
	// Read is the object as it was decoded, before anything was done to it.
	Read map[string]any
	// Stored is the object as it would be stored; nil where it cannot be decoded.
	Stored map[string]any
	// Pruned are the paths of fields that the schema does not know.
	Pruned []string
	// Rejected is why it is not stored.
	Rejected field.ErrorList
}

// Create does what the server does with the body of a create request, up to storing it. The order is that of
// customresource_handler.go and registry/customresource/strategy.go in k8s.io/apiextensions-apiserver.
func (r *Resource) Create(body []byte) Answer {
	object := map[string]any{}
	if err := utiljson.Unmarshal(body, &object); err != nil {
		return Answer{Rejected: field.ErrorList{field.Invalid(nil, string(body), err.Error())}}
	}
	a := Answer{Read: runtime.DeepCopyJSON(object)}
	if rejected := r.decode(object, &a); rejected != nil {
		a.Rejected = field.ErrorList{rejected}
		return a
	}
	defaulting.Default(object, r.structural)
	a.Stored = object
	a.Rejected = append(a.Rejected, validation.ValidateCustomResource(nil, object, r.validator)...)
	a.Rejected = append(a.Rejected, objectmeta.Validate(context.Background(), nil, object, r.structural, false)...)
	a.Rejected = append(a.Rejected, listtype.ValidateListSetsAndMaps(nil, r.structural, object)...)
	return a
}

// decode prunes, drops nulls and brings embedded metadata into shape; the root's metadata is kept aside meanwhile.
func (r *Resource) decode(object map[string]any, a *Answer) *field.Error {
	u := unstructured.Unstructured{Object: object}
	kind, version := u.GetKind(), u.GetAPIVersion()
	meta, found, err := objectmeta.GetObjectMeta(object, false)
	if err != nil {
		return field.Invalid(field.NewPath("metadata"), "", err.Error())
	}
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	a.Pruned = pruning.PruneWithOptions(object, r.structural, true, options)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
	if rejected, _ := objectmeta.CoerceWithOptions(nil, object, r.structural, false,
		objectmeta.CoerceOptions{}); rejected != nil {
		return rejected
	}
	u.SetKind(kind)
	u.SetAPIVersion(version)
	if found {
		if err := objectmeta.SetObjectMeta(object, meta); err != nil {
			return field.Invalid(field.NewPath("metadata"), "", fmt.Sprint(err))
		}
	}
	return nil
}
