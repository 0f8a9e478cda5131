package generator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/schema"
)

// shownChanges is how many changes of one place are listed, and shownValue how many characters of a value.
const (
	shownChanges = 8
	shownValue   = 100
)

// A built CRD is one of a run: as it was made of the Go types, and without the rules that DropForeignRules drops.
type built struct{ whole, kept *schema.CRD }

// deviations returns notes at the places where files differ from controller-gen's, and at the rules that only it
// writes. The lines of a note are what differs.
func (cfg Config) deviations(
	ctx context.Context, listing *load.Listing, lowered lower.Found, dropped []rules.DroppedRule, crds []built,
) []diag.Diagnostic {
	if !cfg.CRD.Deviations {
		return nil
	}
	notes := lowered.Deviations
	for _, r := range dropped {
		if r.Transition {
			notes = append(notes, lower.TransitionLost(r.Rule.At))
		}
	}
	notes = diag.Sort(notes)
	var whole, kept []*schema.CRD
	for _, c := range crds {
		whole, kept = append(whole, c.whole), append(kept, c.kept)
	}
	for _, d := range lower.Deviations() {
		switch {
		case !slices.ContainsFunc(notes, func(n diag.Diagnostic) bool { return n.Check == d.Name }):
		case d.Name == lower.TransitionsLost:
			notes = explain(notes, d, changesOf(whole, kept))
		default:
			notes = explain(notes, d, cfg.changesBy(ctx, listing, d.Name, whole))
		}
	}
	return diag.Sort(notes)
}

// changesBy returns what a deviation changes: how the CRDs without it become those of this run. If other deviations
// hide that, it is how they become those with no other deviation.
func (cfg Config) changesBy(ctx context.Context, listing *load.Listing, name string, crds []*schema.CRD) []change {
	out := changesOf(cfg.without(ctx, listing, append(slices.Clone(cfg.CRD.Without), name)), crds)
	if len(out) > 0 {
		return out
	}
	all := lower.DeviationNames()
	others := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == name })
	return changesOf(cfg.without(ctx, listing, all), cfg.without(ctx, listing, others))
}

// without makes the CRDs again, without some deviations.
func (cfg Config) without(ctx context.Context, listing *load.Listing, names []string) []*schema.CRD {
	opts := cfg.CRD.Options
	opts.Without, opts.Deviations, opts.Tolerate = names, false, true
	var out []*schema.CRD
	var found lower.Found
	for c := range lower.CRDs(ctx, listing.Load(ctx, lower.Policy(opts)), opts, cfg.Progress, &found) {
		out = append(out, c)
	}
	return out
}

// changesOf returns the changes from some CRDs to others.
func changesOf(before, after []*schema.CRD) []change {
	var out []change
	find := func(list []*schema.CRD, c *schema.CRD) int {
		return slices.IndexFunc(list, func(other *schema.CRD) bool { return other.ObjectName() == c.ObjectName() })
	}
	for _, c := range after {
		if i := find(before, c); i >= 0 {
			out = append(out, changesOfCRD(before[i], c)...)
		} else {
			out = append(out, whole("CRD "+c.ObjectName(), "none", "written", c.Versions[0].At))
		}
	}
	for _, c := range before {
		if find(after, c) < 0 {
			out = append(out, whole("CRD "+c.ObjectName(), "written", "none", c.Versions[0].At))
		}
	}
	return out
}

// A change is a line of a note. It is at some places, and around them are others.
type change struct {
	path, text string
	at, around []diag.Span
}

// whole returns the change of something that is only in one run.
func whole(what, before, after string, at diag.Span) change {
	return change{text: fmt.Sprintf("%s: %s → %s", what, before, after), at: []diag.Span{at}}
}

// changesOfCRD returns the changes from one form of a CRD to another.
func changesOfCRD(before, after *schema.CRD) []change {
	var out []change
	name := func(v schema.Version) func(schema.Version) bool {
		return func(w schema.Version) bool { return w.Name.V == v.Name.V }
	}
	for _, v := range after.Versions {
		i := slices.IndexFunc(before.Versions, name(v))
		if i < 0 {
			out = append(out, whole("version "+v.Name.V, "none", "written", v.At))
			continue
		}
		for _, c := range schema.Changes(before.Versions[i].Schema, v.Schema) {
			out = append(out, changeOf(c, after.Kind.V))
		}
	}
	for _, v := range before.Versions {
		if !slices.ContainsFunc(after.Versions, name(v)) {
			out = append(out, whole("version "+v.Name.V, "written", "none", v.At))
		}
	}
	return out
}

// changeOf words a change in a schema.
func changeOf(c schema.Change, kind string) change {
	out := change{path: cmp.Or(c.Place.Field(), kind), at: c.At, around: c.Around()}
	if c.Keyword != "" {
		out.text = c.Keyword + ": "
	}
	out.text += cut(c.Before) + " → " + cut(c.After)
	return out
}

func cut(value string) string {
	if runes := []rune(value); len(runes) > shownValue {
		return string(runes[:shownValue]) + "…"
	}
	return value
}

// explain adds the changes of a deviation to its notes: each to the notes at its places, otherwise to the nearest one
// around them. Without one, it gets a note of its own.
func explain(notes []diag.Diagnostic, d lower.Deviation, changes []change) []diag.Diagnostic {
	lines := map[int][]line{}
	for _, c := range changes {
		var found []int
		for _, at := range c.at {
			found = append(found, noteAt(notes, d.Name, at)...)
		}
		for i := 0; len(found) == 0 && i < len(c.around); i++ {
			found = noteAt(notes, d.Name, c.around[i])
		}
		if len(found) == 0 {
			found = []int{len(notes)}
			notes = append(notes, d.Note(diag.Nearest(append(c.at, c.around...)...)))
		}
		slices.Sort(found)
		for _, i := range slices.Compact(found) {
			lines[i] = added(lines[i], c)
		}
	}
	for i := range notes {
		notes[i].Notes = append(notes[i].Notes, texts(lines[i])...)
	}
	return notes
}

// noteAt returns the index of the note of a deviation at a place, or at the marker that contains it.
func noteAt(notes []diag.Diagnostic, name string, at diag.Span) []int {
	i := slices.IndexFunc(notes, func(n diag.Diagnostic) bool {
		return n.Check == name && n.Span.IsValid() && at.IsValid() && n.Span.Source.Path == at.Source.Path &&
			n.Span.Start <= at.Start && at.End <= n.Span.End
	})
	if i < 0 {
		return nil
	}
	return []int{i}
}

// A line is a change of one or several fields.
type line struct {
	change
	others int
}

// added returns the lines with another change. The same change of several fields is one line.
func added(lines []line, c change) []line {
	i := slices.IndexFunc(lines, func(l line) bool { return l.text == c.text })
	switch {
	case i < 0:
		return append(lines, line{change: c})
	case lines[i].path != c.path:
		lines[i].others++
	}
	return lines
}

// texts words the lines, the first of them if there are many.
func texts(lines []line) []string {
	var out []string
	for i, l := range lines {
		if i == shownChanges && len(lines) > shownChanges+1 {
			return append(out, fmt.Sprintf("and %d more changes", len(lines)-i))
		}
		text := l.text
		if l.path != "" {
			text = l.path + ": " + text
		}
		switch {
		case l.others == 1:
			text += ", and in 1 other place"
		case l.others > 1:
			text += fmt.Sprintf(", and in %d other places", l.others)
		}
		out = append(out, text)
	}
	return out
}
