package diag

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// tabWidth is the distance of the tab stops in excerpts.
	tabWidth = 4
	// excerptWidth is how many columns of a line an excerpt shows if no width is known: with the number of the line
	// about 120.
	excerptWidth = 110
	// excerptLines is the most lines that an excerpt shows.
	excerptLines = 4
	// wordWidth is the longest word that the end of an excerpt moves to the border of.
	wordWidth = 20
)

// excerpt writes the lines of the span, or the first few of them, with the span underlined.
func (p *textPrinter) excerpt(s Span, sgr string) {
	at, ok := locate(s, "")
	if !ok || at.line == 0 || strings.TrimSpace(s.Source.Line(at.line)) == "" {
		return
	}
	last := min(at.endLine, at.line+excerptLines-1)
	lead := margin(s.Source, at.line, last)
	width := len(fmt.Sprint(last))
	room := excerptWidth
	if p.opts.Width > 0 {
		room = p.opts.Width - len(indent) - width - len(" |  ")
	}
	bar := indent + p.style(faint, strings.Repeat(" ", width)+" |") + "  "
	for n := at.line; n <= last; n++ {
		line := s.Source.Line(n)
		from, to := at.col-1, len(strings.TrimRight(line, " \t\r"))
		if n > at.line {
			from = contentOf(line)
		}
		if n == at.endLine {
			to = at.endCol - 1
		}
		if n > at.line && from >= to && n == at.endLine {
			break // the span ends with the line before
		}
		text, before, marks := window(glyphs(line, lead), from, to, max(room, 3))
		number := indent + p.style(faint, fmt.Sprintf("%*d |", width, n))
		p.out.WriteString(number + strings.TrimRight("  "+text, " ") + "\n")
		if n == at.line || from < to {
			p.out.WriteString(bar + strings.Repeat(" ", before) + p.style(sgr, strings.Repeat("^", marks)) + "\n")
		}
	}
	if at.endLine > last {
		p.out.WriteString(bar + "…\n")
	}
}

// margin returns how many bytes of white space the lines have in common, but for blank ones.
func margin(s *Source, first, last int) int {
	line := s.Line(first)
	common := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	for n := first + 1; n <= last; n++ {
		if line := s.Line(n); strings.TrimSpace(line) != "" {
			for !strings.HasPrefix(line, common) {
				common = common[:len(common)-1]
			}
		}
	}
	return len(common)
}

// contentOf returns where a line begins to say something: behind white space and the slashes of a comment.
func contentOf(line string) int {
	text := strings.TrimLeft(line, " \t")
	if rest, ok := strings.CutPrefix(text, "//"); ok {
		text = strings.TrimLeft(rest, " \t")
	}
	return len(line) - len(text)
}

// window returns the part of a line around the bytes [from, to) that fits into a number of columns, with an ellipsis
// where it is cut, and how many columns are before the span and under it.
func window(line []glyph, from, to, room int) (text string, before, marks int) {
	first := slices.IndexFunc(line, func(g glyph) bool { return g.end > from })
	if first < 0 { // the span is behind the text
		first = len(line)
		line = append(line, glyph{text: " ", columns: 1, start: from, end: to})
	}
	behind := slices.IndexFunc(line, func(g glyph) bool { return g.start >= to })
	if behind < 0 {
		behind = len(line)
	}
	left, right := cut(line, first, behind, room)
	var out strings.Builder
	if left > 0 {
		out.WriteString("…")
		before = 1
	}
	for _, g := range line[left:right] {
		out.WriteString(g.text)
	}
	if right < len(line) {
		out.WriteString("…")
	}
	before += wide(line[left:first])
	return out.String(), before, max(1, wide(line[first:max(first, min(behind, right))]))
}

// cut returns the range of a line that fits into a number of columns. It contains [first, behind), or as much of that
// as fits, with about as much before it as behind it. It ends between words, unless they are long.
func cut(line []glyph, first, behind, room int) (left, right int) {
	if wide(line) <= room {
		return 0, len(line)
	}
	left, right = first, first+1
	used := line[first].columns
	fits := func(more glyph, left, right int) bool {
		total := used + more.columns
		if left > 0 {
			total++
		}
		if right < len(line) {
			total++
		}
		return total <= room
	}
	grow := func(limit int) bool {
		if right == limit || !fits(line[right], left, right+1) {
			return false
		}
		used += line[right].columns
		right++
		return true
	}
	for right < behind && grow(behind) {
	}
	for isGrowing := right >= behind; isGrowing; {
		isGrowing = false
		if left > 0 && fits(line[left-1], left-1, right) {
			left--
			used += line[left].columns
			isGrowing = true
		}
		isGrowing = grow(len(line)) || isGrowing
	}
	if left > 0 {
		start := toBorder(line, left, min(first, left+wordWidth), 1)
		used -= wide(line[left:start])
		left = start
	}
	for grow(len(line)) {
	}
	if right < len(line) {
		least := first + 1
		if right > behind {
			least = max(behind, least)
		}
		right = toBorder(line, right, max(least, right-wordWidth), -1)
	}
	return left, right
}

// toBorder moves the end of an excerpt in a direction to the next place between two words, or not at all if there is
// none before the limit.
func toBorder(line []glyph, at, limit, direction int) int {
	for i := at; ; i += direction {
		if !isWord(line[i-1]) || !isWord(line[i]) {
			return i
		}
		if i == limit {
			return at
		}
	}
}

// isWord reports whether a glyph is a part of a word.
func isWord(g glyph) bool {
	r, _ := utf8.DecodeRuneInString(g.text)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
