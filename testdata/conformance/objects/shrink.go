package objects

import "k8s.io/apimachinery/pkg/runtime"

// Shrink takes away what does not matter: as long as the smaller case is still one of those that are asked for. It
// tries at most as often as the limit says.
func Shrink(c Case, limit int, still func(Case) bool) Case {
	for again := true; again; {
		again = false
		for i := range spots(nil, "", c.Object, nil) {
			if limit--; limit < 0 {
				return c
			}
			smaller := without(c, i)
			if still(smaller) {
				c, again = smaller, true
				break
			}
		}
	}
	return c
}

// without removes a value from an object, and what has the same path from the old one.
func without(c Case, i int) Case {
	out := Case{Object: runtime.DeepCopyJSON(c.Object), Changes: c.Changes}
	s := spots(nil, "", out.Object, nil)[i]
	s.drop()
	if c.Old != nil {
		out.Old = runtime.DeepCopyJSON(c.Old)
		for _, o := range spots(nil, "", out.Old, nil) {
			if o.path == s.path {
				o.drop()
				break
			}
		}
	}
	return out
}
