package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/markers"
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

// resourceClaims returns what the resource markers of a version say. A version without one says nothing, and one that
// names no plural or singular leaves that to the others. The scope and the lists of names, however, are said by every
// marker: what it leaves out takes the place of what another version has.
func resourceClaims(version string, marks []markers.Marker) []claim {
	var last *markers.Marker
	said := map[string]claim{}
	for i := range marks {
		m := &marks[i]
		if m.Def.Name != markResource {
			continue
		}
		last = m
		for _, arg := range []string{"path", "singular"} {
			if t := argText(m, arg); t.V != "" {
				said[arg] = claim{of: arg, version: version, shown: strconv.Quote(t.V), at: t.At}
			}
		}
	}
	if last == nil {
		return nil
	}
	var out []claim
	for _, arg := range []string{"path", "singular"} {
		if c, ok := said[arg]; ok {
			out = append(out, c)
		}
	}
	scope := claim{of: "scope", version: version, shown: "Namespaced", at: last.At}
	if t := argText(last, "scope"); t.V != "" {
		scope.shown, scope.at = t.V, t.At
	}
	out = append(out, scope)
	for _, arg := range []string{"shortName", "categories"} {
		list := claim{of: arg, version: version, shown: "none", at: last.At}
		if v := last.Arg(arg); v != nil && len(v.Items) > 0 {
			list.shown, list.at = setText(v.Items), v.At
		}
		out = append(out, list)
	}
	return out
}

// setText lists names whose order means nothing.
func setText(items []markers.Value) string {
	var names []string
	for _, item := range items {
		names = append(names, item.Text)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ";")
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
		d := diag.Errorf(c.at, row, "%s", disagreement(gk, c, others[0])).Help("%s", help)
		for _, o := range others {
			d = d.See(o.at, "%s in %s", o.shown, o.version)
		}
		w.mistake(d)
	}
}

func disagreement(gk groupKind, c, other claim) string {
	if c.version == other.version {
		return fmt.Sprintf("%s of %s is said to be both %s and %s", c.of, gk.kind, c.shown, other.shown)
	}
	return fmt.Sprintf("%s of %s is %s in %s, but %s in %s: a CRD has one for all versions", c.of, gk.kind, c.shown,
		c.version, other.shown, other.version)
}
