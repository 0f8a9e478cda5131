// Package overlay changes CRDs as files say, so that what is validated is what is installed.
//
// Overlay files and CRDs enter. CRDs with the changes leave, and findings about the files: nothing in a file may be
// without effect. The files:
//
//  1. file.go reads overlay files
//  2. frame.go reads the list crds: what the objects of CRDs carry
//  3. frame_apply.go gives it to one CRD after the other, in the order of precedence
//  4. frame_effect.go reports what had no effect
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package overlay

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Mistake is the check of overlay files, and of what they say about CRDs.
var Mistake = &diag.Check{ID: "overlay", Mistake: true}

// Checks returns the check of overlay files.
func Checks() []*diag.Check { return []*diag.Check{Mistake} }

// A Set has the entries of the overlay files of a run. It is never modified.
type Set struct {
	files  []*diag.Source
	frames []frame
}

// Sources returns the files.
func (s *Set) Sources() []*diag.Source {
	if s == nil {
		return nil
	}
	return s.files
}

// Owns reports whether a position is in one of the files.
func (s *Set) Owns(at diag.Span) bool { return slices.Contains(s.Sources(), at.Source) }

// keyCRDs is the list of what the objects of CRDs carry.
const keyCRDs = "crds"

// A reader reads overlay files.
type reader struct {
	set   *Set
	found []diag.Diagnostic
}

// Read reads overlay files, whose Data must be set; Read sets their Syntax. If there are findings, entries are missing.
func Read(files []*diag.Source) (*Set, []diag.Diagnostic) {
	r := &reader{set: &Set{files: files}}
	for _, src := range files {
		trees, problems := read.Trees(src)
		r.report(problems...)
		for _, tree := range trees {
			r.report(tree.Found...)
			r.document(tree.Root)
		}
	}
	return r.set, diag.Sort(r.found)
}

// report adds mistakes that another package has found, without its words about objects.
func (r *reader) report(found ...diag.Diagnostic) {
	for _, d := range found {
		d.Check, d.Severity, d.Notes, d.Path = Mistake.ID, diag.Error, nil, ""
		d.Message, _, _ = strings.Cut(d.Message, "; ")
		r.found = append(r.found, d.Help("%s", d.HelpText)) // without the effect of a help on objects
	}
}

// errorf adds a mistake. help is "" if there is nothing to add.
func (r *reader) errorf(at diag.Span, help, format string, args ...any) {
	r.found = append(r.found, diag.Errorf(at, Mistake, format, args...).Help("%s", help))
}

// document reads one document of a file. An empty one has no entries.
func (r *reader) document(root *schema.Value) {
	if root.Kind == schema.Null {
		return
	}
	if root.Kind != schema.Object {
		r.errorf(root.Start(), "write crds: and below it a list", "expected the key crds, got %s", root.Kind.InYAML())
		return
	}
	for i := range root.Members {
		switch m := &root.Members[i]; m.Key {
		case keyCRDs:
			r.entries(m, r.frame)
		default:
			r.unknown(m, "an overlay file", []string{keyCRDs})
		}
	}
}

// entries calls visit for the mappings of a list. Without a value, there are none.
func (r *reader) entries(m *schema.Member, visit func(*schema.Value)) {
	if m.Value.Kind == schema.Null {
		return
	}
	if m.Value.Kind != schema.Array {
		r.errorf(m.KeyAt, "write a list with an entry for each change", "%s: expected a list, got %s", m.Key,
			m.Value.Kind.InYAML())
		return
	}
	for i := range m.Value.Items {
		n := &m.Value.Items[i]
		if n.Kind != schema.Object {
			r.errorf(diag.Nearest(n.At, m.KeyAt), "", "expected a mapping in %s, got %s", m.Key, n.Kind.InYAML())
			continue
		}
		visit(n)
	}
}

// unknown reports a key that a mapping does not have.
func (r *reader) unknown(m *schema.Member, of string, known []string) {
	d := diag.Errorf(m.KeyAt, Mistake, "unknown key %q of %s", m.Key, of)
	if near := diag.DidYouMean(m.Key, known); near != "" {
		d = d.Help("%s", near)
	} else {
		d = d.Note("the keys are %s", diag.And(known))
	}
	r.found = append(r.found, d)
}
