package lower

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
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
	if c, ok := ap.celWriter().notEqual(s, m, on); ok {
		ap.addSpotRule(s, m, c)
	}
}

// setForbidden is the rule of a value that may not be there, or only as its zero value. It is on the value itself, so
// that an old object which has it can still be changed elsewhere.
func (ap applier) setForbidden(n *node, m *markers.Marker, on target) {
	ap.deviate(declarativeTags, m.At)
	name := "the field"
	if on.field != nil && on.field.name != "" && len(m.Steps) == 0 {
		name = on.field.name
	}
	rule := ident("false")
	if differs := ap.celWriter().notZero(n, self()); !differs.isNone() {
		rule = not(differs)
	}
	n.s.Rules = append(n.s.Rules, tagRule(m, rule, name+" may not be specified", "FieldValueForbidden", ""))
}

// setChange is the rule of how a value may change.
func (ap applier) setChange(n *node, m *markers.Marker, on target) {
	if c, ok := ap.meaning(m).change(ap.celWriter(), n, m, self(), oldSelf(), on); ok && !c.cel.isNone() {
		n.s.Rules = append(n.s.Rules, tagRule(m, c.cel, c.message, c.reason, ""))
	}
}

// deviateBy notes that a marker says more than controller-gen knows.
func (ap applier) deviateBy(m *markers.Marker) {
	if m.Def.IsTag() && (m.Def.Presence != markers.Unsaid || m.Def.Name == markOpaque) {
		return // which may change nothing: see required
	}
	wrapped := !strings.HasPrefix(m.At.Text(), "+"+m.Def.Name)
	switch {
	case m.Def.IsTag() && (m.Def.Own || wrapped), wrapped && strings.HasPrefix(m.At.Text(), "+k8s:"):
		ap.deviate(declarativeTags, m.At)
	case len(m.Steps) > 0:
		ap.deviate(ownMarkers, m.At)
	}
}

// setMaxBytes bounds a string's length in UTF-8. A character has at least one byte, so that the number bounds the
// characters too, which keeps the rule cheap.
func (ap applier) setMaxBytes(n *node, m *markers.Marker, on target) {
	v := m.Arg("")
	limit, _ := v.Int64()
	if n.s.MaxLength == nil || n.s.MaxLength.V > limit {
		n.s.MaxLength = &schema.Int{V: limit, At: v.At}
	}
	if isASCII(n.s.Pattern.V) {
		return // a character is a byte
	}
	c, _ := ap.celWriter().maxBytes(&spot{value: self()}, m, on)
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

// finishList adds what k8s:unique says of a list, once its keys are known.
func (ap applier) finishList(n *node) {
	if m := n.customUnique; m != nil {
		if t := n.listType(); t == "map" || t == "set" {
			ap.wrongTag(diag.Errorf(m.At, tagInexpressible,
				"no CRD can hold k8s:customUnique for a list of type %s: the API server checks that its items are "+
					"unique", t).
				Help("remove the tag, or write +k8s:listType=atomic"))
			return
		}
		n.unique, n.uniqueBy = "", nil
	}
	m := n.uniqueBy
	if m == nil {
		return
	}
	if t := n.listType(); t == "map" || t == "set" {
		ap.wrongTag(diag.Errorf(m.At, tagUnique, "a list of type %s is unique as it is", t).
			Help("remove the tag, or write +k8s:listType=atomic"))
		return
	}
	same := ap.celWriter().identity(n)
	if same == nil {
		ap.wrongTag(diag.Errorf(m.At, tagUnique, "unique=map needs the fields by which items differ").
			Help("add +k8s:listMapKey=… for each"))
		return
	}
	rule := self().all("v", self().call("exists_one", ident("w"), same(ident("v"), ident("w"))))
	message := "items must be unique"
	if n.unique == "map" {
		message = "items must have unique keys"
	}
	n.s.Rules = append(n.s.Rules, tagRule(m, rule, message, "FieldValueDuplicate", ""))
}

// unwrapped returns the markers as they count here: how settled a tag is in Kubernetes says nothing about a CRD,
// which has no other validation beside it. What no CRD can hold is reported and left out.
func (rd reader) unwrapped(m markers.Marker) (markers.Marker, bool) {
	var steps []markers.Step
	for _, step := range m.Steps {
		switch step.Kind {
		case markers.Level:
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

// inexpressible reports what no CRD can hold: an error in the user's own packages. In others nobody can mend it, so
// that a warning at the user's field names what is not enforced. That Go code checks something is not told: what it
// checks is not said, and metav1.Condition, which is in nearly every kind, has such a tag.
func (rd reader) inexpressible(m *markers.Marker, name, reason string) {
	switch {
	case rd.program.Owns(m.At):
		rd.wrongTag(diag.Errorf(m.At, tagInexpressible, "no CRD can hold %s: %s", name, reason).
			Help("remove it, or say in CEL what is to hold (+kubebuilder:validation:XValidation)"))
	case name != markCustom:
		rd.unenforced(m)
	}
}

// checkEmbeddedTags reports tags about a field on an embedded struct, whose fields are part of the struct around it.
func (ap applier) checkEmbeddedTags(f *field) {
	for i := range f.marks {
		m := &f.marks[i]
		mayStand := m.Def.Presence == markers.MayBe || m.Def.Presence == markers.MustBe || m.Def.Name == markOpaque
		if !ap.opts.Compat && len(m.Steps) == 0 && m.Def.IsTag() && !mayStand {
			ap.wrongTag(diag.Errorf(m.At, markers.WrongTarget,
				"%s is about a field, but an embedded struct is none in JSON: its fields are those of the struct "+
					"around it",
				m.Def.Name).
				Help("put the tag on a field of the embedded struct, reach one with +k8s:subfield, or give the " +
					"embedded struct a name in its tag"))
		}
	}
}

// isOpaque reports whether the type of a field, or of its elements, counts without its own tags.
func isOpaque(marks []markers.Marker) bool {
	return slices.ContainsFunc(marks, func(m markers.Marker) bool {
		return m.Def.Name == markOpaque && !slices.ContainsFunc(m.Steps, func(s markers.Step) bool {
			return s.Kind != markers.Each && s.Kind != markers.Items && s.Kind != markers.Values
		})
	})
}

// withoutTags are the markers that count in a type that a field takes for opaque.
func withoutTags(marks []markers.Marker) []markers.Marker {
	var kept []markers.Marker
	for i := range marks {
		if def := marks[i].Def; !def.IsTag() || def.InOpaque && len(marks[i].Steps) == 0 {
			kept = append(kept, marks[i])
		}
	}
	return kept
}
