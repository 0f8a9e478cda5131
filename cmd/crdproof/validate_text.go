package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/rules/sample"
)

// A tally counts objects by what became of them.
type tally struct {
	accepted, refused, unjudged int
	// passedOver are the kinds that the CRDs do not speak of, "" for what has none.
	passedOver map[string]int
}

func (t *tally) add(a sample.Answer, o *read.Object) {
	switch a.Outcome {
	case sample.Accepted:
		t.accepted++
	case sample.Refused:
		t.refused++
	case sample.Unjudged:
		t.unjudged++
	default:
		t.passedOver[o.Kind]++
	}
}

func (t *tally) judged() int { return t.accepted + t.refused + t.unjudged }

// String is the last line of the report: 2 accepted, 1 refused, 3 passed over (Deployment, Service).
func (t *tally) String() string {
	parts := []string{fmt.Sprintf("%d accepted", t.accepted), fmt.Sprintf("%d refused", t.refused)}
	if t.unjudged > 0 {
		parts = append(parts, fmt.Sprintf("%d without an answer", t.unjudged))
	}
	if len(t.passedOver) > 0 {
		parts = append(parts, t.strangers())
	}
	return strings.Join(parts, ", ")
}

// maxKinds is how many kinds that were passed over are named.
const maxKinds = 5

// strangers says what was passed over.
func (t *tally) strangers() string {
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
	if len(kinds) > maxKinds {
		kinds = append(kinds[:maxKinds], "…")
	}
	return fmt.Sprintf("%d passed over (%s)", total, strings.Join(kinds, ", "))
}

// outcome is what became of an object, in words.
func outcome(a sample.Answer) string {
	warnings := 0
	for i := range a.Found {
		if a.Found[i].Severity == diag.Warning {
			warnings++
		}
	}
	switch {
	case a.Outcome == sample.Refused:
		return "refused"
	case a.Outcome == sample.Unjudged:
		return "without an answer"
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

// An answerWriter writes the answers for a person: a line for each object, and below it what was found in it.
type answerWriter struct {
	rep *reporter
	// dir is what paths are shown relative to.
	dir string
	// refused are the CRDs of which has been told why they cannot be served.
	refused map[diag.Span]bool
	// told and left count findings.
	told, left int
}

func newAnswerWriter(rep *reporter) *answerWriter {
	return &answerWriter{rep: rep, dir: workingDir(), refused: map[diag.Span]bool{}}
}

func (w *answerWriter) answer(a sample.Answer, o *read.Object) {
	if a.Outcome == sample.PassedOver {
		return
	}
	line, _ := o.At.Source.Position(int(o.At.Start))
	fmt.Fprintf(w.rep.stdout, "%s %s (%s:%d)\n", a.Name, outcome(a), diag.Relative(o.At.Source.Path, w.dir), line)
	if a.Outcome == sample.Unjudged && len(a.Found) > 0 {
		crd := a.Found[0].Span
		if w.refused[crd] {
			return
		}
		w.refused[crd] = true
	}
	w.findings(a.Found)
}

// findings writes as many of the findings as one wants to see at once.
func (w *answerWriter) findings(list []diag.Diagnostic) {
	fit := min(len(list), max(0, maxShown-w.told))
	w.told += fit
	w.left += len(list) - fit
	// An error is remembered by the stream.
	_ = diag.Text(w.rep.stderr, list[:fit], diag.TextOptions{Dir: w.dir, Color: wantsColor(w.rep.stderr), Part: true})
}

func (w *answerWriter) end(count tally) {
	if w.left > 0 {
		fmt.Fprintf(w.rep.stderr, "… and %s more\n", diag.Counted(w.left, "finding"))
	}
	fmt.Fprintln(w.rep.stdout, count.String())
}
