package gocode

import (
	"context"
	"encoding/binary"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/effort"
)

// An automaton is a regular expression as a deterministic finite automaton: the tables of crdAutomaton and
// crdSmallAutomaton in emit/support. Most patterns of APIs are small, and the automaton is about ten times faster than
// package regexp.
type automaton struct {
	prog *syntax.Prog
	// steps bounds the making of the automaton.
	steps *effort.Budget
	// marks has the last call of closure that reached an instruction, calls is their number.
	marks []int
	calls int
	// bounds are the beginnings of ranges of characters that all instructions treat alike, class is the class of
	// each.
	bounds []rune
	class  []int
	// sample is a character of each class.
	sample []rune
	// next is the following state, by state and class of the character. The first two states are the same in every
	// automaton.
	next  [][]int
	start int
	// ends says for each state whether a string may end there.
	ends []bool
}

// The states that every automaton has, and the limits: a state is one byte, from '0'.
const (
	stateNever   = 0
	stateMatched = 1
	maxStates    = 256 - '0'
	maxTable     = 2048 // bytes
	maxRanges    = 16
)

// A numbering numbers strings in the order of their first occurrence.
type numbering map[string]int

func (n numbering) of(text []byte) (number int, isNew bool) {
	number, ok := n[string(text)]
	if !ok {
		number = len(n)
		n[string(text)] = number
	}
	return number, !ok
}

// automatonSteps is the budget of one automaton.
func automatonSteps() *effort.Budget { return effort.New(context.Background(), effort.HelperAutomaton) }

// newAutomaton makes an automaton of a regular expression; nil if it would be large, or if the expression depends on
// boundaries of words or lines.
func newAutomaton(expression string, steps *effort.Budget) *automaton {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil // the validation has reported it
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil
	}
	for _, in := range prog.Inst {
		if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return nil
		}
	}
	if !steps.Spend(len(prog.Inst)) {
		return nil
	}
	a := &automaton{prog: prog, steps: steps, marks: make([]int, len(prog.Inst))}
	if !a.classify() || !a.explore() {
		return nil
	}
	if a.merge(); !a.isWritten() {
		return nil
	}
	return a
}

// isWritten reports whether the automaton is within the limits of generated code, and was made within that of steps.
func (a *automaton) isWritten() bool {
	return !a.steps.Ended() && len(a.next) <= maxStates && len(a.next)*len(a.sample) <= maxTable
}

// explore finds the reachable states, and reports whether they are few. A state is a set of instructions that wait
// for a character, or for the end of the string.
func (a *automaton) explore() bool {
	numbers := numbering{}
	sets := [][]uint32{stateNever: nil, stateMatched: nil}
	a.ends = []bool{stateNever: false, stateMatched: true}
	for s := range sets {
		a.next = append(a.next, slices.Repeat([]int{s}, len(a.sample))) // these are never left
	}
	add := func(pcs []uint32, begin bool) int {
		waiting, matched := a.closure(pcs, begin, false)
		switch {
		case matched:
			return stateMatched
		case len(waiting) == 0 && !begin:
			return stateNever
		}
		text := strconv.AppendBool(nil, begin)
		for _, pc := range waiting {
			text = binary.BigEndian.AppendUint32(text, pc)
		}
		number, isNew := numbers.of(text)
		if isNew {
			_, ends := a.closure(slices.Clone(waiting), begin, true)
			sets, a.ends = append(sets, waiting), append(a.ends, ends)
		}
		return stateMatched + 1 + number
	}
	a.start = add([]uint32{uint32(a.prog.Start)}, true)
	for s := stateMatched + 1; s < len(sets); s++ {
		if len(sets) > effort.HelperStates.N() || !a.steps.Spend(len(sets[s])*len(a.sample)) {
			return false
		}
		row := make([]int, len(a.sample))
		for c, r := range a.sample {
			pcs := []uint32{uint32(a.prog.Start)} // a match may begin after each character
			for _, pc := range sets[s] {
				if a.reads(pc, r) {
					pcs = append(pcs, a.prog.Inst[pc].Out)
				}
			}
			row[c] = add(pcs, false)
		}
		a.next = append(a.next, row)
	}
	return true
}

// merge merges equivalent states (Moore's algorithm).
func (a *automaton) merge() {
	block := make([]int, len(a.next))
	for s, ends := range a.ends {
		if ends {
			block[s] = stateMatched
		}
	}
	for before, count := 0, 2; count != before && a.steps.Spend(len(block)*len(a.sample)); {
		before = count
		numbers := numbering{}
		refined := make([]int, len(block))
		for s := range block {
			text := binary.AppendUvarint(nil, uint64(block[s]))
			for _, to := range a.next[s] {
				text = binary.AppendUvarint(text, uint64(block[to]))
			}
			refined[s], _ = numbers.of(text)
		}
		block, count = refined, len(numbers)
	}
	var next [][]int
	var ends []bool
	for s, b := range block {
		if b < len(next) {
			continue // blocks are numbered by their first states
		}
		row := make([]int, len(a.sample))
		for c, to := range a.next[s] {
			row[c] = block[to]
		}
		next, ends = append(next, row), append(ends, a.ends[s])
	}
	a.next, a.ends, a.start = next, ends, block[a.start]
}

// classify divides all characters into classes that every instruction treats alike, and reports whether they are few.
func (a *automaton) classify() bool {
	points := []rune{0, utf8.RuneSelf}
	add := func(lo, hi rune) { points = append(points, lo, hi+1) }
	for i := range a.prog.Inst {
		in := &a.prog.Inst[i]
		switch in.Op {
		case syntax.InstRuneAnyNotNL:
			add('\n', '\n')
		case syntax.InstRune, syntax.InstRune1:
			if len(in.Rune) == 1 {
				add(in.Rune[0], in.Rune[0])
				for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
					add(r, r)
				}
			}
			for j := 0; j+1 < len(in.Rune); j += 2 {
				add(in.Rune[j], in.Rune[j+1])
			}
		}
	}
	slices.Sort(points)
	classes := numbering{}
	for _, r := range slices.Compact(points) {
		if r > unicode.MaxRune {
			continue
		}
		if !a.steps.Spend(len(a.prog.Inst)) {
			return false
		}
		answers := make([]byte, len(a.prog.Inst))
		for i := range a.prog.Inst {
			if a.reads(uint32(i), r) {
				answers[i] = 1
			}
		}
		class, isNew := classes.of(answers)
		if isNew {
			a.sample = append(a.sample, r)
		}
		if n := len(a.class); n == 0 || a.class[n-1] != class || r == utf8.RuneSelf {
			a.bounds, a.class = append(a.bounds, r), append(a.class, class)
		}
	}
	return len(a.others()) <= maxRanges
}

// reads reports whether an instruction reads a character.
func (a *automaton) reads(pc uint32, r rune) bool {
	in := &a.prog.Inst[pc]
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return in.MatchRune(r)
	}
	return false
}

// closure follows all instructions that read nothing. The result waits for a character, or for the end. If the
// expression has matched, the result is nil and matched is set.
func (a *automaton) closure(pcs []uint32, begin, end bool) (waiting []uint32, matched bool) {
	a.calls++
	for len(pcs) > 0 && a.steps.Spend(1) {
		pc := pcs[len(pcs)-1]
		pcs = pcs[:len(pcs)-1]
		if a.marks[pc] == a.calls {
			continue
		}
		a.marks[pc] = a.calls
		in := &a.prog.Inst[pc]
		switch in.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			pcs = append(pcs, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			pcs = append(pcs, in.Out)
		case syntax.InstEmptyWidth:
			switch op := syntax.EmptyOp(in.Arg); {
			case op&syntax.EmptyBeginText != 0 && !begin:
			case op&syntax.EmptyEndText != 0 && !end:
				waiting = append(waiting, pc)
			default:
				pcs = append(pcs, in.Out)
			}
		case syntax.InstFail:
		default:
			waiting = append(waiting, pc)
		}
	}
	slices.Sort(waiting)
	return waiting, false
}

// others are the ranges above ASCII: where they begin, and their classes.
func (a *automaton) others() (out []jen.Code) {
	for i, from := range a.bounds {
		if from >= utf8.RuneSelf {
			out = append(out, jen.Values(jen.LitRune(from), jen.Lit(a.class[i])))
		}
	}
	return out
}

// matches is the condition that a regular expression matches somewhere in a string. It declares a variable: an
// automaton or, if that would be large, a regexp.Regexp.
func (w *writer) matches(expression string, text jen.Code, name, doc string) *jen.Statement {
	if automaton := w.automaton(expression, name, doc); automaton != "" {
		return jen.Id(automaton).Dot("match").Call(text)
	}
	return jen.Add(w.pattern(expression, name, doc)).Dot("MatchString").Call(text)
}

// pattern is a regular expression, which is compiled when it is first needed.
func (w *writer) pattern(expression, name, doc string) jen.Code {
	return jen.Id(w.variable(name, doc, jen.Id("crdPattern").Call(jen.Lit(expression)))).Call()
}

// automaton is the variable of a regular expression's automaton, "" if it has no small one.
func (w *writer) automaton(expression, name, doc string) string {
	a := w.automatonOf(expression)
	if a == nil {
		return ""
	}
	return w.variable(name, doc+": "+strconv.Quote(expression), a.code())
}

// automatonOf is the automaton of a regular expression, nil if it has no small one.
func (w *writer) automatonOf(expression string) *automaton {
	a, known := w.automata[expression]
	if !known {
		a = newAutomaton(expression, automatonSteps())
		w.automata[expression] = a
	}
	return a
}

// readsASCII reports whether a pattern of a schema matches only texts of ASCII characters.
func (w *writer) readsASCII(pattern string) bool {
	a := w.automatonOf(pattern)
	return a != nil && a.readsASCII()
}

// readsASCII reports whether the expression matches only texts of ASCII characters, which it reads to the end.
func (a *automaton) readsASCII() bool {
	if a.start == stateMatched {
		return false
	}
	for _, row := range a.next[stateMatched+1:] {
		if slices.Contains(row, stateMatched) {
			return false
		}
		for i, from := range a.bounds {
			if from >= utf8.RuneSelf && row[a.class[i]] != stateNever {
				return false
			}
		}
	}
	return true
}

// How many states and classes a crdSmallAutomaton may have. Each state takes stateBits bits of a number.
const (
	stateBits       = 6
	maxSmallStates  = 64 / stateBits
	maxSmallClasses = 16
)

// isSmall reports whether the automaton can be a crdSmallAutomaton.
func (a *automaton) isSmall() bool {
	return len(a.next) <= maxSmallStates && len(a.sample) <= maxSmallClasses
}

// code is the automaton as a crdAutomaton or, with few states, as a crdSmallAutomaton.
func (a *automaton) code() jen.Code {
	var ascii []byte
	for r, i := rune(0), 0; r < utf8.RuneSelf; r++ {
		for i+1 < len(a.bounds) && a.bounds[i+1] <= r {
			i++
		}
		ascii = append(ascii, '0'+byte(a.class[i]))
	}
	values := jen.Dict{
		jen.Id("ascii"): jen.Lit(string(ascii)), jen.Id("others"): jen.Index().Id("crdClassFrom").Values(a.others()...),
	}
	if a.isSmall() {
		shifts, final := a.shifts()
		var numbers []jen.Code
		for _, n := range shifts {
			numbers = append(numbers, hexadecimal(n))
		}
		values[jen.Id("next")] = jen.Index(jen.Lit(maxSmallClasses)).Uint64().Values(numbers...)
		values[jen.Id("final")] = hexadecimal(final)
		values[jen.Id("start")] = jen.Lit(stateBits * a.start)
		return jen.Id("crdSmallAutomaton").Values(values)
	}
	var next, final []byte
	for class := range a.sample {
		for _, row := range a.next {
			next = append(next, '0'+byte(row[class]))
		}
	}
	for s := range a.next {
		mark := byte('0')
		if a.ends[s] {
			mark = '1'
		}
		final = append(final, mark)
	}
	values[jen.Id("next")], values[jen.Id("final")] = jen.Lit(string(next)), jen.Lit(string(final))
	values[jen.Id("start")] = jen.LitRune('0' + rune(a.start))
	return jen.Id("crdAutomaton").Values(values)
}

// shifts are the numbers of a crdSmallAutomaton: those by class, and that of the states where a string may end.
func (a *automaton) shifts() (next []uint64, final uint64) {
	for class := range a.sample {
		var number uint64
		for s, row := range a.next {
			number |= uint64(stateBits*row[class]) << (stateBits * s)
		}
		next = append(next, number)
	}
	for s, ends := range a.ends {
		if ends {
			final |= 1 << (stateBits * s)
		}
	}
	return next, final
}

func hexadecimal(number uint64) jen.Code { return jen.Op(fmt.Sprintf("%#x", number)) }
