package load

import (
	"go/ast"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// extent returns the comments of the marker that the first one of a list begins, those that are its block, and how many
// comments of the list it has in all.
func (p *Policy) extent(list []*ast.Comment) (lines, block []*ast.Comment, size int) {
	lines = p.continued(list)
	if from, to := blockBelow(list, len(lines)); from < to && p.Markers.TakesBlock(joined(lines)) {
		return lines, list[from:to], to
	}
	return lines, nil, len(lines)
}

// blockBelow returns which comments may be the block of the marker that the first few of a list are: the lines below
// it that are indented deeper, as a code block of Go's documentation is, with the empty ones between them. Empty
// lines may precede it, as gofmt puts them there. from equals to if there is no block.
func blockBelow(list []*ast.Comment, marker int) (from, to int) {
	outer := len(indentation(list[0].Text[2:]))
	for i := marker; i < len(list); i++ {
		line, ok := strings.CutPrefix(list[i].Text, "//")
		text := strings.TrimSpace(line)
		switch {
		case ok && text == "":
			continue
		// + begins a marker, but not a CEL expression
		case !ok || len(indentation(line)) <= outer || to == 0 && text[0] == '+':
			return from, to
		case to == 0:
			from = i
		}
		to = i + 1
	}
	return from, to
}

// indentation returns the white space after the slashes of a comment, without the usual single space.
func indentation(line string) string {
	line = strings.TrimPrefix(line, " ")
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// blockText returns the text of a block, without the indentation that its lines have in common, and its place: from its
// first character to its last.
func (b *binder) blockText(list []*ast.Comment) (string, diag.Span) {
	var lines []string
	common := indentation(list[0].Text[2:])
	for _, c := range list {
		line := strings.TrimRight(strings.TrimPrefix(c.Text[2:], " "), " \t\r")
		lines = append(lines, line)
		if line != "" {
			common = commonPrefix(common, indentation(c.Text[2:]))
		}
	}
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], common)
	}
	first, last := list[0], list[len(list)-1]
	end := func(c *ast.Comment) int { return b.tok.Offset(c.Slash) + len(strings.TrimRight(c.Text, " \t\r")) }
	return strings.Join(lines, "\n"), diag.At(b.file.source, end(first)-len(lines[0]), end(last))
}

// commonPrefix returns the longest common prefix of two texts.
func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
