package write

import (
	"fmt"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubeversion "k8s.io/apimachinery/pkg/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crdproof/crdproof/rules/kube"
)

// A version is a version of a CRD, as getOrCreateServingInfoFor of customresource_handler.go prepares it. Expensive
// parts are computed once, when they are first needed.
type version struct {
	spec *apiext.CustomResourceDefinitionVersion
	kind schema.GroupVersionKind
	// deprecation is the warning for writes to the version.
	deprecation string
	// internal is the schema in the internal form, from which the other forms are made.
	internal func() (*apiextensions.JSONSchemaProps, error)
	// schema prunes and defaults objects.
	schema func() (*structural.Structural, error)
	// strategy validates them.
	strategy func() (*strategy, error)
}

func newVersion(crd *apiext.CustomResourceDefinition, spec *apiext.CustomResourceDefinitionVersion) *version {
	v := &version{
		spec:        spec,
		kind:        schema.GroupVersionKind{Group: crd.Spec.Group, Version: spec.Name, Kind: crd.Spec.Names.Kind},
		deprecation: deprecation(crd, spec),
	}
	v.internal = sync.OnceValues(func() (*apiextensions.JSONSchemaProps, error) {
		var out apiextensions.JSONSchemaProps
		if spec.Schema == nil || spec.Schema.OpenAPIV3Schema == nil {
			return nil, fmt.Errorf("%s has no schema", v.kind)
		}
		return &out, apiext.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(spec.Schema.OpenAPIV3Schema,
			&out, nil)
	})
	v.schema = sync.OnceValues(v.newSchema)
	namespaced := crd.Spec.Scope == apiext.NamespaceScoped
	v.strategy = sync.OnceValues(func() (*strategy, error) { return v.newStrategy(namespaced) })
	return v
}

func (v *version) newSchema() (*structural.Structural, error) {
	props, err := v.internal()
	if err != nil {
		return nil, err
	}
	s, err := structural.NewStructural(props)
	if err != nil {
		return nil, err
	}
	// The defaults are shared with the CRD.
	s = s.DeepCopy()
	return s, defaulting.PruneDefaults(s)
}

func (v *version) newStrategy(namespaced bool) (*strategy, error) {
	props, err := v.internal()
	if err != nil {
		return nil, err
	}
	s := &strategy{ObjectTyper: crdserverscheme.NewUnstructuredObjectTyper(), namespaced: namespaced, kind: v.kind}
	if s.schema, err = v.schema(); err != nil {
		return nil, err
	}
	if sub := v.spec.Subresources; sub != nil {
		s.scale, s.hasStatus = sub.Scale, sub.Status != nil
	}
	if err := s.compile(props, kube.Latest()); err != nil {
		return nil, err
	}
	s.rules = cel.NewValidator(s.schema, true, celconfig.PerCallLimit)
	return s, nil
}

// deprecation returns the warning of customresource_handler.go for a deprecated version: that of the CRD, or else
// defaultDeprecationWarning.
func deprecation(crd *apiext.CustomResourceDefinition, v *apiext.CustomResourceDefinitionVersion) string {
	if !v.Deprecated {
		return ""
	}
	if v.DeprecationWarning != nil {
		return *v.DeprecationWarning
	}
	text := fmt.Sprintf("%s/%s %s is deprecated", crd.Spec.Group, v.Name, crd.Spec.Names.Kind)
	newest := v.Name
	for _, other := range crd.Spec.Versions {
		isNewer := kubeversion.CompareKubeAwareVersionStrings(newest, other.Name) < 0
		if other.Served && !other.Deprecated && isNewer {
			newest = other.Name
		}
	}
	if newest == v.Name {
		return text
	}
	return text + fmt.Sprintf("; use %s/%s %s", crd.Spec.Group, newest, crd.Spec.Names.Kind)
}
