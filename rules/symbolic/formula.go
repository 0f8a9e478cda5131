package symbolic

import (
	"slices"

	"github.com/crdproof/crdproof/internal/effort"
)

// A formula says when something holds of an object: a binary decision diagram over conditions such as "spec.ttl is
// there". Equal formulas of one set have equal numbers.
type formula int32

const (
	never  formula = 0
	always formula = 1
)

// formulas is a set of decision diagrams that share their nodes.
type formulas struct {
	nodes  []decision
	number map[decision]formula
	made   map[choice]formula
	// names are the conditions in the order in which they are asked; conditions gives their numbers.
	names      []string
	conditions map[string]int32
	// budget counts the steps of the search, room the nodes of the set. full is set once one of them is exceeded;
	// formulas mean nothing any more then.
	budget, room *effort.Budget
	full         bool
}

// A decision asks for a condition.
type decision struct {
	condition int32
	no, yes   formula
}

type choice struct{ when, then, otherwise formula }

func newFormulas(budget, room *effort.Budget) *formulas {
	leaf := decision{condition: 1<<31 - 1}
	return &formulas{
		nodes:  []decision{leaf, leaf},
		number: map[decision]formula{}, made: map[choice]formula{}, conditions: map[string]int32{},
		budget: budget, room: room,
	}
}

// spend counts steps of the search, and reports whether they may be taken.
func (f *formulas) spend(steps int) bool {
	f.full = f.full || !f.budget.Spend(steps)
	return !f.full
}

// condition returns the formula of a condition by its name.
func (f *formulas) condition(name string) formula {
	n, ok := f.conditions[name]
	if !ok {
		n = int32(len(f.names))
		f.names = append(f.names, name)
		f.conditions[name] = n
	}
	return f.decide(decision{n, never, always})
}

// isCondition reports whether a condition has been requested.
func (f *formulas) isCondition(name string) bool {
	_, ok := f.conditions[name]
	return ok
}

func (f *formulas) decide(d decision) formula {
	if d.no == d.yes {
		return d.no
	}
	n, ok := f.number[d]
	if !ok {
		if !f.room.Spend(1) {
			f.full = true
			return never
		}
		n = formula(len(f.nodes))
		f.nodes = append(f.nodes, d)
		f.number[d] = n
	}
	return n
}

// ifelse returns then if when holds, and otherwise if it does not.
func (f *formulas) ifelse(when, then, otherwise formula) formula {
	switch {
	case when == always || then == otherwise:
		return then
	case when == never:
		return otherwise
	case then == always && otherwise == never:
		return when
	case !f.spend(1):
		return never
	}
	key := choice{when, then, otherwise}
	if n, ok := f.made[key]; ok {
		return n
	}
	first := min(f.nodes[when].condition, f.nodes[then].condition, f.nodes[otherwise].condition)
	n := f.decide(decision{
		first,
		f.ifelse(f.branch(when, first, false), f.branch(then, first, false), f.branch(otherwise, first, false)),
		f.ifelse(f.branch(when, first, true), f.branch(then, first, true), f.branch(otherwise, first, true)),
	})
	f.made[key] = n
	return n
}

func (f *formulas) branch(g formula, condition int32, yes bool) formula {
	switch d := f.nodes[g]; {
	case d.condition != condition:
		return g
	case yes:
		return d.yes
	default:
		return d.no
	}
}

func (f *formulas) not(a formula) formula { return f.ifelse(a, never, always) }

func (f *formulas) and(list ...formula) formula {
	out := always
	for _, a := range list {
		out = f.ifelse(out, a, never)
	}
	return out
}

func (f *formulas) or(list ...formula) formula {
	out := never
	for _, a := range list {
		out = f.ifelse(out, always, a)
	}
	return out
}

func (f *formulas) implies(a, b formula) formula { return f.ifelse(a, b, always) }

func (f *formulas) same(a, b formula) formula { return f.ifelse(a, b, f.not(b)) }

// countOne says when one of the list holds, and when none does.
func (f *formulas) countOne(list []formula) (one, none formula) {
	one, none = never, always
	for _, a := range list {
		one, none = f.ifelse(a, none, one), f.and(none, f.not(a))
	}
	return one, none
}

// possible says when a holds for some choice of the conditions that forget names.
func (f *formulas) possible(a formula, forget func(condition int32) bool) formula {
	done := map[formula]formula{}
	var visit func(formula) formula
	visit = func(a formula) formula {
		if a == never || a == always || !f.spend(1) {
			return a
		}
		out, ok := done[a]
		if !ok {
			d := f.nodes[a]
			no, yes := visit(d.no), visit(d.yes)
			if forget(d.condition) {
				out = f.or(no, yes)
			} else {
				out = f.ifelse(f.decide(decision{d.condition, never, always}), yes, no)
			}
			done[a] = out
		}
		return out
	}
	return visit(a)
}

// asked lists the conditions that a formula depends on.
func (f *formulas) asked(a formula) []int32 {
	seen := map[formula]bool{never: true, always: true}
	var out []int32
	var visit func(formula)
	visit = func(a formula) {
		if !seen[a] && f.spend(1) {
			seen[a] = true
			d := f.nodes[a]
			out = append(out, d.condition)
			visit(d.no)
			visit(d.yes)
		}
	}
	visit(a)
	slices.Sort(out)
	return slices.Compact(out)
}

// An example is one way in which conditions hold; those that it does not name do not.
type example map[int32]bool

// example returns a case in which a formula holds that is not never, with as few conditions as it finds.
func (f *formulas) example(a formula) example {
	out := example{}
	for a != always {
		d := f.nodes[a]
		if d.no != never {
			a = d.no
		} else {
			out[d.condition] = true
			a = d.yes
		}
	}
	return out
}

// holds reports whether a formula holds in a case.
func (f *formulas) holds(a formula, in example) bool {
	for a != never && a != always && f.spend(1) {
		if d := f.nodes[a]; in[d.condition] {
			a = d.yes
		} else {
			a = d.no
		}
	}
	return a == always
}
