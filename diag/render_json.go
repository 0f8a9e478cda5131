package diag

import (
	"bytes"
	"encoding/json"
	"io"
)

// The types below are the format of JSON: fields may be added, but not renamed or removed.
type (
	// JSONReport is what JSON writes. A command that writes more embeds it.
	JSONReport struct {
		Findings []jsonFinding `json:"findings"`
		Errors   int           `json:"errors"`
		Warnings int           `json:"warnings"`
		Notes    int           `json:"notes,omitempty"`
		// Unlisted are the warnings that are only counted.
		Unlisted int `json:"unlisted,omitempty"`
	}
	// JSONPlace is a position, empty without one.
	JSONPlace struct {
		File      string `json:"file,omitempty"`
		Line      int    `json:"line,omitempty"`
		Column    int    `json:"column,omitempty"`
		EndLine   int    `json:"endLine,omitempty"`
		EndColumn int    `json:"endColumn,omitempty"`
	}
	jsonFinding struct {
		JSONPlace
		Severity string      `json:"severity"`
		Check    string      `json:"check,omitempty"`
		Hurts    string      `json:"hurts,omitempty"`
		Message  string      `json:"message"`
		Path     string      `json:"path,omitempty"`
		Case     string      `json:"case,omitempty"`
		Notes    []string    `json:"notes,omitempty"`
		Help     string      `json:"help,omitempty"`
		Effect   *jsonEffect `json:"effect,omitempty"`
		Or       []jsonHelp  `json:"or,omitempty"`
		// Fixes are the helps that have edits. --fix makes the edits of the preferred one.
		Fixes   []jsonFix     `json:"fixes,omitempty"`
		Related []jsonRelated `json:"related,omitempty"`
		// Places are the other places of the same cause.
		Places []jsonFinding `json:"places,omitempty"`
	}
	// jsonHelp is a further help. Without an effect, all objects are treated as before.
	jsonHelp struct {
		Help   string      `json:"help"`
		Effect *jsonEffect `json:"effect,omitempty"`
	}
	jsonFix struct {
		Title     string      `json:"title"`
		Effect    *jsonEffect `json:"effect,omitempty"`
		Preferred bool        `json:"preferred,omitempty"`
		Edits     []jsonEdit  `json:"edits"`
	}
	// jsonEdit replaces a range of a file by a text. Offsets count bytes from 0, and end is exclusive.
	jsonEdit struct {
		JSONPlace
		Start   int    `json:"start"`
		End     int    `json:"end"`
		NewText string `json:"newText"`
	}
	jsonEffect struct {
		Kind   string `json:"kind"`
		Detail string `json:"detail,omitempty"`
	}
	jsonRelated struct {
		JSONPlace
		Message string `json:"message"`
	}
)

// JSON writes the list as one JSON object. Columns count bytes from 1, and endColumn is exclusive. Paths below dir are
// relative to it. unlisted is how many warnings the list leaves out.
func JSON(w io.Writer, list []Diagnostic, unlisted int, dir string) error {
	return WriteJSON(w, NewJSON(list, unlisted, dir))
}

// NewJSON returns what JSON writes.
func NewJSON(list []Diagnostic, unlisted int, dir string) JSONReport {
	report := JSONReport{Findings: make([]jsonFinding, 0, len(list)), Unlisted: unlisted}
	report.Errors, report.Warnings, report.Notes = count(list)
	for i := range list {
		report.Findings = append(report.Findings, entryOf(&list[i], dir))
	}
	return report
}

func entryOf(d *Diagnostic, dir string) jsonFinding {
	entry := jsonFinding{
		JSONPlace: NewPlace(d.Span, dir),
		Severity:  d.Severity.String(),
		Check:     d.Check,
		Message:   d.Message,
		Path:      d.Path,
		Case:      d.Case,
		Notes:     d.Notes,
		Help:      d.HelpText,
		Effect:    effectJSON(d.Effect),
	}
	switch {
	case d.Hurts != nil:
		entry.Hurts = d.Hurts.ID
	case d.Severity == Warning && d.Check != "":
		entry.Hurts = EveryUser
	}
	for _, h := range d.Alternatives {
		entry.Or = append(entry.Or, jsonHelp{h.Text, effectJSON(h.Effect)})
	}
	for i, h := range d.Helps() {
		if h.Edits != nil {
			entry.Fixes = append(entry.Fixes, fixJSON(h, i == 0, dir))
		}
	}
	for _, r := range d.SeeAlso {
		entry.Related = append(entry.Related, jsonRelated{JSONPlace: NewPlace(r.Span, dir), Message: r.Message})
	}
	for i := range d.Places {
		entry.Places = append(entry.Places, entryOf(&d.Places[i], dir))
	}
	return entry
}

func fixJSON(h Help, isPreferred bool, dir string) jsonFix {
	out := jsonFix{Title: h.Text, Effect: effectJSON(h.Effect), Preferred: isPreferred}
	for _, e := range h.Edits {
		out.Edits = append(out.Edits,
			jsonEdit{NewPlace(e.Span, dir), int(e.Span.Start), int(e.Span.End), e.New})
	}
	return out
}

// effectJSON returns nil for no effect.
func effectJSON(e Effect) *jsonEffect {
	if e.Kind == NoEffect {
		return nil
	}
	return &jsonEffect{e.Kind.String(), e.Detail}
}

// NewPlace returns a position as JSON has it: a path below dir is relative to it.
func NewPlace(s Span, dir string) JSONPlace {
	p, _ := locate(s, dir)
	return JSONPlace{File: p.file, Line: p.line, Column: p.col, EndLine: p.endLine, EndColumn: p.endCol}
}

// WriteJSON writes a value as JSON for a program that a person may read as well.
func WriteJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(asciiJSON(out.Bytes()))
	return err
}
