// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import "unicode/utf8"

// An automaton is a regular expression as a finite automaton. It reads each byte of a text once.
type automaton struct {
	// ascii has the classes of the first 128 characters, bytes from '0'; others has those of all characters.
	ascii  [utf8.RuneSelf]byte
	others []classFrom
	// next is the transition table: the state that follows state s and class c is at c*states + s, counted from 0. Only
	// the sum has to wait for the state.
	next string
	// start is the first state, and final says for each state whether the text may end there.
	start byte
	final string
}

// A classFrom is a range of characters of one class, up to the beginning of the next range.
type classFrom struct {
	from  rune
	class byte
}

// matched is the last state that is the same in all automata: the expression has matched. The one before is that it
// cannot match any more.
const matched = '1'

// match reports whether the expression matches somewhere in the text.
func (a *automaton) match(text string) bool {
	state, next, states := a.start, a.next, len(a.final)
	for i := 0; state > matched && i < len(text); {
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(a.ascii[c]) - '0'
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			class = classOf(a.others, r) - '0'
			i += size
		}
		state = next[class*states-'0'+int(state)]
	}
	return a.final[state-'0'] == '1'
}

// A smallAutomaton is an automaton of at most 10 states and 16 classes, which matches several times faster: what a
// character does in all states is one number. A state is a position of bits in it.
type smallAutomaton struct {
	// ascii and others are those of automaton.
	ascii  [utf8.RuneSelf]byte
	others []classFrom
	// next has a number for each class: the six bits at a state are the state that follows. Only the shift has to wait
	// for the state.
	next [mostClasses]uint64
	// start is the first state. The bit of final at a state says whether the text may end there.
	start, final uint64
}

// These are the limits of small automata: each state takes stateBits bits of a number.
const (
	stateBits   = 6
	mostStates  = 64 / stateBits
	mostClasses = 16
)

// isSmall reports whether an automaton can be a smallAutomaton.
func (a *automaton) isSmall() bool {
	return len(a.final) <= mostStates && len(a.next) <= mostClasses*len(a.final)
}

// shrunk is a small automaton as a smallAutomaton.
func (a *automaton) shrunk() *smallAutomaton {
	s := &smallAutomaton{ascii: a.ascii, others: a.others, start: stateBits * uint64(a.start-'0')}
	states := len(a.final)
	for i := range len(a.next) {
		s.next[i/states] |= stateBits * uint64(a.next[i]-'0') << (stateBits * (i % states))
	}
	for i := range states {
		s.final |= uint64(a.final[i]-'0') << (stateBits * i)
	}
	return s
}

// match reports whether the expression matches somewhere in the text.
func (a *smallAutomaton) match(text string) bool {
	state := a.start
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			state = a.after(state, text[i:])
			break
		}
		state = a.next[a.ascii[c]&(mostClasses-1)] >> (state & 63)
	}
	return a.final>>(state&63)&1 == 1
}

// after is the state after the rest of a text, with characters of any kind.
func (a *smallAutomaton) after(state uint64, rest string) uint64 {
	for _, r := range rest {
		class := 0
		if r < utf8.RuneSelf {
			class = int(a.ascii[r])
		} else {
			class = classOf(a.others, r)
		}
		state = a.next[class&(mostClasses-1)] >> (state & 63)
	}
	return state
}

// classOf is the class of a character.
func classOf(ranges []classFrom, r rune) int {
	class := byte('0')
	for _, o := range ranges {
		if r < o.from {
			break
		}
		class = o.class
	}
	return int(class)
}
