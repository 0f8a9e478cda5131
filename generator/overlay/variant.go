package overlay

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/schema"
)

// conditions are the channels and gates that an entry depends on, as those of markers.
type conditions []markers.Condition

// The keys of conditions.
const (
	keyChannel = "channel"
	keyGate    = "gate"
)

// condition adds one: a name, or a list of names of which one must be on.
func (c *conditions) condition(r *reader, m *schema.Member) {
	kind := markers.Channel
	if m.Key == keyGate {
		kind = markers.Gate
	}
	var names []markers.Value
	for _, t := range r.texts(m) {
		names = append(names, markers.Value{Kind: markers.String, Text: t.V, At: t.At})
	}
	*c = append(*c, markers.Condition{Kind: kind, Any: names})
}

// hold reports whether the entry is for a variant. One that depends on a channel or gate is not, unless the run says
// which of them are on.
func (c conditions) hold(v *lower.Variant) bool {
	return !slices.ContainsFunc(c, func(one markers.Condition) bool { return !v.Decides(one.Kind) || !v.Has(one) })
}

// checkConditions reports channels that no variant has, and channels or gates about which the run decides nothing. A
// gate may be off in all variants.
func (r *Run) checkConditions(list conditions) bool {
	before := len(r.found)
	for _, c := range list {
		what := keyChannel
		if c.Kind == markers.Gate {
			what = keyGate
		}
		known, isDecided := r.namesOn(c.Kind)
		for _, name := range c.Any {
			d := diag.Errorf(name.At, Mistake, "unknown channel %q", name.Text)
			switch near := diag.Near(name.Text, known); {
			case !isDecided:
				r.report(diag.Errorf(name.At, Mistake, "the entry is for the %s %s, but the run names no %ss", what,
					name.Text, what).Help("name them with the option %ss, or remove the key", what))
			case c.Kind == markers.Gate || slices.Contains(known, name.Text):
			case near != "":
				r.report(d.Help("%s", diag.Meant(near)))
			default:
				r.report(d.Note("the channels of the run are %s", diag.And(known)).Help("write one of them"))
			}
		}
	}
	return len(r.found) == before
}

// namesOn returns what is on in some variant of the run, and whether the variants decide about channels or gates.
func (r *Run) namesOn(kind markers.StepKind) (names []string, isDecided bool) {
	for i := range r.variants {
		names = append(names, r.variants[i].On...)
		isDecided = isDecided || r.variants[i].Decides(kind)
	}
	slices.Sort(names)
	return slices.Compact(names), isDecided
}
