package report

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/lower/internal/checks"
	"github.com/crdproof/crdproof/schema"
)

// placed are the markers that others carry to a place below (crdproof:at), and whether they changed a schema.
type placed map[diag.Span]bool

// Place records that a marker was applied at a place below its declaration, and whether it certainly had an effect.
func (r Reporter) Place(at diag.Span, hasEffect bool) {
	if r.placed == nil {
		r.Run.placed = placed{}
	}
	r.placed[at] = r.placed[at] || hasEffect
}

// SeePlaced records which of these markers a finished schema has something of.
func (r Reporter) SeePlaced(root *schema.Schema) {
	if len(r.placed) > 0 {
		r.placed.see(root, map[*schema.Schema]bool{})
	}
}

// see looks at each schema once, however many places share it.
func (p placed) see(s *schema.Schema, seen map[*schema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	rows := schema.Keywords()
	for i := range rows {
		if !rows[i].HoldsSchemas() {
			for _, at := range rows[i].Spans(s) {
				p.mark(at)
			}
		}
	}
	for _, child := range (&schema.Place{Schema: s}).Children() {
		if child.Step >= schema.InAllOf {
			p.mark(child.Schema.At)
		}
		p.see(child.Schema, seen)
	}
}

// mark records that the marker around a position has an effect.
func (p placed) mark(at diag.Span) {
	for marker := range p {
		if at.IsValid() && marker.Source == at.Source && marker.Contains(at) {
			p[marker] = true
		}
	}
}

// ReportPlaced reports the markers without an effect, after all CRDs.
func (r Reporter) ReportPlaced() {
	var idle []diag.Span
	for at, hasEffect := range r.placed {
		isWrong := func(d diag.Diagnostic) bool { return at.Source == d.Span.Source && at.Contains(d.Span) }
		if !hasEffect && !slices.ContainsFunc(r.Diagnostics, isWrong) {
			idle = append(idle, at)
		}
	}
	slices.SortFunc(idle, func(a, b diag.Span) int { return int(a.Start - b.Start) }) // the findings are sorted anyway
	for _, at := range idle {
		r.Mistake(diag.Errorf(at, checks.MarkerIdle, "the marker changes nothing at this path: what is there says as "+
			"much, or requires more").Help("remove the marker").Do(diag.RemoveMarker, ""))
	}
}
