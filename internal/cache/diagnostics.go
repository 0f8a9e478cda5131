package cache

import "github.com/crdproof/crdproof/diag"

// Spans writes and reads the positions of diagnostics. Only the user of a cache knows in which form a position stays
// valid: as offsets in a file that has not changed, or as a place in a CRD.
type Spans interface {
	// WriteSpan appends a valid span. It returns false for a span that it cannot write.
	WriteSpan(w *Writer, at diag.Span) bool
	// ReadSpan reads what WriteSpan appended. It returns false if the place does not exist.
	ReadSpan(r *Reader) (diag.Span, bool)
}

// WriteDiagnostics appends diagnostics. It returns false if spans cannot write one of their positions: then the entry
// must not be stored. Everything else in a diagnostic can be written; an empty list is read as nil.
func WriteDiagnostics(w *Writer, list []diag.Diagnostic, spans Spans) bool {
	ok := true
	span := func(at diag.Span) {
		w.Bool(at.IsValid())
		if at.IsValid() && !spans.WriteSpan(w, at) {
			ok = false
		}
	}
	WriteList(w, list, func(d diag.Diagnostic) {
		span(d.Span)
		w.String(d.Check)
		w.Int(int(d.Severity))
		w.Bool(d.Fatal)
		w.String(d.Path)
		w.String(d.ErrorType)
		w.Strings(d.AlsoPaths)
		w.Bool(d.Older)
		w.String(d.Message)
		w.Strings(d.Notes)
		w.String(d.HelpText)
		WriteList(w, d.SeeAlso, func(r diag.Related) {
			span(r.Span)
			w.String(r.Message)
		})
		span(d.For)
	})
	return ok
}

// ReadDiagnostics reads diagnostics. It returns false if spans cannot read one of their positions, or if the entry is
// not of this form: then it must not be used.
func ReadDiagnostics(r *Reader, spans Spans) ([]diag.Diagnostic, bool) {
	ok := true
	span := func() diag.Span {
		if !r.Bool() || !ok {
			return diag.Span{}
		}
		at, found := spans.ReadSpan(r)
		ok = ok && found
		return at
	}
	severity := func() diag.Severity {
		n := r.Int()
		ok = ok && int(diag.Error) <= n && n <= int(diag.Note)
		return diag.Severity(n)
	}
	list := ReadList(r, func() diag.Diagnostic {
		return diag.Diagnostic{
			Span:      span(),
			Check:     r.String(),
			Severity:  severity(),
			Fatal:     r.Bool(),
			Path:      r.String(),
			ErrorType: r.String(),
			AlsoPaths: r.Strings(),
			Older:     r.Bool(),
			Message:   r.String(),
			Notes:     r.Strings(),
			HelpText:  r.String(),
			SeeAlso: ReadList(r, func() diag.Related {
				return diag.Related{Span: span(), Message: r.String()}
			}),
			For: span(),
		}
	})
	return list, ok && !r.bad
}
