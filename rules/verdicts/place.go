package verdicts

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cache"
)

// places are the parts of sources that the positions of a CRD lie in, each from the beginning of a line, by the path of
// their file and their offset. No two of them touch. Whatever is found lies in one of them, since a position comes from
// others by a few characters, and what is found does not depend on any other text: so it does not depend on where the
// parts are.
type places []diag.Span

// places writes all that the positions say, and returns their places. It returns false if a source cannot be read.
func (w *writer) places(owns func(diag.Span) bool) (places, bool) {
	rank := w.sources(owns)
	lines := make([]diag.Span, len(w.spans))
	for i, at := range w.spans {
		if at.Start < 0 || at.End < at.Start {
			return nil, false
		}
		_, column := at.Source.Position(int(at.Start))
		lines[i] = diag.At(at.Source, int(at.Start)-column+1, int(at.End))
	}
	slices.SortFunc(lines, func(a, b diag.Span) int {
		return cmp.Or(cmp.Compare(rank[a.Source], rank[b.Source]), cmp.Compare(a.Start, b.Start))
	})
	var out places
	for _, at := range lines {
		if n := len(out) - 1; n >= 0 && out[n].Source == at.Source && at.Start <= out[n].End+1 {
			out[n].End = max(out[n].End, at.End)
		} else {
			out = append(out, at)
		}
	}
	w.number(len(out))
	for _, part := range out {
		text := part.Text()
		if len(text) != int(part.End-part.Start) {
			return nil, false
		}
		w.number(rank[part.Source])
		w.text(text)
	}
	for _, at := range w.spans {
		i := out.find(at, rank)
		w.number(i)
		w.number(int(at.Start - out[i].Start))
		w.number(int(at.End - at.Start))
	}
	return out, true
}

// sources writes what matters of the sources, and returns their ranks: which of them are in the same directory, but not
// where that is.
func (w *writer) sources(owns func(diag.Span) bool) map[*diag.Source]int {
	rank := map[*diag.Source]int{}
	var first []diag.Span
	for _, at := range w.spans {
		if _, seen := rank[at.Source]; !seen {
			rank[at.Source] = len(first)
			first = append(first, at)
		}
	}
	slices.SortStableFunc(first, func(a, b diag.Span) int { return strings.Compare(a.Source.Path, b.Source.Path) })
	paths := map[string]int{}
	w.number(len(first))
	for i, at := range first {
		rank[at.Source] = i
		w.ordinal(paths, at.Source.Path)
		w.dir(filepath.Dir(at.Source.Path))
		w.number(int(at.Source.Syntax))
		w.text(at.Source.Package)
		w.bool(owns != nil && owns(at))
	}
	return rank
}

// find returns the place of a position that is in one of them.
func (p places) find(at diag.Span, rank map[*diag.Source]int) int {
	i, _ := slices.BinarySearchFunc(p, at, func(part, at diag.Span) int {
		return cmp.Or(cmp.Compare(rank[part.Source], rank[at.Source]), cmp.Compare(part.End, at.Start))
	})
	return i
}

// WriteSpan implements cache.Spans.
func (p places) WriteSpan(w *cache.Writer, at diag.Span) bool {
	i := slices.IndexFunc(p, func(part diag.Span) bool {
		return part.Source == at.Source && part.Start <= at.Start && at.End <= part.End
	})
	if i < 0 {
		return false
	}
	w.Int(i)
	w.Int(int(at.Start - p[i].Start))
	w.Int(int(at.End - at.Start))
	return true
}

// ReadSpan implements cache.Spans.
func (p places) ReadSpan(r *cache.Reader) (diag.Span, bool) {
	i, start, length := r.Int(), r.Int(), r.Int()
	if i < 0 || i >= len(p) || start < 0 || length < 0 || start > int(p[i].End-p[i].Start)-length {
		return diag.Span{}, false
	}
	return p[i].Sub(start, start+length), true
}
