package support

import "unicode/utf8"

// A crdAutomaton is a regular expression as a finite automaton. It only reports whether the expression matches
// somewhere in a string, with the result of regexp.MatchString, and reads each byte once.
//
// Classes of characters and states are bytes from '0'.
type crdAutomaton struct {
	// ascii has the classes of the first 128 characters; others has the ranges of all other characters, by their
	// first one.
	ascii  string
	others []crdClassFrom
	// next is the transition table: the state that follows state s and class c is at c*states + s, counted from 0. Only
	// the sum has to wait for the state.
	next string
	// start is the first state, and final says for each state whether the string may end there.
	start byte
	final string
}

// A crdClassFrom is a range of characters of one class, up to the beginning of the next range.
type crdClassFrom struct {
	from  rune
	class byte
}

// The states that are the same in all automata: the expression cannot match any more, and it has matched.
const (
	crdNever   = '0'
	crdMatched = '1'
)

// match reports whether the expression matches somewhere in the string.
func (a *crdAutomaton) match(text string) bool {
	state, ascii, next, states := a.start, a.ascii, a.next, len(a.final)
	for i := 0; state > crdMatched && i < len(text); {
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(ascii[c]) - '0'
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			class = crdClassOf(a.others, r)
			i += size
		}
		state = next[class*states-'0'+int(state)]
	}
	return a.final[state-'0'] == '1'
}

// A crdSmallAutomaton is an automaton of at most 10 states and 16 classes, which matches several times faster: what a
// character does in all states is one number. A state is a position of bits in it.
type crdSmallAutomaton struct {
	// ascii and others are those of crdAutomaton.
	ascii  string
	others []crdClassFrom
	// next has a number for each class: the six bits at a state are the state that follows. Only the shift has to wait
	// for the state.
	next [16]uint64
	// start is the first state. The bit of final at a state says whether the string may end there.
	start, final uint64
}

// match reports whether the expression matches somewhere in the string.
func (a *crdSmallAutomaton) match(text string) bool {
	state, ascii := a.start, a.ascii
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			state = a.after(state, text[i:])
			break
		}
		state = a.next[ascii[c]&15] >> (state & 63)
	}
	return a.final>>(state&63)&1 == 1
}

// after is the state after the rest of a text, with characters of any kind.
func (a *crdSmallAutomaton) after(state uint64, rest string) uint64 {
	for _, r := range rest {
		class := 0
		if r < utf8.RuneSelf {
			class = int(a.ascii[r])
		} else {
			class = crdClassOf(a.others, r)
		}
		state = a.next[class&15] >> (state & 63)
	}
	return state
}

// crdClassOf is the class of a character after the first 128.
func crdClassOf(others []crdClassFrom, r rune) int {
	class := byte(0)
	for _, o := range others {
		if r < o.from {
			break
		}
		class = o.class
	}
	return int(class)
}
