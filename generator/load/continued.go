package load

import (
	"go/ast"
	"strings"
)

// continued returns the comments of the marker that the first one of a list begins.
func (p *Policy) continued(list []*ast.Comment) []*ast.Comment {
	n := 1
	for i := 1; i < len(list) && strings.HasPrefix(list[i].Text, "//"); i++ {
		next := strings.TrimSpace(list[i].Text[2:])
		if next == "" {
			continue // gofmt puts empty lines around those that are indented
		}
		if !p.Markers.Continues(joined(list[:n]), next) {
			break
		}
		n = i + 1
	}
	return list[:n]
}

// joined returns the text of a marker from its '+' on. Everything between the texts of two lines becomes spaces, byte
// by byte, so that the text is as long as in the source.
func joined(lines []*ast.Comment) string {
	if len(lines) == 1 {
		return strings.TrimSpace(lines[0].Text[2:])
	}
	var b strings.Builder
	for _, c := range lines {
		b.WriteString(strings.Repeat(" ", int(c.Slash-lines[0].Slash)+2-b.Len()))
		b.WriteString(strings.TrimRight(c.Text[2:], " \t"))
	}
	return strings.TrimSpace(b.String())
}
