package answers

import (
	"context"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// TestResource shows that the phases which are run here one by one are what the API server's strategy runs, by its own
// verdict on objects whose type and metadata are right.
func TestResource(t *testing.T) {
	files, err := SmallFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		crd, err := decode(f.Data)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewResource(crd, "v1")
		if err != nil {
			t.Fatal(err)
		}
		theirs := newStrategy(t, crd, r)
		maker := objects.NewMaker(r.Schema, r.Kind.GroupVersion().String(), r.Kind.Kind, false)
		for number := range uint64(300) {
			c := maker.Make(4, number)
			for _, object := range []map[string]any{c.Object, c.Old} {
				if object != nil {
					object["apiVersion"], object["kind"] = r.Kind.GroupVersion().String(), r.Kind.Kind
					object["metadata"] = map[string]any{"name": "name", "namespace": "default", "resourceVersion": "1"}
				}
			}
			request := requestOf("", c)
			var differences []string
			for range tries {
				ours, said := r.Answer(request), theirs(request)
				said.Object, said.Old, said.Phases = ours.Object, ours.Old, ours.Phases
				if differences = Differences(said, ours); len(differences) == 0 {
					break
				}
			}
			for _, d := range differences {
				t.Errorf("%s, object %d: %s", f.Name, number, d)
			}
		}
	}
}

// newStrategy returns what asks the API server's own strategy.
func newStrategy(t *testing.T, crd *apiext.CustomResourceDefinition,
	r *Resource) func(exchange.Request) exchange.Answer {
	v1, err := apihelpers.GetSchemaForVersion(crd, "v1")
	if err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.CustomResourceValidation
	if err := apiext.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v1, &internal,
		nil); err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		t.Fatal(err)
	}
	scale, err := scaleOf(crd, "v1")
	if err != nil {
		t.Fatal(err)
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	if r.hasStatus {
		status = &apiextensions.CustomResourceSubresourceStatus{}
	}
	strategy := customresource.NewStrategy(nil, true, r.Kind, validator, nil, r.Schema, status, scale, nil)
	return func(request exchange.Request) exchange.Answer {
		said := &recorder{}
		ctx := warning.WithWarningRecorder(context.Background(), said)
		fields, _ := r.read(request.Object)
		object := &unstructured.Unstructured{Object: fields}
		var errs field.ErrorList
		if request.Old == nil {
			strategy.PrepareForCreate(ctx, object)
			errs = strategy.Validate(ctx, object)
		} else {
			fields, _ := r.read(request.Old)
			old := &unstructured.Unstructured{Object: fields}
			strategy.PrepareForUpdate(ctx, object, old)
			errs = strategy.ValidateUpdate(ctx, object, old)
		}
		return exchange.Answer{Errors: exchange.Errors(errs), Warnings: said.texts}
	}
}
