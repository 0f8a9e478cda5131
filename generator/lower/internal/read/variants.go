package read

import (
	"maps"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/markers"
)

// This file decides what belongs to the variant that is built: declarations and markers of its channels and gates.

// applies reports whether a marker that depends on a channel or gate has an effect. Unless the run names channels or
// gates, none has: controller-gen ignores them.
func (rd Reader) applies(c markers.Condition, at diag.Span) bool {
	rd.checkCondition(c, at)
	return rd.Opts.Variant.Decides(c.Kind) && rd.Opts.Variant.Has(c)
}

// Belongs reports whether a declaration with these markers is in the variant: it is in one of its channels, and one of
// its gates is on. Unless the run names channels or gates, each declaration is.
func (rd Reader) Belongs(marks []markers.Marker) bool {
	for _, kind := range []markers.StepKind{markers.Channel, markers.Gate} {
		depends, isOn := false, false
		for i := range marks {
			if c, ok := marks[i].Condition(); ok && c.Kind == kind {
				depends, isOn = true, isOn || rd.Opts.Variant.Decides(kind) && rd.Opts.Variant.Has(c)
			}
		}
		if depends && !isOn && rd.Opts.Variant.Decides(kind) {
			return false
		}
	}
	return true
}

// HasType reports whether a type, and the package that declares it, are in the variant.
func (rd Reader) HasType(d *load.TypeDecl) bool {
	return rd.Belongs(rd.TypeMarkers(d)) && !rd.PackageMarkers(d.Pkg).IsOff
}

// checkCondition reports a channel that no variant has, and a channel or gate about which the run decides nothing.
func (rd Reader) checkCondition(c markers.Condition, at diag.Span) {
	if !rd.Program.Owns(at) {
		return
	}
	for _, name := range slices.Concat(c.Any, c.All) {
		if _, isKnown := rd.named[name.Text]; !isKnown {
			rd.named[name.Text] = name.At
		}
	}
	if c.Foreign {
		return
	}
	what := map[markers.StepKind]string{markers.Channel: "channel", markers.Gate: "gate"}[c.Kind]
	if !rd.Opts.Variant.Decides(c.Kind) {
		rd.Report(diag.Warningf(at, checks.ChannelUndecided,
			"the run names no %ss: what belongs to one is in the CRD, and markers for one have no effect", what).
			Help("name them with crd:%ss", what).CausedBy(diag.Span{}, what))
		return
	}
	known := rd.Opts.Channels()
	for _, name := range slices.Concat(c.Any, c.All) {
		if c.Kind == markers.Channel && !slices.Contains(known, name.Text) {
			rd.Report(diag.Errorf(name.At, checks.ChannelUnknown, "unknown channel %q", name.Text).
				Note("the channels of the run are %s", diag.And(known)).
				Help("%s", diag.DidYouMean(name.Text, known)))
		}
	}
}

// CheckGates reports gates that the run switches on and no marker names, if a marker names a similar one that is off.
func (rd Reader) CheckGates() {
	if !rd.Opts.Variant.Decides(markers.Gate) {
		return
	}
	on := rd.Opts.Channels()
	off := slices.DeleteFunc(slices.Sorted(maps.Keys(rd.named)), func(name string) bool {
		return name == "" || slices.Contains(on, name)
	})
	for _, name := range on {
		near := diag.Near(name, off)
		if _, isNamed := rd.named[name]; isNamed || near == "" {
			continue
		}
		rd.Report(diag.Errorf(rd.named[near], checks.ChannelUnknown,
			"gate %q is off in all variants of the run; no marker names %q, which is on", near, name).
			Help("%s", diag.Meant(name)))
	}
}

// ofVariant returns the markers of a declaration without those that another one of the variant replaces: a marker for a
// channel or gate takes the place of the same marker for all.
func ofVariant(marks []markers.Marker) []markers.Marker {
	if !slices.ContainsFunc(marks, func(m markers.Marker) bool { return m.Of != nil }) {
		return marks
	}
	var out []markers.Marker
	for i, m := range marks {
		if !slices.ContainsFunc(marks[i+1:], func(o markers.Marker) bool { return replaces(&o, &m, true) }) &&
			!slices.ContainsFunc(marks[:i], func(o markers.Marker) bool { return replaces(&o, &m, false) }) {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b markers.Marker) int { return rank(&a) - rank(&b) })
	return out
}

// rank says in which order the generators of dialects apply markers: rules for gates first, those for channels last.
func rank(m *markers.Marker) int {
	switch {
	case m.Of == nil || !m.Of.Foreign || !m.Def.Repeatable:
		return 0
	case m.Of.Kind == markers.Gate:
		return -1
	}
	return 1
}

// replaces reports whether a marker, which is behind another one or before it, takes its place.
func replaces(m, other *markers.Marker, isBehind bool) bool {
	same := m.Def == other.Def && !m.Def.Repeatable ||
		m.Def.Presence != markers.Unsaid && other.Def.Presence != markers.Unsaid
	sameStep := func(a, b markers.Step) bool { return a.Kind == b.Kind && a.At.Text() == b.At.Text() }
	return same && m.Of != nil && (other.Of == nil || other.Of.Foreign && isBehind) &&
		slices.EqualFunc(m.Steps, other.Steps, sameStep)
}
