package options

import (
	"slices"

	"github.com/crdproof/crdproof/markers"
)

// A Variant is one of the CRDs that are made of a kind: that of a channel, or of a set of feature gates.
type Variant struct {
	// Name is the directory of its files; "" if the run makes no other.
	Name string
	// On are its channels and the gates that are on.
	On []string
	// Channels and Gates report whether On names all channels or all gates that are on.
	Channels, Gates bool
}

// Decides reports whether the variant says which channels, or which gates, are on. A nil variant decides nothing.
func (v *Variant) Decides(kind markers.StepKind) bool {
	return v != nil && (kind == markers.Channel && v.Channels || kind == markers.Gate && v.Gates)
}

// Has reports whether what depends on a condition is in the variant, which decides about it.
func (v *Variant) Has(c markers.Condition) bool {
	isOn := func(name markers.Value) bool { return name.Text == "" || slices.Contains(v.On, name.Text) }
	isOff := func(name markers.Value) bool { return !isOn(name) }
	return (len(c.Any) == 0 || slices.ContainsFunc(c.Any, isOn)) && !slices.ContainsFunc(c.All, isOff)
}

// Channels returns the names that variants have for channels, sorted.
func (o *Options) Channels() (out []string) {
	for _, v := range o.Variants {
		out = append(out, v.On...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
