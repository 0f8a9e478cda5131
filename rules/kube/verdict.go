package kube

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/schema"
)

// A Refusal is one of the reasons for which an API server refuses a CRD.
type Refusal struct {
	// Path is the field in the notation of the API server, as in v1: "spec.versions[0].schema.openAPIV3Schema.…".
	Path string
	// Message is the API server's sentence without the path, such as `Required value: must not be empty`.
	Message string
}

// Verdict returns why an API server of the library's version refuses to create a CRD; none means that it accepts it. It
// runs what the server runs between decoding and storing a new CustomResourceDefinition: defaults and conversion
// (apis/apiextensions/v1), the strategy's preparation and validation (registry/customresourcedefinition/strategy.go) and
// the general checks of metadata (apiserver/pkg/registry/rest/create.go). Where that code crashes, as on a selectable field of
// what additionalProperties: true permits, the server answers with an error too: it is a refusal without a path. The object
// is not changed.
func Verdict(ctx context.Context, object *apiext.CustomResourceDefinition) (out []Refusal, err error) {
	crd, err := Internal(object)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			out = append(out, Refusal{Message: fmt.Sprintf("the API server crashes on it: %v", r)})
		}
	}()
	errs := validation.ValidateCustomResourceDefinition(ctx, crd)
	if len(errs) == 0 {
		errs = apivalidation.ValidateObjectMetaAccessor(crd, false, path.ValidatePathSegmentName, field.NewPath("metadata"))
	}
	for _, e := range errs {
		out = append(out, Refusal{Path: v1Path(e.Field), Message: sentence(e)})
	}
	return out, nil
}

// maxValue is how many bytes of a value a sentence may hold.
const maxValue = 100

// sentence is what the API server says of a field, without a value that would drown it, such as a whole list of versions.
func sentence(e *field.Error) string {
	if body := e.ErrorBody(); len(body) <= len(e.Detail)+maxValue {
		return body
	}
	return e.Type.String() + ": " + e.Detail
}

// Internal returns a copy of the object as the API server's code sees it when it is created.
func Internal(object *apiext.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	object = object.DeepCopy()
	apiext.SetObjectDefaults_CustomResourceDefinition(object)
	crd := &apiextensions.CustomResourceDefinition{}
	if err := apiext.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(object, crd, nil); err != nil {
		return nil, err
	}
	crd.Status = apiextensions.CustomResourceDefinitionStatus{}
	crd.Generation = 1
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			crd.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	return crd, nil
}

// v1Path restates a path of the internal version, in which what all versions have in common stands above them.
func v1Path(path string) string {
	for _, lifted := range []struct{ internal, v1 string }{
		{"spec.validation", "schema"}, {"spec.subresources", "subresources"},
		{"spec.additionalPrinterColumns", "additionalPrinterColumns"}, {"spec.selectableFields", "selectableFields"},
	} {
		if rest, ok := strings.CutPrefix(path, lifted.internal); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return "spec.versions[0]." + lifted.v1 + rest
		}
	}
	return path
}

// Structural returns a node of the IR, with all below it, in the form that the API server's code for pruning, defaults and
// CEL works on. The error says why the schema has no such form.
func Structural(s *schema.Schema) (*structural.Structural, error) {
	var props apiextensions.JSONSchemaProps
	if err := apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(Props(s), &props, nil); err != nil {
		return nil, err
	}
	return structural.NewStructural(&props)
}

// Below returns the structural schema of a place in the tree whose root is given, nil inside junctors.
func Below(root *structural.Structural, p *schema.Place) *structural.Structural {
	if p.Above == nil {
		return root
	}
	above := Below(root, p.Above)
	switch {
	case above == nil:
	case p.Step == schema.InProperty:
		if s, ok := above.Properties[p.Name]; ok {
			return &s
		}
	case p.Step == schema.InItems:
		return above.Items
	case p.Step == schema.InValues && above.AdditionalProperties != nil:
		return above.AdditionalProperties.Structural
	}
	return nil
}

// FieldPath asks the API server's code which schema a path such as .spec.ports leads to below another, and returns its
// reason if it leads nowhere. Brackets are permitted in the fieldPath of rules, not in that of selectable fields. Where the
// code crashes, as on a field of what additionalProperties: true permits, that is the reason.
func FieldPath(s *structural.Structural, path string, brackets bool) (found *structural.Structural, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the API server crashes on it: %v", r)
		}
	}()
	_, found, err = cel.ValidFieldPath(path, s, cel.WithFieldPathAllowArrayNotation(brackets))
	return found, err
}
