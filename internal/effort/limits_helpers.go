package effort

// The limits of generated Go helpers.
var (
	// HelperAutomaton bounds the making of an automaton.
	HelperAutomaton = &Limit{Name: "helper-automaton", Steps: "steps to make the automaton of a pattern",
		Most: 5_000_000, Beyond: "the helper uses package regexp",
		Why: "The number of states may be exponential, and each state is as large as the pattern."}
	// HelperStates bounds the states of an automaton before equivalent ones are merged.
	HelperStates = &Limit{Name: "helper-states", Steps: "states of an automaton, equivalent ones included", Most: 1_024,
		Beyond: "the helper uses package regexp",
		Why:    "The written automaton has at most 208 states, one byte each."}
)

// helperLimits are the limits of generated Go helpers, in the order of docs/limits.md.
func helperLimits() []*Limit { return []*Limit{HelperAutomaton, HelperStates} }
