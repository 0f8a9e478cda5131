package kube

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	genericvalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"

	"github.com/crdproof/crdproof/schema"
)

// A Rejection is one of the reasons for which an API server rejects a CRD.
type Rejection struct {
	// Path is the field in the notation of the API server, as in v1: "spec.versions[0].schema.openAPIV3Schema.…".
	Path string
	// Message is the API server's sentence without the path, such as `Required value: must not be empty`.
	Message string
	// Err is the server's error, whose field is that of the internal version; nil if its code panics.
	Err *field.Error
}

// NotCompiled begins the API server's message about a default of which a rule does not compile
// (pkg/apiserver/schema/cel/validation.go). It rejects the rule too, which is enough to report.
const NotCompiled = "rule compile error: "

// InMetadata reports whether all rejections are about metadata. These never keep the server from looking at the rest
// (apis/apiextensions/validation, ValidateCustomResourceDefinition).
func InMetadata(rejections []Rejection) bool {
	return !slices.ContainsFunc(rejections, func(r Rejection) bool {
		return r.Err == nil || !strings.HasPrefix(r.Path, "metadata.")
	})
}

// Verdict returns why an API server of the library's version rejects a CRD, sorted; none means that it accepts it. It
// runs what the server runs between decoding and storing a new CustomResourceDefinition: defaults and conversion
// (apis/apiextensions/v1), the preparation and validation of its strategy
// (registry/customresourcedefinition/strategy.go), the general checks of metadata
// (apiserver/pkg/registry/rest/create.go) and that of the store (apiserver/pkg/storage/etcd3/store.go). The object is
// not changed. The error says why it cannot be decoded.
func Verdict(ctx context.Context, object *apiext.CustomResourceDefinition) ([]Rejection, error) {
	crd, err := Internal(object)
	if err != nil {
		return nil, err
	}
	return Judge(ctx, crd), nil
}

// Judge returns the verdict on the result of Internal. The server's code may rewrite defaults of embedded resources in
// it.
func Judge(ctx context.Context, crd *apiextensions.CustomResourceDefinition) []Rejection {
	rejections := rejectionsOf(func() field.ErrorList { return rest.ValidateCreate(ctx, crd, strategy{}) })
	if version, err := (storage.APIObjectVersioner{}).ObjectResourceVersion(crd); len(rejections) == 0 && err == nil &&
		version != 0 {
		err := field.Forbidden(field.NewPath("metadata", "resourceVersion"),
			storage.ErrResourceVersionSetOnCreate.Error())
		rejections = append(rejections, Rejection{Path: err.Field, Message: err.Detail, Err: err})
	}
	return rejections
}

// JudgeUpdate returns the verdict on an update of another CRD, which is established: the server keeps its status, and
// tolerates some mistakes that it has already (registry/customresourcedefinition/strategy.go, PrepareForUpdate and
// ValidateUpdate; apiserver/pkg/registry/rest/update.go). Clients send the metadata that the server has written. What
// an update must not change is left out: the scope and names, and versions in which objects are stored.
func JudgeUpdate(ctx context.Context, before, crd *apiextensions.CustomResourceDefinition) []Rejection {
	before.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{
		{Type: apiextensions.Established, Status: apiextensions.ConditionTrue}}
	stored := crd.Status.StoredVersions
	crd.Status = *before.Status.DeepCopy()
	for _, name := range stored {
		if !slices.Contains(crd.Status.StoredVersions, name) {
			crd.Status.StoredVersions = append(crd.Status.StoredVersions, name)
		}
	}
	before.ResourceVersion = "1"
	crd.ResourceVersion, crd.UID, crd.CreationTimestamp = "1", before.UID, before.CreationTimestamp
	rejections := rejectionsOf(func() field.ErrorList { return rest.ValidateUpdate(ctx, crd, before, updating{}) })
	return slices.DeleteFunc(rejections, func(r Rejection) bool {
		return strings.HasPrefix(r.Path, "status.storedVersions[") ||
			strings.HasPrefix(r.Path, "spec.") && r.Err.Detail == genericvalidation.FieldImmutableErrorMsg
	})
}

// rejectionsOf returns the errors of the server's code.
func rejectionsOf(validate func() field.ErrorList) (rejections []Rejection) {
	defer func() {
		// There are CRDs on which the server's code panics, such as one of selectable fields and no schema. The server
		// survives that, and stores nothing.
		if p := recover(); p != nil {
			rejections = []Rejection{{Message: fmt.Sprintf("the API server's own code panics: %v", p)}}
		}
	}()
	for _, e := range ByText(validate()) {
		if e.Detail != contributed {
			rejections = append(rejections, Rejection{Path: v1Path(e.Field), Message: Sentence(e), Err: e})
		}
	}
	return rejections
}

// contributed is the message about the most expensive rules if all together exceed the budget, which the server also
// reports for the schema. Among rules of equal cost it is random (apis/apiextensions/validation/cel_validation.go).
const contributed = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"

// strategy is the part of the server's strategy for CRDs that creating one needs. The rest is in the package of the
// store.
type strategy struct{ rest.RESTCreateStrategy }

func (strategy) NamespaceScoped() bool { return false }

func (strategy) Validate(ctx context.Context, crd runtime.Object) field.ErrorList {
	return validation.ValidateCustomResourceDefinition(ctx, crd.(*apiextensions.CustomResourceDefinition))
}

// updating is the part of the strategy that updating a CRD needs.
type updating struct{ rest.RESTUpdateStrategy }

func (updating) NamespaceScoped() bool { return false }

func (updating) ValidateUpdate(ctx context.Context, crd, before runtime.Object) field.ErrorList {
	return validation.ValidateCustomResourceDefinitionUpdate(ctx, crd.(*apiextensions.CustomResourceDefinition),
		before.(*apiextensions.CustomResourceDefinition))
}

// maxValue is how many bytes of a value a sentence may hold.
const maxValue = 100

// Sentence returns the API server's message about a field, without a value that is too long, such as a list of
// versions.
func Sentence(e *field.Error) string {
	text := e.ErrorBody()
	if len(text) > len(e.Detail)+maxValue {
		text = e.Type.String() + ": " + e.Detail
	}
	return selfType.ReplaceAllString(text, "self")
}

// selfType is how messages of CEL name the type of self: the number is the time of day
// (apiserver/schema/cel/compilation.go).
var selfType = regexp.MustCompile(`selfType\d+`)

// Internal returns the object as the API server's code sees it when it is created. It may share parts of schemas with
// the object.
func Internal(object *apiext.CustomResourceDefinition) (*apiextensions.CustomResourceDefinition, error) {
	object = copied(object)
	apiext.SetObjectDefaults_CustomResourceDefinition(object)
	crd := &apiextensions.CustomResourceDefinition{}
	if err := apiext.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(object, crd,
		nil); err != nil {
		return nil, err
	}
	// The server accepts no values for the fields that it writes itself, and managed fields only if it can decode them
	// (apiserver/pkg/endpoints/handlers/create.go).
	rest.WipeObjectMetaSystemFields(crd)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace("", crd); err != nil {
		return nil, err
	}
	if managedfields.ValidateManagedFields(crd.ManagedFields) != nil {
		crd.ManagedFields = nil
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

// copied returns a copy of the object in which only the schemas are shared: they have no defaults of their own, and are
// most of its bytes.
func copied(object *apiext.CustomResourceDefinition) *apiext.CustomResourceDefinition {
	frame := *object
	frame.Spec.Versions = slices.Clone(object.Spec.Versions)
	for i := range frame.Spec.Versions {
		frame.Spec.Versions[i].Schema = nil
	}
	out := frame.DeepCopy()
	for i := range out.Spec.Versions {
		out.Spec.Versions[i].Schema = object.Spec.Versions[i].Schema
	}
	return out
}

// StructuralOf returns the structural schema of one version of the result of Internal, which it may share parts with.
// The error says why it has none.
func StructuralOf(crd *apiextensions.CustomResourceDefinition, version int) (*structural.Structural, error) {
	validation := crd.Spec.Versions[version].Schema
	if validation == nil {
		validation = crd.Spec.Validation // what is the same in all versions is there
	}
	if validation == nil {
		return nil, errors.New("the version has no schema")
	}
	return structural.NewStructural(validation.OpenAPIV3Schema)
}

// v1Path restates a path of the internal version, in which the common parts of all versions are above them.
func v1Path(path string) string {
	for _, lifted := range []struct{ internal, v1 string }{
		{"spec.validation", "schema"}, {"spec.subresources", "subresources"},
		{"spec.additionalPrinterColumns", "additionalPrinterColumns"}, {"spec.selectableFields", "selectableFields"},
	} {
		if rest, ok := strings.CutPrefix(path, lifted.internal); ok &&
			(rest == "" || rest[0] == '.' || rest[0] == '[') {
			return "spec.versions[0]." + lifted.v1 + rest
		}
	}
	return path
}

// Structural returns a node of the IR, with all below it, in the form that the API server's code for pruning, defaults
// and CEL works on. The error says why the schema has no such form.
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
// reason if it leads nowhere. Brackets are permitted in the fieldPath of rules, not in that of selectable fields. If
// the code panics, as on a field that additionalProperties: true permits, that is the reason.
func FieldPath(s *structural.Structural, path string, brackets bool) (found *structural.Structural, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the API server panics: %v", r)
		}
	}()
	_, found, err = cel.ValidFieldPath(path, s, cel.WithFieldPathAllowArrayNotation(brackets))
	return found, err
}
