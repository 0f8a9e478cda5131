package read

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/markers"
)

// HasConstantsMarker reports whether a marker makes an enum of the constants of a type.
func HasConstantsMarker(marks []markers.Marker) bool {
	return slices.ContainsFunc(marks, func(m markers.Marker) bool { return m.Def.ListConstants() })
}

// IsExcluded reports whether a tag leaves a constant out of the values of its type.
func (rd Reader) IsExcluded(c *load.Constant, pkg *load.Package) bool {
	return Find(rd.constantMarkers(c, pkg), "k8s:enumExclude") != nil
}

// HasConstant reports whether a constant is in the variant that is built.
func (rd Reader) HasConstant(c *load.Constant, pkg *load.Package) bool {
	return rd.Opts.Variant == nil || rd.Belongs(rd.constantMarkers(c, pkg))
}

func (rd Reader) constantMarkers(c *load.Constant, pkg *load.Package) []markers.Marker {
	rd.Annotated = c.Name
	return rd.parseAll(pkg, c.Comments, markers.Constant)
}

// unwrapped returns a marker without its stability level, and without the channels and gates that it depends on. A
// marker that is alpha or beta is dropped, unless all are asked for, as is one for another variant. A marker without
// an equivalent in a CRD is reported and dropped.
func (rd Reader) unwrapped(m markers.Marker) (markers.Marker, bool) {
	var steps []markers.Step
	for _, step := range m.Steps {
		switch step.Kind {
		case markers.Level:
			if !rd.Opts.Declarative {
				rd.reportUnstable(&m)
				return m, false
			}
		case markers.Channel, markers.Gate:
			c, _ := step.Condition()
			if !rd.applies(c, step.At) {
				return m, false
			}
			m.Of = &c
		case markers.Option:
			name, _, _ := strings.Cut(strings.TrimPrefix(step.At.Text(), "+"), "(")
			rd.reportInexpressible(&m, name, "the API server has no options for custom resources")
			return m, false
		default:
			steps = append(steps, step)
		}
	}
	m.Steps = steps
	if c, ok := m.Condition(); ok {
		rd.checkCondition(c, m.At)
	}
	if m.Def.Inexpressible != "" {
		rd.reportInexpressible(&m, m.Def.Name, m.Def.Inexpressible)
		return m, false
	}
	return m, true
}

// reportUnstable reports a marker in the user's own packages that has no effect, because it is alpha or beta.
func (rd Reader) reportUnstable(m *markers.Marker) {
	level, rest, _ := strings.Cut(m.At.Text(), "=+")
	level, _, _ = strings.Cut(strings.TrimPrefix(level, "+"), "(")
	rd.Warn(diag.Errorf(m.At, checks.TagUnstable,
		"%s is not enforced: validations that are alpha or beta have no effect", level).
		Help("write +%s, or run with crd:declarative=all", rest).
		Changes(diag.AcceptsOther, "API servers enforce it"))
}

// reportInexpressible reports a marker without an equivalent in a CRD: as an error in the user's own packages. Users
// cannot fix imported packages, so a warning at the user's field names what is not enforced. Custom validation in Go
// code is not reported: the tag does not say what it checks, and metav1.Condition, which is in nearly every kind, has
// one.
func (rd Reader) reportInexpressible(m *markers.Marker, name, reason string) {
	switch {
	case rd.Program.Owns(m.At):
		rd.WrongTag(diag.Errorf(m.At, checks.TagInexpressible, "%s has no equivalent in a CRD: %s", name, reason).
			Help("remove the marker, or write a rule with +kubebuilder:validation:XValidation"))
	case name != markCustom:
		rd.Unenforced(m)
	}
}

// IsOpaque reports whether the tags of the type of a field, or of its elements, have no effect.
func IsOpaque(marks []markers.Marker) bool {
	return slices.ContainsFunc(marks, func(m markers.Marker) bool {
		return m.Def.Name == MarkOpaque && !slices.ContainsFunc(m.Steps, func(s markers.Step) bool {
			return s.Kind != markers.Each && s.Kind != markers.Items && s.Kind != markers.Values
		})
	})
}

// WithoutTags returns the markers that have an effect in a type that a field marks as opaque.
func WithoutTags(marks []markers.Marker) []markers.Marker {
	var kept []markers.Marker
	for i := range marks {
		if def := marks[i].Def; !def.IsTag() || def.InOpaque && len(marks[i].Steps) == 0 {
			kept = append(kept, marks[i])
		}
	}
	return kept
}
