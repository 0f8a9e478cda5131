// Package baseline keeps the findings of today in a file, so that only new ones are reported.
//
// The input is such a file, or the findings of an earlier revision. The output decides which findings of a run are new
// (check.Known). A finding is found again by its check, the declaration that it is about, and the text of the marker:
// not by its line, so that moved lines, moved files of a package, formatting and reordered fields change nothing, and
// not by its message, which differs between versions of crdproof. The files:
//
//  1. key.go names a finding; declaration.go finds its declaration in Go, element.go its place in YAML
//  2. read.go reads a file and reports every mistake at its position, write.go writes one
//  3. known.go compares findings with entries, record.go makes entries of findings
package baseline

import (
	"cmp"
	"path"
	"path/filepath"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// Name is the name of baseline files.
const Name = ".crdproof-baseline"

// A Place is what a finding is about.
type Place struct {
	// Unit is the import path of a Go package, or the path of a file with slashes, relative to that of the baseline.
	Unit string
	// Name is a declaration in the package, such as WidgetSpec.Replicas, or the name of a CRD and an element in it.
	Name string
}

// A Key identifies a kind of finding at a place.
type Key struct {
	Check string
	// For is the place that uses what is at Place, if that is another one.
	Place, For Place
	// Text is the line of a comment, or the expression in YAML, with single spaces.
	Text string
}

// An Entry is a line of a baseline: as many findings with the key are known as it counts.
type Entry struct {
	Key
	Count int
	// At is the position of the line.
	At diag.Span
}

// compareKeys orders entries in a file.
func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.Place.Unit, b.Place.Unit), cmp.Compare(a.Place.Name, b.Place.Name),
		cmp.Compare(a.For.Unit, b.For.Unit), cmp.Compare(a.For.Name, b.For.Name), cmp.Compare(a.Text, b.Text),
	)
}

// judgedUnit is the package or file in which a run finds what the entry is about: it may be declared elsewhere.
func (k Key) judgedUnit() string { return cmp.Or(k.For.Unit, k.Place.Unit) }

// Mistake is the check of baseline files.
var Mistake = &diag.Check{ID: "baseline", Mistake: true, MayWarn: true}

// Stale is the check of entries that match nothing any more.
var Stale = &diag.Check{ID: "baseline-stale", Severity: diag.Warning, Mistake: true, MayWarn: true}

// Checks returns the table of findings about baselines.
func Checks() []*diag.Check { return []*diag.Check{Mistake, Stale} }

// Find returns the path of the baseline of a run in a directory: beside the settings file, in the directory settings,
// or, without one, the nearest in the directory or above it, up to the root of the repository. It is "" if there is
// none.
func Find(dir, settings string) string {
	root := input.Project(dir)
	for d := range input.Upwards(cmp.Or(settings, dir)) {
		if input.Holds(d, Name) {
			return filepath.Join(d, Name)
		}
		if d == root || settings != "" {
			break
		}
	}
	return ""
}

// Dir returns the directory on disk that paths in a file are relative to, also if the file is in a git revision. The
// repository of such a file has the directory at.
func Dir(file, at string) string {
	if _, inRevision, ok := input.Revision(file); ok {
		return filepath.Join(input.Repository(at), filepath.FromSlash(path.Dir(inRevision)))
	}
	return filepath.Dir(file)
}
