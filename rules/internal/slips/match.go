package slips

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	kubecel "k8s.io/apiserver/pkg/cel"
)

// An Edit is what one slip makes of an expression.
type Edit struct {
	*Slip
	// Start and End are the range of the slip's first word in the expression, in bytes. Last is where the slip ends.
	Start, End, Last int
	// Text is the expression with the edit, "" if it is not known what to write.
	Text string
	// Also are the starts of the slip's other places, if it is edited at all of them.
	Also []int
}

// Edits returns what the slips of the table make of an expression, in the order of the table.
func Edits(src string) (out []Edit) {
	t := tokensOf(src)
	for i := range table {
		out = append(out, table[i].edits(t)...)
	}
	return out
}

// edits applies one slip at each of its places, and first at all of them.
func (s *Slip) edits(t *text) (out []Edit) {
	var found []match
	for i := range t.tokens {
		if m, ok := s.matchAt(t, i); ok {
			found = append(found, m)
		}
	}
	for _, become := range s.Become {
		if all, ok := t.replacedAll(found, become); ok && len(found) > 1 {
			edit := s.edit(t, found[0], all)
			for _, m := range found[1:] {
				edit.Also = append(edit.Also, t.tokens[m.at].start)
			}
			out = append(out, edit)
		}
		for _, m := range found {
			out = append(out, s.edit(t, m, t.replaced(t.src, m, become)))
		}
	}
	for _, m := range found {
		if len(s.Become) == 0 {
			out = append(out, s.edit(t, m, ""))
		}
	}
	return out
}

func (s *Slip) edit(t *text, m match, text string) Edit {
	first := t.tokens[m.at]
	last := t.tokens[max(m.at, first.match)] // a bracket is underlined with what is in it
	return Edit{Slip: s, Start: first.start, End: last.end, Last: t.tokens[max(m.end-1, m.at)].end, Text: text}
}

// A match is a place where a slip is: the tokens from first to the one before end, at being the one to underline.
type match struct {
	first, end, at int
	holes          map[string]string
}

// isHole reports whether a word of a slip stands for a part of the expression.
func isHole(word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' || word == "n"
}

// matchAt looks for a slip whose first own word is a token.
func (s *Slip) matchAt(t *text, i int) (match, bool) {
	words := strings.Fields(s.Find)
	anchor := slices.IndexFunc(words, func(w string) bool { return !isHole(w) && w != "^" || w == "O" })
	m := match{first: i, at: i, holes: map[string]string{}}
	switch isOperator := words[anchor] == "O"; {
	case isOperator && isComparison(t.word(i)):
		m.holes["O"] = t.word(i)
	case isOperator || !fits(words[anchor], t.word(i)):
		return m, false
	}
	for j := anchor - 1; j >= 0; j-- {
		var ok bool
		if m.first, ok = t.holeBefore(words[j], m.first, m.holes); !ok {
			return m, false
		}
	}
	m.end = i + 1
	isPunctuation := func(i int) bool { return len(t.word(i)) == 1 && strings.Contains(".()[]{},", t.word(i)) }
	for j, w := range words[anchor+1:] {
		if isPunctuation(m.at) && (!isHole(w) || w == "n") && !isPunctuation(m.end) {
			m.at = m.end
		}
		stop := ""
		if next := anchor + 2 + j; next < len(words) && !isHole(words[next]) {
			stop = words[next]
		}
		var ok bool
		if m.end, ok = t.wordAfter(w, stop, m.end, m.holes); !ok {
			return m, false
		}
	}
	m.at = min(m.at, len(t.tokens)-1)
	return m, true
}

// fits reports whether a token is one of the alternatives of a word.
func fits(word, token string) bool {
	isOneOf := len(word) > 2 && name.MatchString(token) && slices.Contains(strings.Split(word, "/"), token)
	return token != "" && (word == token || isOneOf)
}

// holeBefore fills a hole with what ends before a token, and returns where that begins. The word ^ wants nothing there.
func (t *text) holeBefore(hole string, end int, holes map[string]string) (first int, ok bool) {
	if end == 0 {
		return 0, hole == "^"
	}
	switch hole {
	case "^":
		return end, !t.isValue(end-1) && t.word(end-1) != "."
	case "X", "Y", "Z":
		first, ok = t.operandBefore(end)
	case "C", "D":
		first = t.before(end, conditions)
	case "E", "F", "G":
		first = t.before(end, enclosing)
	case "O", "P":
		first = end - 1
		ok = isComparison(t.word(first))
		holes[hole] = t.word(first)
		return first, ok
	case "n":
		first = end - 1
		ok = name.MatchString(t.word(first))
	case "Q":
		first = end - 1
		ok = len(t.word(first)) > 1 && t.word(first)[0] == '/'
	case "S", "T":
		first = end - 1
		ok = quoted.MatchString(t.word(first)) || number.MatchString(t.word(first))
	}
	if hole == "C" || hole == "D" || hole == "E" || hole == "F" || hole == "G" {
		ok = first < end
	}
	holes[hole] = t.cut(first, end)
	return first, ok
}

func isComparison(word string) bool {
	return slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, word)
}

// wordAfter matches a word of a slip with the tokens from one on, and returns the token after them.
func (t *text) wordAfter(word, stop string, first int, holes map[string]string) (end int, ok bool) {
	switch word {
	case "$":
		return first, first == len(t.tokens)
	case "!(": // no bracket
		return first, t.word(first) != "("
	case "X", "Y", "Z":
		end, ok = t.operandAfter(first)
	case "C", "D":
		end = t.after(first, conditions, stop)
		ok = end > first
	case "E", "F", "G":
		end = t.after(first, enclosing, stop)
		ok = end > first
	case "L": // with commas
		for end = first; end < len(t.tokens) && t.word(end) != stop; end++ {
			end = max(end, t.tokens[end].match)
		}
		ok = end > first
	case "R": // what is left of a comparison, if anything
		end, ok = t.after(first, conditions, stop), true
	case "O", "P":
		end, ok = first+1, isComparison(t.word(first))
	case "n":
		end, ok = first+1, name.MatchString(t.word(first))
	case "S", "T":
		end, ok = first+1, quoted.MatchString(t.word(first)) || number.MatchString(t.word(first))
	case "Q":
		end, ok = first+1, len(t.word(first)) > 1 && t.word(first)[0] == '/'
	default:
		return first + 1, fits(word, t.word(first))
	}
	if ok {
		holes[word] = t.cut(first, end)
	}
	return end, ok
}

// hole is a hole in what a slip becomes; @S is the name of a field that the string S has.
var hole = regexp.MustCompile(`@?\b[A-Z]\b|\bn\b`)

// replaced puts what a slip becomes in its place.
func (t *text) replaced(src string, m match, become string) string {
	out := fill(become, m.holes)
	if isWhole(out) && isBound(out, t.word(m.first-1), t.word(m.end)) {
		out = "(" + out + ")"
	}
	start, end := t.tokens[m.first].start, t.tokens[m.end-1].end
	if start > 0 && isWord(src[start-1]) && out != "" && isWord(out[0]) {
		out = " " + out
	}
	return src[:start] + out + src[end:]
}

// isWhole reports whether a text may be an expression, not only an operator or a part of a path.
func isWhole(s string) bool {
	t := tokensOf(s)
	for i := range t.tokens {
		if word := t.word(i); (word == "(" || word == "[" || word == "{") && t.tokens[i].match == i {
			return false
		}
	}
	_, ok := t.operandAfter(0)
	return ok && t.isValue(len(t.tokens)-1)
}

func isWord(c byte) bool { return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// replacedAll puts what a slip becomes in all of its places, unless they overlap.
func (t *text) replacedAll(found []match, become string) (string, bool) {
	out := t.src
	for i := len(found) - 1; i >= 0; i-- {
		if i > 0 && found[i-1].end > found[i].first {
			return "", false
		}
		out = t.replaced(out, found[i], become)
	}
	return out, true
}

// fill writes what a slip becomes, with brackets around parts that need them.
func fill(become string, holes map[string]string) string {
	// A variable of a macro must not hide another one.
	if used := strings.Join(slices.Sorted(maps.Values(holes)), " "); regexp.MustCompile(`\bx\b`).MatchString(used) {
		become = regexp.MustCompile(`\bx\b`).ReplaceAllString(become, "i")
	}
	var out strings.Builder
	at := 0
	for _, m := range hole.FindAllStringIndex(become, -1) {
		word := become[m[0]:m[1]]
		part, ok := holes[strings.TrimPrefix(word, "@")]
		if !ok {
			continue
		}
		out.WriteString(become[at:m[0]])
		at = m[1]
		switch {
		case word[0] == '@':
			escaped, _ := kubecel.Escape(unquoted(part))
			part = escaped
		case word == "Q":
			part = "r'" + strings.ReplaceAll(strings.Trim(part, "/"), `\/`, "/") + "'"
		case word == "R":
			if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "[") {
				spaced := strings.TrimRight(out.String(), " ")
				out.Reset()
				out.WriteString(spaced)
			}
		case isHole(word) && isBound(part, lastWord(become[:m[0]]), firstWord(become[m[1]:])):
			part = "(" + part + ")"
		}
		out.WriteString(part)
	}
	return out.String() + become[at:]
}

// unquoted returns the content of a string that has no escapes.
func unquoted(s string) string {
	if out, err := strconv.Unquote(`"` + strings.Trim(strings.TrimLeft(s, "rR"), `'"`) + `"`); err == nil {
		return out
	}
	return s
}

func lastWord(s string) string {
	t := tokensOf(s)
	return t.word(len(t.tokens) - 1)
}

func firstWord(s string) string { return tokensOf(s).word(0) }

// isBound reports whether a part of an expression needs brackets between two words.
func isBound(part, before, after string) bool {
	level := levelOf(part)
	return level > allowed(before, true) || level > allowed(after, false)
}

// The levels of expressions, by what they are made of: a value with its selections, a comparison or an operation,
// conditions joined by &&, or by ||, and ?:.
const (
	operand = iota
	operation
	conjunction
	disjunction
	choice
)

func levelOf(part string) int {
	t := tokensOf(part)
	level := operand
	for i := 0; i < len(t.tokens); i++ {
		switch w := t.word(i); {
		case t.tokens[i].match > i:
			i = t.tokens[i].match
		case w == "?" || w == ":" || w == ",":
			level = choice
		case w == "||":
			level = max(level, disjunction)
		case w == "&&":
			level = max(level, conjunction)
		case isComparison(w) || strings.Contains("+-*/%", w) || w == "in" || w == "!" && i > 0:
			level = max(level, operation)
		}
	}
	return level
}

// allowed returns the level that needs no brackets beside a word.
func allowed(word string, before bool) int {
	switch word {
	case "", "(", "[", "{", ",", ")", "]", "}", ":":
		return choice
	case "?":
		return disjunction
	case "||":
		return disjunction
	case "&&":
		return conjunction
	case ".", "!", "-":
		return operand
	}
	if isComparison(word) || strings.Contains("+*/%in", word) {
		return operand
	}
	if name.MatchString(word) && before {
		return choice
	}
	return operation
}

// Around returns the operands of the operator at a byte of an expression, and where they begin and end; conditions if
// wide is set.
func Around(src string, at int, wide bool) (left, right string, start, end int, ok bool) {
	t := tokensOf(src)
	i := slices.IndexFunc(t.tokens, func(token token) bool { return token.start <= at && at < token.end })
	if i <= 0 {
		return "", "", 0, 0, false
	}
	first, hasLeft := t.operandBefore(i)
	last, hasRight := t.operandAfter(i + 1)
	if wide {
		first, last = t.before(i, conditions), t.after(i+1, conditions, "")
		hasLeft, hasRight = first < i, last > i+1
	}
	if !hasLeft || !hasRight {
		return "", "", 0, 0, false
	}
	return t.cut(first, i), t.cut(i+1, last), t.tokens[first].start, t.tokens[last-1].end, true
}

// Condition returns the condition around a byte of an expression: what is between && and ||, or within brackets.
func Condition(src string, at int) (condition string, start, end int, ok bool) {
	t := tokensOf(src)
	i := slices.IndexFunc(t.tokens, func(token token) bool { return token.start <= at && at < token.end })
	if i < 0 {
		return "", 0, 0, false
	}
	first, last := t.before(i, conditions), t.after(i, conditions, "")
	if first >= last {
		return "", 0, 0, false
	}
	return t.cut(first, last), t.tokens[first].start, t.tokens[last-1].end, true
}
