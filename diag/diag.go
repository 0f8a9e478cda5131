// Package diag defines Diagnostic, a plain value with a position, a check id and a message. It sorts, deduplicates and
// renders lists of diagnostics: as text, JSON, GitHub annotations, SARIF and Markdown.
//
// A Diagnostic is a mistake of the user. An error is a failure of I/O. A panic is a bug in crdproof.
package diag

import (
	"bytes"
	"cmp"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A Source is one file that positions point into. It is read from disk again only when a diagnostic shows a line of
// it, unless Data is set.
type Source struct {
	// Path is the file's name, absolute where it comes from disk.
	Path string
	// Data is the file's content. Whoever decodes a file needs it. If it is nil, it is read from Path when a
	// diagnostic shows a line of it.
	Data []byte
	// Syntax is the language that the file is written in.
	Syntax Syntax
	// Package is the import path of the package that a Go file belongs to.
	Package string
	// IsFound is set for a file that was found in a directory, and not named by the user.
	IsFound bool

	once  sync.Once
	lines []int // byte offset of each line's first byte
}

// Syntax is the language of a Source, which says how strings are quoted in it.
type Syntax uint8

// The languages.
const (
	Go Syntax = iota
	YAML
)

func (s *Source) load() {
	s.once.Do(func() {
		if s.Data == nil {
			// A file that vanished between two stages costs its excerpt, not the diagnostic.
			s.Data, _ = os.ReadFile(s.Path)
		}
		s.lines = append(s.lines, 0)
		for i, b := range s.Data {
			if b == '\n' {
				s.lines = append(s.lines, i+1)
			}
		}
	})
}

// Position turns a byte offset into a line and a column, both from 1; the column counts bytes, as Go's tools do.
func (s *Source) Position(offset int) (line, column int) {
	s.load()
	i := sort.SearchInts(s.lines, offset+1) - 1
	return i + 1, offset - s.lines[i] + 1
}

// Line returns the text of a line, counted from 1, without its line break.
func (s *Source) Line(n int) string {
	s.load()
	if n < 1 || n > len(s.lines) {
		return ""
	}
	text := s.Data[s.lines[n-1]:]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return string(bytes.TrimSuffix(text, []byte("\r")))
}

// A Span is a range of bytes in a Source. The zero Span means "no position".
type Span struct {
	Source *Source
	// Start and End are byte offsets; End is exclusive, and equal to Start for a mere point. There are very many spans,
	// and no source file of 2 GiB.
	Start, End int32
}

// At returns the span between two byte offsets of a source.
func At(source *Source, start, end int) Span {
	return Span{Source: source, Start: int32(start), End: int32(end)}
}

// Bytes returns the content of the file, nil if it cannot be read. It must not be changed.
func (s *Source) Bytes() []byte {
	s.load()
	return s.Data
}

// Text returns the source text of the span, "" where the file cannot be read any more.
func (s Span) Text() string {
	if s.Source == nil {
		return ""
	}
	s.Source.load()
	if s.Start < 0 || s.End < s.Start || int(s.End) > len(s.Source.Data) {
		return ""
	}
	return string(s.Source.Data[s.Start:s.End])
}

// Package returns the import path of the Go package that the span lies in, "" where it lies in none.
func (s Span) Package() string {
	if s.Source == nil {
		return ""
	}
	return s.Source.Package
}

// Nearest returns the first of the spans that is valid.
func Nearest(spans ...Span) Span {
	for _, s := range spans {
		if s.IsValid() {
			return s
		}
	}
	return Span{}
}

// IsValid reports whether the span points anywhere.
func (s Span) IsValid() bool { return s.Source != nil }

// Contains reports whether another span begins in s.
func (s Span) Contains(inner Span) bool {
	return inner.IsValid() && s.Source == inner.Source && s.Start <= inner.Start && inner.Start < s.End
}

// Sub returns the part of s between two offsets relative to its start.
func (s Span) Sub(start, end int) Span {
	return At(s.Source, int(s.Start)+start, int(s.Start)+end)
}

// Severity says what a diagnostic does to the run.
type Severity uint8

const (
	// Error means that no file is written and the exit code is 1.
	Error Severity = iota
	// Warning is printed and changes nothing else.
	Warning
	// Note is information that the user asked for.
	Note
)

// String returns "error", "warning" or "note".
func (s Severity) String() string {
	return [...]string{Error: "error", Warning: "warning", Note: "note"}[s]
}

// Related is a second position that a diagnostic refers to.
type Related struct {
	Span    Span
	Message string
}

// A Diagnostic is one finding.
type Diagnostic struct {
	// Span is the smallest range that is wrong.
	Span Span
	// Check is the stable id of the check, such as "marker-unknown".
	Check    string
	Severity Severity
	// Fatal reports that the result is incomplete because of the finding, so that it cannot be ignored.
	Fatal bool
	// Forgiven reports that the finding would be a Fatal error if it were new.
	Forgiven bool
	// Path is the field of the API object that the finding is about, in the API server's notation, or "".
	Path string
	// ErrorType is the type of the API server's error about Path that the finding explains, "" for any.
	ErrorType string
	// Case is the name of the test case that the finding is about, or "".
	Case string
	// AlsoPaths are further fields that it is about, where the same thing is wrong at several.
	AlsoPaths []string
	// Older is set for a reason for which only servers older than the library reject the CRD, as in Check.Older.
	Older bool
	// Message says what is wrong and what was expected: lower case, no full stop.
	Message string
	// Notes are further lines of explanation.
	Notes []string
	// HelpText says what to write instead, Effect what that changes, and Steps do it. Only package edit sets Edits.
	HelpText string
	Effect   Effect
	Steps    []Step
	Edits    []Edit
	// Alternatives are further helps, with other effects.
	Alternatives []Help
	// SeeAlso are other places that matter, such as the first of two contradicting markers.
	SeeAlso []Related
	// For is the place that uses what is at Span, if that is written once for several places; otherwise it is
	// invalid.
	For Span
	// Cause is what the finding has in common with others of its check that Join makes one of: a place, words, or both.
	// If it is unset, Join compares the findings themselves.
	Cause Related
	// Places are the further findings that have the same cause, each complete. Only Join sets it.
	Places []Diagnostic
	// Listed reports that the finding is printed although those of its group are only counted.
	Listed bool
	// Hurts names whom alone the finding hurts; nil stands for every user of the API. A policy sets it to the group of
	// the check, unless the finding has one.
	Hurts *Group
}

// HasErrors reports whether any diagnostic of the list is an Error.
func HasErrors(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == Error })
}

// Errors returns the diagnostics of the list that are an Error. The list must not be used any more.
func Errors(list []Diagnostic) []Diagnostic {
	return slices.DeleteFunc(list, func(d Diagnostic) bool { return d.Severity != Error })
}

// Of turns an error without a position into a diagnostic, its further lines into notes.
func Of(check *Check, err error) Diagnostic {
	first, rest, more := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	d := Diagnostic{Check: check.ID, Message: first}
	if more {
		d.Notes = strings.Split(rest, "\n")
	}
	return d
}

// Sort returns the diagnostics ordered by file, position, check and message, with repetitions removed: the severest of
// them stays. The input is not changed.
func Sort(list []Diagnostic) []Diagnostic {
	out := slices.Clone(list)
	slices.SortStableFunc(out, compareFindings)
	return slices.CompactFunc(out, sameFinding)
}

func path(s Span) string {
	if s.Source == nil {
		return ""
	}
	return s.Source.Path
}

func compareFindings(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(path(a.Span), path(b.Span)), cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message),
		cmp.Compare(path(a.For), path(b.For)), cmp.Compare(a.For.Start, b.For.Start),
		cmp.Compare(a.Severity, b.Severity), compareListed(a, b),
	)
}

// compareListed orders findings that are listed before others.
func compareListed(a, b Diagnostic) int {
	switch {
	case a.IsListed() == b.IsListed():
		return 0
	case a.IsListed():
		return -1
	}
	return 1
}

func sameFinding(a, b Diagnostic) bool {
	return path(a.Span) == path(b.Span) && a.Span.Start == b.Span.Start && a.Span.End == b.Span.End &&
		a.Check == b.Check && a.Message == b.Message && a.For == b.For
}
