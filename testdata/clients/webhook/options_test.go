package webhook_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/crd"
	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
	"github.com/crdproof/crdproof/webhook"
)

// owned rejects gardens in the namespace b.
var owned = v1.GardenHelpers.WithCheck(func(_, g *v1.Garden) (errs field.ErrorList) {
	if g.Namespace == "b" {
		errs = append(errs, field.Forbidden(field.NewPath("metadata", "namespace"), "no gardens in b"))
	}
	return errs
})

// TestOptions uses helpers with options, in a registry or alone, wherever others can be used.
func TestOptions(t *testing.T) {
	registry, err := crd.NewRegistry(owned)
	if err != nil {
		t.Fatal(err)
	}
	handler := webhook.Validating(registry.With(crd.StopAtFirst()).Kinds())
	object := strings.Replace(garden(`{"owner":"eve"}`), `"namespace":"a"`, `"namespace":"b"`, 1)
	response := send(t, handler, "CREATE", "Garden", object, "")
	if response.Allowed || !strings.Contains(response.Result.Message, "metadata.namespace: Forbidden: no gardens in b") {
		t.Errorf("%+v", response)
	}
	if response := send(t, handler, "UPDATE", "Garden", object, object); !response.Allowed || len(response.Warnings) != 1 {
		t.Errorf("%+v", response)
	}
	g := &v1.Garden{}
	g.Namespace, g.Spec.Owner = "b", "eve"
	_, err = webhook.Validator(owned).ValidateCreate(t.Context(), g)
	if err == nil || !strings.Contains(err.Error(), "no gardens in b") {
		t.Error(err)
	}
}
