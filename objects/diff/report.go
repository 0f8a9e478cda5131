package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
)

// A Report is the result for all CRDs.
type Report struct {
	Comparisons []*Comparison
	// Added are the names of CRDs that only the new side has.
	Added []string
}

// Changed reports whether a comparison has differences, or a CRD that API servers reject.
func (c *Comparison) Changed() bool {
	return len(c.Changes)+len(c.Additions)+len(c.Rejected)+len(c.OldRejected) > 0
}

// answers returns all answers on one line.
func (c *Comparison) answers() string {
	var out []string
	for _, q := range Questions() {
		out = append(out, fmt.Sprintf("%s %s", q, c.Answer(q)))
	}
	return strings.Join(out, " · ")
}

// WriteText writes the answers and the additions for people; the findings are written elsewhere.
func (r *Report) WriteText(w io.Writer) {
	differ := 0
	for _, c := range r.Comparisons {
		if !c.Changed() {
			continue
		}
		differ++
		fmt.Fprintf(w, "%s: %s\n", diag.Printable(c.Title()), c.answers())
		if len(c.Rejected) > 0 {
			fmt.Fprintln(w, "  API servers reject the new CRD; its schemas have not been compared")
		}
		for i := range c.Changes {
			if change := &c.Changes[i]; change.Silenced != "" {
				fmt.Fprintf(w, "  - %s (silenced: %s)\n", diag.Printable(change.text(c.Name)),
					diag.Printable(change.Silenced))
			}
		}
		for _, a := range c.Additions {
			fmt.Fprintf(w, "  + %s\n", diag.Printable(a.text()))
		}
	}
	for _, name := range r.Added {
		fmt.Fprintf(w, "%s: new CRD\n", diag.Printable(name))
	}
	what := diag.Counted(len(r.Comparisons), "CRD")
	if len(r.Comparisons) > 0 && r.Comparisons[0].Versions != "" {
		what = diag.Counted(len(r.Comparisons), "pair") + " of versions"
	}
	fmt.Fprintf(w, "%s compared, %d with differences\n", what, differ)
}

// text returns an addition on one line.
func (a *Addition) text() string { return lineOf(a.Versions, a.Path, a.Message) + a.remark() }

// text returns a change on one line, with the name of the CRD if it is not about a field.
func (c *Change) text(name string) string { return lineOf(c.Versions, cmp.Or(c.Path, name), c.Message) }

func lineOf(versions []string, where, message string) string {
	out := where + ": " + message
	if len(versions) > 0 {
		out = strings.Join(versions, ", ") + " " + out
	}
	return out
}

// remark returns what to know about a new field.
func (a *Addition) remark() string {
	if a.IsField {
		return " (an old client that updates whole objects removes it)"
	}
	return ""
}

// The JSON form of a report.
type (
	jsonReport struct {
		CRDs  []jsonCRD `json:"crds"`
		Added []string  `json:"added"`
	}
	jsonCRD struct {
		Name        string          `json:"name"`
		Versions    string          `json:"versions,omitempty"`
		Answers     []jsonAnswer    `json:"answers"`
		Rejected    []jsonRejection `json:"rejected,omitempty"`
		OldRejected []jsonRejection `json:"oldRejected,omitempty"`
		Changes     []jsonChange    `json:"changes"`
		Additions   []Addition      `json:"additions"`
	}
	jsonRejection struct {
		Check   string   `json:"check"`
		Path    string   `json:"path"`
		Message string   `json:"message"`
		Notes   []string `json:"notes,omitempty"`
		At      string   `json:"at,omitempty"`
		Help    string   `json:"help,omitempty"`
	}
	jsonAnswer struct {
		Question string `json:"question"`
		Answer   string `json:"answer"`
	}
	jsonChange struct {
		Versions []string      `json:"versions,omitempty"`
		Path     string        `json:"path"`
		Keyword  string        `json:"keyword,omitempty"`
		Message  string        `json:"message"`
		Old      string        `json:"old,omitempty"`
		New      string        `json:"new,omitempty"`
		Class    string        `json:"class"`
		Silenced string        `json:"silenced,omitempty"`
		Findings []jsonFinding `json:"findings"`
		Help     string        `json:"help,omitempty"`
	}
	jsonFinding struct {
		Question string   `json:"question"`
		Answer   string   `json:"answer"`
		Kube     string   `json:"kube,omitempty"`
		Reason   string   `json:"reason,omitempty"`
		Witness  *Witness `json:"witness,omitempty"`
	}
)

// WriteJSON writes the whole report. Positions are <file>:<line>:<column>, below dir relative to it.
func (r *Report) WriteJSON(w io.Writer, dir string) error {
	out := jsonReport{CRDs: []jsonCRD{}, Added: append([]string{}, r.Added...)}
	at := func(span diag.Span) string {
		if !span.IsValid() {
			return ""
		}
		line, column := span.Source.Position(int(span.Start))
		return fmt.Sprintf("%s:%d:%d", diag.Relative(span.Source.Path, dir), line, column)
	}
	rejections := func(list []diag.Diagnostic) (out []jsonRejection) {
		for _, d := range list {
			out = append(out, jsonRejection{d.Check, d.Path, d.Message, d.Notes, at(d.Span), d.HelpText})
		}
		return out
	}
	for _, c := range r.Comparisons {
		if !c.Changed() {
			continue
		}
		crd := jsonCRD{
			Rejected: rejections(c.Rejected), OldRejected: rejections(c.OldRejected), Name: c.Name,
			Versions: c.Versions, Changes: []jsonChange{}, Additions: append([]Addition{}, c.Additions...),
		}
		for _, q := range Questions() {
			crd.Answers = append(crd.Answers, jsonAnswer{q.String(), c.Answer(q).String()})
		}
		for i := range c.Changes {
			change := &c.Changes[i]
			made := jsonChange{Versions: change.Versions, Path: change.Path, Keyword: change.Keyword,
				Message: change.Message, Old: at(change.Old), New: at(change.New), Class: change.Class().String(),
				Silenced: change.Silenced, Help: change.Help}
			for _, f := range change.Findings {
				finding := jsonFinding{Question: f.Question.String(), Answer: f.Answer.String(), Reason: f.Reason,
					Witness: f.Witness}
				if f.Servers != (kube.Range{}) {
					finding.Kube = f.Servers.String()
				}
				made.Findings = append(made.Findings, finding)
			}
			crd.Changes = append(crd.Changes, made)
		}
		out.CRDs = append(out.CRDs, crd)
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}
