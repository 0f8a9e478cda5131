// Package answers compares what generated helpers return for objects with the API server: with its library, in this
// process, and for a sample with a whole server.
package answers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime/debug"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/testdata/conformance/exchange"
)

// A Resource is one version of a CRD as an API server serves it, by the server's own library.
type Resource struct {
	Schema *structural.Structural
	// Kind is the one of the version.
	Kind   schema.GroupVersionKind
	values validation.SchemaValidator
	scale  scaler
	rules  *cel.Validator
	// hasStatus is set if there is a status subresource.
	hasStatus bool
}

// scaler is a strategy of the API server's without a schema: of what it finds only the scale subresource is left.
type scaler interface {
	Validate(ctx context.Context, object runtime.Object) field.ErrorList
}

// The phases of a validation.
const (
	valuePhase = iota
	scalePhase
	embeddedPhase
	listPhase
	rulePhase
	phases
)

// phaseNames are for reports.
var phaseNames = [phases]string{"values", "scale", "embedded metadata", "list types", "rules"}

// NewResource does what the server does for a version of a CRD that is established (customresource_handler.go,
// getOrCreateServingInfoFor). It has no limits of cost: helpers do not count.
func NewResource(crd *apiext.CustomResourceDefinition, version string) (*Resource, error) {
	v1, err := apihelpers.GetSchemaForVersion(crd, version)
	if err != nil || v1 == nil {
		return nil, errors.Join(err, errors.New("there is no schema"))
	}
	var internal apiextensions.CustomResourceValidation
	if err := apiext.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v1, &internal,
		nil); err != nil {
		return nil, err
	}
	s, err := structural.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	s = s.DeepCopy()
	if err := defaulting.PruneDefaults(s); err != nil {
		return nil, err
	}
	r := &Resource{Schema: s, Kind: schema.GroupVersionKind{Group: crd.Spec.Group, Version: version,
		Kind: crd.Spec.Names.Kind}}
	if r.values, _, err = validation.NewSchemaValidator(internal.OpenAPIV3Schema); err != nil {
		return nil, err
	}
	scale, err := scaleOf(crd, version)
	if err != nil {
		return nil, err
	}
	sub, err := apihelpers.GetSubresourcesForVersion(crd, version)
	if err != nil {
		return nil, err
	}
	r.hasStatus = sub != nil && sub.Status != nil
	r.scale = customresource.NewStrategy(nil, true, r.Kind, nil, nil, &structural.Structural{}, nil, scale, nil)
	r.rules = cel.NewValidator(s, true, math.MaxInt64)
	return r, nil
}

func scaleOf(crd *apiext.CustomResourceDefinition, version string) (*apiextensions.CustomResourceSubresourceScale,
	error) {
	sub, err := apihelpers.GetSubresourcesForVersion(crd, version)
	if err != nil || sub == nil || sub.Scale == nil {
		return nil, err
	}
	out := &apiextensions.CustomResourceSubresourceScale{}
	return out, apiext.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(
		sub.Scale, out, nil)
}

// Answer is the server's answer to a request.
func (r *Resource) Answer(request exchange.Request) (a exchange.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	var object, old map[string]any
	object, a.Object = r.read(request.Object)
	if request.Old != nil {
		old, a.Old = r.read(request.Old)
	}
	said := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), said)
	for _, list := range r.validate(ctx, r.stored(object, old), old) {
		a.Errors = append(a.Errors, exchange.Errors(list)...)
		a.Phases = append(a.Phases, len(list))
	}
	a.Warnings = write.Sent(said.texts)
	a.Changed = !bytes.Equal(exchange.Encode(object), a.Object.Defaulted) ||
		old != nil && !bytes.Equal(exchange.Encode(old), a.Old.Defaulted)
	return a
}

// stored is an object without the status that the server drops, or with the one that it keeps (strategy.go,
// PrepareForCreate and PrepareForUpdate).
func (r *Resource) stored(object, old map[string]any) map[string]any {
	if !r.hasStatus {
		return object
	}
	out := maps.Clone(object)
	delete(out, "status")
	if status, ok := old["status"]; ok {
		out["status"] = status
	}
	return out
}

// read does what is done with an object before it is validated (customresource_handler.go, unstructuredSchemaCoercer
// and unstructuredDefaulter), but for the metadata.
func (r *Resource) read(data []byte) (map[string]any, exchange.Read) {
	object, err := exchange.Decode(data)
	if err != nil {
		panic(err)
	}
	var out exchange.Read
	out.Unknown = pruning.PruneWithOptions(object, r.Schema, true, structural.UnknownFieldPathOptions{
		TrackUnknownFieldPaths: true})
	out.Pruned = exchange.Encode(object)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, r.Schema)
	defaulting.Default(object, r.Schema)
	out.Defaulted = exchange.Encode(object)
	return object, out
}

// validate runs the phases of customResourceStrategy's Validate and ValidateUpdate, but for what is not the schema's:
// TypeMeta and the root's metadata.
func (r *Resource) validate(ctx context.Context, object, old map[string]any) (out [phases]field.ErrorList) {
	var valueOptions []validation.ValidationOption
	var ruleOptions []cel.Option
	listsCount := true
	var oldValue any // nil, and not a nil map, where there is none
	if old == nil {
		out[valuePhase] = validation.ValidateCustomResource(nil, object, r.values)
	} else {
		oldValue = old
		correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: r.Schema})
		valueOptions = append(valueOptions, validation.WithRatcheting(correlated))
		ruleOptions = append(ruleOptions, cel.WithRatcheting(correlated))
		out[valuePhase] = validation.ValidateCustomResourceUpdate(nil, object, old, r.values, valueOptions...)
		listsCount = len(listtype.ValidateListSetsAndMaps(nil, r.Schema, old)) == 0
	}
	out[scalePhase] = r.scale.Validate(ctx, r.withIdentity(object))
	out[embeddedPhase] = objectmeta.Validate(ctx, nil, object, r.Schema, false)
	if listsCount {
		out[listPhase] = listtype.ValidateListSetsAndMaps(nil, r.Schema, object)
	}
	switch {
	case r.rules == nil:
	case blocks(out[:]):
		out[rulePhase] = field.ErrorList{field.Invalid(nil, nil,
			"some validation rules were not checked because the object was invalid; correct the existing errors to "+
				"complete validation")}
	default:
		out[rulePhase], _ = r.rules.Validate(ctx, nil, r.Schema, object, oldValue, math.MaxInt64, ruleOptions...)
	}
	return out
}

// withIdentity returns the object with valid type and metadata.
func (r *Resource) withIdentity(object map[string]any) runtime.Object {
	out := map[string]any{}
	for name, value := range object {
		out[name] = value
	}
	out["apiVersion"], out["kind"] = r.Kind.GroupVersion().String(), r.Kind.Kind
	out["metadata"] = map[string]any{"name": "name", "namespace": "default"}
	return &unstructured.Unstructured{Object: out}
}

// blocks reports whether there is an error after which the server asks no rules (strategy.go, hasBlockingErr).
func blocks(list []field.ErrorList) bool {
	for _, errs := range list {
		for _, e := range errs {
			switch e.Type {
			case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
				field.ErrorTypeTypeInvalid:
				return true
			}
		}
	}
	return false
}

// A recorder keeps warnings.
type recorder struct{ texts []string }

// AddWarning keeps a warning.
func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }
