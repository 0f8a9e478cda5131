package regular

import (
	"math"
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
)

// A Table is a complete automaton with as few states as possible, which generated code can run. States and classes of
// runes are numbered in the order in which shortest strings with the least classes reach them.
type Table struct {
	// Starts are the first runes of ranges, and Classes the class of each range. The first range starts at 0.
	Starts  []rune
	Classes []int32
	// Next has the state that follows, by state and class. The first two states are the same in each table.
	Next  [][]int32
	Start int32
	// Ends reports for each state whether a string may end there.
	Ends []bool
}

// The states that each table has, and never leaves.
const (
	Rejects int32 = iota // no continuation of the string is in the language
	Accepts              // all of them are
)

// Determinize returns the table of the strings that all patterns of match and none of avoid match. It returns nil if
// the search for its states finds more than the given number, or exceeds the total.
func Determinize(match, avoid []*Pattern, states int, total *effort.Budget) *Table {
	s, _ := newSearch(Query{Match: match, Avoid: avoid}, &allowance{math.MaxInt, total})
	all, classes := refine(s.partitions(), total)
	t := &Table{Ends: []bool{Rejects: false, Accepts: true}, Start: s.number(s.states[0].at)}
	for i, class := range all.class {
		if i == 0 || class != all.class[i-1] {
			t.Starts, t.Classes = append(t.Starts, all.starts[i]), append(t.Classes, class)
		}
	}
	for state := range Accepts + 1 {
		t.Next = append(t.Next, slices.Repeat([]int32{state}, len(classes)))
	}
	at := make([]int32, len(s.automata))
	for id := 0; id < len(s.states); id++ {
		if len(s.states) > states {
			return nil
		}
		row := make([]int32, len(classes))
		for c := range classes {
			if s.step(at, s.states[id].at, classes[c]); s.left < 0 {
				return nil
			}
			row[c] = s.number(at)
		}
		t.Next, t.Ends = append(t.Next, row), append(t.Ends, s.states[id].accepts)
	}
	t.mergeStates(total)
	if len(s.automata) > 1 {
		t.mergeClasses()
	}
	if total.Ended() {
		return nil
	}
	return t
}

// number returns the state of a table for a state of each automaton.
func (s *search) number(at []int32) int32 {
	isKnown := func(id int32) bool { return id <= matched }
	switch {
	case !s.live(at):
		return Rejects
	case !slices.ContainsFunc(at, func(id int32) bool { return !isKnown(id) }):
		return Accepts
	}
	return Accepts + 1 + s.state(at)
}

// mergeStates merges equivalent states (Moore's algorithm). Blocks are numbered by their first states.
func (t *Table) mergeStates(total *effort.Budget) {
	block := make([]int32, len(t.Next))
	for s, ends := range t.Ends {
		if ends {
			block[s] = Accepts
		}
	}
	for before, count := 0, 2; count != before && total.Spend(len(block)*len(t.Next[Rejects])); {
		before = count
		var numbers numbering
		refined := make([]int32, len(block))
		for s, row := range t.Next {
			key := []int32{block[s]}
			for _, to := range row {
				key = append(key, block[to])
			}
			refined[s], _ = numbers.number(key)
		}
		block, count = refined, len(numbers.numbers)
	}
	merged := Table{Starts: t.Starts, Classes: t.Classes, Start: block[t.Start]}
	for s, row := range t.Next {
		if int(block[s]) < len(merged.Next) {
			continue
		}
		for c, to := range row {
			row[c] = block[to]
		}
		merged.Next, merged.Ends = append(merged.Next, row), append(merged.Ends, t.Ends[s])
	}
	*t = merged
}

// mergeClasses merges the classes that no state tells apart. Those of one pattern differ, but for rare patterns.
func (t *Table) mergeClasses() {
	var numbers numbering
	merged := make([]int32, len(t.Next[Rejects]))
	next := make([][]int32, len(t.Next))
	for c := range merged {
		var column []int32
		for _, row := range t.Next {
			column = append(column, row[c])
		}
		number, isNew := numbers.number(column)
		if merged[c] = number; isNew {
			for s, to := range column {
				next[s] = append(next[s], to)
			}
		}
	}
	var starts []rune
	var classes []int32
	for i, from := range t.Starts {
		if c := merged[t.Classes[i]]; i == 0 || c != classes[len(classes)-1] {
			starts, classes = append(starts, from), append(classes, c)
		}
	}
	t.Next, t.Starts, t.Classes = next, starts, classes
}

// Not returns the table of all other strings.
func (t *Table) Not() *Table {
	swap := func(s int32) int32 {
		if s <= Accepts {
			return Accepts - s
		}
		return s
	}
	out := &Table{Starts: t.Starts, Classes: t.Classes, Start: swap(t.Start)}
	for s := range t.Next {
		row := slices.Clone(t.Next[swap(int32(s))])
		for c, to := range row {
			row[c] = swap(to)
		}
		out.Next, out.Ends = append(out.Next, row), append(out.Ends, !t.Ends[swap(int32(s))])
	}
	return out
}

// ClassOf returns the class of a rune.
func (t *Table) ClassOf(r rune) int32 {
	i, starts := slices.BinarySearch(t.Starts, r)
	if !starts {
		i--
	}
	return t.Classes[i]
}
