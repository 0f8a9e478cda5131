package diag

import (
	"path/filepath"
	"strings"
)

// A place is a span as the renderers print it.
type place struct {
	// file is the path to show: relative to a base directory where it lies below it, with forward slashes.
	file string
	// Lines and columns count from 1; columns count bytes and endCol is exclusive. All are 0 where the position inside
	// the file is unknown.
	line, col, endLine, endCol int
}

// locate turns a span into what is printed of it. The second result is false for a diagnostic without a position.
func locate(s Span, dir string) (place, bool) {
	if !s.IsValid() {
		return place{}, false
	}
	p := place{file: Relative(s.Source.Path, dir)}
	s.Source.load()
	// A file that cannot be read any more has no lines to count in.
	if int(s.Start) > len(s.Source.Data) {
		return p, true
	}
	p.line, p.col = s.Source.Position(int(s.Start))
	p.endLine, p.endCol = s.Source.Position(min(max(int(s.End), int(s.Start)), len(s.Source.Data)))
	return p, true
}

// locateFrom does what locate does for services that know a file by its path in the repository whose root is given, and
// a column by what editors count, which is UTF-16 code units. What is not below the root by its name may be so by where
// links lead, and the other way round.
func locateFrom(s Span, root string) (place, bool) {
	p, ok := locate(s, "")
	if !ok {
		return p, false
	}
	if p.line > 0 {
		point := p.line == p.endLine && p.col >= p.endCol
		p.col, p.endCol = utf16Column(s.Source, p.line, p.col), utf16Column(s.Source, p.endLine, p.endCol)
		if point {
			p.endCol = p.col + 1 // as wide as the mark in the text
		}
	}
	p.file = Relative(s.Source.Path, root)
	realFile, err := filepath.EvalSymlinks(s.Source.Path)
	if err != nil {
		return p, true
	}
	if realRoot, err := filepath.EvalSymlinks(root); err == nil {
		if file := Relative(realFile, realRoot); file != filepath.ToSlash(realFile) {
			p.file = file
		}
	}
	return p, true
}

// Relative shortens a path below dir; any other path stays whole. Slashes lean forward.
func Relative(path, dir string) string {
	if dir != "" && filepath.IsAbs(path) {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// count returns how many diagnostics of each severity the list has.
func count(list []Diagnostic) (errors, warnings, notes int) {
	var n [Note + 1]int
	for i := range list {
		n[list[i].Severity]++
	}
	return n[Error], n[Warning], n[Note]
}

// Prose returns everything a diagnostic says in words, one thing a line, for formats that have a single message field.
func Prose(d *Diagnostic) string {
	lines := []string{d.Message}
	if d.Path != "" {
		lines = append(lines, "at "+d.Path)
	}
	if d.Hurts != nil {
		lines = append(lines, "hurts: "+d.Hurts.Who)
	}
	lines = append(lines, d.Notes...)
	for _, help := range helpLines(d) {
		lines = append(lines, help.label+": "+help.lines[0])
		lines = append(lines, help.lines[1:]...)
	}
	for i, line := range lines {
		lines[i] = expanded(line)
	}
	return strings.Join(lines, "\n")
}

// labelled is a help with its label. It may have code with line breaks.
type labelled struct {
	label string
	lines []string
}

// helpLines returns the helps as they are printed.
func helpLines(d *Diagnostic) (out []labelled) {
	label := "help"
	for _, h := range d.Helps() {
		out = append(out, labelled{label, strings.Split(h.String(), "\n")})
		label = "or"
	}
	return out
}

// expanded returns a printable text with spaces for tabs: code and the go command indent with them.
func expanded(text string) string {
	return Printable(strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth)))
}
