package object

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// An automaton is a regular expression with its table, which becomes a Automaton or a SmallAutomaton of
// internal/support. Most patterns of APIs are small, and the automaton is about ten times faster than package regexp.
type automaton struct {
	pattern *regular.Pattern
	table   *regular.Table
}

// The limits of tables: a state is one byte, from '0'.
const (
	maxStates = 256 - '0'
	maxTable  = 2048 // bytes
	maxRanges = 16
)

// newAutomaton makes an automaton of a regular expression. It returns nil if the automaton would be large, or if the
// expression depends on boundaries of words or lines.
func newAutomaton(expression string) *automaton {
	steps := effort.New(context.Background(), effort.HelperAutomaton)
	pattern, err := regular.Compile(expression, steps)
	if err != nil || pattern.HasBoundaries() {
		return nil // the validation has reported an error of the syntax
	}
	table := smallTable([]*regular.Pattern{pattern}, nil, steps)
	if table == nil {
		return nil
	}
	return &automaton{pattern, table}
}

// smallTable returns the table of the texts that match some patterns and avoid others, or nil if it is larger than
// generated code should be.
func smallTable(match, avoid []*regular.Pattern, steps *effort.Budget) *regular.Table {
	t := regular.Determinize(match, avoid, effort.HelperStates.N(), steps)
	if t == nil || len(t.Next) > maxStates || len(t.Next)*len(t.Next[0]) > maxTable ||
		len(otherClasses(t)) > maxRanges {
		return nil
	}
	return t
}

// otherClasses returns the ranges above ASCII: where they begin, and their classes.
func otherClasses(t *regular.Table) []jen.Code {
	out := []jen.Code{classFrom(utf8.RuneSelf, t.ClassOf(utf8.RuneSelf))}
	for i, from := range t.Starts {
		if from > utf8.RuneSelf {
			out = append(out, classFrom(from, t.Classes[i]))
		}
	}
	return out
}

// classFrom returns the literal of a range that begins with a character and has a class.
func classFrom(r rune, class int32) jen.Code {
	return jen.Values(jen.Id("From").Op(":").LitRune(r), jen.Id("Class").Op(":").Lit(int(class)))
}

// matches returns the condition that a regular expression matches somewhere in a string. It declares a variable: an
// automaton or, if that would be large, a regexp.Regexp.
func (w *Writer) matches(expression string, text jen.Code, name, doc string) *jen.Statement {
	if automaton := w.automaton(expression, name, doc); automaton != "" {
		return jen.Id(automaton).Dot("Match").Call(text)
	}
	return jen.Add(w.pattern(expression, name, doc)).Dot("MatchString").Call(text)
}

// pattern returns a regular expression, which is compiled when it is first needed.
func (w *Writer) pattern(expression, name, doc string) jen.Code {
	return jen.Id(w.variable(name, doc, Runtime("Pattern").Call(jen.Lit(expression)))).Call()
}

// automaton returns the variable of a regular expression's automaton, "" if it has no small one.
func (w *Writer) automaton(expression, name, doc string) string {
	a := w.automatonOf(expression)
	if a == nil {
		return ""
	}
	return w.variable(name, doc+": "+strconv.Quote(expression), tableCode(a.table))
}

// automatonOf returns the automaton of a regular expression, nil if it has no small one.
func (w *Writer) automatonOf(expression string) *automaton {
	a, known := w.automata[expression]
	if !known {
		a = newAutomaton(expression)
		w.automata[expression] = a
	}
	return a
}

// ReadsASCII reports whether a regular expression matches only texts of ASCII characters, which its automaton reads to
// the end.
func (w *Writer) ReadsASCII(expression string) bool {
	a := w.automatonOf(expression)
	if a == nil || a.table.Start == regular.Accepts {
		return false
	}
	t := a.table
	for _, row := range t.Next[regular.Accepts+1:] {
		if slices.Contains(row, regular.Accepts) || row[t.ClassOf(utf8.RuneSelf)] != regular.Rejects {
			return false
		}
		for i, from := range t.Starts {
			if from > utf8.RuneSelf && row[t.Classes[i]] != regular.Rejects {
				return false
			}
		}
	}
	return true
}

// How many states and classes a SmallAutomaton may have. Each state takes stateBits bits of a number.
const (
	stateBits       = 6
	maxSmallStates  = 64 / stateBits
	maxSmallClasses = 16
)

// isSmall reports whether a table can be a SmallAutomaton.
func isSmall(t *regular.Table) bool {
	return len(t.Next) <= maxSmallStates && len(t.Next[0]) <= maxSmallClasses
}

// tableCode returns a table as a Automaton or, with few states, as a SmallAutomaton.
func tableCode(t *regular.Table) jen.Code {
	var ascii []byte
	for r := range rune(utf8.RuneSelf) {
		ascii = append(ascii, '0'+byte(t.ClassOf(r)))
	}
	values := jen.Dict{jen.Id("ASCII"): jen.Lit(string(ascii)),
		jen.Id("Others"): jen.Index().Add(Runtime("ClassFrom")).Values(otherClasses(t)...)}
	if isSmall(t) {
		shifts, final := shiftsOf(t)
		var numbers []jen.Code
		for _, n := range shifts {
			numbers = append(numbers, hexadecimal(n))
		}
		values[jen.Id("Next")] = jen.Index(jen.Lit(maxSmallClasses)).Uint64().Values(numbers...)
		values[jen.Id("Final")] = hexadecimal(final)
		values[jen.Id("Start")] = jen.Lit(stateBits * int(t.Start))
		return Runtime("SmallAutomaton").Values(values)
	}
	var next, final []byte
	for class := range t.Next[0] {
		for _, row := range t.Next {
			next = append(next, '0'+byte(row[class]))
		}
	}
	for _, ends := range t.Ends {
		mark := byte('0')
		if ends {
			mark = '1'
		}
		final = append(final, mark)
	}
	values[jen.Id("Next")], values[jen.Id("Final")] = jen.Lit(string(next)), jen.Lit(string(final))
	values[jen.Id("Start")] = jen.LitRune('0' + t.Start)
	return Runtime("Automaton").Values(values)
}

// shiftsOf returns the numbers of a SmallAutomaton: those by class, and that of the states in which a string may
// end.
func shiftsOf(t *regular.Table) (next []uint64, final uint64) {
	next = make([]uint64, len(t.Next[0]))
	for s, row := range t.Next {
		for class, to := range row {
			next[class] |= uint64(stateBits*to) << (stateBits * s)
		}
		if t.Ends[s] {
			final |= 1 << (stateBits * s)
		}
	}
	return next, final
}

func hexadecimal(number uint64) jen.Code { return jen.Op(fmt.Sprintf("%#x", number)) }
