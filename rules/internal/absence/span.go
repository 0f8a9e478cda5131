package absence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser/gen"
)

// source is the text of an expression, cut into tokens. CEL keeps one position for each part of an expression, of its
// operator or bracket, counted in runes; the range of a part is that of all tokens that belong to it.
type source struct {
	text    string
	runes   []rune
	tokens  []token
	checked *ast.AST
}

// A token is at runes from start to end. match is the token of the other bracket.
type token struct{ start, end, match int }

func sourceOf(checked *cel.Ast) *source {
	text := checked.Source().Content()
	s := &source{text: text, runes: []rune(text), checked: checked.NativeRep()}
	lexer := gen.NewCELLexer(antlr.NewInputStream(text))
	lexer.RemoveErrorListeners() // the text has been compiled
	var open []int
	for _, t := range lexer.GetAllTokens() {
		if t.GetChannel() != antlr.TokenDefaultChannel {
			continue // white space or a comment
		}
		n := len(s.tokens)
		s.tokens = append(s.tokens, token{t.GetStart(), t.GetStop() + 1, n})
		switch t.GetTokenType() {
		case gen.CELLexerLPAREN, gen.CELLexerLBRACKET, gen.CELLexerLBRACE:
			open = append(open, n)
		case gen.CELLexerRPAREN, gen.CELLexerRPRACKET, gen.CELLexerRBRACE:
			last := open[len(open)-1]
			s.tokens[n].match, s.tokens[last].match = last, n
			open = open[:len(open)-1]
		}
	}
	return s
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// at returns the token at the position of a part, -1 if it has none.
func (s *source) at(id int64) int {
	r, ok := s.checked.SourceInfo().GetOffsetRange(id)
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

// nameBefore returns the number of tokens of a function's name before its bracket.
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
