package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// githubShown is how many annotations of a level GitHub shows for a step; the others are but lines of its log.
const githubShown = 10

// GitHub writes the list as workflow commands, which GitHub Actions shows as annotations of the changed lines. Paths
// below root, the root of the checkout, are relative to it. The log shows nothing of a command but its message, so that
// this says the place as well.
func GitHub(w io.Writer, list []Diagnostic, root string) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var out bytes.Buffer
	for i := range list {
		d := &list[i]
		var props []string
		add := func(name, value string) { props = append(props, name+"="+property.Replace(value)) }
		where := ""
		if p, ok := locateFrom(d.Span, root); ok {
			where = Printable(p.file) + ": "
			add("file", Printable(p.file))
			switch {
			case p.line == 0:
			case p.line == p.endLine:
				where = fmt.Sprintf("%s:%d:%d: ", Printable(p.file), p.line, p.col)
				add("line", fmt.Sprint(p.line))
				add("col", fmt.Sprint(p.col))
				add("endColumn", fmt.Sprint(p.endCol))
			default:
				where = fmt.Sprintf("%s:%d: ", Printable(p.file), p.line)
				// GitHub rejects columns on an annotation of more than one line.
				add("line", fmt.Sprint(p.line))
				add("endLine", fmt.Sprint(p.endLine))
			}
		}
		if d.Check != "" {
			add("title", Printable(d.Check))
		}
		separator := ""
		if len(props) > 0 {
			separator = " "
		}
		command := d.Severity.String()
		if d.Severity == Note {
			command = "notice"
		}
		fmt.Fprintf(&out, "::%s%s%s::%s\n", command, separator, strings.Join(props, ","),
			data.Replace(where+Prose(d)+furtherPlaces(d, root)))
	}
	if errors, warnings, notes := count(list); max(errors, warnings, notes) > githubShown {
		fmt.Fprintf(&out, "%d errors, %d warnings, %d notes: GitHub annotates only the first %d of each; the log "+
			"has all of them\n",
			errors, warnings, notes, githubShown)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// furtherPlaces returns a line for each further place of a finding.
func furtherPlaces(d *Diagnostic, root string) string {
	var out strings.Builder
	for i := range d.Places {
		at := d.Places[i].Path
		if p, ok := locateFrom(d.Places[i].Span, root); ok {
			at = p.file
			if p.line > 0 {
				at = fmt.Sprintf("%s:%d:%d", p.file, p.line, p.col)
			}
		}
		also := append([]string{"also at " + at}, here(&d.Places[i], d)...)
		out.WriteString("\n" + expanded(strings.Join(also, ": ")))
	}
	return out.String()
}
