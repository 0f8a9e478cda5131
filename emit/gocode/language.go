package gocode

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
	celtypes "github.com/google/cel-go/common/types"

	"github.com/crdproof/crdproof/internal/effort"
)

// A language is the meaning of a condition on a text: that an automaton accepts it. So several conditions on one text
// become one automaton, which reads the text once.
type language struct {
	text      jen.Code
	automaton *automaton
	// says is the condition in words, denies its opposite.
	says, denies string
}

// textFunctions are functions of rules on a text and a constant. Each has what stands before and after the constant in
// the regular expression that says the same, and the words of a language.
var textFunctions = map[string]struct{ before, after, says, denies string }{
	"strings.Contains":  {"", "", "contains", "does not contain"},
	"strings.HasPrefix": {"^", "", "begins with", "does not begin with"},
	"strings.HasSuffix": {"", "$", "ends with", "does not end with"},
}

// language is that of a call of a rule, without the text; nil for calls that no automaton can answer.
func (c *celCompiler) language(call celCall, operands []celValue) *language {
	if !c.inGo || len(operands) != 2 {
		return nil
	}
	constant, ok := operands[1].constant.(celtypes.String)
	if !ok {
		return nil
	}
	out := &language{says: "matches", denies: "does not match"}
	expression := string(constant)
	if f, ok := textFunctions[call.function]; ok {
		if !utf8.ValidString(expression) || strings.ContainsRune(expression, utf8.RuneError) {
			return nil // automata read broken characters as U+FFFD
		}
		out.says, out.denies = f.says, f.denies
		expression = f.before + regexp.QuoteMeta(expression) + f.after
	} else if call.function != "crdMatches" {
		return nil
	}
	if out.automaton = c.w.automatonOf(expression); out.automaton == nil {
		return nil
	}
	quoted := " " + strconv.Quote(string(constant))
	out.says, out.denies = out.says+quoted, out.denies+quoted
	return out
}

// holds is the condition that the language has a text.
func (l *language) holds(code, text jen.Code) condition {
	out, on := holds(code), *l
	on.text = text
	out.language = &on
	return out
}

// opposite is the language of the texts that this one does not have.
func (l *language) opposite() *language {
	if l == nil {
		return nil
	}
	return &language{text: l.text, automaton: l.automaton.opposite(), says: l.denies, denies: l.says}
}

// merged is the condition with one automaton for all parts that are about one text and joined by one operator.
func (w *writer) merged(c condition) condition {
	if c.joined == "" {
		return c
	}
	type group struct {
		language
		says []string
	}
	out := condition{joined: c.joined}
	groups := map[int]*group{} // by the index of the first part
	byText := map[string]int{}
	for _, p := range c.parts {
		if p = w.merged(p); p.language == nil {
			out.parts = append(out.parts, p)
			continue
		}
		text := source(p.language.text)
		first, isAgain := byText[text]
		if isAgain {
			if both := combined(groups[first].automaton, p.language.automaton, c.joined); both != nil {
				groups[first].automaton = both
				groups[first].says = append(groups[first].says, p.language.says)
				continue
			}
		} else {
			byText[text], groups[len(out.parts)] = len(out.parts), &group{*p.language, []string{p.language.says}}
		}
		out.parts = append(out.parts, p)
	}
	for i, p := range out.parts {
		if g := groups[i]; g != nil && len(g.says) > 1 {
			and := map[string]string{"&&": " and ", "||": " or "}[c.joined]
			name := w.variable("crdText", "accepts a text that "+strings.Join(g.says, and), g.automaton.code())
			p = holds(jen.Id(name).Dot("match").Call(g.text))
		}
		out.parts[i] = p
	}
	return join(out.joined, out.parts)
}

// opposite is the automaton that accepts what this one rejects.
func (a *automaton) opposite() *automaton {
	swap := func(s int) int {
		switch s {
		case stateNever:
			return stateMatched
		case stateMatched:
			return stateNever
		}
		return s
	}
	out := &automaton{bounds: a.bounds, class: a.class, sample: a.sample, start: swap(a.start)}
	for s := range a.next {
		var row []int
		for _, to := range a.next[swap(s)] {
			row = append(row, swap(to))
		}
		out.next, out.ends = append(out.next, row), append(out.ends, !a.ends[swap(s)])
	}
	return out
}

// combined is the automaton that accepts what both of two accept, with &&, or what one of them accepts, with ||; nil if
// it would be large.
func combined(a, b *automaton, operator string) *automaton {
	decides, other := stateNever, stateMatched // one state decides the result, one leaves it to the other automaton
	if operator == "||" {
		decides, other = other, decides
	}
	out := &automaton{steps: automatonSteps(), ends: []bool{stateNever: false, stateMatched: true}}
	pairs := out.refine(a, b)
	if len(out.others()) > maxRanges {
		return nil
	}
	for s := range stateMatched + 1 {
		out.next = append(out.next, slices.Repeat([]int{s}, len(pairs)))
	}
	states := map[[2]int]int{}
	var queue [][2]int
	number := func(x, y int) int {
		switch {
		case x == decides || y == decides:
			return decides
		case x == other && y == other:
			return other
		}
		pair := [2]int{x, y}
		n, known := states[pair]
		if !known {
			n = stateMatched + 1 + len(queue)
			states[pair], queue = n, append(queue, pair)
			ends := a.ends[x] && b.ends[y]
			if operator == "||" {
				ends = a.ends[x] || b.ends[y]
			}
			out.ends = append(out.ends, ends)
		}
		return n
	}
	out.start = number(a.start, b.start)
	for i := 0; i < len(queue); i++ {
		if len(queue) > effort.HelperStates.N() {
			return nil
		}
		var row []int
		for _, classes := range pairs {
			row = append(row, number(a.next[queue[i][0]][classes[0]], b.next[queue[i][1]][classes[1]]))
		}
		out.next = append(out.next, row)
	}
	out.merge()
	out.mergeClasses()
	if !out.isWritten() {
		return nil
	}
	return out
}

// refine sets the classes of an automaton to the pairs of classes of two others, and returns the pairs.
func (a *automaton) refine(x, y *automaton) (pairs [][2]int) {
	classAt := func(a *automaton, r rune) int {
		i, found := slices.BinarySearch(a.bounds, r)
		if !found {
			i--
		}
		return a.class[i]
	}
	bounds := slices.Concat(x.bounds, y.bounds)
	slices.Sort(bounds)
	for _, r := range slices.Compact(bounds) {
		pair := [2]int{classAt(x, r), classAt(y, r)}
		class := slices.Index(pairs, pair)
		if class < 0 {
			class = len(pairs)
			pairs, a.sample = append(pairs, pair), append(a.sample, r)
		}
		a.bounds, a.class = append(a.bounds, r), append(a.class, class)
	}
	return pairs
}

// mergeClasses merges classes that no state tells apart.
func (a *automaton) mergeClasses() {
	numbers := numbering{}
	class := make([]int, len(a.sample))
	var sample []rune
	var kept []int
	for c, r := range a.sample {
		var column []byte
		for _, row := range a.next {
			column = append(column, byte(row[c]>>8), byte(row[c]))
		}
		n, isNew := numbers.of(column)
		if class[c] = n; isNew {
			sample, kept = append(sample, r), append(kept, c)
		}
	}
	for s, row := range a.next {
		var narrow []int
		for _, c := range kept {
			narrow = append(narrow, row[c])
		}
		a.next[s] = narrow
	}
	var bounds []rune
	var classes []int
	for i, from := range a.bounds {
		c := class[a.class[i]]
		if n := len(classes); n == 0 || classes[n-1] != c || from == utf8.RuneSelf {
			bounds, classes = append(bounds, from), append(classes, c)
		}
	}
	a.bounds, a.class, a.sample = bounds, classes, sample
}
