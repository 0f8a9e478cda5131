package generator

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules"
)

// notValidated says which CRDs were not validated, and which only in part.
func (p *pipeline) notValidated() (found []diag.Diagnostic) {
	say := func(isMeant func(*job) bool, format string) {
		var names []string
		for _, j := range p.crds {
			if isMeant(j) {
				names = append(names, j.name)
			}
		}
		if len(names) > 0 {
			found = append(found, diag.Warningf(diag.Span{}, rules.NotValidated, format, diag.And(names)).
				Help("repair what is reported there, and run again"))
		}
	}
	say(func(j *job) bool { return j.doubt.Unread },
		"not validated, because a file that declares their types does not parse: %s")
	say(func(j *job) bool { return j.doubt.Partial && !j.doubt.Unread },
		"validated without the fields whose types are not known: %s")
	return found
}

// withoutEchoes leaves out findings at the place of an error that has been found before, and those at the place of the
// mistake that they follow from.
func withoutEchoes(found, errors []diag.Diagnostic) []diag.Diagnostic {
	wrong := placesOf(errors, func(e diag.Diagnostic) bool { return e.Fatal })
	causes := map[string]places{} // by the check that follows
	for _, c := range rules.Checks() {
		if c.Follows != nil {
			causes[c.ID] = placesOf(errors, func(e diag.Diagnostic) bool { return e.Check == c.Follows.ID })
		}
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return d.Span.IsValid() && (wrong.touch(d.Span) || causes[d.Check].touch(d.Span))
	})
}

// places are spans of each source by their start. Each ends where the last one ends that starts before its end.
type places map[*diag.Source][]diag.Span

func placesOf(list []diag.Diagnostic, isMeant func(diag.Diagnostic) bool) places {
	out := places{}
	for _, d := range list {
		if isMeant(d) {
			out[d.Span.Source] = append(out[d.Span.Source], d.Span)
		}
	}
	for _, spans := range out {
		slices.SortFunc(spans, func(a, b diag.Span) int { return cmp.Compare(a.Start, b.Start) })
		for i := 1; i < len(spans); i++ {
			spans[i].End = max(spans[i].End, spans[i-1].End)
		}
	}
	return out
}

// touch reports whether a span has a part of one of the places.
func (p places) touch(s diag.Span) bool {
	spans := p[s.Source]
	n, _ := slices.BinarySearchFunc(spans, s.End, func(e diag.Span, end int32) int { return cmp.Compare(e.Start, end) })
	return n > 0 && s.Start < spans[n-1].End
}
