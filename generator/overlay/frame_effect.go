package overlay

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// contradiction reports two settings of the same precedence with different values, once.
func (a *carrier) contradiction(first, second *candidate) {
	if first.isOfKind != second.isOfKind || second.use.contradicts {
		return
	}
	first.use.contradicts, second.use.contradicts = true, true
	a.found = append(a.found, diag.Errorf(second.at, Mistake, "two entries contradict each other: %s", second.slot).
		Help("remove one of the two, or name different kinds").See(first.at, "the other value is here"))
}

// checkFrames reports the contradictions and what has no effect, after all CRDs of the run.
func (r *Run) checkFrames() {
	a := &r.carrier
	r.found = append(r.found, a.found...)
	for i := range a.frames {
		f := &a.frames[i]
		if !r.checkConditions(f.conditions) || !r.checkKinds(f.kinds) || len(r.crds) == 0 {
			continue
		}
		for j := range f.settings {
			s, u := &f.settings[j], &a.uses[i][j]
			if s.field == fieldAnnotations && s.key == a.own && a.own != "" {
				r.report(diag.Errorf(s.at, Mistake, "annotation %s has no effect: crdproof writes it itself", s.key).
					Help("remove it; the option versionAnnotation decides what crdproof writes"))
			} else if d, ok := s.idle(u); ok && !u.contradicts {
				r.report(d)
			}
		}
	}
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
