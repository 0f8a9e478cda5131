package explain

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/schema"
)

// The types below are the format of explain --overlays --json: fields may be added, but not renamed or removed.
type (
	jsonOverlays struct {
		Entries []jsonEntry `json:"entries"`
	}
	jsonEntry struct {
		jsonAt
		Selector string      `json:"selector"`
		Matches  []jsonMatch `json:"matches"`
	}
	jsonMatch struct {
		Kind    string `json:"kind"`
		Group   string `json:"group"`
		Version string `json:"version"`
		// Field is "" for the root.
		Field   string       `json:"field"`
		Changes []jsonChange `json:"changes"`
	}
	jsonChange struct {
		// Field is relative to that of the match, Keyword is "" for a whole schema. Before and After are JSON, or none.
		Field   string `json:"field"`
		Keyword string `json:"keyword"`
		Before  string `json:"before"`
		After   string `json:"after"`
	}
)

// overlays returns the format of explain --overlays.
func overlays(list []overlay.Selection, dir string) jsonOverlays {
	out := jsonOverlays{Entries: []jsonEntry{}}
	for _, s := range list {
		e := jsonEntry{jsonAt: atJSON(s.At, dir), Selector: selectorText(s.Selector), Matches: []jsonMatch{}}
		for _, m := range s.Matches {
			match := jsonMatch{m.Kind, m.Group, m.Version, m.Field, []jsonChange{}}
			for _, c := range schema.Changes(m.Before, m.After) {
				match.Changes = append(match.Changes, jsonChange{c.Place.Field(), c.Keyword, c.Before, c.After})
			}
			e.Matches = append(e.Matches, match)
		}
		out.Entries = append(out.Entries, e)
	}
	return out
}

// selectorText returns the keys that select, on one line.
func selectorText(keys []schema.Member) string {
	var parts []string
	for _, m := range keys {
		text := m.Value.Text
		if m.Value.Kind != schema.String || text == "" {
			text = m.Value.Compact()
		}
		parts = append(parts, m.Key+": "+text)
	}
	return strings.Join(parts, ", ")
}

// WriteOverlaysJSON writes what the entries of overlays select, for a program.
func WriteOverlaysJSON(w io.Writer, list []overlay.Selection, dir string) error {
	return diag.WriteJSON(w, overlays(list, dir))
}

// WriteOverlays writes what the entries of overlays select, as a tree: files, entries, places and changes.
func WriteOverlays(w io.Writer, list []overlay.Selection, dir string) error {
	var out bytes.Buffer
	file := ""
	for i, e := range overlays(list, dir).Entries {
		if path := input.Shown(list[i].At.Source.Path); path != file {
			file = path
			out.WriteString(diag.Printable(file) + "\n")
		}
		fmt.Fprintf(&out, "  line %d: %s\n", e.Line, diag.Printable(e.Selector))
		for _, m := range e.Matches {
			fmt.Fprintf(&out, "    %s.%s %s: %s\n", m.Kind, m.Group, m.Version, diag.Printable(orRoot(m.Field)))
			for _, c := range m.Changes {
				fmt.Fprintf(&out, "      %s: %s → %s\n", diag.Printable(changed(c)), shortened(c.Before),
					shortened(c.After))
			}
		}
	}
	_, err := w.Write(out.Bytes())
	return err
}

// orRoot names the root of a schema.
func orRoot(field string) string {
	if field == "" {
		return "the whole schema"
	}
	return field
}

// changed names what a change is about: a keyword, a field, or both.
func changed(c jsonChange) string {
	if c.Field != "" && c.Keyword != "" {
		return c.Field + " " + c.Keyword
	}
	return c.Field + c.Keyword
}

// shortened cuts a value to a length that is easy to read.
func shortened(value string) string {
	const most = 60
	text := []rune(diag.Printable(value))
	if len(text) > most {
		return string(text[:most-1]) + "…"
	}
	return string(text)
}
