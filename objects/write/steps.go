package write

import (
	"context"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdproof/crdproof/internal/support"
)

// Steps are what a server does with the objects of one version, for programs that read and store objects themselves,
// such as a fake client. They leave out the object's own metadata.
type Steps struct {
	// Kind, Resource, Namespaced and HasStatus are those of the CRD.
	Kind                  schema.GroupVersionKind
	Resource              string
	Namespaced, HasStatus bool
	// HasRules is set if the schema has rules.
	HasRules bool
	// Warning is the text for a deprecated version; it may be empty.
	Warning string

	resource *Resource
	strategy *strategy
}

// Steps returns those of the served versions, in the order of the CRD.
func (r *Resource) Steps() (out []Steps, err error) {
	for i := range r.crd.Spec.Versions {
		v := r.versions[r.crd.Spec.Versions[i].Name]
		if !v.spec.Served {
			continue
		}
		s, err := v.strategy()
		if err != nil {
			return nil, err
		}
		inner := *s
		inner.skipsMeta = true
		out = append(out, Steps{
			Kind: v.kind, Resource: r.crd.Spec.Names.Plural, Namespaced: r.namespaced(), HasStatus: s.hasStatus,
			HasRules: s.rules != nil, Warning: v.deprecation, resource: r, strategy: &inner,
		})
	}
	return out, nil
}

// CRD returns the CRD with the defaults of the API. It must not be changed.
func (s *Steps) CRD() *apiext.CustomResourceDefinition { return s.resource.crd }

// Prune removes unknown fields and nulls that are neither allowed nor defaulted, and returns the paths of the former.
// The error says that metadata have the wrong type.
func (s *Steps) Prune(object map[string]any) ([]string, error) {
	return s.resource.coerce(&unstructured.Unstructured{Object: object}, coercion{unknown: true})
}

// Default sets the defaults.
func (s *Steps) Default(object map[string]any) error {
	return s.resource.setDefaults(&unstructured.Unstructured{Object: object})
}

// Validate returns the errors of a new object.
func (s *Steps) Validate(object map[string]any) field.ErrorList {
	c := &creating{strategy: s.strategy, recorded: recorded{by: s.strategy}}
	return c.Validate(context.Background(), &unstructured.Unstructured{Object: object})
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old, or whose status does.
func (s *Steps) ValidateUpdate(object, old map[string]any, statusOnly bool) (field.ErrorList, []string) {
	said := &support.WarningRecorder{}
	p := &updating{strategy: s.strategy, recorded: recorded{by: s.strategy}, statusOnly: statusOnly}
	errs := p.ValidateUpdate(warning.WithWarningRecorder(context.Background(), said),
		&unstructured.Unstructured{Object: object}, &unstructured.Unstructured{Object: old})
	return errs, said.Sent()
}
