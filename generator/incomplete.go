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

// withoutEchoes leaves out findings at the place of an error that has been found before.
func withoutEchoes(found, errors []diag.Diagnostic) []diag.Diagnostic {
	places := map[*diag.Source][]diag.Span{}
	for _, e := range errors {
		if e.Fatal {
			places[e.Span.Source] = append(places[e.Span.Source], e.Span)
		}
	}
	for _, list := range places {
		slices.SortFunc(list, func(a, b diag.Span) int { return cmp.Compare(a.Start, b.Start) })
		for i := 1; i < len(list); i++ {
			list[i].End = max(list[i].End, list[i-1].End) // of all that start up to there
		}
	}
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		if !d.Span.IsValid() {
			return false
		}
		list := places[d.Span.Source]
		n, _ := slices.BinarySearchFunc(list, d.Span.End, func(e diag.Span, end int32) int {
			return cmp.Compare(e.Start, end)
		})
		return n > 0 && d.Span.Start < list[n-1].End
	})
}
