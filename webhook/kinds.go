package webhook

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A KindHelpers is the type KindHelpers of any generated package: each package declares its own.
type KindHelpers interface{ ~helpers }

// helpers is the underlying type of every KindHelpers.
type helpers = struct {
	GVK            schema.GroupVersionKind
	Resource       string
	Namespaced     bool
	Stored         bool
	HasStatus      bool
	HasScale       bool
	Prune          func(obj map[string]any) []string
	Default        func(obj map[string]any)
	Validate       func(obj map[string]any) field.ErrorList
	ValidateUpdate func(obj, old map[string]any) (field.ErrorList, []string)
	Admit          func(raw, old []byte) (obj map[string]any, errs field.ErrorList, warnings []string, err error)
}

// kinds are the helpers of several kinds.
type kinds []helpers

func list[K KindHelpers](all []K) (out kinds) {
	for _, k := range all {
		out = append(out, helpers(k))
	}
	return out
}

// find returns the helpers for a kind.
func (k kinds) find(wanted schema.GroupVersionKind) (helpers, error) {
	i := slices.IndexFunc(k, func(h helpers) bool { return h.GVK == wanted })
	if i < 0 {
		var known []string
		for _, h := range k {
			known = append(known, describe(h.GVK))
		}
		return helpers{}, fmt.Errorf("no helpers for %s; there are helpers for %s: name only these in the rules of "+
			"the webhook configuration", describe(wanted), strings.Join(known, ", "))
	}
	return k[i], nil
}

// describe returns a kind in the words of a manifest, such as example.com/v1 Widget.
func describe(k schema.GroupVersionKind) string { return k.GroupVersion().String() + " " + k.Kind }
