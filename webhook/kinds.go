package webhook

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Helpers are the helpers of a kind for JSON: what the function Kinds of a generated package lists.
type Helpers interface {
	// GroupVersionKind returns the group, the version and the kind of the objects.
	GroupVersionKind() schema.GroupVersionKind
	// Default drops nulls that are not allowed and sets defaults.
	Default(obj map[string]any)
	// Admit does all that an API server does with the bytes of a request, before it stores the object.
	Admit(operation, subresource string, raw, old []byte) (obj map[string]any, errs field.ErrorList, warnings []string,
		err error)
}

// kinds are the helpers of several kinds.
type kinds []Helpers

func list[K Helpers](all []K) (out kinds) {
	for _, k := range all {
		out = append(out, k)
	}
	return out
}

// find returns the helpers for a kind.
func (k kinds) find(wanted schema.GroupVersionKind) (Helpers, error) {
	i := slices.IndexFunc(k, func(h Helpers) bool { return h.GroupVersionKind() == wanted })
	if i < 0 {
		var known []string
		for _, h := range k {
			known = append(known, describe(h.GroupVersionKind()))
		}
		return nil, fmt.Errorf("no helpers for %s; there are helpers for %s: name only these in the rules of the "+
			"webhook configuration", describe(wanted), strings.Join(known, ", "))
	}
	return k[i], nil
}

// describe returns a kind in the words of a manifest, such as example.com/v1 Widget.
func describe(k schema.GroupVersionKind) string { return k.GroupVersion().String() + " " + k.Kind }
