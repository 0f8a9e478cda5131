package regular

import (
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
)

// A Query asks for a string of valid UTF-8.
type Query struct {
	Match, Avoid []*Pattern
	MinLength    int      // in runes
	MaxLength    int      // in runes; -1 for no limit
	Not          []string // other strings are wanted
}

// An Answer says what is known about a query.
type Answer int

const (
	Unknown Answer = iota // it takes too many steps
	Found                 // the query has the returned string
	None                  // the query has no string
)

// An allowance is what a search may spend: of its own steps, and of the total for all searches.
type allowance struct {
	left  int
	total *effort.Budget
}

// spend takes steps. The search must end when less than nothing is left.
func (a *allowance) spend(steps int) {
	if a.left -= steps; !a.total.Spend(steps) {
		a.left = -1
	}
}

// Find returns a shortest string of a query, made of the runes that are best to read. The search takes at most the
// given number of steps. All searches spend from the total.
func Find(q Query, most int, total *effort.Budget) (string, Answer) {
	word, answer := q.search(most, total)
	if total.Ended() {
		return "", Unknown
	}
	return word, answer
}

func (q Query) search(most int, total *effort.Budget) (string, Answer) {
	q.MinLength = max(q.MinLength, 0)
	if q.MaxLength >= 0 && q.MinLength > q.MaxLength {
		return "", None
	}
	q = q.withoutList(total)
	avoided := map[string]bool{}
	for _, p := range q.Avoid {
		avoided[p.text] = true
	}
	if slices.ContainsFunc(q.Match, func(p *Pattern) bool { return avoided[p.text] }) {
		return "", None
	}
	if len(q.Match) > 0 && len(q.Avoid) > 0 {
		// The automata of patterns to avoid are often large, and often a shortest string avoids them anyway.
		relaxed := q
		relaxed.Avoid = nil
		word, answer := find(relaxed, most/4, total)
		matches := func(p *Pattern) bool { return p.matches(word, total) }
		if answer == None || answer == Found && !slices.ContainsFunc(q.Avoid, matches) {
			return string(word), answer
		}
	}
	word, answer := find(q, most, total)
	return string(word), answer
}

// withoutList returns the query with a pattern in place of the strings that are not wanted.
func (q Query) withoutList(total *effort.Budget) Query {
	if len(q.Not) > 0 {
		q.Avoid, q.Not = append(slices.Clip(q.Avoid), Enum(q.Not, total)), nil
	}
	return q
}

// find searches a string with the automata of all patterns.
func find(q Query, steps int, total *effort.Budget) ([]rune, Answer) {
	s, start := newSearch(q, &allowance{steps, total})
	s.symbols = alphabet(s.partitions(), total)
	if s.left < 0 || total.Ended() || q.MinLength > effort.DiffMinLength.N() {
		return nil, Unknown
	}
	if !s.live(s.states[start].at) {
		return nil, None
	}
	first, answer := s.shortest([]int32{start}, q.MaxLength)
	if answer != Found || len(first.word) >= q.MinLength {
		return first.word, answer
	}
	// Where a string ends, most strings can continue. That is tried first, with half of the budget.
	rest := s.left / 2
	s.left -= rest
	more, answer := s.beyond(first.to, q.MinLength-len(first.word), 0)
	if answer == Found {
		return append(first.word, more...), Found
	}
	s.left = rest + max(s.left, 0)
	most := -1
	if q.MaxLength >= 0 {
		most = q.MaxLength - q.MinLength
	}
	return s.beyond(start, q.MinLength, most)
}

// beyond finds a string from a state with a number of runes and, if that is not negative, at most so many more.
func (s *search) beyond(start int32, length, most int) ([]rune, Answer) {
	levels, ok := s.levels(start, length)
	if !ok {
		return nil, Unknown
	}
	last := levels.at(length)
	ids := make([]int32, len(last))
	for i, r := range last {
		ids[i] = r.id
	}
	path, answer := s.shortest(ids, most)
	if answer != Found {
		return nil, answer
	}
	return append(levels.word(length, path.from), path.word...), Found
}

// A search is the product of the automata of a query, as far as it is known. A state of it has a state for each
// automaton.
type search struct {
	automata []*automaton // of q.Match, then of q.Avoid
	match    int          // how many of them must match
	symbols  []symbol
	states   []product
	ids      numbering
	seen     []int // by state: the last call of edges that reached it
	calls    int   // of edges
	*allowance
}

type product struct {
	at       []int32
	edges    []edge
	expanded bool
	accepts  bool
}

// An edge leads to a state. Of all runes that lead there, it has the one that is best to read.
type edge struct {
	to   int32
	rune rune
}

// newSearch returns the search of a query and its first state.
func newSearch(q Query, steps *allowance) (*search, int32) {
	s := &search{allowance: steps, match: len(q.Match)}
	var start []int32
	for _, p := range slices.Concat(q.Match, q.Avoid) {
		a, first := newAutomaton(p, steps)
		s.automata, start = append(s.automata, a), append(start, first)
	}
	return s, s.state(start)
}

// partitions returns the classes of runes of each automaton.
func (s *search) partitions() (out []classes) {
	for _, a := range s.automata {
		out = append(out, a.classes)
	}
	return out
}

// step sets the states of all automata to those after a rune, given by its class in each.
func (s *search) step(at, from, classes []int32) {
	s.spend(len(at))
	for k, a := range s.automata {
		at[k] = a.step(from[k], classes[k])
	}
}

// live reports whether no automaton excludes all strings that continue from here.
func (s *search) live(at []int32) bool {
	for i, id := range at {
		if i < s.match && id == dead || i >= s.match && id == matched {
			return false
		}
	}
	return true
}

func (s *search) state(at []int32) int32 {
	id, isNew := s.ids.number(at)
	if !isNew {
		return id
	}
	accepts := true
	for i, id := range at {
		accepts = accepts && s.automata[i].states[id].ends == (i < s.match)
	}
	s.states = append(s.states, product{at: slices.Clone(at), accepts: accepts})
	s.seen = append(s.seen, 0)
	return id
}

// edges returns the ways out of a state, those with the runes that are best to read first. They are undefined if the
// budget is exceeded.
func (s *search) edges(id int32) []edge {
	if s.states[id].expanded {
		return s.states[id].edges
	}
	from := s.states[id].at
	s.calls++
	var edges []edge
	at := make([]int32, len(from))
	for i := range s.symbols {
		symbol := &s.symbols[i]
		if s.step(at, from, symbol.classes); s.left < 0 {
			return nil
		}
		if !s.live(at) {
			continue
		}
		if to := s.state(at); s.seen[to] != s.calls {
			s.seen[to] = s.calls
			edges = append(edges, edge{to, symbol.rune})
		}
	}
	s.states[id].edges, s.states[id].expanded = edges, true
	return edges
}

// A reached is a state with the index of its predecessor, and the rune that leads from there.
type reached struct {
	id   int32
	from int
	rune rune
}

// A path is a string that leads from one of several states, by its index, to another one.
type path struct {
	from int
	word []rune
	to   int32
}

// shortest finds a shortest path to a state that accepts, with at most the given number of runes if that is not
// negative.
func (s *search) shortest(starts []int32, most int) (path, Answer) {
	visited := make([]bool, 0, len(s.states))
	visit := func(id int32) bool {
		for int(id) >= len(visited) {
			visited = append(visited, false)
		}
		first := !visited[id]
		visited[id] = true
		return first
	}
	var queue []reached
	for _, id := range starts {
		visit(id)
		queue = append(queue, reached{id: id, from: -1})
	}
	for i, length, end := 0, 0, len(queue); i < len(queue); i++ {
		if i == end {
			length, end = length+1, len(queue)
		}
		if s.states[queue[i].id].accepts {
			found := path{from: i, to: queue[i].id}
			for ; queue[found.from].from >= 0; found.from = queue[found.from].from {
				found.word = append(found.word, queue[found.from].rune)
			}
			slices.Reverse(found.word)
			return found, Found
		}
		if length == most {
			continue
		}
		edges := s.edges(queue[i].id)
		if s.spend(len(edges)); s.left < 0 {
			return path{}, Unknown
		}
		for _, e := range edges {
			if visit(e.to) {
				queue = append(queue, reached{e.to, i, e.rune})
			}
		}
	}
	return path{}, None
}

// levels are the states that strings of each length lead to. They repeat: after the last one, those from cycle on
// follow again.
type levels struct {
	lists [][]reached
	cycle int
}

// levels finds the states that strings of the given length lead to, and is false if the budget is exceeded.
func (s *search) levels(start int32, length int) (*levels, bool) {
	l := &levels{lists: [][]reached{{{id: start}}}}
	var known numbering
	for n := 0; n < length; n++ {
		last := l.lists[n]
		var next []reached
		index := map[int32]bool{}
		for i, r := range last {
			edges := s.edges(r.id)
			if s.spend(len(edges) + 1); s.left < 0 {
				return nil, false
			}
			for _, e := range edges {
				if !index[e.to] {
					index[e.to] = true
					next = append(next, reached{e.to, i, e.rune})
				}
			}
		}
		slices.SortFunc(next, func(a, b reached) int { return int(a.id - b.id) })
		l.lists = append(l.lists, next)
		ids := make([]int32, len(next))
		for i, r := range next {
			ids[i] = r.id
		}
		if number, isNew := known.number(ids); !isNew {
			equal := int(number) + 1 // the first list has no number
			l.cycle = equal + 1
			return l, true
		}
	}
	return l, true
}

// at returns the states of a level.
func (l *levels) at(n int) []reached {
	if n < len(l.lists) {
		return l.lists[n]
	}
	return l.lists[l.cycle+(n-l.cycle)%(len(l.lists)-l.cycle)]
}

// word returns a string of length n that leads to a state, by its index in the level.
func (l *levels) word(n, i int) []rune {
	word := make([]rune, n)
	for ; n > 0; n-- {
		r := l.at(n)[i]
		word[n-1], i = r.rune, r.from
	}
	return word
}
