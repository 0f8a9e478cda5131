package diff

import (
	"math"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/schema"
)

// scales adds gaps about the numbers of replicas: an API server rejects those below 0 and above the range of int32 if
// the subresource scale reads them (customresource/validator.go, ValidateScaleSpec).
func (w *walk) scales(accept, reject *schema.Version) {
	if reject.Subresources == nil || reject.Subresources.Scale == nil {
		return
	}
	paths := func(v *schema.Version) (out []string) {
		if v.Subresources != nil && v.Subresources.Scale != nil {
			scale := v.Subresources.Scale
			out = append(out, scale.SpecReplicasPath.V, scale.StatusReplicasPath.V)
		}
		return out
	}
	known := strings.Join(append(paths(accept), ""), " ")
	limits := &schema.Schema{Type: schema.Text{V: witness.IntegerType}, Minimum: &schema.Number{V: "0"},
		Maximum: &schema.Number{V: strconv.Itoa(math.MaxInt32)}}
	for _, text := range paths(reject) {
		if strings.Contains(known, text+" ") {
			continue
		}
		n := &node{accept: accept.Schema, reject: reject.Schema}
		for _, name := range strings.Split(strings.TrimPrefix(text, "."), ".") {
			a, r := w.Child(n.accept, schema.Key(name)), w.Child(n.reject, schema.Key(name))
			if a == nil || r == nil {
				n = nil
				break
			}
			n = w.below(n, schema.Key(name), a, r)
		}
		if n == nil {
			continue
		}
		if found, decided := w.Solver.Solve(n.accept, limits); len(found) > 0 || !decided {
			w.add(n, "scale", gap{text: "values must be from 0 to 2147483647, since subresource scale reads them",
				plans: valuesAt(n.at, found), unknown: "no value outside of the range was found",
				reject: reject.Subresources.Scale.At})
		}
	}
}
