package adopt

import (
	"slices"
	"strings"
)

// A word is a part of a line of shell between blanks, as it is written, with its offset in the line. An operator is a
// word too.
type word struct {
	text string
	at   int
	// isOperator is set for what is between commands: &&, ;, pipes, redirections and parentheses.
	isOperator bool
}

// isRedirection reports whether the word is an operator after which a file is named.
func (w word) isRedirection() bool { return w.isOperator && strings.Trim(w.text, "<>") == "" }

// split splits a line of shell into words. A quoted part, and a variable with its parentheses, belong to the word that
// has them. It returns false if a quote or a parenthesis is not closed.
func split(line string) (out []word, ok bool) {
	for i := 0; i < len(line); {
		if n := blank(line[i:]); n > 0 {
			i += n
			continue
		}
		if line[i] == '#' {
			return out, true
		}
		if n := operator(line[i:]); n > 0 {
			out = append(out, word{line[i : i+n], i, true})
			i += n
			continue
		}
		n := 0
		for i+n < len(line) && blank(line[i+n:]) == 0 && operator(line[i+n:]) == 0 {
			step := part(line[i+n:])
			if step == 0 {
				return out, false
			}
			n += step
		}
		out = append(out, word{text: line[i : i+n], at: i})
		i += n
	}
	return out, true
}

// blank returns the length of a blank at the beginning of a text. A backslash that continues a line is one.
func blank(text string) int {
	switch {
	case text == "":
		return 0
	case strings.ContainsRune(" \t\n\r", rune(text[0])):
		return 1
	case strings.HasPrefix(text, "\\\n"):
		return 2
	case strings.HasPrefix(text, "\\\r\n"):
		return 3
	}
	return 0
}

// operator returns the length of an operator at the beginning of a text.
func operator(text string) int {
	for _, op := range []string{"&&", "||", ";;", ">>", "<<", ";", "|", "&", ">", "<", "(", ")"} {
		if strings.HasPrefix(text, op) {
			return len(op)
		}
	}
	return 0
}

// part returns the length of the part of a word at the beginning of a text, 0 if it is not closed.
func part(text string) int {
	pairs := map[byte]string{'\'': "'", '"': `"`, '`': "`"}
	if end, ok := pairs[text[0]]; ok {
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == end[0]:
				return i + 1
			case text[i] == '\\' && text[0] != '\'':
				i++
			}
		}
		return 0
	}
	switch {
	case strings.HasPrefix(text, "$("):
		return closed(text[1:], '(', ')', 1)
	case strings.HasPrefix(text, "${"):
		return closed(text[1:], '{', '}', 1)
	case strings.HasPrefix(text, "{{"):
		return closed(text, '{', '}', 0)
	case text[0] == '\\' && len(text) > 1:
		return 2
	}
	return 1
}

// closed returns the length of a text up to the end of a pair that it begins with, and of what is before it, or 0.
func closed(text string, open, end byte, before int) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return before + i + 1
			}
		}
	}
	return 0
}

// unquoted removes the quotes of a word without variables.
func unquoted(text string) string {
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote && quote != 0:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text) && (quote == 0 || strings.IndexByte(`"\$`, text[i+1]) >= 0):
			i++
			out.WriteByte(text[i])
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// quoted returns a word as a shell reads it back.
func quoted(text string) string {
	isOdd := func(r rune) bool { return !isName(string(r)) && !strings.ContainsRune("/:=,@%+", r) }
	if text != "" && !strings.ContainsFunc(text, isOdd) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// quotedWords returns words as a line of shell.
func quotedWords(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		out[i] = quoted(w)
	}
	return strings.Join(out, " ")
}
