package read

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/markers"
)

// CheckDecls reports markers of a CRD on types that are not a version of any: one finding for a type, since the markers
// have one cause.
func (rd Reader) CheckDecls(isVersion map[*load.TypeDecl]bool) {
	for _, pkg := range rd.Program.Roots {
		for _, d := range pkg.Decls {
			if isVersion[d] || pkg.Broken() || rd.PackageMarkers(pkg).Skip {
				continue
			}
			var ofKind []*markers.Marker
			marks := rd.TypeMarkers(d)
			for i := range marks {
				if marks[i].Def.OfKind {
					ofKind = append(ofKind, &marks[i])
				}
			}
			if len(ofKind) > 0 {
				wrong := notAKind(d, ofKind)
				if kind := d.Pkg.Lookup(strings.TrimSuffix(d.Name, "List")); isVersion[kind] &&
					rd.hasAll(kind, ofKind) {
					wrong = diag.Warningf(wrong.Span, markers.WrongTarget, "%s", wrong.Message).
						Help("remove from the list what is on the kind %s already", kind.Name).
						CausedBy(diag.Span{}, "lists").Hurting(diag.Unlikely)
				}
				rd.Mistake(wrong)
			} else if at, ok := rootMarker(d); ok {
				rd.checkObject(d, at)
			}
		}
	}
}

// hasAll reports whether a kind has all of some markers of its list too, so that these are only superfluous.
func (rd Reader) hasAll(kind *load.TypeDecl, marks []*markers.Marker) bool {
	return !slices.ContainsFunc(marks, func(m *markers.Marker) bool {
		return Find(rd.TypeMarkers(kind), m.Def.Name) == nil
	})
}

// notAKind reports markers of kinds on a type that is not a kind, with what it lacks to be one.
func notAKind(d *load.TypeDecl, ofKind []*markers.Marker) diag.Diagnostic {
	const (
		typeMeta   = "metav1.TypeMeta `json:\",inline\"`"
		objectMeta = "metav1.ObjectMeta `json:\"metadata,omitempty\"`"
	)
	lacks, help := "", "move the markers to a struct that embeds metav1.TypeMeta and metav1.ObjectMeta"
	if lacksType, _, ok := d.LacksMetas(); ok && lacksType {
		lacks, help = ": it does not embed metav1.TypeMeta", "embed "+typeMeta
	} else if ok {
		lacks, help = ": it does not embed metav1.ObjectMeta", "embed "+objectMeta
	}
	if len(ofKind) == 1 {
		return diag.Errorf(ofKind[0].At, markers.WrongTarget, "%s applies to kinds; %s is not a kind%s",
			ofKind[0].Def.Name, d.Name, lacks).Help("%s", strings.Replace(help, "the markers", "the marker", 1))
	}
	var names []string
	for _, m := range ofKind {
		names = append(names, m.Def.Name)
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	out := diag.Errorf(d.At, markers.WrongTarget, "%s is not a kind%s", d.Name, lacks).Help("%s", help)
	return out.Note("these markers have no effect: %s", strings.Join(names, ", "))
}

// CheckNone reports why a run writes no CRDs, unless errors explain it. A kind or package may be skipped on purpose, so
// the markers that do so are reported only if nothing is left.
func (rd Reader) CheckNone(skipped []diag.Span) {
	if diag.HasErrors(rd.Diagnostics) || diag.HasErrors(rd.Program.Diagnostics) {
		return
	}
	for _, at := range skipped {
		rd.Report(diag.Warningf(at, checks.KindNone, "markers skip all kinds of the run").
			Help("remove the marker"))
	}
	if len(skipped) == 0 {
		rd.Report(diag.Warningf(diag.Span{}, checks.KindNone, "the packages of the run have no kinds").
			Help("name the packages of the API, for example paths=./api/..."))
	}
}

// rootMarker returns the place of the marker that gives a type the methods of an object. It is on kinds and their
// lists.
func rootMarker(d *load.TypeDecl) (diag.Span, bool) {
	for _, c := range d.Comments {
		if c.Text == "+kubebuilder:object:root=true" {
			return c.At, true
		}
	}
	return diag.Span{}, false
}

// checkObject reports a type that its marker calls an object, although it has no TypeMeta, or is meant as a kind and
// has no ObjectMeta.
func (rd Reader) checkObject(d *load.TypeDecl, marker diag.Span) {
	meta, ok := d.MissingMeta()
	if !ok {
		return
	}
	at, why, help := marker, "it does not embed metav1."+meta.Name, "embed metav1.TypeMeta `json:\",inline\"`"
	if meta.Name == "ObjectMeta" {
		help = "embed metav1.ObjectMeta `json:\"metadata,omitempty\"`"
	}
	switch {
	case meta.Unknown != "":
		at, why = meta.At, "the file does not import a package "+meta.Unknown
		help = fmt.Sprintf("import %s %q", meta.Unknown, load.Metav1)
		if meta.Known != "" {
			help = "write " + meta.Known + "." + meta.Name
		}
	case meta.From != "":
		at, why = meta.At, "it embeds "+meta.Name+" of "+meta.From
		help = "import " + meta.Name + " from " + load.Metav1
	case meta.At.IsValid():
		at, why = meta.At, "its field "+meta.Name+" has a name, so it is not embedded"
		help = "remove the name of the field"
	}
	rd.Report(diag.Warningf(at, checks.KindIncomplete, "%s is marked as an object, but it is not a kind: %s", d.Name,
		why).
		Help("%s", help))
}
