package structural

import (
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/kube"
)

// checkSelectableFields asks the API server's code whether a path leads anywhere, and finds out itself why it does not.
func checkSelectableFields(v *version) []finding {
	if len(v.SelectableFields) == 0 {
		return nil
	}
	if v.Schema == nil {
		return one(v.selectsWithoutSchema())
	}
	root, err := kube.Structural(v.Schema)
	var out []finding
	seen := map[string]diag.Span{}
	for i, f := range v.SelectableFields {
		if f.V == "" {
			out = append(out, v.selectsNothing(i, f))
			continue
		}
		if err != nil {
			continue // the API server does not come this far
		}
		s, fault := kube.FieldPath(root, f.V, false)
		if fault != nil {
			out = append(out, v.selectsNowhere(i, f, fault))
			continue
		}
		if f.V == ".metadata" || strings.HasPrefix(f.V, ".metadata.") {
			out = append(out, v.selectsMetadata(i, f))
		} else if s == nil || !isOneOf(s.Type, []string{"string", "boolean", "integer"}) {
			out = append(out, v.selectsType(i, f, s))
		}
		if first, ok := seen[f.V]; ok {
			out = append(out, v.selectsTwice(i, f, first))
		}
		seen[f.V] = f.At
	}
	if len(seen) > validation.MaxSelectableFields {
		out = append(out, v.selectsTooMany(len(seen)))
	}
	return out
}
