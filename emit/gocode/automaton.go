package gocode

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// An automaton is what a regular expression matches, as a deterministic finite automaton: crdAutomaton of emit/support
// with its tables. Most patterns of APIs are small ones, and it answers some ten times faster than package regexp.
type automaton struct {
	prog *syntax.Prog
	// bounds are where ranges of characters begin that no instruction tells apart, class is the class of each.
	bounds []rune
	class  []int
	// sample is a character of each class.
	sample []rune
	// states are the sets of instructions by their text, in the order in which they were found; the first two are the
	// same in every automaton.
	byText map[string]int
	states []stateSet
	next   [][]int
	start  int
	// ends says of each state whether a text may end there.
	ends []bool
}

// A stateSet is a state: the instructions that are waiting for a character, or for the end of the text.
type stateSet struct {
	pcs []uint32
	// begin is set at the beginning of the text.
	begin bool
}

// The states that every automaton has, and the limits: a state is one byte.
const (
	stateNever   = 0
	stateMatched = 1
	maxStates    = 256
	maxTable     = 2048 // bytes
	maxRanges    = 16
	// maxFound is how many states there may be before those are merged that do not differ.
	maxFound = 1024
)

// newAutomaton makes an automaton of a regular expression; ok is false where it would be large, or depends on more than
// the characters that were read: on words or lines around a place.
func newAutomaton(expression string) (a *automaton, ok bool) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, false // the proof has said so
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, false
	}
	a = &automaton{prog: prog, byText: map[string]int{}, states: make([]stateSet, 2), next: make([][]int, 2)}
	for i := range prog.Inst {
		in := &prog.Inst[i]
		if in.Op == syntax.InstEmptyWidth && syntax.EmptyOp(in.Arg)&^(syntax.EmptyBeginText|syntax.EmptyEndText) != 0 {
			return nil, false
		}
	}
	if !a.classify() {
		return nil, false
	}
	waiting, matched := a.closure([]uint32{uint32(prog.Start)}, true, false)
	a.start = a.state(waiting, matched, true)
	for s := 2; s < len(a.states); s++ {
		if len(a.states) > maxFound {
			return nil, false
		}
		next := make([]int, len(a.sample))
		for c, r := range a.sample {
			next[c] = a.step(a.states[s], r)
		}
		a.next = append(a.next, next)
	}
	a.merge()
	return a, len(a.next) <= maxStates && len(a.next)*len(a.sample) <= maxTable
}

// merge makes one state of all that no text tells apart (Moore's algorithm). Then there are only next, ends and start.
func (a *automaton) merge() {
	block := make([]int, len(a.states))
	for s := range a.states {
		if a.ends = append(a.ends, a.final(s)); a.ends[s] {
			block[s] = stateMatched
		}
	}
	for count := 2; ; {
		numbers := map[string]int{}
		refined := make([]int, len(block))
		for s := range block {
			key := binary.AppendUvarint(nil, uint64(block[s]))
			for c := range a.sample {
				key = binary.AppendUvarint(key, uint64(block[a.after(s, c)]))
			}
			if _, ok := numbers[string(key)]; !ok {
				numbers[string(key)] = len(numbers)
			}
			refined[s] = numbers[string(key)]
		}
		block = refined
		if len(numbers) == count {
			break
		}
		count = len(numbers)
	}
	var next [][]int
	var ends []bool
	for s, b := range block {
		if b < len(next) {
			continue // blocks are numbered by their first states
		}
		row := make([]int, len(a.sample))
		for c := range row {
			row[c] = block[a.after(s, c)]
		}
		next, ends = append(next, row), append(ends, a.ends[s])
	}
	a.next, a.ends, a.start = next, ends, block[a.start]
}

// after is the state that follows a state and a class; the first two are never left.
func (a *automaton) after(s, class int) int {
	if s <= stateMatched {
		return s
	}
	return a.next[s][class]
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
	byAnswers := map[string]int{}
	for _, r := range slices.Compact(points) {
		if r > unicode.MaxRune {
			continue
		}
		answers := make([]byte, len(a.prog.Inst))
		for i := range a.prog.Inst {
			if a.reads(uint32(i), r) {
				answers[i] = 1
			}
		}
		class, ok := byAnswers[string(answers)]
		if !ok {
			class = len(a.sample)
			byAnswers[string(answers)] = class
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

// closure follows all instructions that read nothing. What is left waits for a character, or for the end; it is nil and
// matched is set where the expression has matched.
func (a *automaton) closure(pcs []uint32, begin, end bool) (waiting []uint32, matched bool) {
	seen := make([]bool, len(a.prog.Inst))
	for len(pcs) > 0 {
		pc := pcs[len(pcs)-1]
		pcs = pcs[:len(pcs)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
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

// state numbers a state.
func (a *automaton) state(pcs []uint32, matched, begin bool) int {
	switch {
	case matched:
		return stateMatched
	case len(pcs) == 0 && !begin:
		return stateNever
	}
	text := []byte{0}
	if begin {
		text[0] = 1
	}
	for _, pc := range pcs {
		text = binary.BigEndian.AppendUint32(text, pc)
	}
	s, ok := a.byText[string(text)]
	if !ok {
		s = len(a.states)
		a.byText[string(text)] = s
		a.states = append(a.states, stateSet{pcs, begin})
	}
	return s
}

// step is the state after a character. A match may begin behind each one.
func (a *automaton) step(s stateSet, r rune) int {
	pcs := []uint32{uint32(a.prog.Start)}
	for _, pc := range s.pcs {
		if a.reads(pc, r) {
			pcs = append(pcs, a.prog.Inst[pc].Out)
		}
	}
	waiting, matched := a.closure(pcs, false, false)
	return a.state(waiting, matched, false)
}

// final reports whether a text that ends in a state matches.
func (a *automaton) final(s int) bool {
	if s < 2 {
		return s == stateMatched
	}
	_, matched := a.closure(slices.Clone(a.states[s].pcs), a.states[s].begin, true)
	return matched
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

// matches is the condition that a regular expression matches somewhere in a text. It is a variable of the name: an
// automaton, or where that would be large, what package regexp makes of it.
func (w *writer) matches(expression string, text jen.Code, name, doc string) *jen.Statement {
	if automaton, ok := w.automaton(expression, name, doc); ok {
		return jen.Id(automaton).Dot("match").Call(text)
	}
	return jen.Id(w.variable(name, doc, jen.Id("crdPattern").Call(jen.Lit(expression)))).Call().Dot("MatchString").
		Call(text)
}

// automaton is the variable of a regular expression's automaton, if it has a small one.
func (w *writer) automaton(expression, name, doc string) (variable string, ok bool) {
	a, known := w.automata[expression]
	if !known {
		if made, ok := newAutomaton(expression); ok {
			a = made
		}
		w.automata[expression] = a
	}
	if a == nil {
		return "", false
	}
	return w.variable(name, doc+": "+strconv.Quote(expression), a.code()), true
}

// code is the automaton as a crdAutomaton.
func (a *automaton) code() jen.Code {
	var ascii, next, final []byte
	for r, i := rune(0), 0; r < utf8.RuneSelf; r++ {
		for i+1 < len(a.bounds) && a.bounds[i+1] <= r {
			i++
		}
		ascii = append(ascii, '0'+byte(a.class[i]))
	}
	for s, row := range a.next {
		for _, to := range row {
			next = append(next, '0'+byte(to))
		}
		mark := byte('0')
		if a.ends[s] {
			mark = '1'
		}
		final = append(final, mark)
	}
	return jen.Id("crdAutomaton").Values(jen.Dict{
		jen.Id("ascii"): jen.Lit(string(ascii)), jen.Id("others"): jen.Index().Id("crdClassFrom").Values(a.others()...),
		jen.Id("classes"): jen.Lit(len(a.sample)), jen.Id("next"): jen.Lit(string(next)),
		jen.Id("start"): jen.Lit(a.start), jen.Id("final"): jen.Lit(string(final)),
	})
}
