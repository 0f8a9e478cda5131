package lower

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

const (
	markK8sOptional     = "k8s:optional"
	markK8sForbidden    = "k8s:forbidden"
	markModeOf          = "k8s:modeDiscriminator"
	markOpaque          = "k8s:opaqueType"
	markDependRequired  = "k8s:dependentRequired"
	markDependForbidden = "k8s:dependentForbidden"
	markCustom          = "k8s:customValidation"
)

// setNotEqual is the rule that forbids a value.
func (ap applier) setNotEqual(n *node, m *markers.Marker, on target) {
	s := &spot{n: n, base: n, value: self()}
	if c, ok := ap.notEqual(s, m, on); ok {
		ap.addSpotRule(s, m, c)
	}
}

// setForbidden is the rule of a value that must be absent or its zero value. It is on the value itself, so that other
// fields of an old object with the value can still be changed.
func (ap applier) setForbidden(n *node, m *markers.Marker, on target) {
	ap.deviate(declarativeTags, m.At)
	name := "the field"
	if on.field != nil && on.field.name != "" && len(m.Steps) == 0 {
		name = on.field.name
	}
	rule := ident("false")
	if differs := ap.notZero(n, self()); !differs.isNone() {
		rule = not(differs)
	}
	n.s.Rules = append(n.s.Rules, tagRule(m, rule, name+" may not be specified", "FieldValueForbidden", ""))
}

// setChange is the rule of how a value may change.
func (ap applier) setChange(n *node, m *markers.Marker, on target) {
	if c, ok := ap.meaning(m).change(ap, n, m, self(), oldSelf(), on); ok && !c.cel.isNone() {
		n.s.Rules = append(n.s.Rules, tagRule(m, c.cel, c.message, c.reason, ""))
	}
}

// deviateBy records that controller-gen does not know a marker, or reads less in it.
func (ap applier) deviateBy(m *markers.Marker) {
	if m.Def.IsTag() && (m.Def.Presence != markers.Unsaid || m.Def.Name == markOpaque) {
		return // which may change nothing: see required
	}
	if !ap.opts.Deviations {
		return // reading the text takes time
	}
	wrapped := !strings.HasPrefix(m.At.Text(), "+"+m.Def.Name)
	switch {
	case m.Def.IsTag() && (m.Def.Own || wrapped), wrapped && strings.HasPrefix(m.At.Text(), "+k8s:"):
		ap.deviate(declarativeTags, m.At)
	case len(m.Steps) > 0:
		ap.deviate(ownMarkers, m.At)
	}
}

// setMaxBytes bounds a string's length in UTF-8. A character has at least one byte, so the number bounds the characters
// too, which keeps the rule cheap.
func (ap applier) setMaxBytes(n *node, m *markers.Marker, on target) {
	v := m.Arg("")
	limit, _ := v.Int64()
	if n.s.MaxLength == nil || n.s.MaxLength.V > limit {
		n.s.MaxLength = &schema.Int{V: limit, At: v.At}
	}
	if isASCII(n.s.Pattern.V) {
		return // a character is a byte
	}
	c, _ := ap.maxBytes(&spot{value: self()}, m, on)
	n.s.Rules = append(n.s.Rules, tagRule(m, c.cel, c.message, "", ""))
}

// isASCII reports whether a pattern matches the whole of a text, and no character beyond ASCII.
func isASCII(pattern string) bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || pattern == "" || parsed.Op != syntax.OpConcat || len(parsed.Sub) < 2 ||
		parsed.Sub[0].Op != syntax.OpBeginText || parsed.Sub[len(parsed.Sub)-1].Op != syntax.OpEndText {
		return false
	}
	var within func(*syntax.Regexp) bool
	within = func(r *syntax.Regexp) bool {
		switch r.Op {
		case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
			return false
		case syntax.OpLiteral, syntax.OpCharClass:
			if r.Flags&syntax.FoldCase != 0 || slices.ContainsFunc(r.Rune,
				func(c rune) bool { return c > unicode.MaxASCII }) {
				return false
			}
		}
		return !slices.ContainsFunc(r.Sub, func(sub *syntax.Regexp) bool { return !within(sub) })
	}
	return within(parsed)
}

// finishList adds the rule of k8s:unique to a list, once its keys are known.
func (ap applier) finishList(n *node) {
	if m := n.customUnique; m != nil {
		if t := n.listType(); t == "map" || t == "set" {
			ap.wrongTag(diag.Errorf(m.At, tagInexpressible,
				"k8s:customUnique has no effect on a list of type %s: the API server requires its items to be unique",
				t).
				Help("remove the marker, or change the list type to atomic"))
			return
		}
		n.unique, n.uniqueBy = "", nil
	}
	m := n.uniqueBy
	if m == nil {
		return
	}
	if t := n.listType(); t == "map" || t == "set" {
		ap.wrongTag(diag.Errorf(m.At, tagUnique, "the items of a list of type %s are already unique", t).
			Help("remove the marker, or change the list type to atomic"))
		return
	}
	same := ap.identity(n)
	if same == nil {
		ap.wrongTag(diag.Errorf(m.At, tagUnique, "k8s:unique=map needs the fields that identify an item").
			Help("add +k8s:listMapKey for each of these fields, as in +k8s:listMapKey=name"))
		return
	}
	rule := self().all("v", self().call("exists_one", ident("w"), same(ident("v"), ident("w"))))
	message := "items must be unique"
	if n.unique == "map" {
		message = "items must have unique keys"
	}
	n.s.Rules = append(n.s.Rules, tagRule(m, rule, message, "FieldValueDuplicate", ""))
}

// unwrapped returns a marker without its stability level. A marker that is alpha or beta is dropped, unless all are
// asked for. A marker without an equivalent in a CRD is reported and dropped.
func (rd reader) unwrapped(m markers.Marker) (markers.Marker, bool) {
	var steps []markers.Step
	for _, step := range m.Steps {
		switch step.Kind {
		case markers.Level:
			if !rd.opts.Declarative {
				rd.unstable(&m)
				return m, false
			}
		case markers.Option:
			name, _, _ := strings.Cut(strings.TrimPrefix(step.At.Text(), "+"), "(")
			rd.inexpressible(&m, name, "the API server has no options for custom resources")
			return m, false
		default:
			steps = append(steps, step)
		}
	}
	m.Steps = steps
	if m.Def.Inexpressible != "" {
		rd.inexpressible(&m, m.Def.Name, m.Def.Inexpressible)
		return m, false
	}
	return m, true
}

// unstable reports a marker in the user's own packages that has no effect, because it is alpha or beta.
func (rd reader) unstable(m *markers.Marker) {
	level, rest, _ := strings.Cut(m.At.Text(), "=+")
	level, _, _ = strings.Cut(strings.TrimPrefix(level, "+"), "(")
	rd.warn(diag.Errorf(m.At, tagUnstable, "%s is not enforced: validations that are alpha or beta have no effect",
		level).
		Help("write +%s, or run with crd:declarative=all", rest))
}

// inexpressible reports a marker without an equivalent in a CRD: as an error in the user's own packages. Users cannot
// fix imported packages, so a warning at the user's field names what is not enforced. Custom validation in Go code is
// not reported: the tag does not say what it checks, and metav1.Condition, which is in nearly every kind, has one.
func (rd reader) inexpressible(m *markers.Marker, name, reason string) {
	switch {
	case rd.program.Owns(m.At):
		rd.wrongTag(diag.Errorf(m.At, tagInexpressible, "%s has no equivalent in a CRD: %s", name, reason).
			Help("remove the marker, or write a rule with +kubebuilder:validation:XValidation"))
	case name != markCustom:
		rd.unenforced(m)
	}
}

// checkEmbeddedTags reports tags for fields on an embedded struct, whose fields are part of the struct around it.
func (ap applier) checkEmbeddedTags(f *field) {
	for i := range f.marks {
		m := &f.marks[i]
		mayStand := m.Def.Presence == markers.MayBe || m.Def.Presence == markers.MustBe || m.Def.Name == markOpaque
		if ap.enforces(f.decl.Pkg) && len(m.Steps) == 0 && m.Def.IsTag() && !mayStand {
			ap.wrongTag(diag.Errorf(m.At, markers.WrongTarget,
				"%s applies to fields; an embedded struct is not a field in JSON",
				m.Def.Name).
				Help("put the marker on a field of the embedded struct, use +k8s:subfield, or name the embedded " +
					"struct in its json tag"))
		}
	}
}

// isOpaque reports whether the tags of the type of a field, or of its elements, have no effect.
func isOpaque(marks []markers.Marker) bool {
	return slices.ContainsFunc(marks, func(m markers.Marker) bool {
		return m.Def.Name == markOpaque && !slices.ContainsFunc(m.Steps, func(s markers.Step) bool {
			return s.Kind != markers.Each && s.Kind != markers.Items && s.Kind != markers.Values
		})
	})
}

// withoutTags are the markers that have an effect in a type that a field marks as opaque.
func withoutTags(marks []markers.Marker) []markers.Marker {
	var kept []markers.Marker
	for i := range marks {
		if def := marks[i].Def; !def.IsTag() || def.InOpaque && len(marks[i].Steps) == 0 {
			kept = append(kept, marks[i])
		}
	}
	return kept
}
