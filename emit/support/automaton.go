package support

import "unicode/utf8"

// A crdAutomaton is a finite automaton for a regular expression, computed when this code was generated. It only
// reports whether the expression matches somewhere in a text, as regexp.MatchString does, in a single pass.
//
// Character classes and states are numbers from 0, written as bytes from '0', and wrap around after 255.
type crdAutomaton struct {
	// ascii are the classes of the first 128 characters; others are the ranges of all characters above, by where they begin.
	ascii  string
	others []crdClassFrom
	// classes is how many there are.
	classes int
	// next is the state after a state and a class: for state s and class c it is at s*classes + c.
	next string
	// start is the first state, and final says for each whether the text may end there.
	start byte
	final string
}

// A crdClassFrom is a range of characters of one class, up to where the next one begins.
type crdClassFrom struct {
	from  rune
	class byte
}

// The states that are the same in all automata: nothing can match any more, and something has.
const (
	crdNever   = 0
	crdMatched = 1
)

// match reports whether the expression matches somewhere in the text.
func (a *crdAutomaton) match(text string) bool {
	state := int(a.start)
	for i := 0; state > crdMatched && i < len(text); {
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(a.ascii[c] - '0')
			i++
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			class = a.class(r)
			i += size
		}
		state = int(a.next[state*a.classes+class] - '0')
	}
	return a.final[state] == '1'
}

// class is that of a character above the first 128.
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
