// Package edit turns the steps of helps into edits of bytes, in the layout of the file: its indentation, quotes, line
// ends and flow style. It reads Go and YAML. In Go, edits change only comments and the tags of fields.
package edit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A Resolver makes edits. It parses each file once, so it must not be used after a file has changed.
type Resolver struct {
	goFiles   map[*diag.Source]*goFile
	yamlFiles map[*diag.Source]*yamlFile
}

// NewResolver returns a Resolver that has read no file.
func NewResolver() *Resolver {
	return &Resolver{goFiles: map[*diag.Source]*goFile{}, yamlFiles: map[*diag.Source]*yamlFile{}}
}

// Resolve returns the findings with the edits of their helps, also at further places.
func (r *Resolver) Resolve(list []diag.Diagnostic) []diag.Diagnostic {
	out := slices.Clone(list)
	for i := range out {
		d := &out[i]
		d.Edits = r.Edits(d.Span, d.Steps)
		d.Alternatives = slices.Clone(d.Alternatives)
		for k := range d.Alternatives {
			h := &d.Alternatives[k]
			h.Edits = r.Edits(d.Span, h.Steps)
		}
		d.Places = r.Resolve(d.Places)
	}
	return out
}

// Edits returns the edits of all steps of a help, sorted, or nil if there is a step that the file has no room for. at
// is the place of the finding.
func (r *Resolver) Edits(at diag.Span, steps []diag.Step) []diag.Edit {
	var out []diag.Edit
	for _, step := range steps {
		step.At = diag.Nearest(step.At, at)
		edits := r.resolve(step)
		if edits == nil {
			return nil
		}
		for _, e := range edits {
			isBeside := func(o diag.Edit) bool { return isInsertion(o) && o.Span == e.Span }
			if i := slices.IndexFunc(out, isBeside); i >= 0 {
				out[i].New += e.New // several markers above one declaration
			} else {
				out = append(out, e)
			}
		}
	}
	slices.SortStableFunc(out, compare)
	for i := 1; i < len(out); i++ {
		if Overlap(out[i-1], out[i]) {
			return nil
		}
	}
	return out
}

// resolve returns the edits of one step, nil if the file has no room for it.
func (r *Resolver) resolve(step diag.Step) []diag.Edit {
	src := step.At.Source
	if src == nil || step.At.Start < 0 || step.At.End < step.At.Start || int(step.At.End) > len(src.Bytes()) {
		return nil
	}
	if src.Syntax == diag.YAML {
		if step.Action == diag.Replace {
			return []diag.Edit{{Span: step.At, New: step.Text}}
		}
		return r.inYAML(src).resolve(step)
	}
	return r.inGo(src).resolve(step)
}

func isInsertion(e diag.Edit) bool { return e.Span.Start == e.Span.End }

func compare(a, b diag.Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Source.Path, b.Span.Source.Path), cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.New, b.New))
}

// Overlap reports whether two edits cannot both be made: they change the same bytes, or insert at the same place.
func Overlap(a, b diag.Edit) bool {
	if a.Span.Source.Path != b.Span.Source.Path {
		return false
	}
	if a.Span.Start > b.Span.Start {
		a, b = b, a
	}
	return b.Span.Start < a.Span.End || a.Span.Start == b.Span.Start
}

// A text is the content of a file with its lines.
type text struct {
	source *diag.Source
	data   string
	// eol is how its first line ends.
	eol string
}

func newText(src *diag.Source) text {
	t := text{source: src, data: string(src.Bytes()), eol: "\n"}
	if i := strings.IndexByte(t.data, '\n'); i > 0 && t.data[i-1] == '\r' {
		t.eol = "\r\n"
	}
	return t
}

// line returns the offset of the first byte of the line of an offset.
func (t *text) line(offset int) int { return strings.LastIndexByte(t.data[:offset], '\n') + 1 }

// lineEnd returns the offset after the last byte of the line, without its line break.
func (t *text) lineEnd(offset int) int {
	end := offset + strings.IndexByte(t.data[offset:]+"\n", '\n')
	if end > offset && t.data[end-1] == '\r' {
		end--
	}
	return end
}

// next returns the offset of the first byte of the next line, or the end of the file.
func (t *text) next(offset int) int {
	if i := strings.IndexByte(t.data[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(t.data)
}

// indent returns the white space that the line of an offset begins with.
func (t *text) indent(offset int) string {
	line := t.data[t.line(offset):t.lineEnd(offset)]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// isFirst reports whether only white space is before an offset in its line.
func (t *text) isFirst(offset int) bool {
	return strings.TrimSpace(t.data[t.line(offset):offset]) == ""
}

func (t *text) edit(start, end int, by string) []diag.Edit {
	return []diag.Edit{{Span: diag.At(t.source, start, end), New: by}}
}

// span returns the offsets of a place.
func span(at diag.Span) (start, end int) { return int(at.Start), int(at.End) }
