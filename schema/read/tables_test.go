package read

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestTables compares the tables of fields with the API's own types, so that no field of a new version is forgotten.
func TestTables(t *testing.T) {
	compare(t, crdFields(), apiext.CustomResourceDefinition{})
	compare(t, metadataFields(), metav1.ObjectMeta{})
	compare(t, specFields(), apiext.CustomResourceDefinitionSpec{})
	compare(t, namesFields(), apiext.CustomResourceDefinitionNames{})
	compare(t, conversionFields(), apiext.CustomResourceConversion{})
	compare(t, webhookFields(), apiext.WebhookConversion{})
	compare(t, clientFields(), apiext.WebhookClientConfig{})
	compare(t, serviceFields(), apiext.ServiceReference{})
	compare(t, versionFields(), apiext.CustomResourceDefinitionVersion{})
	compare(t, validationFields(), apiext.CustomResourceValidation{})
	compare(t, subresourcesFields(), apiext.CustomResourceSubresources{})
	compare(t, scaleFields(), apiext.CustomResourceSubresourceScale{})
	compare(t, columnFields(), apiext.CustomResourceColumnDefinition{})
	compare(t, selectableFields(), apiext.SelectableField{})
	compare(t, schemaFields(), apiext.JSONSchemaProps{})
	compare(t, docsFields(), apiext.ExternalDocumentation{})
	compare(t, ruleFields(), apiext.ValidationRule{})
}

func compare[T any](t *testing.T, known fields[T], of any) {
	t.Helper()
	got := slices.Sorted(maps.Keys(known))
	want := slices.Sorted(slices.Values(jsonNames(reflect.TypeOf(of))))
	if !slices.Equal(got, want) {
		t.Errorf("the fields of %T are\n%q, not\n%q", of, want, got)
	}
}

func jsonNames(typ reflect.Type) (out []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && f.Anonymous {
			out = append(out, jsonNames(f.Type)...)
			continue
		}
		out = append(out, name)
	}
	return out
}
