package sample

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// A Tally counts objects by their outcome.
type Tally struct {
	accepted, rejected, unvalidated int
	// ignored counts objects by kind that the CRDs do not define, "" for documents without a kind.
	ignored map[string]int
}

// Count returns the tally of files that have been validated.
func Count(files []File) *Tally {
	t := &Tally{ignored: map[string]int{}}
	for _, f := range files {
		for _, a := range f.Answers {
			switch a.Outcome {
			case Accepted:
				t.accepted++
			case Rejected:
				t.rejected++
			case Unvalidated:
				t.unvalidated++
			default:
				t.ignored[a.kind]++
			}
		}
	}
	return t
}

// String returns the last line of the report: 2 accepted, 1 rejected, 3 ignored (Deployment, Service).
func (t *Tally) String() string {
	parts := []string{fmt.Sprintf("%d accepted", t.accepted), fmt.Sprintf("%d rejected", t.rejected)}
	if t.unvalidated > 0 {
		parts = append(parts, fmt.Sprintf("%d not validated", t.unvalidated))
	}
	if len(t.ignored) > 0 {
		parts = append(parts, t.others())
	}
	return diag.Printable(strings.Join(parts, ", "))
}

// maxKinds is how many kinds are named.
const maxKinds = 5

// others says which objects were ignored.
func (t *Tally) others() string {
	total := 0
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(t.ignored)) {
		total += t.ignored[kind]
		if kind != "" {
			kinds = append(kinds, kind)
		}
	}
	if t.ignored[""] > 0 {
		kinds = append(kinds, "without a kind")
	}
	return fmt.Sprintf("%d ignored (%s)", total, some(kinds, maxKinds))
}

// Nothing reports that no object is of a kind of the CRDs. It is nil if there is one.
func (t *Tally) Nothing(c *Catalog, files []File) *diag.Diagnostic {
	if t.accepted+t.rejected+t.unvalidated > 0 {
		return nil
	}
	d := input.Errorf("no object in %s is of a kind of the CRDs", diag.Counted(len(files), "file")).
		Note("the CRDs have the kinds %s", some(c.Kinds(), maxKinds)).
		Help("name the files of objects, for example: crdproof validate config/samples --crds=config/crd/bases")
	if len(t.ignored) > 0 {
		d = d.Note("%s", t.others())
	}
	return &d
}

// Findings returns all findings about files and their objects.
func Findings(files []File) (out []diag.Diagnostic) {
	for i := range files {
		files[i].Each(func(found *[]diag.Diagnostic) { out = append(out, *found...) })
	}
	return out
}

// Each calls visit with the findings about the file, and with those about each of its objects.
func (f *File) Each(visit func(found *[]diag.Diagnostic)) {
	visit(&f.Found)
	for i := range f.Answers {
		visit(&f.Answers[i].Found)
	}
}

// A TextWriter writes answers for a person: a line for each object, and its findings.
type TextWriter struct {
	// Answers gets the lines, Findings gets the findings, at most Options.Max of them.
	Answers, Findings io.Writer
	Options           diag.TextOptions
	// unserved are the CRDs for which it has been printed why they cannot be served.
	unserved map[diag.Span]bool
	// printed and left count findings.
	printed, left int
}

// Write writes findings that are not about objects, then the answers, then the totals. The writers must keep their
// errors.
func (w *TextWriter) Write(found []diag.Diagnostic, files []File) {
	w.unserved, w.Options.Part = map[diag.Span]bool{}, true
	w.findings(found)
	for _, f := range files {
		w.findings(f.Found)
		for _, a := range f.Answers {
			w.answer(a)
		}
	}
	if w.left > 0 {
		fmt.Fprintf(w.Findings, "… and %s more\n", diag.Counted(w.left, "finding"))
	}
	fmt.Fprintln(w.Answers, Count(files))
}

// answer writes an answer. It writes only once why a CRD cannot be served.
func (w *TextWriter) answer(a *Answer) {
	if a.Outcome == Ignored {
		return
	}
	line, _ := a.at.Source.Position(int(a.at.Start))
	file := diag.Relative(a.at.Source.Path, w.Options.Dir)
	fmt.Fprintln(w.Answers, diag.Printable(fmt.Sprintf("%s %s (%s:%d)", a.Name, a.words(), file, line)))
	if a.Outcome == Unvalidated && len(a.Found) > 0 {
		crd := a.Found[0].Span
		if w.unserved[crd] {
			return
		}
		w.unserved[crd] = true
	}
	w.findings(a.Found)
}

// findings writes findings up to the maximum.
func (w *TextWriter) findings(list []diag.Diagnostic) {
	fit := min(len(list), max(0, w.Options.Max-w.printed))
	w.printed += fit
	w.left += len(list) - fit
	opts := w.Options
	opts.Max = 0
	_ = diag.Text(w.Findings, list[:fit], opts) // the writer remembers its error
}

// words returns the outcome as text.
func (a *Answer) words() string {
	switch a.Outcome {
	case Rejected:
		return "rejected"
	case Unvalidated:
		return "not validated"
	}
	warnings := 0
	for i := range a.Found {
		if a.Found[i].Severity == diag.Warning {
			warnings++
		}
	}
	out := "accepted"
	if warnings > 0 {
		out += " with " + diag.Counted(warnings, "warning")
	}
	if a.Webhook {
		out += ", but its conversion webhook was not called"
	}
	return out
}
