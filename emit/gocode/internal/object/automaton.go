package object

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/regular"
)

// An automaton is a regular expression with its table, which becomes a Matcher of internal/support. Most patterns of
// APIs are small, and the automaton is about ten times faster than package regexp.
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
		otherRanges(t) > maxRanges {
		return nil
	}
	return t
}

// otherRanges returns how many ranges of characters there are above ASCII.
func otherRanges(t *regular.Table) (n int) {
	for _, from := range t.Starts {
		if from > utf8.RuneSelf {
			n++
		}
	}
	return n + 1
}

// matcher returns the variable of a regular expression that is only matched, a Matcher, with an automaton unless that
// would be large.
func (w *Writer) matcher(expression, name string) string {
	var table *regular.Table
	if a := w.automatonOf(expression); a != nil {
		table = a.table
	}
	value := matcherCode(expression, table)
	text := Source(value)
	if known, ok := w.byText[text]; ok {
		return known
	}
	name = w.free(name)
	w.byText[text] = name
	w.Data.matchers, w.Data.literals = append(w.Data.matchers, name), append(w.Data.literals, value)
	return name
}

// pattern returns a regular expression, which is compiled when it is first needed.
func (w *Writer) pattern(expression, name, doc string) jen.Code {
	return jen.Id(w.variable(name, doc, Runtime("Pattern").Call(jen.Lit(expression)))).Call()
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

// matcherCode returns a Matcher; the expression or the table may be missing.
func matcherCode(expression string, t *regular.Table) jen.Code {
	var members []jen.Code
	if expression != "" {
		members = append(members, jen.Id("Pattern").Op(":").Lit(expression))
	}
	if t != nil {
		members = append(members, jen.Id("Table").Op(":").Lit(tableText(t)))
	}
	return Runtime("Matcher").Values(members...)
}

// tableText returns the table of a Matcher.
func tableText(t *regular.Table) string {
	out := []byte{'0' + byte(t.Start), ' '}
	for _, ends := range t.Ends {
		mark := byte('0')
		if ends {
			mark = '1'
		}
		out = append(out, mark)
	}
	for i, from := range t.Starts {
		separator := ","
		if i == 0 {
			separator = " "
		}
		out = fmt.Appendf(out, "%s%x=", separator, from)
		out = append(out, '0'+byte(t.Classes[i]))
	}
	out = append(out, ' ')
	for class := range t.Next[0] {
		for _, row := range t.Next {
			out = append(out, '0'+byte(row[class]))
		}
	}
	return string(out)
}
