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
		n := &node{Place: witness.Place{Accept: accept.Schema, Reject: reject.Schema}}
		for _, name := range strings.Split(strings.TrimPrefix(text, "."), ".") {
			a, r := w.Child(n.Accept, schema.Key(name)), w.Child(n.Reject, schema.Key(name))
			if a == nil || r == nil {
				n = nil
				break
			}
			n = w.below(n, schema.Key(name), a, r)
		}
		if n == nil {
			continue
		}
		if found, decided := w.Solver.Solve(n.Accept, limits); len(found) > 0 || !decided {
			w.add(n, "scale", gap{text: "values must be from 0 to 2147483647, since subresource scale reads them",
				plans: valuesAt(n.At, found), unknown: "no value outside of the range was found",
				reject: reject.Subresources.Scale.At})
		}
	}
}
