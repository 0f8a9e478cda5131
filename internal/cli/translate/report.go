package translate

import (
	"fmt"
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
)

// A Report is the result of a translation.
type Report struct {
	overlay.Translation
	// Untyped are the CRDs that ship without a Go type.
	Untyped []Shipped
	// Comparison is of what is generated with the file.
	Comparison
}

// IsWhole reports whether everything that ships is generated with the file.
func (r *Report) IsWhole() bool { return len(r.Left)+len(r.Untyped)+len(r.Different) == 0 }

// Write prints the result.
func (r *Report) Write(w io.Writer) error {
	var out strings.Builder
	line := func(format string, args ...any) { out.WriteString(diag.Printable(fmt.Sprintf(format, args...)) + "\n") }
	if r.Data != nil {
		line("%s for %s", counted(r.Entries, "entry", "entries"),
			counted(r.Places, "place that differs", "places that differ"))
	}
	line("generated: %d of %s as shipped, %d byte for byte", r.Same, diag.Counted(r.Files, "CRD"), r.Identical)
	if len(r.Layout) > 0 {
		line("in the layout of another tool: %s", strings.Join(r.Layout, ", "))
	}
	if r.Undescribed {
		line("no CRD that ships has descriptions: with the option maxDescLen=0, the overlay need not drop them")
	}
	if r.Labeled {
		line("embedded objects have metadata: with the option generateEmbeddedObjectMeta=true, the overlay need not " +
			"add it")
	}
	if !r.IsWhole() {
		line("not expressed:")
	}
	for _, s := range r.Untyped {
		line("  %s: no Go type of the run has the kind; name its package too", s.CRD.ObjectName())
	}
	for _, l := range r.Left {
		text := strings.TrimSpace(l.Kind + " " + l.What)
		if l.Before != l.After {
			text += fmt.Sprintf(": %s → %s", short(l.Before), short(l.After))
		}
		line("  %s; %s", text, l.Why)
	}
	if len(r.Left) == 0 {
		for _, name := range r.Different {
			line("  %s differs", name)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", several)
}

// short returns the beginning of a text.
func short(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
