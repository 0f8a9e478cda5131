package slips

import (
	"regexp"
	"strings"
)

// text is an expression, cut into tokens. It need not be valid CEL.
type text struct {
	src    string
	tokens []token
}

// A token is at bytes from start to end. match is the token of the other bracket, or the token itself.
type token struct {
	start, end, match int
	word              string
}

// lexeme is what the next token is: a string, a name, a number, or an operator of any language.
var lexeme = regexp.MustCompile(`^(?s:[rRbB]?'''.*?'''|[rRbB]?""".*?"""|[rR]'[^'\n]*'|[rR]"[^"\n]*"|` +
	`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + "`[^`\n]*`" + `|//[^\n]*|` +
	`[A-Za-z_]\w*|0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?|` +
	`===|!==|==>|&&&|\|\|\||\*\*|==|!=|<=|>=|=<|=~|!~|=>|->|:=|<>|&&|\|\||\?\?|\?\.|\?:|\.\?|\$\{|\{\{|\}\}|::|.)`)

// pattern is a regular expression as JavaScript writes it.
var pattern = regexp.MustCompile(`^/((?:[^/\\\n]|\\.)+)/`)

func tokensOf(src string) *text {
	t := &text{src: src}
	var open []int
	for at := 0; at < len(src); {
		if strings.ContainsRune(" \t\r\n", rune(src[at])) {
			at++
			continue
		}
		word := lexeme.FindString(src[at:])
		if m := pattern.FindString(src[at:]); m != "" && t.takesPattern() {
			word = m
		}
		if !strings.HasPrefix(word, "//") { // a comment
			n := len(t.tokens)
			t.tokens = append(t.tokens, token{at, at + len(word), n, word})
			switch word {
			case "(", "[", "{", "${", "{{":
				open = append(open, n)
			case ")", "]", "}", "}}":
				if last := len(open) - 1; last >= 0 {
					t.tokens[n].match, t.tokens[open[last]].match = open[last], n
					open = open[:last]
				}
			}
		}
		at += len(word)
	}
	return t
}

// takesPattern reports whether the next token may be a regular expression: there is no value to divide.
func (t *text) takesPattern() bool {
	last := t.word(len(t.tokens) - 1)
	return last == "" || strings.Contains("(,=~!~&&||", last)
}

func (t *text) word(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	return t.tokens[i].word
}

// cut returns the text of tokens, up to the one before last.
func (t *text) cut(first, last int) string {
	if first >= last {
		return ""
	}
	return t.src[t.tokens[first].start:t.tokens[last-1].end]
}

var (
	name   = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	number = regexp.MustCompile(`^\d`)
	quoted = regexp.MustCompile("^[rR]?['\"]")
)

// isValue reports whether a token ends an operand.
func (t *text) isValue(i int) bool {
	w := t.word(i)
	isName := name.MatchString(w) && w != "in" && w != "not" && w != "and" && w != "or"
	return isName || number.MatchString(w) || quoted.MatchString(w) || w == ")" || w == "]" || w == "}"
}

// operandBefore returns the first token of the operand that ends before a token: a name or a value with its selections.
func (t *text) operandBefore(end int) (first int, ok bool) {
	i := end - 1
	for {
		if !t.isValue(i) {
			return 0, false
		}
		isBracket := strings.Contains(")]}", t.word(i))
		if isBracket {
			if t.tokens[i].match == i {
				return 0, false
			}
			i = t.tokens[i].match
			if isCall := t.word(i) == "(" && name.MatchString(t.word(i-1)) && t.isValue(i-1); isCall {
				i--
			} else if t.word(i) == "[" && t.isValue(i-1) {
				i--
				continue
			}
		}
		if before := t.word(i - 1); before == "." || before == ".?" {
			if !t.isValue(i - 2) {
				return i - 1, true // a name that begins with a dot
			}
			i -= 2
			continue
		}
		return i, true
	}
}

// operandAfter returns the token after the operand that begins at a token.
func (t *text) operandAfter(first int) (end int, ok bool) {
	i := first
	for t.word(i) == "!" || t.word(i) == "-" {
		i++
	}
	switch w := t.word(i); {
	case w == "(" || w == "[" || w == "{":
		i = t.tokens[i].match + 1
	case w == "." && name.MatchString(t.word(i+1)):
		i += 2
	case name.MatchString(w) || number.MatchString(w) || quoted.MatchString(w) ||
		strings.HasPrefix(w, "/") && len(w) > 1:
		i++
	default:
		return 0, false
	}
	for {
		switch w := t.word(i); {
		case (w == "(" || w == "[") && t.tokens[i].match > i && t.isValue(i-1):
			i = t.tokens[i].match + 1
		case (w == "." || w == ".?") && name.MatchString(t.word(i+1)):
			i += 2
		default:
			return i, i > first
		}
	}
}

// conditions are the operators and brackets around a comparison, enclosing those around an expression.
const (
	enclosing  = " ( [ { ${ {{ ) ] } }} , ; "
	conditions = enclosing + " && || ? : and or AND OR & | => -> ==> ?? implies then else if "
)

// before returns the first token of the longest expression that ends before a token, without some tokens outside of
// brackets.
func (t *text) before(end int, without string) int {
	i := end
	for i > 0 {
		w := t.word(i - 1)
		if match := t.tokens[i-1].match; match < i-1 {
			i = match
			continue
		}
		if strings.Contains(without, " "+w+" ") {
			break
		}
		i--
	}
	return i
}

// after returns the token after the longest expression that begins at a token, in the same way, before a token that
// stops it.
func (t *text) after(first int, without, stop string) int {
	i := first
	for i < len(t.tokens) {
		w := t.word(i)
		if w == stop || t.tokens[i].match <= i && strings.Contains(without, " "+w+" ") {
			break
		}
		i = max(i, t.tokens[i].match) + 1
	}
	return i
}
