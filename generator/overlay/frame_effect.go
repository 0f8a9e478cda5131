package overlay

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// contradiction reports two settings of the same precedence with different values, once.
func (a *Carried) contradiction(first, second *candidate) {
	if first.isOfKind != second.isOfKind || second.use.contradicts {
		return
	}
	first.use.contradicts, second.use.contradicts = true, true
	a.found = append(a.found, diag.Errorf(second.at, Mistake, "two entries contradict each other: %s", second.slot).
		Help("remove one of the two, or name different kinds").See(first.at, "the other value is here"))
}

// Findings returns the contradictions and what has no effect, after all CRDs of the run.
func (a *Carried) Findings() []diag.Diagnostic {
	found := slices.Clone(a.found)
	for i := range a.frames {
		f := &a.frames[i]
		isSelected := len(f.kinds) == 0
		for _, k := range f.kinds {
			d, ok := a.checkKind(k)
			if !ok {
				found = append(found, d)
			}
			isSelected = isSelected || ok
		}
		if !isSelected || len(a.kinds) == 0 {
			continue
		}
		for j := range f.settings {
			s, u := &f.settings[j], &a.uses[i][j]
			if s.field == fieldAnnotations && s.key == a.own && a.own != "" {
				found = append(found, diag.Errorf(s.at, Mistake, "annotation %s has no effect: crdproof writes it itself",
					s.key).Help("remove it; the option versionAnnotation decides what crdproof writes"))
			} else if d, ok := s.idle(u); ok && !u.contradicts {
				found = append(found, d)
			}
		}
	}
	return diag.Sort(found)
}

// checkKind reports a kind that selects no CRD, or more than one.
func (a *Carried) checkKind(k kindName) (d diag.Diagnostic, ok bool) {
	var selected, sameKind, all []string
	kind, _, hasGroup := strings.Cut(k.V, ".")
	for _, known := range a.kinds {
		full := known.kind + "." + known.group
		if k.names(&schema.CRD{Kind: schema.Text{V: known.kind}, Group: schema.Text{V: known.group}}) {
			selected = append(selected, full)
		}
		if known.kind == kind {
			sameKind = append(sameKind, full)
		}
		all = append(all, known.kind)
	}
	slices.Sort(all)
	switch {
	case len(selected) == 1:
		return d, true
	case len(selected) > 1:
		slices.Sort(selected)
		return diag.Errorf(k.At, Mistake, "kind %s is not unique: it is in %s", k.V, diag.Counted(len(selected), "group")).
			Help("write %s", diag.Or(selected)), false
	}
	d = diag.Errorf(k.At, Mistake, "no CRD of this run has the kind %s", k.V)
	switch near := diag.Near(k.V, all); {
	case hasGroup && len(sameKind) > 0:
		slices.Sort(sameKind)
		return d.Help("write %s", diag.Or(sameKind)), false
	case near != "":
		return d.Meant(near), false
	}
	return d.Note("the kinds are %s", diag.And(slices.Compact(all))).Help("remove the entry"), false
}

// idle reports a setting that changes no CRD.
func (s *setting) idle(u *use) (d diag.Diagnostic, ok bool) {
	d = diag.Errorf(s.at, Mistake, "%s has no effect", s.slot)
	switch {
	case u.changes || !u.matches:
		return d, false
	case u.replacedBy.IsValid():
		d.Message += ": entries that name the kinds replace it"
		return d.Help("remove it").See(u.replacedBy, "replaced here"), true
	case s.value.Kind == schema.Null:
		d.Message += ": the CRDs do not have it"
	default:
		d.Message += ": the CRDs have this value without it"
	}
	return d.Help("remove it").See(u.before, "the value is set here"), true
}
