package sample

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/read"
)

// A Tally counts objects by what became of them.
type Tally struct {
	accepted, refused, unjudged int
	// passedOver are the kinds that the CRDs do not speak of, "" for what has none.
	passedOver map[string]int
}

// Count is the tally of files that have been validated.
func Count(files []File) *Tally {
	t := &Tally{passedOver: map[string]int{}}
	for _, f := range files {
		for i, a := range f.Answers {
			switch a.Outcome {
			case Accepted:
				t.accepted++
			case Refused:
				t.refused++
			case Unjudged:
				t.unjudged++
			default:
				t.passedOver[f.Objects[i].Kind]++
			}
		}
	}
	return t
}

// String is the last line of the report: 2 accepted, 1 refused, 3 passed over (Deployment, Service).
func (t *Tally) String() string {
	parts := []string{fmt.Sprintf("%d accepted", t.accepted), fmt.Sprintf("%d refused", t.refused)}
	if t.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d without an answer", t.unjudged))
	}
	if len(t.passedOver) > 0 {
		parts = append(parts, t.strangers())
	}
	return strings.Join(parts, ", ")
}

// maxKinds is how many kinds are named.
const maxKinds = 5

// strangers says what was passed over.
func (t *Tally) strangers() string {
	total := 0
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(t.passedOver)) {
		total += t.passedOver[kind]
		if kind != "" {
			kinds = append(kinds, kind)
		}
	}
	if t.passedOver[""] > 0 {
		kinds = append(kinds, "without a kind")
	}
	return fmt.Sprintf("%d passed over (%s)", total, some(kinds, maxKinds))
}

// Nothing says that none of the objects is of a kind of the CRDs. It is nil where one is.
func (t *Tally) Nothing(c *Catalog, files []File) *diag.Diagnostic {
	if t.accepted+t.refused+t.unjudged > 0 {
		return nil
	}
	d := input.Errorf("there is no object of a kind of the CRDs in %s", diag.Counted(len(files), "file")).
		Note("the CRDs have the kinds %s", some(c.Kinds(), maxKinds)).
		Help("name the files of objects, as in: crdproof validate config/samples --crds=config/crd/bases")
	if len(t.passedOver) > 0 {
		d = d.Note("%s", t.strangers())
	}
	return &d
}

// Findings are those about files and all that is in them.
func Findings(files []File) (out []diag.Diagnostic) {
	for _, f := range files {
		out = append(out, f.Found...)
		for _, a := range f.Answers {
			out = append(out, a.Found...)
		}
	}
	return out
}

// A TextWriter writes answers for a person: a line for each object, and what was found in it.
type TextWriter struct {
	// Answers gets the lines, Findings what was found, as many as Options.Max says.
	Answers, Findings io.Writer
	Options           diag.TextOptions
	// refused are the CRDs of which has been told why they cannot be served.
	refused map[diag.Span]bool
	// told and left count findings.
	told, left int
}

// Write writes findings that are about no object, the answers, and how many there were of each kind. Errors of writing
// are left to the writers.
func (w *TextWriter) Write(found []diag.Diagnostic, files []File) {
	w.refused, w.Options.Part = map[diag.Span]bool{}, true
	w.findings(found)
	for _, f := range files {
		w.findings(f.Found)
		for i, a := range f.Answers {
			w.answer(a, &f.Objects[i])
		}
	}
	if w.left > 0 {
		fmt.Fprintf(w.Findings, "… and %s more\n", diag.Counted(w.left, "finding"))
	}
	fmt.Fprintln(w.Answers, Count(files))
}

// answer writes an answer. Of CRDs is told once why they cannot be served.
func (w *TextWriter) answer(a Answer, o *read.Object) {
	if a.Outcome == PassedOver {
		return
	}
	line, _ := o.At.Source.Position(int(o.At.Start))
	fmt.Fprintf(w.Answers, "%s %s (%s:%d)\n", a.Name, a.words(), diag.Relative(o.At.Source.Path, w.Options.Dir), line)
	if a.Outcome == Unjudged && len(a.Found) > 0 {
		crd := a.Found[0].Span
		if w.refused[crd] {
			return
		}
		w.refused[crd] = true
	}
	w.findings(a.Found)
}

// findings writes as many of the findings as one wants to see at once.
func (w *TextWriter) findings(list []diag.Diagnostic) {
	fit := min(len(list), max(0, w.Options.Max-w.told))
	w.told += fit
	w.left += len(list) - fit
	opts := w.Options
	opts.Max = 0
	_ = diag.Text(w.Findings, list[:fit], opts) // the writer remembers its error
}

// words say what became of the object.
func (a *Answer) words() string {
	switch a.Outcome {
	case Refused:
		return "refused"
	case Unjudged:
		return "without an answer"
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
		out += ", without its conversion webhook"
	}
	return out
}
