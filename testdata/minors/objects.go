package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// Writes are writes of objects of one CRD.
type Writes struct {
	CRD json.RawMessage `json:"crd"`
	// Version is the version of the address of all writes.
	Version string  `json:"version"`
	Writes  []Write `json:"writes"`
}

// A Write is the creation of an object, or the update of an old one or of its status.
type Write struct {
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old,omitempty"`
	Status bool            `json:"status,omitempty"`
}

// WriteAnswers are the answers to Writes: none if the server rejects the CRD.
type WriteAnswers struct {
	CRD     Answer        `json:"crd"`
	Answers []WriteAnswer `json:"answers"`
}

// A WriteAnswer is what the server answers: the object that it would store, or why it rejects the write.
type WriteAnswer struct {
	Object map[string]any `json:"object,omitempty"`
	Errors []Reason       `json:"errors,omitempty"`
	// Failed is another rejection, Panic the text of a panic of the server's code.
	Failed string `json:"failed,omitempty"`
	Panic  string `json:"panic,omitempty"`
}

// line answers one line of the input.
func line(scheme *runtime.Scheme, decoder runtime.Decoder, body []byte) any {
	if !bytes.HasPrefix(body, []byte(`{"crd":`)) {
		return answer(scheme, decoder, body)
	}
	var w Writes
	if err := json.Unmarshal(body, &w); err != nil {
		return WriteAnswers{CRD: Answer{Undecodable: err.Error()}}
	}
	out := WriteAnswers{CRD: answer(scheme, decoder, w.CRD)}
	if out.CRD.Panic != "" || out.CRD.Undecodable != "" || len(out.CRD.Errors) > 0 {
		return out
	}
	s, err := newServing(decoder, w)
	if err != nil {
		return WriteAnswers{CRD: Answer{Undecodable: err.Error()}}
	}
	for _, write := range w.Writes {
		out.Answers = append(out.Answers, s.answer(write))
	}
	return out
}

// A strategy is what customresource.NewStrategy and NewStatusStrategy return.
type strategy interface {
	rest.RESTUpdateStrategy
}

// serving is a version of a CRD as getOrCreateServingInfoFor of customresource_handler.go prepares it.
type serving struct {
	kind           schema.GroupVersionKind
	schema         *structural.Structural
	create         rest.RESTCreateStrategy
	update, status strategy
	namespaced     bool
}

func newServing(decoder runtime.Decoder, w Writes) (*serving, error) {
	object, _, err := decoder.Decode(w.CRD, nil, nil)
	if err != nil {
		return nil, err
	}
	crd := object.(*apiextensions.CustomResourceDefinition)
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: w.Version, Kind: crd.Spec.Names.Kind}
	val, err := apiextensions.GetSchemaForVersion(crd, w.Version)
	if err != nil || val == nil || val.OpenAPIV3Schema == nil {
		return nil, fmt.Errorf("no schema of %s: %w", w.Version, err)
	}
	props := val.OpenAPIV3Schema
	s := &serving{kind: kind, namespaced: crd.Spec.Scope == apiextensions.NamespaceScoped}
	if s.schema, err = structural.NewStructural(props); err != nil {
		return nil, err
	}
	s.schema = s.schema.DeepCopy()
	if err := defaulting.PruneDefaults(s.schema); err != nil {
		return nil, err
	}
	values, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	var statusSpec *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	var statusValues validation.SchemaValidator
	sub, err := apiextensions.GetSubresourcesForVersion(crd, w.Version)
	if err != nil {
		return nil, err
	}
	if sub != nil {
		statusSpec, scale = sub.Status, sub.Scale
	}
	if status, ok := props.Properties["status"]; ok && statusSpec != nil {
		if statusValues, _, err = validation.NewSchemaValidator(&status); err != nil {
			return nil, err
		}
	}
	made := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), s.namespaced, kind, values,
		statusValues, s.schema, statusSpec, scale, []apiext.SelectableField(nil))
	s.create, s.update, s.status = made, made, customresource.NewStatusStrategy(made)
	return s, nil
}

func (s *serving) answer(w Write) (out WriteAnswer) {
	defer func() {
		if p := recover(); p != nil {
			out = WriteAnswer{Panic: fmt.Sprint(p)}
		}
	}()
	u, err := s.decode(w.Object, false)
	if err == nil {
		namespace := ""
		if s.namespaced {
			namespace = "default"
		}
		ctx := request.WithNamespace(context.Background(), namespace)
		err = s.write(ctx, u, w)
	}
	var status *apierrors.StatusError
	switch {
	case err == nil:
		out.Object = u.Object
	case errors.As(err, &status) && status.ErrStatus.Details != nil:
		for _, c := range status.ErrStatus.Details.Causes {
			out.Errors = append(out.Errors, Reason{string(c.Type), c.Field, c.Message})
		}
	default:
		out.Failed = err.Error()
	}
	return out
}

func (s *serving) write(ctx context.Context, u *unstructured.Unstructured, w Write) error {
	if w.Old == nil {
		rest.WipeObjectMetaSystemFields(u)
		rest.FillObjectMetaSystemFields(u)
		return rest.BeforeCreate(s.create, ctx, u)
	}
	old, err := s.decode(w.Old, true)
	if err != nil {
		return err
	}
	if w.Status {
		return rest.BeforeUpdate(s.status, ctx, u, old)
	}
	return rest.BeforeUpdate(s.update, ctx, u, old)
}

// decode does what schemaCoercingDecoder and unstructuredDefaulter of customresource_handler.go do.
func (s *serving) decode(data []byte, stored bool) (*unstructured.Unstructured, error) {
	reader := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil,
		crdserverscheme.NewUnstructuredObjectTyper(), serializer.SerializerOptions{})
	object, _, err := reader.Decode(data, &s.kind, &unstructured.Unstructured{})
	if err != nil {
		return nil, err
	}
	u := object.(*unstructured.Unstructured)
	kind, version := u.GetKind(), u.GetAPIVersion()
	meta, ok, _, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: stored,
	})
	if err != nil {
		return nil, err
	}
	pruning.PruneWithOptions(u.Object, s.schema, true, structural.UnknownFieldPathOptions{})
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s.schema)
	if err, _ := objectmeta.CoerceWithOptions(nil, u.Object, s.schema, false, objectmeta.CoerceOptions{
		DropInvalidFields: stored,
	}); err != nil {
		return nil, err
	}
	u.SetKind(kind)
	u.SetAPIVersion(version)
	if ok {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, err
		}
	}
	defaulting.Default(u.Object, s.schema)
	return u, nil
}
