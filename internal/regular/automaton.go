package regular

import (
	"encoding/binary"
	"math"
	"regexp/syntax"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
)

// An automaton is the deterministic automaton of a pattern, as far as a search has reached it.
type automaton struct {
	*Pattern
	*allowance
	states []state
	ids    map[string]int32
	begins bool  // a match only begins at the start of the string
	marks  []int // the last call of closure that reached an instruction
	calls  int

	stack, outs, reached []uint32 // buffers
	key                  []byte
}

// A state is what matters of the runes before a position: the instructions that may come next, and the previous rune
// if one of them asks for it.
type state struct {
	pcs  []uint32 // sorted: instructions that consume a rune, and conditions that depend on the next one
	prev rune     // stands for all runes that conditions do not tell apart
	next []int32  // the state after each class; 0 if it is not known yet
	ends bool     // the pattern matches if the string ends here
}

const (
	unknown int32 = iota
	dead          // the pattern matches no string that continues from here
	matched       // it matches all of them
)

const (
	behind = syntax.EmptyBeginText | syntax.EmptyBeginLine // conditions that depend on the previous rune alone
	all    = behind | syntax.EmptyEndText | syntax.EmptyEndLine | wordConditions

	lineConditions = syntax.EmptyBeginLine | syntax.EmptyEndLine
	wordConditions = syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary
)

// newAutomaton returns the automaton of a pattern and its first state.
func newAutomaton(p *Pattern, steps *allowance) (*automaton, int32) {
	a := &automaton{Pattern: p, allowance: steps, ids: map[string]int32{}, marks: make([]int, len(p.prog.Inst))}
	a.states = []state{unknown: {}, dead: {}, matched: {ends: true}}
	later, empty := a.closure([]uint32{uint32(p.prog.Start)}, syntax.EmptyOpContext('\n', 0), behind)
	a.begins = len(later) == 0 && !empty
	return a, a.state(nil, -1)
}

// matches reports whether the pattern matches a string. The result is undefined if the total is exceeded.
func (p *Pattern) matches(word []rune, total *effort.Budget) bool {
	a, id := newAutomaton(p, &allowance{left: math.MaxInt, total: total})
	for _, r := range word {
		if a.left < 0 {
			return false
		}
		i, starts := slices.BinarySearch(p.classes.starts, r)
		if !starts {
			i--
		}
		id = a.step(id, p.classes.class[i])
	}
	return a.states[id].ends
}

// step returns the state after a rune of a class.
func (a *automaton) step(id, class int32) int32 {
	if id <= matched {
		return id
	}
	if next := a.states[id].next[class]; next != unknown {
		return next
	}
	next := a.compute(&a.states[id], a.classes.samples[class])
	a.states[id].next[class] = next
	return next
}

func (a *automaton) compute(s *state, r rune) int32 {
	pcs, ok := a.closure(s.pcs, syntax.EmptyOpContext(s.prev, r), all)
	if ok {
		return matched
	}
	outs := a.outs[:0]
	for _, pc := range pcs {
		if inst := &a.prog.Inst[pc]; inst.MatchRune(r) {
			outs = append(outs, inst.Out)
		}
	}
	a.outs = outs
	return a.state(outs, r)
}

// state returns the state before the given instructions, after a rune or, if that is -1, at the start of the string. A
// match may also start here.
func (a *automaton) state(pcs []uint32, prev rune) int32 {
	pcs = append(pcs, uint32(a.prog.Start))
	pcs, ok := a.closure(pcs, syntax.EmptyOpContext(prev, 0), behind)
	switch {
	case ok:
		return matched
	case len(pcs) == 0 && a.begins:
		return dead
	}
	slices.Sort(pcs)
	asks := slices.ContainsFunc(pcs, func(pc uint32) bool { return a.prog.Inst[pc].Op == syntax.InstEmptyWidth })
	switch {
	case asks && (prev < 0 || prev == '\n' && a.conditions&lineConditions != 0):
	case asks && syntax.IsWordChar(prev) && a.conditions&wordConditions != 0:
		prev = 'a'
	default:
		prev = ' '
	}
	key := binary.NativeEndian.AppendUint32(a.key[:0], uint32(prev))
	for _, pc := range pcs {
		key = binary.NativeEndian.AppendUint32(key, pc)
	}
	a.key = key
	if id, ok := a.ids[string(key)]; ok {
		return id
	}
	id := int32(len(a.states))
	a.ids[string(key)] = id
	pcs = slices.Clone(pcs)
	_, ends := a.closure(pcs, syntax.EmptyOpContext(prev, -1), all)
	a.states = append(a.states, state{pcs, prev, make([]int32, len(a.classes.samples)), ends})
	a.spend(len(a.classes.samples))
	return id
}

// closure follows all instructions that do not consume a rune. Conditions that depend on more than what is known are
// results, like instructions that consume a rune. It returns true if it reaches the end of the program. The result is
// valid until the next call.
func (a *automaton) closure(from []uint32, holds, known syntax.EmptyOp) ([]uint32, bool) {
	a.calls++
	pcs, stack := a.reached[:0], append(a.stack[:0], from...)
	steps := 0
	defer func() {
		a.reached, a.stack = pcs, stack
		a.spend(steps)
	}()
	for len(stack) > 0 {
		pc := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if a.marks[pc] == a.calls {
			continue
		}
		a.marks[pc] = a.calls
		steps++
		switch inst := &a.prog.Inst[pc]; inst.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			stack = append(stack, inst.Arg, inst.Out)
		case syntax.InstCapture, syntax.InstNop:
			stack = append(stack, inst.Out)
		case syntax.InstEmptyWidth:
			switch op := syntax.EmptyOp(inst.Arg); {
			case op&known&^holds != 0: // it is not met
			case op&^known == 0:
				stack = append(stack, inst.Out)
			default:
				pcs = append(pcs, pc)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			pcs = append(pcs, pc)
		}
	}
	return pcs, false
}
