package read

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/markers"
)

// checkRepeated reports markers that a declaration has twice, although only the last one counts. A repetition that says
// all that the first one says is harmless and is not reported.
func (rd Reader) checkRepeated(marks []markers.Marker) {
	for i := range marks {
		if marks[i].Def.Repeatable || len(marks[i].Steps) > 0 || marks[i].Def.Name == MarkResource {
			continue
		}
		first := Find(marks, marks[i].Def.Name)
		if first != &marks[i] && !saysAll(marks[i].Args, first.Args) {
			rd.Mistake(repeated(&marks[i], first))
		}
	}
	rd.checkRepeatedResource(marks)
}

// checkRepeatedResource reports what the last of several resource markers of a type takes back. It leaves a plural and
// a singular that it does not name, but has the default of every other argument that it lacks (controller-tools,
// pkg/crd/markers/crd.go: Resource.ApplyToCRD).
func (rd Reader) checkRepeatedResource(marks []markers.Marker) {
	first := Find(marks, MarkResource)
	if first == nil {
		return
	}
	last := first
	var merged []markers.Arg
	for i := range marks {
		if marks[i].Def != first.Def || len(marks[i].Steps) > 0 {
			continue
		}
		last = &marks[i]
		for _, arg := range last.Args {
			merged = slices.DeleteFunc(merged, func(a markers.Arg) bool {
				return a.Name == arg.Name && sameArgs([]markers.Arg{a}, []markers.Arg{arg})
			})
			merged = append(merged, arg)
		}
	}
	var lost, shown []string
	scope := ""
	for i, a := range merged {
		shown = append(shown, a.Name+"="+a.Value.At.Text())
		isTwice := slices.ContainsFunc(merged[i+1:], func(o markers.Arg) bool { return o.Name == a.Name })
		switch {
		case isTwice:
			rd.Mistake(repeated(last, first))
			return
		case last.Arg(a.Name) != nil, a.Name == "path", a.Name == "singular",
			slices.Contains([]string{"", "Namespaced"}, a.Value.Text) && a.Name == "scope":
		default:
			if a.Name == "scope" {
				scope = a.Value.Text
			}
			lost = append(lost, a.Name)
		}
	}
	if len(lost) == 0 {
		return
	}
	d := diag.Errorf(last.At, checks.MarkerRepeated, "the last marker %s takes back %s, which it lacks", MarkResource,
		diag.And(lost)).
		Help("write +%s:%s", MarkResource, strings.Join(shown, ","))
	if scope != "" {
		d = d.Changes(diag.AcceptsOther, "the scope of the CRD becomes %s", scope)
	}
	rd.Mistake(d.See(first.At, "first given here"))
}

func repeated(m, first *markers.Marker) diag.Diagnostic {
	return diag.Errorf(m.At, checks.MarkerRepeated, "duplicate marker %s with different values", m.Def.Name).
		Help("keep one of them").See(first.At, "first given here")
}

// saysAll reports whether arguments include others, with the same values.
func saysAll(args, others []markers.Arg) bool {
	return !slices.ContainsFunc(others, func(o markers.Arg) bool {
		return !slices.ContainsFunc(args, func(a markers.Arg) bool {
			return sameArgs([]markers.Arg{a}, []markers.Arg{o})
		})
	})
}

func sameArgs(a, b []markers.Arg) bool {
	return slices.EqualFunc(a, b, func(x, y markers.Arg) bool {
		return x.Name == y.Name && x.Value.Canonical().Equal(y.Value.Canonical())
	})
}
