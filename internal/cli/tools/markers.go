package tools

import (
	"go/token"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	tool "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
)

// controller-tools reports a mistake in a marker several times, at the beginning of the comment. This file finds it
// with crdproof's own parser, which knows its place and what was probably meant. controller-tools still decides whether
// there is an error: where it reports none, crdproof only warns.

// A place is a line of a file.
type place struct {
	file string
	line int
}

// markerAt returns the comment with a marker of kubebuilder at a place.
func markerAt(at diag.Span) (markers.Comment, bool) {
	if !at.IsValid() {
		return markers.Comment{}, false
	}
	line, column := at.Source.Position(int(at.Start))
	text := at.Source.Line(line)
	marker := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "//"))
	if !strings.HasPrefix(marker, "+kubebuilder:") {
		return markers.Comment{}, false
	}
	start := int(at.Start) - (column - 1) + strings.Index(text, marker)
	return markers.Comment{Text: marker, At: diag.At(at.Source, start, start+len(marker))}, true
}

// ofTools returns the comment with a marker of rbac or webhook that a finding is about.
func ofTools(at diag.Span) (markers.Comment, bool) {
	comment, ok := markerAt(at)
	isOne := strings.HasPrefix(comment.Text, "+kubebuilder:rbac:") ||
		strings.HasPrefix(comment.Text, "+kubebuilder:webhook")
	return comment, ok && isOne
}

// markersOf yields the markers of kubebuilder in a package.
func markersOf(root *loader.Package, files *token.FileSet) iter.Seq[markers.Comment] {
	return func(yield func(markers.Comment) bool) {
		sources := map[string]*diag.Source{}
		for _, file := range root.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+kubebuilder:") {
						continue
					}
					pos := files.Position(c.Pos())
					path := input.Absolute(pos.Filename)
					if sources[path] == nil {
						sources[path] = &diag.Source{Path: path}
					}
					if comment, ok := markerAt(sources[path].Point(pos.Line, pos.Column)); ok && !yield(comment) {
						return
					}
				}
			}
		}
	}
}

// placeOf returns the line of a valid span.
func placeOf(at diag.Span) place {
	line, _ := at.Source.Position(int(at.Start))
	return place{at.Source.Path, line}
}

// inOwnWords replaces the errors of controller-tools about a marker by those of crdproof's parser, once.
func inOwnWords(table *markers.Table, found []diag.Diagnostic) (out []diag.Diagnostic) {
	seen := map[place]bool{}
	for _, d := range found {
		comment, ok := ofTools(d.Span)
		if !ok {
			out = append(out, d)
			continue
		}
		if seen[placeOf(d.Span)] {
			continue
		}
		_, _, problems := table.Parse(comment, markers.Package)
		if !diag.HasErrors(problems) {
			out = append(out, d) // crdproof's parser does not find the mistake
			continue
		}
		seen[placeOf(d.Span)] = true
		out = append(out, problems...)
	}
	return out
}

// doubtful warns of markers that controller-tools accepts but that probably do not mean what was intended. rejected are
// the errors that are reported already.
func doubtful(
	table *markers.Table, roots []*loader.Package, files *token.FileSet, rejected []diag.Diagnostic,
) (out []diag.Diagnostic) {
	reported := map[place]bool{}
	for i := range rejected {
		if rejected[i].Span.IsValid() {
			reported[placeOf(rejected[i].Span)] = true
		}
	}
	for _, root := range roots {
		for comment := range markersOf(root, files) {
			if _, ok := ofTools(comment.At); !ok || reported[placeOf(comment.At)] {
				continue
			}
			if m, ok, _ := table.Parse(comment, markers.Package); ok {
				out = append(out, doubts(m)...)
			}
		}
	}
	return out
}

// doubts warns of values in a marker.
func doubts(m markers.Marker) (out []diag.Diagnostic) {
	for i := range m.Args {
		arg := &m.Args[i]
		for _, v := range append(slices.Clone(arg.Value.Items), arg.Value) {
			if v.Kind != markers.String {
				continue
			}
			if m.Def.Name == "kubebuilder:rbac" && arg.Name == "verbs" {
				if near := misspelledVerb(v.Text); near != "" {
					out = append(out, diag.Warningf(v.At, markers.BadValue, "unknown verb %q", v.Text).
						Help("%s", diag.Meant(near)))
				}
				continue
			}
			values := webhookValues()[arg.Name]
			// controller-tools corrects the case.
			isKnown := func(known string) bool { return strings.EqualFold(known, v.Text) }
			if m.Def.Name != "kubebuilder:webhook" || values == nil || slices.ContainsFunc(values, isKnown) {
				continue
			}
			out = append(out, diag.Warningf(v.At, markers.BadValue, "expected %s, got %q", diag.Or(values), v.Text).
				Note("the API server rejects the webhook configuration").
				Help("%s", diag.DidYouMean(v.Text, values)))
		}
	}
	return out
}

// misspelledVerb returns the verb of RBAC that was probably meant, or "". A verb that resembles none is legal:
// authorizers and API extensions define their own.
func misspelledVerb(verb string) string {
	known := []string{
		"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection",
		"bind", "escalate", "impersonate", "use", "approve", "sign", "attest",
	}
	others := []string{"*", "post", "put", "head", "options", "proxy", "connect"} // of URLs and subresources
	if slices.Contains(known, verb) || slices.Contains(others, verb) {
		return ""
	}
	return diag.Near(verb, known)
}

// webhookValues returns the values that the API server accepts for the arguments of a webhook.
func webhookValues() map[string][]string {
	return map[string][]string{
		"verbs":              {"create", "update", "delete", "connect", "*"},
		"failurePolicy":      {"fail", "ignore"},
		"matchPolicy":        {"Exact", "Equivalent"},
		"sideEffects":        {"None", "NoneOnDryRun"}, // version 1 of the API dropped the others
		"reinvocationPolicy": {"Never", "IfNeeded"},
	}
}

// outputPackage is the marker with the directory that applyconfiguration writes to, relative to that of the package.
const outputPackage = "kubebuilder:ac:output:package"

// outsideProject reports packages whose apply configurations would be written outside the repository, and returns the
// others.
func outsideProject(
	collector *tool.Collector, roots []*loader.Package, files *token.FileSet,
) (found []diag.Diagnostic, kept []*loader.Package) {
	for _, root := range roots {
		values, err := tool.PackageMarkers(collector, root)
		i := slices.IndexFunc(values[outputPackage], func(value any) bool {
			dir, ok := value.(string)
			return ok && !input.Within(filepath.Join(root.Dir, dir), input.Project(root.Dir))
		})
		if err != nil || i < 0 {
			kept = append(kept, root) // the generator reports the error
			continue
		}
		d := diag.Errorf(diag.Span{}, markers.BadValue, "the apply configurations of %s would be written outside "+
			"the repository: expected a directory in it, got %q", root.PkgPath, values[outputPackage][i])
		for comment := range markersOf(root, files) {
			if strings.HasPrefix(comment.Text, "+"+outputPackage) {
				d.Span = comment.At
			}
		}
		found = append(found, d)
	}
	return found, kept
}
