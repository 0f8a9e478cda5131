package overlay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// Findings returns what is wrong with the entries, after all CRDs of the run: what selects nothing, what changes
// nothing, what is undone, and what accepts more than before without saying so. It is incomplete if a CRD was.
func (r *Run) Findings() []diag.Diagnostic {
	if r.isPartial || r.isIdle() {
		return nil // the errors in the Go types come first
	}
	for i, e := range r.set.entries {
		if r.checkConditions(e.conditions) && r.checkKinds(e.kinds) && r.checkVersions(e) &&
			r.checkMatch(e, &r.entries[i]) {
			for j := range e.changes {
				r.checkEffect(&e.changes[j], &r.entries[i].changes[j])
			}
			r.checkLoosen(e, &r.entries[i])
		}
	}
	r.checkFrames()
	return r.found
}

func (r *Run) report(d diag.Diagnostic) { r.found = append(r.found, d) }

// checkKinds reports kinds that no CRD of the run has.
func (r *Run) checkKinds(selected []schema.Text) bool {
	isKnown := true
	for _, t := range selected {
		var groups, kinds []string
		meant := ""
		for _, c := range r.crds {
			kinds = append(kinds, c.Kind.V)
			full := c.Kind.V + "." + c.Group.V
			if strings.Contains(t.V, ".") {
				kinds = append(kinds, full)
			}
			if group, kind, ok := strings.Cut(t.V, "/"); ok && kind == c.Kind.V && group == c.Group.V {
				meant = full
			}
			if isKind(t.V, c) {
				groups = append(groups, c.Group.V)
			}
		}
		slices.Sort(kinds)
		slices.Sort(groups)
		kinds, groups = slices.Compact(kinds), slices.Compact(groups) // a kind has a CRD in each variant
		switch d := diag.Errorf(t.At, Mistake, "no CRD of this run has the kind %s", t.V); {
		case len(groups) > 1:
			r.report(diag.Errorf(t.At, Mistake, "several CRDs of this run have the kind %s", t.V).
				Help("write the group too: %s.%s", t.V, strings.Join(groups, " or "+t.V+".")))
		case len(groups) == 1:
			continue
		case meant != "":
			r.report(d.Help("%s", diag.Meant(meant)))
		case t.V == "*":
			r.report(d.Help("remove the key kind: without it, the entry is for all kinds"))
		case diag.Near(t.V, kinds) != "":
			r.report(d.Help("%s", diag.DidYouMean(t.V, kinds)))
		default:
			r.report(d.Note("the kinds are %s", some(kinds)).Help("remove the kind, or generate its package too"))
		}
		isKnown = false
	}
	return isKnown
}

// some joins names, without those beyond the first dozen.
func some(names []string) string {
	const most = 12
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// checkVersions reports versions that none of the kinds has.
func (r *Run) checkVersions(e *entry) bool {
	isKnown := true
	for _, t := range e.versions {
		var versions []string
		for _, c := range r.crds {
			if selectsKind(e.kinds, c) {
				for i := range c.Versions {
					versions = append(versions, c.Versions[i].Name.V)
				}
			}
		}
		if slices.Contains(versions, t.V) {
			continue
		}
		slices.Sort(versions)
		isKnown = false
		r.report(diag.Errorf(t.At, Mistake, "no selected kind has the version %s", t.V).
			Note("the versions are %s", some(slices.Compact(versions))).
			Help("%s", diag.DidYouMean(t.V, versions)))
	}
	return isKnown
}

// checkMatch reports an entry that selects nothing.
func (r *Run) checkMatch(e *entry, did *progress) bool {
	switch {
	case did.matches > 0:
		return true
	case len(e.conditions) > 0 && !did.isOn: // a gate that is off in all variants
	case e.typ != nil && !did.typeSeen && (did.miss == nil || did.miss.stage != stageWithin):
		r.report(r.noType(e))
	case did.miss != nil:
		r.report(did.miss.finding(e))
	}
	return false
}

// noType reports a Go type that no kind reaches.
func (r *Run) noType(e *entry) diag.Diagnostic {
	known := slices.Sorted(maps.Keys(r.types))
	name := e.typ.String()
	d := diag.Errorf(e.typ.text.At, Mistake, "no selected kind has a value of the Go type %s", name)
	if e.within != nil {
		d.Message += " below " + e.within.text.V
	}
	for _, other := range known { // the type of another package is nearer than another type of the package
		if strings.HasSuffix(other, "."+e.typ.name) && other != name {
			return d.Help("%s", diag.Meant(other))
		}
	}
	near := diag.Near(name, known)
	if i := strings.LastIndexByte(near, '.'); near != "" && diag.Near(e.typ.name, []string{near[i+1:]}) != "" {
		return d.Help("%s", diag.Meant(near))
	}
	return d.Help("write the import path of the package that declares the type, a dot and its name")
}

// finding reports a step that leads nowhere.
func (m *miss) finding(e *entry) diag.Diagnostic {
	step := &m.path.steps[m.step]
	at := m.path.at(m.step)
	switch step.Kind {
	case schema.ItemsOfList:
		return diag.Errorf(at, Mistake, "%s is not a list", m.where).Help("remove []")
	case schema.ValuesOfMap:
		return diag.Errorf(at, Mistake, "%s is not a map", m.where).Help("remove {}")
	case schema.AnyField:
		return diag.Errorf(at, Mistake, "%s has no fields", m.where).Help("%s", m.elements())
	}
	d := m.dropped.seen(diag.Errorf(at, Mistake, "%s has no field %q", m.where, step.Name))
	meant := ""
	if m.stage != stageFields {
		meant = pathFrom(m.path.text.V)
	}
	switch {
	case meant != "" && meant != m.path.text.V:
		return d.Help("write %s", meant)
	case diag.Near(step.Name, m.names) != "":
		return d.Help("%s", diag.DidYouMean(step.Name, m.names))
	case step.Name == "properties" || step.Name == "items":
		return d.Help("a path has names of fields, [] for items and {} for values: remove %s", step.Name)
	case len(m.names) == 0:
		return d.Help("%s", m.elements())
	}
	return d.Note("its fields are %s", some(m.names))
}

// elements is the help for a step to a field of what has no fields.
func (m *miss) elements() string {
	switch {
	case m.before.Items != nil:
		return "write [] for the items of a list"
	case m.before.AdditionalProperties != nil:
		return "write {} for the values of a map"
	}
	return "end the path before it: the schema there has no parts"
}

// checkEffect reports a change without effect.
func (r *Run) checkEffect(c *change, did *effect) {
	switch d := diag.Errorf(c.at, Mistake, "%s changes nothing", c.what); {
	case did.problem != "":
		r.report(diag.Errorf(c.at, Mistake, "%s", did.problem).Help("write it below set: to replace the value"))
	case c.finds != nil && !did.found:
		d.Message = did.first + " has no " + c.what
		if c.what == "the rule" {
			d.Message = did.first + " has no such rule"
		}
		r.report(did.dropped.seen(d.Help("%s", diag.DidYouMean(c.at.Text(), did.others))))
	case c.apply != nil && !did.isEffective:
		if c.idle != "" {
			d.Message = did.first + ": " + c.idle
		} else if k := schema.KeywordOf(c.part); k != nil && k.IsSet(did.before) {
			d.Message += fmt.Sprintf(": %s has %s: %s", did.first, k.Name, k.Compact(did.before))
		}
		r.report(d.Help("%s", c.stale))
	}
}

// checkLoosen compares the key loosen of an entry with what the entry does.
func (r *Run) checkLoosen(e *entry, did *progress) {
	switch {
	case e.loosen == nil && len(did.loosened) > 0:
		slices.Sort(did.loosened)
		r.report(diag.Errorf(e.at, Mistake, "the entry accepts more than before: %s of %s",
			diag.And(slices.Compact(did.loosened)), did.loosenedAt).
			Help("add loosen: true to the entry if that is intended"))
	case e.loosen != nil && len(did.loosened) == 0:
		r.report(diag.Errorf(e.loosen.At, Mistake, "loosen: true has no effect: the entry accepts nothing new").
			Help("remove loosen"))
	}
}

// Annotated adds the Go field to findings about what the files set, and returns all findings.
func (r *Run) Annotated(found []diag.Diagnostic) []diag.Diagnostic {
	for i := range found {
		d := &found[i]
		if !d.Span.IsValid() || !r.set.Has(d.Span) || d.Check == Mistake.ID {
			continue
		}
		for _, m := range r.fields {
			if m.at.Contains(d.Span) && m.field.IsValid() {
				d.SeeAlso = append(slices.Clip(d.SeeAlso), diag.Related{Span: m.field, Message: "the Go field of " +
					placeName(m.path)})
				break
			}
		}
	}
	return found
}
