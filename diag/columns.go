package diag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// A glyph is what a terminal draws at one place: a character with the combining marks behind it.
type glyph struct {
	text string
	// columns is how wide it is, at least 1.
	columns int
	// start and end are its bytes in the line.
	start, end int
}

// columns returns how many columns of a terminal a character takes: none for combining marks, two for the wide ones of
// East Asia and most emoji (Unicode Standard Annex #11).
func columns(r rune) int {
	switch kind := width.LookupRune(r).Kind(); {
	case r < utf8.RuneSelf:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) || 0x1160 <= r && r <= 0x11ff: // and the vowels of Hangul
		return 0
	case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// columnsOf returns how many columns a printable text takes.
func columnsOf(text string) (n int) {
	for _, r := range text {
		n += columns(r)
	}
	return n
}

// glyphs takes a line of a source apart, without the first bytes and without trailing space. Tabs become spaces. What
// is not printable is replaced: a source file must not be able to send escape sequences to the terminal. Variation
// selectors are left out, since terminals disagree on how wide the character before them is.
func glyphs(line string, lead int) (out []glyph) {
	text, column := strings.TrimRight(line, " \t\r"), 0
	for i := lead; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		g := glyph{text: string(r), columns: columns(r), start: i, end: i + size}
		switch last := len(out) - 1; {
		case unicode.Is(unicode.Variation_Selector, r) && last >= 0:
			out[last].end = g.end
			g.text = ""
		case r == '\t':
			g.columns = tabWidth - column%tabWidth
			g.text = strings.Repeat(" ", g.columns)
		case !unicode.IsPrint(r) || r == '#' && isCommand(text, i):
			g.text, g.columns = string(utf8.RuneError), 1
		case g.columns == 0 && last >= 0:
			out[last].text += g.text
			out[last].end = g.end
			g.text = ""
		case g.columns == 0:
			g.text, g.columns = " "+g.text, 1
		}
		if i += size; g.text != "" {
			out = append(out, g)
			column += g.columns
		}
	}
	return out
}

// wide returns how many columns the glyphs take.
func wide(list []glyph) (n int) {
	for _, g := range list {
		n += g.columns
	}
	return n
}
