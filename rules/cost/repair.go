package cost

import (
	"cmp"
	"slices"
	"strings"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crdproof/crdproof/internal/effort"
)

// A move is a set of limits that only help together: those of all lists and maps above a rule that have no bound, or a
// single limit.
type move []*limit

// possible reports whether the user can write all of it.
func (m move) possible() bool {
	return !slices.ContainsFunc(m, func(l *limit) bool { return !l.target.canWrite() })
}

// A bounding is a limit with its new value, and the largest value that suffices as long as the others stay the same.
type bounding struct {
	limit   *limit
	n, most int64
}

// A repair is a set of bounds that brings a cost within a budget.
type repair struct {
	bounds []bounding
	// cost is what it brings the cost to.
	cost uint64
}

// onlyLowers reports whether bounds are changed that are set already, and none is added.
func (r *repair) onlyLowers() bool {
	return r != nil && !slices.ContainsFunc(r.bounds, func(b bounding) bool { return b.limit.now < 0 })
}

// A search looks for bounds that bring a cost within a budget.
type search struct {
	steps  *effort.Budget
	cost   func(chosen) uint64
	budget uint64
	// most is how many moves a repair may take.
	most int
}

const (
	// roomyItems and roomyLength are bounds that hardly restrict users. More than generous times as much is not
	// proposed, even if it would suffice.
	roomyItems  = 64
	roomyLength = 256
	generous    = 16
	// triedMoves is how many moves are tried together, those that matter most.
	triedMoves = 6
)

// room returns what a limit is measured by: its value, or a roomy one.
func (l *limit) room() int64 {
	switch {
	case l.now >= 0:
		return min(l.now, celconfig.MaxRequestSizeBytes)
	case l.keyword == maxLength:
		return roomyLength
	}
	return roomyItems
}

// greatest returns the largest number that makes sense: its value, or more than what fits into a request.
func (l *limit) greatest() int64 {
	if l.now >= 0 {
		return l.now
	}
	return celconfig.MaxRequestSizeBytes
}

// repair returns the least intrusive set of moves that suffices: as few as possible, as long as the bounds are roomy.
// It returns nil if no set suffices, or if the search takes too many steps.
func (s *search) repair(moves []move) *repair {
	moves = s.promising(moves)
	type attempt struct {
		limits []*limit
		share  int64
	}
	var best attempt
	for size := 1; size <= min(s.most, len(moves)); size++ {
		var found attempt
		for _, set := range subsets(len(moves), size) {
			limits := joined(moves, set)
			if share := s.share(limits); share > found.share {
				found = attempt{limits, share}
			}
		}
		if found.share > best.share*3/2 { // a larger set has to be worth it
			best = found
		}
		if best.share >= wholeShare {
			break
		}
	}
	if best.share == 0 {
		return nil
	}
	out := s.exact(best.limits, best.share)
	if s.steps.Ended() {
		return nil // the costs are not known
	}
	return out
}

// promising keeps the possible moves that matter most, most important first.
func (s *search) promising(moves []move) []move {
	type weighed struct {
		move move
		cost uint64
	}
	var list []weighed
	for _, m := range moves {
		if m.possible() {
			list = append(list, weighed{m, s.cost(m.least())})
		}
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(a.cost, b.cost) })
	var out []move
	for _, w := range list[:min(len(list), triedMoves)] {
		out = append(out, w.move)
	}
	return out
}

// least sets the limits of a move as low as they can be.
func (m move) least() chosen {
	out := chosen{}
	for _, l := range m {
		out[l.key] = l.least
	}
	return out
}

// wholeShare is the share of its room that leaves a limit roomy: shares are counted in 1024ths.
const wholeShare = 1024

// atShare sets limits to a share of their rooms.
func atShare(limits []*limit, share int64) chosen {
	out := chosen{}
	for _, l := range limits {
		out[l.key] = min(max(l.least, share*l.room()/wholeShare), l.greatest())
	}
	return out
}

// share returns the largest share of their rooms that the limits can have, 0 for none.
func (s *search) share(limits []*limit) int64 {
	fits := func(share int64) bool { return s.cost(atShare(limits, share)) <= s.budget }
	if !fits(1) {
		return 0
	}
	return largest(1, generous*wholeShare, fits)
}

// largest returns a number that fits and whose successor does not, or the end of the range; the first number fits.
func largest(first, last int64, fits func(int64) bool) int64 {
	if fits(last) {
		return last
	}
	for first+1 < last {
		if middle := first + (last-first)/2; fits(middle) {
			first = middle
		} else {
			last = middle
		}
	}
	return first
}

// exact turns a share into bounds: one after the other is raised as far as the others allow and makes sense, and
// rounded to a number that is easy to remember.
func (s *search) exact(limits []*limit, share int64) *repair {
	with := atShare(limits, share)
	most := func(l *limit, last int64) int64 {
		before := with[l.key]
		defer func() { with[l.key] = before }()
		return largest(before, max(before, last), func(n int64) bool {
			with[l.key] = n
			return s.cost(with) <= s.budget
		})
	}
	for _, l := range limits {
		with[l.key] = max(l.least, friendly(most(l, min(l.greatest(), generous*l.room()))))
	}
	out := repair{cost: s.cost(with)}
	for _, l := range limits {
		out.bounds = append(out.bounds, bounding{l, with[l.key], most(l, l.greatest())})
	}
	return &out
}

// friendly returns the largest number up to n that is easy to remember and not much smaller.
func friendly(n int64) int64 {
	if n < 20 {
		return n
	}
	power := int64(1)
	for power <= n/2 {
		power *= 2
	}
	if n-power <= n/10 {
		return power
	}
	if n < 100 {
		return n - n%5
	}
	unit := int64(10)
	for n/unit >= 100 {
		unit *= 10
	}
	return n - n%unit
}

// subsets lists the sets of a size of the first n numbers.
func subsets(n, size int) [][]int {
	if size == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for last := size - 1; last < n; last++ {
		for _, set := range subsets(last, size-1) {
			out = append(out, append(slices.Clone(set), last))
		}
	}
	return out
}

// joined returns the limits of some of the moves, each once.
func joined(moves []move, set []int) []*limit {
	var out []*limit
	for _, i := range set {
		for _, l := range moves[i] {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// key identifies a move.
func (m move) key() string {
	var keys []string
	for _, l := range m {
		keys = append(keys, l.key)
	}
	return strings.Join(keys, "\n")
}

// moves returns all that can change the cost of estimates: each bound that an expression reads or that limits how often
// it is evaluated, and all bounds together that the lists and maps above lack.
func (a *analysis) moves(list []*Estimate) []move {
	var out []move
	seen := map[string]bool{}
	add := func(m move) {
		if key := m.key(); len(m) > 0 && !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	var lacking move
	for _, e := range list {
		for _, r := range a.read(e) {
			add(move{r.limit})
		}
		for _, l := range a.above(e) {
			if l.now >= 0 {
				add(move{l})
			} else if !slices.Contains(lacking, l) {
				lacking = append(lacking, l)
			}
		}
	}
	add(lacking)
	return out
}
