package read

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
)

// addSilences records the findings to ignore at a declaration, including its comments.
func (rd Reader) addSilences(comments []markers.Comment, target markers.Target, scope diag.Span) {
	rd.record(rd.silencesAt(comments, target, scope))
}

// addPackageSilences records the findings to ignore in a whole package. Only a root is read as a whole.
func (rd Reader) addPackageSilences(pkg *load.Package, comments []markers.Comment) {
	list := rd.silencesAt(comments, markers.Package, diag.Span{})
	for i := range list {
		list[i].Package, list[i].Lenient = pkg.Path, !pkg.Root
	}
	rd.record(list)
}

// record records silences with a reason.
func (rd Reader) record(list []check.Silence) {
	for _, s := range list {
		if strings.TrimSpace(s.Reason) == "" && !rd.Opts.Compat {
			rd.Mistake(diag.Errorf(s.ReasonAt, check.Ignore, "the reason is empty").
				Help("explain why the finding is intended"))
			continue
		}
		rd.readMemo.Silences = append(rd.readMemo.Silences, s)
	}
}

// silencesAt returns what the comments of a declaration ignore. Mistakes in them are reported where they are parsed.
func (rd Reader) silencesAt(
	comments []markers.Comment, target markers.Target, scope diag.Span,
) (out []check.Silence) {
	for _, c := range comments {
		if scope.IsValid() {
			scope.Start = min(scope.Start, c.At.Start)
		}
	}
	for _, c := range comments {
		if !strings.Contains(c.Text, MarkIgnore) {
			continue
		}
		m, ok, _ := rd.all.Parse(c, target)
		if !ok || m.Def.Name != MarkIgnore || m.Arg("check") == nil || m.Arg("reason") == nil {
			continue
		}
		id, reason := m.Arg("check"), m.Arg("reason")
		out = append(out, check.Silence{
			Check: id.Text, Reason: reason.Text, At: id.At, ReasonAt: reason.At, Scope: scope,
		})
	}
	return out
}

// isSilenced reports whether a declaration silences a mistake. It looks for the declaration itself: its markers may not
// have been read yet.
func (rd Reader) isSilenced(d diag.Diagnostic) bool {
	return slices.ContainsFunc(rd.silencesIn(d.Span.Source), func(s check.Silence) bool { return s.Covers(d) })
}

// silencesIn returns the silences of the declarations in a file.
func (rd Reader) silencesIn(src *diag.Source) []check.Silence {
	if known, ok := rd.inFile[src]; ok {
		return known
	}
	var out []check.Silence
	for _, pkg := range rd.Program.Packages() {
		if pkg.Path == src.Package {
			for _, s := range rd.silencesAt(rd.packageComments(pkg), markers.Package, diag.Span{}) {
				s.Package = pkg.Path
				out = append(out, s)
			}
		}
		for _, decl := range pkg.Decls {
			if decl.At.Source != src {
				continue
			}
			out = append(out, rd.silencesAt(rd.typeComments(decl), markers.Type, decl.At)...)
			rd.eachField(decl.Spec.Type, func(f *ast.Field) {
				out = append(out, rd.silencesAt(decl.FieldComments(f), markers.Field, pkg.Span(f))...)
			})
		}
	}
	rd.inFile[src] = out
	return out
}
