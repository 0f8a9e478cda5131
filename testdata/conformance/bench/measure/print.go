package measure

import (
	"fmt"
	"io"
)

const (
	headFormat = "%-12s %-9s %12s %12s %8s   %10s %8s   %s\n"
	rowFormat  = "%-12s %-9s %9.2f µs %9.2f µs %7.1f×   %10.0f %8.0f   %s\n"
)

// A goal is what an operation of a valid object should reach.
type goal struct {
	// times is how much faster it is than the library; allocations is how many it may make, which is as many as it
	// likes where it is negative.
	times, allocations float64
}

var goals = map[string]goal{
	"prune": {5, 0}, "default": {5, -1}, "validate": {100, 20}, "update": {100, 20},
}

func printHead(w io.Writer, rounds int) {
	fmt.Fprintf(w, "medians of %d rounds in turn, in one process, on the same objects\n\n", rounds)
	fmt.Fprintf(w, headFormat, "kind", "operation", "library", "helper", "faster", "allocs", "helper's", "")
}

// printRow prints a measurement, and reports whether it reaches its goal.
func printRow(w io.Writer, kind, operation string, theirs, ours sample) bool {
	times, goal, note := theirs.nanoseconds/ours.nanoseconds, goals[operation], ""
	if times < goal.times {
		note = fmt.Sprintf("the goal is %.0f×", goal.times)
	}
	if goal.allocations >= 0 && ours.allocations > goal.allocations {
		note += fmt.Sprintf(" at most %.0f allocations", goal.allocations)
	}
	fmt.Fprintf(w, rowFormat, kind, operation, theirs.nanoseconds/1000, ours.nanoseconds/1000, times,
		theirs.allocations, ours.allocations, note)
	return note == ""
}
