package markers

import "strings"

// Markers of channels and gates say which variants of a CRD a declaration or another marker belongs to:
// +crdproof:channel=experimental is for the declaration, and +crdproof:channel(experimental)=+marker for that marker.

// channelMarkers returns those of channels and gates.
func channelMarkers() []Definition {
	const where = Package | Type | Field | Constant
	row := func(name string, step StepKind, what, example, doc string) Definition {
		return Definition{
			Name: ownPrefix + name, Targets: where, Category: catCRD, Own: true, Repeatable: true, Grammar: Tag,
			Step: step, Effect: Shapes, Whole: true, Example: "+" + ownPrefix + name + "=" + example, Doc: doc,
			Params: []Param{
				{Shape: shapeOf(String), Doc: what + " of a package, kind, type, field or constant."},
				{Shape: shapeOf(String), Positional: true, Optional: true, Doc: what + " of the marker after =."},
			},
		}
	}
	return []Definition{
		row("channel", Channel, "The channel", "experimental", "Puts a package, a kind, a type, a field or a "+
			"constant of an enum into the CRDs of one channel only; with several, into those of each. "+
			"+crdproof:channel(experimental)=+marker does so for one marker."),
		row("gate", Gate, "The feature gate", "NodeSwap", "Puts a package, a kind, a type, a field or a constant of "+
			"an enum into the CRDs only if a feature gate is on; with several, if one of them is. "+
			"+crdproof:gate(NodeSwap)=+marker does so for one marker."),
	}
}

// IsCondition reports whether the marker says which variants of a CRD a declaration belongs to.
func (d *Definition) IsCondition() bool { return d.Step == Channel || d.Step == Gate }

// OfVariants reports whether the marker, or a part of it, is about variants. controller-gen knows nothing like it.
func (d *Definition) OfVariants() bool {
	return d.IsCondition() || strings.HasPrefix(d.Name, openshiftAware)
}

// A Condition is what a declaration or a marker depends on.
type Condition struct {
	Kind StepKind // Channel or Gate
	// Any are the channels or gates of which one must be on; none is always on. All must be on, too.
	Any, All []Value
	// Foreign is set for those of another generator's dialect: of several markers of a name, only the last one counts.
	Foreign bool
}

// Condition returns what the step depends on, false if it is another step.
func (s *Step) Condition() (c Condition, ok bool) {
	if s.Kind != Channel && s.Kind != Gate {
		return c, false
	}
	return Condition{Kind: s.Kind, Any: valuesOf(s.Arg("")), All: valuesOf(s.Arg("all")), Foreign: s.Foreign}, true
}

// Condition returns what the declaration of the marker depends on, false if it is another marker.
func (m *Marker) Condition() (c Condition, ok bool) {
	if !m.Def.IsCondition() {
		return c, false
	}
	return Condition{Kind: m.Def.Step, Any: valuesOf(m.Arg("")), Foreign: !m.Def.Ours() ||
		strings.HasPrefix(m.At.Text(), "<")}, true
}

// valuesOf returns the items of a list, or a single value.
func valuesOf(v *Value) []Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == List:
		return v.Items
	}
	return []Value{*v}
}
