package expr

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

// Source is the text of an expression, cut into tokens. CEL keeps one position for each part of an expression, of its
// operator or bracket, counted in runes; the range of a part is that of all tokens that belong to it.
type Source struct {
	Text   string
	Runes  []rune
	Tokens []Token
	info   *ast.SourceInfo
}

// A Token is at runes from Start to End. Match is the token of the other bracket.
type Token struct{ Start, End, Match int }

// SourceOf cuts the text of a compiled expression.
func SourceOf(checked *cel.Ast) *Source {
	text := checked.Source().Content()
	s := &Source{Text: text, Runes: []rune(text), info: checked.NativeRep().SourceInfo()}
	lexer := gen.NewCELLexer(antlr.NewInputStream(text))
	lexer.RemoveErrorListeners() // the text has been compiled
	var open []int
	for _, t := range lexer.GetAllTokens() {
		if t.GetChannel() != antlr.TokenDefaultChannel {
			continue // white space or a comment
		}
		n := len(s.Tokens)
		s.Tokens = append(s.Tokens, Token{t.GetStart(), t.GetStop() + 1, n})
		switch t.GetTokenType() {
		case gen.CELLexerLPAREN, gen.CELLexerLBRACKET, gen.CELLexerLBRACE:
			open = append(open, n)
		case gen.CELLexerRPAREN, gen.CELLexerRPRACKET, gen.CELLexerRBRACE:
			last := open[len(open)-1]
			s.Tokens[n].Match, s.Tokens[last].Match = last, n
			open = open[:len(open)-1]
		}
	}
	return s
}

// IsWordRune reports whether a rune may be part of a name.
func IsWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// at returns the token at the position of a part, -1 if it has none.
func (s *Source) at(id int64) int {
	r, ok := s.info.GetOffsetRange(id)
	if !ok {
		return -1
	}
	i, found := slices.BinarySearchFunc(s.Tokens, int(r.Start), func(t Token, at int) int { return t.Start - at })
	if !found {
		i--
	}
	return i
}

// Span returns the first and the last token of a part of an expression. It is false for parts that are not in the text.
func (s *Source) Span(e ast.Expr) (first, last int, ok bool) {
	first, last = len(s.Tokens), -1
	cover := func(from, to int) {
		first, last = min(first, max(from, 0)), max(last, min(to, len(s.Tokens)-1))
	}
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		i := s.at(e.ID())
		if i < 0 {
			return
		}
		from, to := i, i
		if s.Word(i) == "(" {
			from -= s.nameBefore(e)
		}
		switch {
		case e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly():
			to++
		case e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.OptSelect:
			to += 2
		case s.Word(i) == "-":
			to++
		}
		cover(from, to)
	}))
	for i := first; i <= last; i++ {
		if match := s.Tokens[i].Match; match < first || match > last {
			cover(match, match)
			i = min(i, match) // look at what is new as well
		}
	}
	return first, last, last >= 0
}

// nameBefore is the number of tokens of a function's name before its bracket.
func (s *Source) nameBefore(e ast.Expr) int {
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

// Word is the text of a token, "" if there is no such token.
func (s *Source) Word(i int) string {
	if i < 0 || i >= len(s.Tokens) {
		return ""
	}
	return string(s.Runes[s.Tokens[i].Start:s.Tokens[i].End])
}

// Bytes returns the range of tokens in bytes.
func (s *Source) Bytes(first, last int) (start, end int) {
	return s.offset(s.Tokens[first].Start), s.offset(s.Tokens[last].End)
}

func (s *Source) offset(rune int) int {
	n := 0
	for _, r := range s.Runes[:rune] {
		n += utf8.RuneLen(r)
	}
	return n
}

// Cut returns the text of a part.
func (s *Source) Cut(e ast.Expr) string {
	first, last, ok := s.Span(e)
	if !ok {
		return ""
	}
	start, end := s.Bytes(first, last)
	return s.Text[start:end]
}
