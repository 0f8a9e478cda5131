// Package overlay changes CRDs as files say, so that what is validated is what is installed.
//
// Overlay files and CRDs enter. CRDs with the changes leave, and findings about the files: nothing in a file may be
// without effect. The files:
//
//  1. keys.go has the table of keys, and jsonschema.go describes it for editors
//  2. read.go reads files, with positions: entries with a selector and changes; foreign.go says what people mean who
//     bring paths and words of other tools
//  3. run.go applies the entries to one CRD after the other; walk.go finds the places that an entry selects
//  4. change.go makes a change at one place, and loosen.go decides whether it accepts more than before
//  5. stale.go reports what had no effect, or was undone
//  6. frame.go reads what the objects of CRDs carry, frame_apply.go gives it to one CRD after the other, and
//     frame_effect.go reports what had no effect
//  7. translate.go goes the other way, from CRDs as they ship to a file: translate_diff.go and translate_frame.go find
//     what differs, translate_group.go and translate_path.go select it with few entries, and write.go writes them
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package overlay

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// Mistake is the check of overlay files, and of what they say about CRDs.
var Mistake = &diag.Check{ID: "overlay", Mistake: true}

// Checks returns the check of overlay files.
func Checks() []*diag.Check { return []*diag.Check{Mistake} }

// A Set has the entries of the overlay files of a run. It is never modified.
type Set struct {
	files   []*diag.Source
	entries []*entry
	frames  []frame
}

// Files returns the files; s may be nil.
func (s *Set) Files() []*diag.Source {
	if s == nil {
		return nil
	}
	return s.files
}

// Has reports whether a position is in one of the files; s may be nil.
func (s *Set) Has(at diag.Span) bool { return slices.Contains(s.Files(), at.Source) }

// An entry selects schemas and changes them.
type entry struct {
	at diag.Span
	// selector are the keys that select.
	selector []schema.Member
	// kinds and versions are the selected ones; all if there are none.
	kinds, versions []schema.Text
	// typ is a Go type; fields are those after its name.
	typ *goType
	// within is the path to what has the type, path leads on from there, or from the root of a version.
	within, path *path
	changes      []change
	// conditions are the channels and gates that the entry is for.
	conditions conditions
	// loosen is the value of that key, nil without one.
	loosen *schema.Flag
}

// A goType is the selector of a Go type, or of a field of one.
type goType struct {
	text      schema.Text
	pkg, name string
	fields    *path
}

// String returns the name with the import path, as in schema.GoType.
func (t *goType) String() string { return t.pkg + "." + t.name }

// A path is a pattern with its position.
type path struct {
	text  schema.Text
	steps []schema.PatternStep
}

// at returns the position of a step.
func (p *path) at(step int) diag.Span { return p.text.Range(p.steps[step].Start, p.steps[step].End) }
