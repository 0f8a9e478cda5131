package main

import (
	"fmt"
	"io"
	"strings"
)

const (
	headFormat = "%-20s %14s %9s %6s   %14s %9s %6s\n"
	rowFormat  = "%-20s %12.2f s %7.2f s %6.2f   %10.0f MiB %5.0f MiB %6.2f\n"
	meanFormat = "%-20s %14s %9s %6.2f   %14s %9s %6.2f\n"
)

// goalTime is printed below the table, as a share of controller-gen's time: crdproof proves its CRDs, controller-gen
// does not.
const goalTime = 0.75

func printHead(w io.Writer, subject string) {
	fmt.Fprintf(w, headFormat, "", "wall time", "", "", "peak memory", "", "")
	fmt.Fprintf(w, headFormat, subject, "controller-gen", "crdproof", "ratio", "controller-gen", "crdproof", "ratio")
}

func printCasesHead(w io.Writer, rounds int) {
	fmt.Fprintf(w, "real API modules; medians of %d runs in turn; memory is that of the tool without the go "+
		"command\n\n", rounds)
	printHead(w, "module")
}

func printCase(w io.Writer, name string, p pair) {
	fmt.Fprintf(w, rowFormat, name, p.theirs.seconds, p.ours.seconds, p.timeRatio(),
		p.theirs.mebibytes, p.ours.mebibytes, p.memoryRatio())
}

func printMeans(w io.Writer, pairs []pair) {
	var times, memories []float64
	for _, p := range pairs {
		times = append(times, p.timeRatio())
		memories = append(memories, p.memoryRatio())
	}
	fmt.Fprintf(w, meanFormat, "geometric mean", "", "", geometricMean(times), "", "", geometricMean(memories))
	fmt.Fprintf(w, "%-20s %14s %9s %6.2f\n", "goal, at most", "", "", goalTime)
}

func printKindsHead(w io.Writer, rounds int) {
	fmt.Fprintf(w, "\ngenerated trees; medians of %d runs in turn\n\n", rounds)
	printHead(w, "kinds")
}

func printKinds(w io.Writer, n int, p pair) { printCase(w, fmt.Sprint(n), p) }

// printGrowth shows by how much each figure of a row is larger than in the row before, below the figure itself.
func printGrowth(w io.Writer, from, to int, before, now pair) {
	times := func(a, b float64) string { return fmt.Sprintf("×%.2f", b/a) }
	row := fmt.Sprintf(headFormat, fmt.Sprintf("  %d → %d: ×%.2f", from, to, float64(to)/float64(from)),
		times(before.theirs.seconds, now.theirs.seconds), times(before.ours.seconds, now.ours.seconds), "",
		times(before.theirs.mebibytes, now.theirs.mebibytes), times(before.ours.mebibytes, now.ours.mebibytes), "")
	fmt.Fprintln(w, strings.TrimRight(row, " \n"))
}
