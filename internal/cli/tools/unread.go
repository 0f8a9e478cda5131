package tools

import (
	"go/ast"
	"go/token"
	"iter"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
)

// unread warns of comments that were meant as markers of the jobs but that controller-tools does not read: because of
// a mistake in the name, a missing +, or the place.
func unread(jobs []Job, roots []*loader.Package, files *token.FileSet) (out []diag.Diagnostic) {
	table := markers.Known()
	for c, holder := range comments(roots, files) {
		if d := meantFor(jobs, table, c, holder); d != nil {
			d.Severity = diag.Warning
			out = append(out, *d)
		}
	}
	return out
}

// meantFor says what is wrong with a comment that was meant as a marker of one of the jobs, nil for all others. holder
// is the declaration that the comment is part of.
func meantFor(jobs []Job, table *markers.Table, c markers.Comment, holder string) *diag.Diagnostic {
	if block, ok := strings.CutPrefix(c.Text, "/*"); ok {
		text := strings.TrimSpace(strings.TrimSuffix(block, "*/"))
		if !strings.HasPrefix(text, "+kubebuilder:") || !hasPrefix(jobs, text) {
			return nil
		}
		d := diag.Errorf(c.At, markers.WrongTarget, "a marker in a block comment has no effect").
			Help("write it as a line comment: // %s", text)
		return &d
	}
	text := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
	if !strings.HasPrefix(text, "+") {
		if strings.HasPrefix(holder, inFunction) {
			return nil
		}
		return ofJobs(jobs, table.Unmarked(c))
	}
	i := strings.IndexByte(c.Text, '+')
	c = markers.Comment{Text: text, At: c.At.Sub(i, i+len(text))}
	for _, name := range []string{"rbac", "webhook", "webhookconfiguration"} {
		if holder != "" && strings.HasPrefix(text, "+kubebuilder:"+name+":") && hasPrefix(jobs, text) {
			d := diag.Errorf(c.At, markers.WrongTarget,
				"kubebuilder:%s has no effect here: it is part of %s", name, holder).
				Help("move it to a comment of its own, with an empty line below")
			return &d
		}
	}
	return ofJobs(jobs, table.Unknown(c, markers.Package))
}

// ofJobs returns a finding whose help names a marker of one of the jobs, nil for all others.
func ofJobs(jobs []Job, d *diag.Diagnostic) *diag.Diagnostic {
	if d == nil || d.Check != markers.UnknownMarker.ID {
		return nil
	}
	i := strings.Index(d.HelpText, "+kubebuilder:")
	if i < 0 || !hasPrefix(jobs, d.HelpText[i:]) {
		return nil
	}
	return d
}

// hasPrefix reports whether a marker has the prefix of the markers of one of the jobs.
func hasPrefix(jobs []Job, marker string) bool {
	prefixes := map[string]string{
		"object": "object:", "rbac": "rbac", "webhook": "webhook", "applyconfiguration": "ac:",
	}
	return slices.ContainsFunc(jobs, func(j Job) bool {
		prefix, ok := prefixes[j.Name]
		return ok && strings.HasPrefix(marker, "+kubebuilder:"+prefix)
	})
}

// comments yields the comments of packages that have one line, as they are written, and the declaration that each is
// part of.
func comments(roots []*loader.Package, files *token.FileSet) iter.Seq2[markers.Comment, string] {
	return func(yield func(markers.Comment, string) bool) {
		for _, root := range roots {
			for _, file := range root.Syntax {
				source := &diag.Source{Path: input.Absolute(files.PositionFor(file.Package, false).Filename)}
				for _, group := range file.Comments {
					holder := holderOf(file, group)
					for _, c := range group.List {
						if strings.Contains(c.Text, "\n") {
							continue
						}
						start, text := files.PositionFor(c.Slash, false).Offset, strings.TrimRight(c.Text, " \t\r")
						comment := markers.Comment{Text: text, At: diag.At(source, start, start+len(text))}
						if !yield(comment, holder) {
							return
						}
					}
				}
			}
		}
	}
}

// inFunction begins the name of a function as the holder of a comment.
const inFunction = "function "

// holderOf names the declaration that a comment documents or is inside of, "" for a comment between declarations.
// controller-tools reads only the latter for markers of packages.
func holderOf(file *ast.File, group *ast.CommentGroup) string {
	for _, d := range file.Decls {
		var doc *ast.CommentGroup
		name := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc, name = d.Doc, inFunction+d.Name.Name
		case *ast.GenDecl:
			if doc = d.Doc; d.Lparen.IsValid() {
				continue
			}
			name = nameOf(d)
		}
		switch {
		case name == "":
		case group == doc:
			return "the documentation of " + name
		case d.Pos() < group.Pos() && group.Pos() < d.End():
			return name
		}
	}
	return ""
}

// nameOf names a declaration of one type, variable or constant.
func nameOf(d *ast.GenDecl) string {
	switch spec := d.Specs[0].(type) {
	case *ast.TypeSpec:
		return "type " + spec.Name.Name
	case *ast.ValueSpec:
		return d.Tok.String() + " " + spec.Names[0].Name
	}
	return ""
}
