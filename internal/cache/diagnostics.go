package cache

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
)

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
		w.Bool(d.Forgiven)
		w.String(d.Path)
		w.String(d.ErrorType)
		w.Strings(d.AlsoPaths)
		w.Bool(d.Older)
		w.String(d.Message)
		w.Strings(d.Notes)
		WriteList(w, d.Helps(), func(h diag.Help) {
			w.String(h.Text)
			w.Int(int(h.Effect.Kind))
			w.String(h.Effect.Detail)
			WriteList(w, h.Steps, func(s diag.Step) {
				w.Int(int(s.Action))
				span(s.At)
				w.String(s.Text)
			})
		})
		WriteList(w, d.SeeAlso, func(r diag.Related) {
			span(r.Span)
			w.String(r.Message)
		})
		span(d.For)
		span(d.Cause.Span)
		w.String(d.Cause.Message)
		w.Bool(d.Listed)
		w.Int(slices.Index(diag.Groups(), d.Hurts))
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
	effect := func() diag.EffectKind {
		n := r.Int()
		ok = ok && int(diag.NoEffect) <= n && n <= int(diag.AcceptsOther)
		return diag.EffectKind(n)
	}
	step := func() diag.Step {
		n := r.Int()
		ok = ok && 0 <= n && n < diag.Actions
		return diag.Step{Action: diag.Action(n), At: span(), Text: r.String()}
	}
	groups := diag.Groups()
	group := func() *diag.Group {
		n := r.Int() // -1 for none
		if n < 0 || n >= len(groups) {
			ok = ok && n == -1
			return nil
		}
		return groups[n]
	}
	list := ReadList(r, func() diag.Diagnostic {
		d := diag.Diagnostic{
			Span:      span(),
			Check:     r.String(),
			Severity:  severity(),
			Fatal:     r.Bool(),
			Forgiven:  r.Bool(),
			Path:      r.String(),
			ErrorType: r.String(),
			AlsoPaths: r.Strings(),
			Older:     r.Bool(),
			Message:   r.String(),
			Notes:     r.Strings(),
		}
		helps := ReadList(r, func() diag.Help {
			return diag.Help{Text: r.String(), Effect: diag.Effect{Kind: effect(), Detail: r.String()},
				Steps: ReadList(r, step)}
		})
		if len(helps) > 0 {
			d.HelpText, d.Effect, d.Steps = helps[0].Text, helps[0].Effect, helps[0].Steps
			d.Alternatives = append(d.Alternatives, helps[1:]...)
		}
		d.SeeAlso = ReadList(r, func() diag.Related { return diag.Related{Span: span(), Message: r.String()} })
		d.For = span()
		d.Cause = diag.Related{Span: span(), Message: r.String()}
		d.Listed, d.Hurts = r.Bool(), group()
		return d
	})
	return list, ok && !r.bad
}
