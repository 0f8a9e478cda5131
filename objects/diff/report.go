package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

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

// HasWitness reports whether an object shows one of the changes.
func (r *Report) HasWitness() bool {
	return slices.ContainsFunc(r.Comparisons, func(c *Comparison) bool {
		return slices.ContainsFunc(c.Changes, func(c Change) bool {
			return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Witness != nil })
		})
	})
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
