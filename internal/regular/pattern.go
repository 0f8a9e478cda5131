// Package regular decides whether a string exists that some patterns match and others do not. Patterns and bounds of
// lengths enter, a string or the certainty that none exists leaves; or the table with which a program decides for each
// string whether it is such a string.
//
// A pattern is a regular expression as API servers evaluate it: regexp.MatchString on valid UTF-8, so it may match
// anywhere in the string. Its program (regexp/syntax.Prog) is turned into a deterministic automaton, state by state as
// the search reaches them (automaton.go). The search runs all automata of a query at once (search.go), on an alphabet
// with one rune for all runes that no pattern tells apart (alphabet.go). A table has all states of that product
// (table.go).
package regular

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crdproof/crdproof/internal/effort"
)

// A Pattern is a compiled regular expression. It is never modified, so searches may share it.
type Pattern struct {
	text    string
	prog    *syntax.Prog
	classes classes
	// conditions are all conditions in the program.
	conditions syntax.EmptyOp
}

// ErrTooLarge is the error of a pattern whose program is too large.
var ErrTooLarge = errors.New("the program of the pattern is too large")

// Compile parses a regular expression as regexp.Compile does. The error is that of regexp/syntax, or ErrTooLarge.
func Compile(text string, total *effort.Budget) (*Pattern, error) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if n := size(re); n > effort.DiffProgram.N() || !total.Spend(n) {
		return nil, ErrTooLarge
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	out := newPattern(text, prog, total)
	if total.Ended() {
		return nil, ErrTooLarge
	}
	return out, nil
}

func newPattern(text string, prog *syntax.Prog, total *effort.Budget) *Pattern {
	p := &Pattern{text: text, prog: prog, classes: classesOf(prog, total)}
	for _, inst := range prog.Inst {
		if inst.Op == syntax.InstEmptyWidth {
			p.conditions |= syntax.EmptyOp(inst.Arg)
		}
	}
	return p
}

// HasBoundaries reports whether the pattern depends on boundaries of words or lines.
func (p *Pattern) HasBoundaries() bool { return p.conditions&(lineConditions|wordConditions) != 0 }

// size estimates the number of instructions of an expression: counted repetitions repeat its program.
func size(re *syntax.Regexp) int {
	out := 1
	if re.Op == syntax.OpLiteral {
		out = len(re.Rune)
	}
	for _, sub := range re.Sub {
		out += size(sub)
	}
	if re.Op == syntax.OpRepeat {
		out *= max(re.Min, re.Max, 1)
	}
	return out
}

// String returns the text of the regular expression.
func (p *Pattern) String() string { return p.text }

// Enum returns a pattern that matches exactly the given strings, at least one. Those that are not valid UTF-8 are
// ignored. Their program is made without the parser, whose limits a long list exceeds.
func Enum(words []string, total *effort.Budget) *Pattern {
	prog := &syntax.Prog{}
	add := func(inst syntax.Inst) uint32 {
		total.Spend(1)
		prog.Inst = append(prog.Inst, inst)
		return uint32(len(prog.Inst) - 1)
	}
	var quoted []string
	start := add(syntax.Inst{Op: syntax.InstFail})
	match := add(syntax.Inst{Op: syntax.InstMatch})
	end := add(syntax.Inst{Op: syntax.InstEmptyWidth, Out: match, Arg: uint32(syntax.EmptyEndText)})
	for _, word := range words {
		if !utf8.ValidString(word) {
			continue
		}
		quoted = append(quoted, regexp.QuoteMeta(word))
		next := end
		for _, r := range slices.Backward([]rune(word)) {
			next = add(syntax.Inst{Op: syntax.InstRune1, Out: next, Rune: []rune{r}})
		}
		start = add(syntax.Inst{Op: syntax.InstAlt, Out: next, Arg: start})
	}
	prog.Start = int(add(syntax.Inst{Op: syntax.InstEmptyWidth, Out: start, Arg: uint32(syntax.EmptyBeginText)}))
	return newPattern(`^(?:`+strings.Join(quoted, "|")+`)$`, prog, total)
}
