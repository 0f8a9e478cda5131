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
			class = a.class(r)
			i += size
		}
		state = next[class*states-'0'+int(state)]
	}
	return a.final[state-'0'] == '1'
}

// class is the class of a character after the first 128.
func (a *crdAutomaton) class(r rune) int {
	class := byte(0)
	for _, o := range a.others {
		if r < o.from {
			break
		}
		class = o.class
	}
	return int(class)
}
