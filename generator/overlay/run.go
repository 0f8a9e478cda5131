package overlay

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/schema"
)

// A Run applies the entries of a set to the CRDs of a run, and records what they do.
type Run struct {
	// Record keeps all matches, for Selections.
	Record bool
	set    *Set
	// variants are all of the run.
	variants []lower.Variant
	carrier  carrier
	// entries are what is known of each entry of the set.
	entries []progress
	// crds are the CRDs so far, without their schemas.
	crds []*schema.CRD
	// types are the names of the Go types that the CRDs reach, if an entry selects types.
	types map[string]bool
	// isPartial is set if a CRD is incomplete, since its Go types have errors.
	isPartial bool
	found     []diag.Diagnostic
	// made are the changes at each place of the current CRD.
	made map[string][]made
	// contradicted are the pairs of changes of which the first undoes the second, at some place.
	contradicted map[[2]*change]bool
	// reached are the names of the Go types in the versions of the current CRD, before any change.
	reached map[string]map[string]bool
	// dropped are the fields of the current CRD that changes dropped.
	dropped map[string]dropping
	// fields are the Go fields of the first places that the changes are made at.
	fields []madeAt
}

// A made is a change of an entry at a place.
type made struct {
	change *change
	entry  *entry
}

// A madeAt is the position of a change, and the place that it is made at.
type madeAt struct {
	at, field diag.Span
	path      string
}

// A dropping is the position of a change that dropped a field, invalid without one.
type dropping diag.Span

// seen returns a finding about a field that does not exist, with what dropped it.
func (at dropping) seen(d diag.Diagnostic) diag.Diagnostic {
	if at := diag.Span(at); at.IsValid() {
		return d.See(at, "the field is dropped here")
	}
	return d
}

// fieldPath is the step to a field, as in schema.Place.
func fieldPath(name string) string { return ".properties[" + name + "]" }

// progress is what an entry did.
type progress struct {
	// matches counts the places that it selected; matched are these, if the run records them.
	matches int
	matched []Match
	// changes are those of the entry.
	changes []effect
	// loosened are the keywords that accept more than before, and the first place.
	loosened   []string
	loosenedAt string
	// miss is where the path that led furthest ended.
	miss *miss
	// isOn is set if the conditions of the entry hold in a variant.
	isOn bool
	// typeSeen is set if a CRD reaches the Go type.
	typeSeen bool
}

// An effect is what a change did.
type effect struct {
	// isEffective is set if it changed something, found if its field, keyword or rule exists at a place.
	isEffective, found bool
	// others are what exists instead; problem says why it could not be applied.
	others  []string
	problem string
	// dropped is what dropped the field.
	dropped dropping
	// first is the first place, and value the schema there before.
	first  string
	before *schema.Schema
}

// A Match is a place that an entry selects.
type Match struct {
	Kind, Group, Version string
	// Field is the path to the place, "" for the root.
	Field string
	// Before and After are its schemas.
	Before, After *schema.Schema
}

// A Selection is an entry with the places that it selects.
type Selection struct {
	// At is the entry, and Selector what it selects, as it is written.
	At       diag.Span
	Selector []schema.Member
	Matches  []Match
}

// Selections returns all entries in the order of the files, with their matches if these are recorded.
func (r *Run) Selections() (out []Selection) {
	for i, e := range r.set.entries {
		out = append(out, Selection{e.at, e.selector, r.entries[i].matched})
	}
	return out
}

// where names the place of a match in messages.
func (m *Match) where() string {
	return placeName(m.Field) + " of " + m.Kind + " " + m.Version
}

// fieldOf returns the path to a place as paths of overlays have it.
func fieldOf(p *schema.Place) string { return strings.ReplaceAll(p.Field(), "[*]", "{}") }

func placeName(field string) string {
	if field == "" {
		return "the schema"
	}
	return field
}

// Start starts a run with the entries of the set, which may be nil. own is the annotation that crdproof itself writes
// into its CRDs, "" if it writes none. variants are those that the run makes of each kind.
func (s *Set) Start(own string, variants []lower.Variant) *Run {
	if s == nil {
		s = &Set{}
	}
	r := &Run{set: s, variants: variants, entries: make([]progress, len(s.entries)), types: map[string]bool{},
		contradicted: map[[2]*change]bool{}, carrier: s.carrier(own)}
	for i := range s.entries {
		r.entries[i].changes = make([]effect, len(s.entries[i].changes))
	}
	return r
}

// Apply returns a CRD of a variant, which may be nil, with the changes of all entries that select it; the same CRD if
// none does. isComplete is unset if the CRD may lack something because of errors.
func (r *Run) Apply(c *schema.CRD, variant *lower.Variant, isComplete bool) *schema.CRD {
	if r.isIdle() {
		return c
	}
	frame := *c
	frame.Versions = slices.Clone(c.Versions)
	for i := range frame.Versions {
		frame.Versions[i].Schema = nil
	}
	r.crds = append(r.crds, &frame)
	r.isPartial = r.isPartial || !isComplete
	r.made, r.dropped, r.reached = map[string][]made{}, map[string]dropping{}, map[string]map[string]bool{}
	out := *c
	r.carrier.apply(&out, variant)
	out.Versions = slices.Clone(c.Versions)
	for i, e := range r.set.entries {
		if !selectsKind(e.kinds, c) || !e.conditions.hold(variant) {
			continue
		}
		r.entries[i].isOn = true
		for j := range out.Versions {
			v := &out.Versions[j]
			if len(e.versions) == 0 || hasName(e.versions, v.Name.V) {
				w := walker{run: r, entry: e, progress: &r.entries[i], crd: c, version: v.Name.V,
					seen: map[string]bool{}, replaced: map[*schema.Schema]bool{},
					holds: map[*schema.Schema]bool{}}
				v.Schema = w.from(v.Schema)
			}
		}
	}
	return &out
}

// isIdle reports whether there are no entries.
func (r *Run) isIdle() bool { return len(r.set.entries)+len(r.set.frames) == 0 }

// selectsKind reports whether an entry for some kinds selects a CRD. One without kinds selects all.
func selectsKind(kinds []schema.Text, c *schema.CRD) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(t schema.Text) bool { return isKind(t.V, c) })
}

// isKind reports whether a text names the kind of a CRD, with its group or without.
func isKind(text string, c *schema.CRD) bool {
	kind, group, hasGroup := strings.Cut(text, ".")
	return kind == c.Kind.V && (!hasGroup || group == c.Group.V)
}

// change makes the changes of the walker's entry at a place.
func (w *walker) change(p *schema.Place) *schema.Schema {
	path := p.Path()
	if w.seen[path] {
		return p.Schema
	}
	w.seen[path] = true
	m := w.at(p)
	s := p.Schema
	isReplaced := false
	for i := range w.entry.changes {
		before := s
		s = w.makeChange(i, p, path, s, m.where())
		isReplaced = isReplaced || s != before && w.entry.changes[i].replaces != ownPart
	}
	if isReplaced {
		w.replaced[s] = true
	}
	m.After = s
	isRequired := p.Above != nil && p.Step == schema.InProperty && hasName(p.Above.Schema.Required, p.Name)
	if more := loosened(p.Schema, s, isRequired); len(more) > 0 {
		if len(w.progress.loosened) == 0 {
			w.progress.loosenedAt = m.where()
		}
		w.progress.loosened = append(w.progress.loosened, more...)
	}
	if w.progress.matches++; w.run.Record {
		w.progress.matched = append(w.progress.matched, *m)
	}
	return s
}

// makeChange makes one change of the entry at a place, whose schema earlier changes of the entry may have changed.
func (w *walker) makeChange(i int, p *schema.Place, path string, s *schema.Schema, where string) *schema.Schema {
	c, did := &w.entry.changes[i], &w.progress.changes[i]
	if c.finds != nil {
		found, others := c.finds(s)
		did.found = did.found || found
		did.others = append(did.others, others...)
		if at, ok := w.run.dropped[w.version+path+fieldPath(c.name)]; ok {
			did.dropped = at
		}
	}
	if did.before == nil {
		did.first, did.before = where, s
		w.run.fields = append(w.run.fields, madeAt{c.at, p.At(), fieldOf(p)})
	}
	if c.apply == nil {
		return s
	}
	after, problem := c.apply(s)
	if problem != "" && did.problem == "" {
		did.problem = where + ": " + problem
	}
	if after == s {
		return s
	}
	did.isEffective = true
	w.run.record(made{c, w.entry}, w.version+path, s, after)
	return after
}

// record records a change at a place, and reports an earlier one that it undoes.
func (r *Run) record(now made, path string, before, after *schema.Schema) {
	for _, earlier := range r.made[path] {
		if now.change.replaces == wholePlace || earlier.change.part == now.change.part ||
			isItemOf(earlier.change.part, now.change.part) || isItemOf(now.change.part, earlier.change.part) {
			r.contradict(now, earlier)
		}
	}
	var dropped []string
	switch now.change.replaces {
	case ownPart: // nothing below
	case allBelow:
		dropped = append(dropped, path+"."+now.change.part)
	case wholePlace:
		dropped = append(dropped, path)
	}
	for _, p := range before.Properties {
		if after.Property(p.Name) == nil {
			dropped = append(dropped, path+fieldPath(p.Name))
			r.dropped[path+fieldPath(p.Name)] = dropping(now.change.at)
		}
	}
	if len(dropped) > 0 {
		r.undo(now, path, dropped)
	}
	r.made[path] = append(r.made[path], now)
}

// isItemOf reports whether a part is an item of another one, which adds nothing to a list but replaces it.
func isItemOf(part, keyword string) bool { return strings.HasPrefix(part, keyword+"[") }

// undo reports the changes below a place that are dropped with the schemas that they are in.
func (r *Run) undo(now made, path string, dropped []string) {
	var below []string
	for other := range r.made {
		if other != path && slices.ContainsFunc(dropped, func(d string) bool {
			return other == d || strings.HasPrefix(other, d+".") || strings.HasPrefix(other, d+"[")
		}) {
			below = append(below, other)
		}
	}
	slices.Sort(below)
	for _, other := range below {
		for _, earlier := range r.made[other] {
			r.contradict(now, earlier)
		}
	}
}

// contradict reports two changes of which the second undoes the first.
func (r *Run) contradict(now, earlier made) {
	pair := [2]*change{now.change, earlier.change}
	if now.change == earlier.change || r.contradicted[pair] {
		return
	}
	r.contradicted[pair] = true
	const format = "%s undoes what an earlier change does at the same place"
	d := diag.Errorf(now.change.at, Mistake, format, now.change.what).
		Help("remove one of the two changes").See(earlier.change.at, "the earlier change")
	if !slices.ContainsFunc(r.found, func(e diag.Diagnostic) bool {
		return e.Span == d.Span && e.SeeAlso[0].Span == d.SeeAlso[0].Span
	}) {
		r.found = append(r.found, d)
	}
}
