package diag

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minWidth is the narrowest terminal that lines are made for.
const minWidth = 20

// Wrapped returns a text as lines that are not wider than a number of columns, as Text wraps them; 0 means no limit.
// The first line begins with a prefix, further ones with another.
func Wrapped(first, more, text string, width int) string {
	p := textPrinter{opts: TextOptions{Width: width}}
	p.lines(first, more, run{text: text})
	return p.out.String()
}

// A run is a part of a line in one style. A whole run is not broken; a path is broken between its parts.
type run struct {
	sgr, text       string
	isWhole, isPath bool
}

// A unit is a part of a line that is not broken, and the space before it.
type unit struct{ space, text, sgr string }

// lines writes runs as one line, or as several ones that are not wider than the terminal. The first line begins with a
// prefix, further ones with another. Words and code to copy stay whole, even if they are wider.
func (p *textPrinter) lines(first, more string, runs ...run) {
	line, used := []run{{text: first}}, columnsOf(first)
	for i, u := range unitsOf(runs) {
		if p.opts.Width > 0 && i > 0 && used+columnsOf(u.space+u.text) > p.opts.Width {
			p.line(line)
			u.space, u.text = "", Printable(u.text) // which the beginning of a line may change
			line, used = []run{{text: more}}, columnsOf(more)
		}
		used += columnsOf(u.space + u.text)
		if last := &line[len(line)-1]; last.sgr == u.sgr {
			last.text += u.space + u.text
		} else {
			line = append(line, run{text: u.space}, run{sgr: u.sgr, text: u.text})
		}
	}
	p.line(line)
}

// line writes runs without trailing space.
func (p *textPrinter) line(runs []run) {
	var out strings.Builder
	for _, r := range runs {
		if r.sgr != "" {
			r.text = p.style(r.sgr, r.text)
		}
		out.WriteString(r.text)
	}
	p.out.WriteString(strings.TrimRight(out.String(), " ") + "\n")
}

// unitsOf takes runs apart.
func unitsOf(runs []run) (out []unit) {
	for _, r := range runs {
		var list []unit
		switch text := strings.TrimLeft(r.text, " "); {
		case r.isWhole && text != "":
			list = []unit{{space: r.text[:len(r.text)-len(text)], text: text}}
		case r.isPath:
			for _, part := range pathPart.FindAllString(r.text, -1) {
				list = append(list, unit{text: part})
			}
			list[0].space = " "
		default:
			list = units(r.text)
		}
		for _, u := range list {
			u.sgr = r.sgr
			out = append(out, u)
		}
	}
	return out
}

// pathPart matches a part of the path of a field: ".name", "[0]" or the beginning.
var pathPart = regexp.MustCompile(`^[^.\[]+|[.\[][^.\[]*`)

// units takes a text apart at its spaces, but for those in code, which may be copied. Code is part of a sentence
// without a mark of its own, so it is known by its quotes, by brackets that do not begin a word, and by its operators.
// A command follows the word "run".
func units(text string) (out []unit) {
	ends, previous, isCommand := endsOf(text), "", false
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && text[i] == ' ' {
			i++
		}
		word := i
		for i < len(text) && text[i] != ' ' {
			isProse := text[i] == '(' && i == word && !isOperator(previous)
			if end := ends[i]; end > 0 && !isProse {
				i = end
			}
			i++
		}
		u := unit{space: text[start:word], text: text[word:i]}
		isCommand = isCommand && !strings.HasPrefix(u.text, "(")
		if last := len(out) - 1; last >= 0 && (isCommand || areCode(previous, u.text) || isMember(out[last].text)) {
			out[last].text += u.space + u.text
		} else if u.text != "" {
			out = append(out, u)
		}
		isCommand = (isCommand || u.text == "run") && !strings.HasSuffix(u.text, ",") && !strings.HasSuffix(u.text, ";")
		previous = u.text
	}
	return out
}

// isOperator reports whether a word joins those around it to code.
func isOperator(word string) bool {
	return slices.Contains(strings.Fields("&& || == != <= >= < > ? : + - * / = | //"), word)
}

// areCode reports whether the space between two words is in code.
func areCode(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	key, isKey := strings.CutSuffix(a, ":") // of YAML, not a position
	isKey = isKey && strings.ContainsAny(key, "-./") && !unicode.IsDigit(rune(key[len(key)-1]))
	isItem := a == "in" && strings.ContainsAny(b[:1], "['\"") || b == "in" && strings.ContainsAny(a[len(a)-1:], "'\"")
	return isOperator(a) || isOperator(b) || isKey || isItem
}

// isMember reports whether a text ends with "in" behind a quoted text, as in CEL.
func isMember(text string) bool {
	return strings.HasSuffix(text, "' in") || strings.HasSuffix(text, "\" in")
}

// endsOf returns for each byte of a text that opens a quoted text or a bracket where that is closed, or 0.
func endsOf(text string) []int {
	const opening, closing = "([{", ")]}"
	ends := make([]int, len(text))
	var open []int
	for i := 0; i < len(text); i++ {
		c := text[i]
		if end := quoteEnd(text, i); end > 0 {
			ends[i] = end
			i = end
		} else if strings.IndexByte(opening, c) >= 0 {
			open = append(open, i)
		} else if kind := strings.IndexByte(closing, c); kind >= 0 && len(open) > 0 {
			if last := open[len(open)-1]; text[last] == opening[kind] {
				ends[last] = i
				open = open[:len(open)-1]
			}
		}
	}
	return ends
}

// quoteEnd returns where a quoted text that begins at an offset ends, or 0. An apostrophe behind a letter begins none.
func quoteEnd(text string, at int) int {
	quote := text[at]
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	switch {
	case quote != '"' && quote != '`' && quote != '\'', quote == '\'' && unicode.IsLetter(before):
		return 0
	}
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == quote:
			return i
		}
	}
	return 0
}
