package diag

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// GitHub writes the list as workflow commands, which GitHub Actions shows as annotations of the changed lines. Paths
// below dir, the root of the checkout, are relative to it.
func GitHub(w io.Writer, list []Diagnostic, dir string) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var out bytes.Buffer
	for i := range list {
		d := &list[i]
		var props []string
		add := func(name, value string) { props = append(props, name+"="+property.Replace(value)) }
		if p, ok := locate(d.Span, dir); ok {
			add("file", p.file)
			switch {
			case p.line == 0:
			case p.line == p.endLine:
				add("line", fmt.Sprint(p.line))
				add("col", fmt.Sprint(p.col))
				add("endColumn", fmt.Sprint(max(p.endCol, p.col+1)))
			default:
				// GitHub refuses columns on an annotation of more than one line.
				add("line", fmt.Sprint(p.line))
				add("endLine", fmt.Sprint(p.endLine))
			}
		}
		if d.Rule != "" {
			add("title", d.Rule)
		}
		separator := ""
		if len(props) > 0 {
			separator = " "
		}
		command := d.Severity.String()
		if d.Severity == Note {
			command = "notice"
		}
		fmt.Fprintf(&out, "::%s%s%s::%s\n", command, separator, strings.Join(props, ","), data.Replace(prose(d)))
	}
	_, err := w.Write(out.Bytes())
	return err
}
