package gocode_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"

	"github.com/crdproof/crdproof/emit/gocode/testdata/exchange"
)

// A judge validates objects of a kind with the API server's library, in the steps of its strategy for custom
// resources.
type judge struct {
	structural *structuralschema.Structural
	values     validation.SchemaValidator
	scale      *apiextensionsv1.CustomResourceSubresourceScale
}

func newJudge(t *testing.T, r resource) *judge {
	t.Helper()
	version := r.crd.Spec.Versions[0]
	var internal apiextensions.JSONSchemaProps
	err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		version.Schema.OpenAPIV3Schema, &internal, nil)
	if err != nil {
		t.Fatal(err)
	}
	values, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		t.Fatal(err)
	}
	return &judge{r.schema, values, version.Subresources.Scale}
}

// judge returns the errors of an object, in one of the orders in which the library reports them: that of the answer if
// it is found among many. The library goes through maps, which Go does not do in every order.
func (j *judge) judge(object, old []byte, answer []string) (errs []string) {
	for range 50 {
		errs = j.once(exchange.Decode(object), exchange.Decode(old))
		if slices.Equal(errs, answer) || !slices.Equal(sorted(errs), sorted(answer)) {
			break
		}
	}
	return errs
}

func (j *judge) once(object, old map[string]any) []string {
	var errs field.ErrorList
	if old == nil {
		errs = validation.ValidateCustomResource(nil, object, j.values)
	} else {
		correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: j.structural})
		errs = validation.ValidateCustomResourceUpdate(nil, object, old, j.values,
			validation.WithRatcheting(correlated))
	}
	errs = append(errs, j.scaled(object)...)
	errs = append(errs, objectmeta.Validate(context.Background(), nil, object, j.structural, false)...)
	if old == nil || len(listtype.ValidateListSetsAndMaps(nil, j.structural, old)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, j.structural, object)...)
	}
	return exchange.Texts(errs)
}

// scaled is ValidateScaleSpec and ValidateScaleStatus of the strategy, which are not exported.
func (j *judge) scaled(object map[string]any) (errs field.ErrorList) {
	fields := func(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }
	for _, path := range []string{j.scale.SpecReplicasPath, j.scale.StatusReplicasPath} {
		n, _, err := unstructured.NestedInt64(object, fields(path)...)
		switch {
		case err != nil:
			errs = append(errs, field.Invalid(field.NewPath(path), n, err.Error()))
		case n < 0:
			errs = append(errs, field.Invalid(field.NewPath(path), n, "should be a non-negative integer"))
		case n > math.MaxInt32:
			errs = append(errs, field.Invalid(field.NewPath(path), n,
				fmt.Sprintf("should be less than or equal to %v", math.MaxInt32)))
		}
	}
	text, _, err := unstructured.NestedString(object, fields(*j.scale.LabelSelectorPath)...)
	if err != nil {
		errs = append(errs, field.Invalid(field.NewPath(*j.scale.LabelSelectorPath), text, err.Error()))
	}
	return errs
}
