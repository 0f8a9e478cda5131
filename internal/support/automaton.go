package support

import "unicode/utf8"

// An Automaton is a regular expression as a finite automaton. It only reports whether the expression matches
// somewhere in a string, with the result of regexp.MatchString, and reads each byte once.
//
// Classes of characters and states are bytes from '0'.
type Automaton struct {
	// ASCII has the classes of the first 128 characters; Others has the ranges of all other characters, by their
	// first one.
	ASCII  string
	Others []ClassFrom
	// Next is the transition table: the state that follows state s and class c is at c*states + s, counted from 0. Only
	// the sum has to wait for the state.
	Next string
	// Start is the first state, and Final says for each state whether the string may end there.
	Start byte
	Final string
}

// A ClassFrom is a range of characters of one class, up to the beginning of the next range.
type ClassFrom struct {
	From  rune
	Class byte
}

// The states that are the same in all automata: the expression cannot match any more, and it has matched.
const (
	never   = '0'
	matched = '1'
)

// Match reports whether the expression matches somewhere in the string.
func (a *Automaton) Match(text string) bool {
	state, ascii, next, states := a.Start, a.ASCII, a.Next, len(a.Final)
	for i := 0; state > matched && i < len(text); {
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(ascii[c]) - '0'
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			class = classOf(a.Others, r)
			i += size
		}
		state = next[class*states-'0'+int(state)]
	}
	return a.Final[state-'0'] == '1'
}

// A SmallAutomaton is an automaton of at most 10 states and 16 classes, which matches several times faster: what a
// character does in all states is one number. A state is a position of bits in it.
type SmallAutomaton struct {
	// ASCII and Others are those of Automaton.
	ASCII  string
	Others []ClassFrom
	// Next has a number for each class: the six bits at a state are the state that follows. Only the shift has to wait
	// for the state.
	Next [16]uint64
	// Start is the first state. The bit of Final at a state says whether the string may end there.
	Start, Final uint64
}

// Match reports whether the expression matches somewhere in the string.
func (a *SmallAutomaton) Match(text string) bool {
	state, ascii := a.Start, a.ASCII
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			state = a.after(state, text[i:])
			break
		}
		state = a.Next[ascii[c]&15] >> (state & 63)
	}
	return a.Final>>(state&63)&1 == 1
}

// after is the state after the rest of a text, with characters of any kind.
func (a *SmallAutomaton) after(state uint64, rest string) uint64 {
	for _, r := range rest {
		class := 0
		if r < utf8.RuneSelf {
			class = int(a.ASCII[r])
		} else {
			class = classOf(a.Others, r)
		}
		state = a.Next[class&15] >> (state & 63)
	}
	return state
}

// classOf is the class of a character after the first 128.
func classOf(others []ClassFrom, r rune) int {
	class := byte(0)
	for _, o := range others {
		if r < o.From {
			break
		}
		class = o.Class
	}
	return int(class)
}
