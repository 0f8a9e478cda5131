package object

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// longestLine is the number of bytes from which a line is broken, if it can be.
const longestLine = 190

// broken returns a formatted file whose long lines are broken after && and ||, between the arguments of calls
// and between the elements of literals, from the outside to the inside.
func broken(file []byte) []byte {
	for {
		edits := lineBreaks(file)
		if len(edits) == 0 {
			return file
		}
		next, err := format.Source(edited(file, edits))
		if err != nil {
			panic(err) // line breaks after commas and parentheses are allowed
		}
		file = next
	}
}

// lineBreaks returns the edits that break the outermost lists in long lines.
func lineBreaks(file []byte) (edits []edit) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, FileName, file, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // it has just been formatted
	}
	lines := strings.Split(string(file), "\n")
	isTaken := map[int]bool{}
	isLong := func(pos, end token.Position) bool {
		return pos.Line == end.Line && !isTaken[pos.Line] && len(lines[pos.Line-1]) > longestLine
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) &&
			isLong(fset.Position(b.OpPos), fset.Position(b.Y.Pos())) {
			at := fset.Position(b.OpPos)
			isTaken[at.Line] = true
			edits = append(edits, edit{at.Offset + 2, at.Offset + 2, "\n"})
			return true
		}
		open, items, end := listOf(n)
		if len(items) == 0 {
			return true
		}
		first, last := fset.Position(open), fset.Position(end)
		const short = 60 // to break a short list does not help
		if !isLong(first, last) || last.Offset-first.Offset < short {
			return true
		}
		isTaken[first.Line] = true
		edits = append(edits, edit{first.Offset + 1, first.Offset + 1, "\n"})
		for _, item := range items[:len(items)-1] {
			comma := fset.Position(item.End()).Offset + 1
			edits = append(edits, edit{comma, comma, "\n"})
		}
		edits = append(edits, edit{last.Offset, last.Offset, ",\n"})
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	return edits
}

// listOf returns the arguments of a call or the elements of a literal, and what is around them.
func listOf(n ast.Node) (open token.Pos, items []ast.Expr, end token.Pos) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if !n.Ellipsis.IsValid() {
			return n.Lparen, n.Args, n.Rparen
		}
	case *ast.CompositeLit:
		return n.Lbrace, n.Elts, n.Rbrace
	}
	return token.NoPos, nil, token.NoPos
}
