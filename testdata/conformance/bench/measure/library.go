package measure

import (
	"context"
	"errors"

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
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

// newLibrary returns what the API server's library does with objects of a version of a CRD. All that a server prepares
// once, it prepares once (pkg/apiserver/customresource_handler.go).
func newLibrary(crd *apiext.CustomResourceDefinition, version string) (Helpers, error) {
	v1, err := apihelpers.GetSchemaForVersion(crd, version)
	if err != nil || v1 == nil {
		return Helpers{}, errors.Join(err, errors.New("there is no schema"))
	}
	var internal apiextensions.CustomResourceValidation
	if err := apiext.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v1, &internal,
		nil); err != nil {
		return Helpers{}, err
	}
	l := library{}
	if l.schema, err = structural.NewStructural(internal.OpenAPIV3Schema); err != nil {
		return Helpers{}, err
	}
	if l.values, _, err = validation.NewSchemaValidator(internal.OpenAPIV3Schema); err != nil {
		return Helpers{}, err
	}
	l.rules = cel.NewValidator(l.schema, true, celconfig.PerCallLimit)
	return Helpers{Prune: l.prune, Default: l.setDefaults, Validate: l.validate, Update: l.update}, nil
}

type library struct {
	schema *structural.Structural
	values validation.SchemaValidator
	rules  *cel.Validator
}

func (l library) prune(object map[string]any) []string {
	return pruning.PruneWithOptions(object, l.schema, true, structural.UnknownFieldPathOptions{
		TrackUnknownFieldPaths: true})
}

func (l library) setDefaults(object map[string]any) {
	defaulting.PruneNonNullableNullsWithoutDefaults(object, l.schema)
	defaulting.Default(object, l.schema)
}

// validate does what the strategy's Validate does (pkg/registry/customresource/strategy.go), but for TypeMeta,
// ObjectMeta and scale.
func (l library) validate(object map[string]any) field.ErrorList {
	ctx := context.Background()
	errs := validation.ValidateCustomResource(nil, object, l.values)
	errs = append(errs, objectmeta.Validate(ctx, nil, object, l.schema, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, l.schema, object)...)
	if len(errs) > 0 || l.rules == nil { // an error may stop the rules; samples have none
		return errs
	}
	errs, _ = l.rules.Validate(ctx, nil, l.schema, object, nil, celconfig.RuntimeCELCostBudget)
	return errs
}

// update does what the strategy's ValidateUpdate does.
func (l library) update(object, old map[string]any) (field.ErrorList, []string) {
	said := &warnings{}
	ctx := warning.WithWarningRecorder(context.Background(), said)
	correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: l.schema})
	errs := validation.ValidateCustomResourceUpdate(nil, object, old, l.values, validation.WithRatcheting(correlated))
	errs = append(errs, objectmeta.Validate(ctx, nil, object, l.schema, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, l.schema, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, l.schema, object)...)
	}
	if len(errs) > 0 || l.rules == nil {
		return errs, said.texts
	}
	errs, _ = l.rules.Validate(ctx, nil, l.schema, object, old, celconfig.RuntimeCELCostBudget,
		cel.WithRatcheting(correlated))
	return errs, said.texts
}

// warnings collects what the library warns of.
type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) { w.texts = append(w.texts, text) }
