package absence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// source is the text of an expression, cut into tokens. CEL keeps one position for each part of an expression, of its
// operator or bracket, counted in runes; the range of a part is that of all tokens that belong to it.
type source struct {
	text   string
	runes  []rune
	tokens []token
	info   *ast.SourceInfo
}

// A token is a word, a number, a string or one character, at runes from start to end. match is the token of the other
// bracket.
type token struct{ start, end, match int }

func sourceOf(checked *cel.Ast) *source {
	text := checked.Source().Content()
	s := &source{text: text, runes: []rune(text), info: checked.NativeRep().SourceInfo()}
	var open []int
	for at := 0; at < len(s.runes); {
		end := s.scan(at)
		if r := s.runes[at]; !unicode.IsSpace(r) && !s.isComment(at) {
			n := len(s.tokens)
			s.tokens = append(s.tokens, token{at, end, n})
			switch {
			case end == at+1 && strings.ContainsRune("([{", r):
				open = append(open, n)
			case end == at+1 && strings.ContainsRune(")]}", r) && len(open) > 0:
				last := open[len(open)-1]
				s.tokens[n].match, s.tokens[last].match = last, n
				open = open[:len(open)-1]
			}
		}
		at = end
	}
	return s
}

func (s *source) isComment(at int) bool { return s.is(at, '/') && s.is(at+1, '/') }

func (s *source) is(at int, r rune) bool { return at < len(s.runes) && s.runes[at] == r }

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// scan returns where the token, comment or white space ends that begins at a rune.
func (s *source) scan(at int) int {
	switch r := s.runes[at]; {
	case s.isComment(at):
		return at + max(1, indexOr(s.runes[at:], '\n'))
	case r == '"' || r == '\'':
		return s.scanString(at, false)
	case r == '`':
		return min(len(s.runes), at+2+indexOr(s.runes[at+1:], '`'))
	case isWordRune(r):
		end, number := at, unicode.IsDigit(r)
		for end < len(s.runes) && (isWordRune(s.runes[end]) || number && s.runes[end] == '.') {
			end++
		}
		prefix := strings.ToLower(string(s.runes[at:end]))
		if (s.is(end, '"') || s.is(end, '\'')) && slices.Contains([]string{"r", "b", "br", "rb"}, prefix) {
			return s.scanString(end, strings.Contains(prefix, "r"))
		}
		return end
	}
	return at + 1
}

func indexOr(runes []rune, r rune) int {
	if i := slices.Index(runes, r); i >= 0 {
		return i
	}
	return len(runes)
}

func (s *source) scanString(at int, raw bool) int {
	quote := s.runes[at]
	n := 1
	if s.is(at+1, quote) && s.is(at+2, quote) {
		n = 3
	}
	for end := at + n; end < len(s.runes); end++ {
		switch {
		case s.runes[end] == '\\' && !raw:
			end++
		case s.is(end, quote) && (n == 1 || s.is(end+1, quote) && s.is(end+2, quote)):
			return end + n
		}
	}
	return len(s.runes)
}

// at returns the token at the position of a part, -1 if it has none.
func (s *source) at(id int64) int {
	r, ok := s.info.GetOffsetRange(id)
	if !ok {
		return -1
	}
	i, found := slices.BinarySearchFunc(s.tokens, int(r.Start), func(t token, at int) int { return t.start - at })
	if !found {
		i--
	}
	return i
}

// span returns the first and the last token of a part of an expression. It is false for parts that are not in the text.
func (s *source) span(e ast.Expr) (first, last int, ok bool) {
	first, last = len(s.tokens), -1
	cover := func(from, to int) {
		first, last = min(first, max(from, 0)), max(last, min(to, len(s.tokens)-1))
	}
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		i := s.at(e.ID())
		if i < 0 {
			return
		}
		from, to := i, i
		if s.word(i) == "(" {
			from -= s.nameBefore(e)
		}
		switch {
		case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
			to++
		case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.OptSelect:
			to += 2
		case s.word(i) == "-":
			to++
		}
		cover(from, to)
	}))
	for i := first; i <= last; i++ {
		if match := s.tokens[i].match; match < first || match > last {
			cover(match, match)
			i = min(i, match) // look at what is new as well
		}
	}
	return first, last, last >= 0
}

// nameBefore is the number of tokens of a function's name before its bracket.
func (s *source) nameBefore(e ast.Expr) int {
	switch e.Kind() {
	case ast.CallKind:
		if call := e.AsCall(); !call.IsMemberFunction() {
			return 2*strings.Count(call.FunctionName(), ".") + 1
		}
		return 1
	case ast.ComprehensionKind, ast.SelectKind:
		return 1
	}
	return 0
}

func (s *source) word(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return string(s.runes[s.tokens[i].start:s.tokens[i].end])
}

// bytes returns the range of tokens in bytes.
func (s *source) bytes(first, last int) (start, end int) {
	return s.offset(s.tokens[first].start), s.offset(s.tokens[last].end)
}

func (s *source) offset(rune int) int {
	n := 0
	for _, r := range s.runes[:rune] {
		n += utf8.RuneLen(r)
	}
	return n
}

// cut returns the text of a part.
func (s *source) cut(e ast.Expr) string {
	first, last, ok := s.span(e)
	if !ok {
		return ""
	}
	start, end := s.bytes(first, last)
	return s.text[start:end]
}
