package support

import (
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Matcher is a regular expression that only reports whether it matches somewhere in a text. It is read when it is
// first needed.
type Matcher struct {
	// Pattern is the expression. Without a table it is compiled.
	Pattern string
	// Table is the automaton of the expression: parts with a space between them. The first part is the first state, and
	// the second one says for each state whether a text may end there, 0 or 1. The third one has ranges of characters:
	// the first character of each as a hexadecimal number, and the class of its characters, as in 0=0,61=1,7b=0. The
	// last one has, for each class, the state that follows each state. Classes and states are bytes from '0'; the first
	// two states are that the expression cannot match any more, and that it has matched.
	Table string

	machine atomic.Pointer[machine]
}

// A machine is what a Matcher does; all but one of its fields are nil.
type machine struct {
	small    *smallAutomaton
	large    *automaton
	compiled *regexp.Regexp
}

// Match reports whether the expression matches somewhere in a text.
func (m *Matcher) Match(text string) bool {
	does := m.machine.Load()
	if does == nil {
		does = m.read()
	}
	switch {
	case does.small != nil:
		return does.small.match(text)
	case does.large != nil:
		return does.large.match(text)
	}
	return does.compiled.MatchString(text)
}

// read prepares the expression.
func (m *Matcher) read() *machine {
	does := &machine{}
	if m.Table == "" {
		does.compiled = regexp.MustCompile(m.Pattern)
	} else if a := readAutomaton(m.Table); a.isSmall() {
		does.small = a.shrunk()
	} else {
		does.large = a
	}
	m.machine.Store(does)
	return does
}

// readAutomaton reads the table of a Matcher.
func readAutomaton(table string) *automaton {
	start, rest, _ := strings.Cut(table, " ")
	final, rest, _ := strings.Cut(rest, " ")
	ranges, next, ok := strings.Cut(rest, " ")
	if !ok || start == "" {
		panic(changedHelpers)
	}
	a := &automaton{start: start[0], final: final, next: next}
	var classes []classFrom
	for text := range strings.SplitSeq(ranges, ",") {
		from, class, _ := strings.Cut(text, "=")
		first, err := strconv.ParseInt(from, 16, 32)
		if err != nil || class == "" {
			panic(changedHelpers)
		}
		classes = append(classes, classFrom{rune(first), class[0]})
	}
	for c := range a.ascii {
		a.ascii[c] = byte(classOf(classes, rune(c)))
	}
	a.others = classes
	return a
}

// changedHelpers is the panic of data that crdproof did not write.
const changedHelpers = "the generated helpers were changed, or are newer than the runtime"
