package lower

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A claim is what a marker of one version says of something that the CRD has but once.
type claim struct {
	// metadata is set for what kubebuilder:metadata says; the rest is said by kubebuilder:resource.
	metadata bool
	of       string // what of, such as "scope"
	version  string
	shown    string // the value as it stands in messages: what means the same looks the same
	at       diag.Span
}

// claim notes what a version says of something that the CRD has but once, in place of what it has said before.
func (c *crdMarkers) claim(v *schema.Version, of, shown string, at diag.Span) {
	said := claim{of: of, version: v.Name.V, shown: shown, at: at}
	before := func(o claim) bool { return !o.metadata && o.of == of && o.version == said.version }
	if i := slices.IndexFunc(c.claims, before); i >= 0 {
		c.claims[i] = said
	} else {
		c.claims = append(c.claims, said)
	}
}

// checkClaims reports what the versions of a kind do not agree on, at each of them.
func (w framer) checkClaims(gk groupKind, claims []claim) {
	for _, c := range claims {
		var others []claim
		for _, o := range claims {
			if o.metadata == c.metadata && o.of == c.of && o.shown != c.shown {
				others = append(others, o)
			}
		}
		if len(others) == 0 {
			continue
		}
		row, help := resourceDisagrees, "give all versions the same resource marker, or one of them alone"
		if c.metadata {
			row, help = metadataDisagrees, "keep one of the values"
		}
		message := fmt.Sprintf("%s of %s is %s in %s, but %s in %s: a CRD has one for all versions", c.of, gk.kind,
			c.shown, c.version, others[0].shown, others[0].version)
		if c.version == others[0].version {
			message = fmt.Sprintf("%s of %s is said to be both %s and %s", c.of, gk.kind, c.shown, others[0].shown)
		}
		d := diag.Errorf(c.at, row, "%s", message).Help("%s", help)
		for _, o := range others {
			d = d.See(o.at, "%s in %s", o.shown, o.version)
		}
		w.mistake(d)
	}
}
