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

// TestTables holds the tables of fields against the API's own types, so that no field of a new version is forgotten.
func TestTables(t *testing.T) {
	r := newTables()
	compare(t, r.crd, apiext.CustomResourceDefinition{})
	compare(t, r.metadata, metav1.ObjectMeta{})
	compare(t, r.spec, apiext.CustomResourceDefinitionSpec{})
	compare(t, r.names, apiext.CustomResourceDefinitionNames{})
	compare(t, r.conversion, apiext.CustomResourceConversion{})
	compare(t, r.webhook, apiext.WebhookConversion{})
	compare(t, r.client, apiext.WebhookClientConfig{})
	compare(t, r.service, apiext.ServiceReference{})
	compare(t, r.version, apiext.CustomResourceDefinitionVersion{})
	compare(t, r.validation, apiext.CustomResourceValidation{})
	compare(t, r.subresources, apiext.CustomResourceSubresources{})
	compare(t, r.scale, apiext.CustomResourceSubresourceScale{})
	compare(t, r.column, apiext.CustomResourceColumnDefinition{})
	compare(t, r.selectable, apiext.SelectableField{})
	compare(t, r.schema, apiext.JSONSchemaProps{})
	compare(t, r.docs, apiext.ExternalDocumentation{})
	compare(t, r.rule, apiext.ValidationRule{})
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
