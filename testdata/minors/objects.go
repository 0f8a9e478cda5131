package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
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
	s.setStrategies(values, statusValues, statusSpec, scale)
	return s, nil
}

// setStrategies makes the strategies. Up to 1.29, their constructor takes the schemas of all versions; from 1.30 on, it
// takes the schema of one, and selectable fields.
func (s *serving) setStrategies(
	values, statusValues validation.SchemaValidator, status *apiextensions.CustomResourceSubresourceStatus,
	scale *apiextensions.CustomResourceSubresourceScale,
) {
	make := reflect.ValueOf(customresource.NewStrategy)
	var structurals any = s.schema
	if make.Type().In(5).Kind() == reflect.Map {
		structurals = map[string]*structural.Structural{s.kind.Version: s.schema}
	}
	args := []reflect.Value{reflect.ValueOf(crdserverscheme.NewUnstructuredObjectTyper()), reflect.ValueOf(s.namespaced),
		reflect.ValueOf(s.kind), reflect.ValueOf(&values).Elem(), reflect.ValueOf(&statusValues).Elem(),
		reflect.ValueOf(structurals), reflect.ValueOf(status), reflect.ValueOf(scale)}
	for len(args) < make.Type().NumIn() {
		args = append(args, reflect.Zero(make.Type().In(len(args))))
	}
	made := make.Call(args)
	s.create, s.update = made[0].Interface().(rest.RESTCreateStrategy), made[0].Interface().(strategy)
	s.status = reflect.ValueOf(customresource.NewStatusStrategy).Call(made)[0].Interface().(strategy)
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

// decode does what schemaCoercingDecoder and unstructuredDefaulter of customresource_handler.go do and, for a stored
// object, schemaCoercingConverter.
func (s *serving) decode(data []byte, stored bool) (*unstructured.Unstructured, error) {
	reader := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, nil,
		crdserverscheme.NewUnstructuredObjectTyper(), serializer.SerializerOptions{})
	object, _, err := reader.Decode(data, &s.kind, &unstructured.Unstructured{})
	if err != nil {
		return nil, err
	}
	u := object.(*unstructured.Unstructured)
	if err := s.coerce(u, stored); err != nil {
		return nil, err
	}
	defaulting.Default(u.Object, s.schema)
	if stored {
		return u, s.coerce(u, false)
	}
	return u, nil
}

// coerce does what unstructuredSchemaCoercer does. It may drop values of embedded metadata that it cannot read.
func (s *serving) coerce(u *unstructured.Unstructured, drop bool) error {
	kind, version := u.GetKind(), u.GetAPIVersion()
	meta, ok, _, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: drop,
	})
	if err != nil {
		return err
	}
	pruning.PruneWithOptions(u.Object, s.schema, true, structural.UnknownFieldPathOptions{})
	defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s.schema)
	if err, _ := objectmeta.CoerceWithOptions(nil, u.Object, s.schema, false, objectmeta.CoerceOptions{
		DropInvalidFields: drop,
	}); err != nil {
		return err
	}
	u.SetKind(kind)
	u.SetAPIVersion(version)
	if ok {
		return objectmeta.SetObjectMeta(u.Object, meta)
	}
	return nil
}
