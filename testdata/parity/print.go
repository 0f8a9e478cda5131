package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

const rowFormat = "%-27s %5s %11s %12s %10s %10s %7s %9s %6s %7s\n"

// printHead writes the head of the table. Rows follow one by one, since a whole run takes a minute.
func printHead(w io.Writer) {
	fmt.Fprintf(w, rowFormat, "", "", "", "identical", "deviating", "deviating", "", "", "", "")
	fmt.Fprintf(w, rowFormat, "case", "CRDs", "bytes", "with compat", "files", "lines", "errors", "warnings", "known",
		"advice")
}

func printRow(w io.Writer, r result) {
	mark := ""
	if len(r.faults) > 0 {
		mark = " FAIL"
	}
	row := fmt.Sprintf(rowFormat, r.name, count(r.files), count(r.bytes),
		fmt.Sprintf("%d of %d", r.same, r.files), count(r.deviatingFiles), count(r.deviatingLines),
		count(r.errors), count(r.warnings), count(r.known), count(total(r.advice)))
	fmt.Fprintln(w, strings.TrimSuffix(row, "\n")+mark)
}

// printSum writes the line below the table, and how many lines deviate.
func printSum(w io.Writer, results []result) {
	sum := sumOf(results)
	printRow(w, sum)
	fmt.Fprintf(w, "\n%s of %s lines deviate: %.3f %%\n", count(sum.deviatingLines), count(sum.lines), share(sum))
}

// sumOf adds the rows.
func sumOf(results []result) result {
	sum := result{name: "sum", advice: map[string]int{}}
	for _, r := range results {
		sum.files += r.files
		sum.bytes += r.bytes
		sum.lines += r.lines
		sum.same += r.same
		sum.deviatingFiles += r.deviatingFiles
		sum.deviatingLines += r.deviatingLines
		sum.errors += r.errors
		sum.warnings += r.warnings
		sum.known += r.known
		for check, n := range r.advice {
			sum.advice[check] += n
		}
	}
	return sum
}

// share returns the percentage of lines that deviate.
func share(r result) float64 { return 100 * float64(r.deviatingLines) / float64(max(r.lines, 1)) }

// printDeviations writes a row for each deviation: at how many places of how many cases it changes a CRD, and how many
// CRDs and lines that are, if that was counted.
func printDeviations(w io.Writer, results []result) {
	places, cases, effects := map[string]int{}, map[string]int{}, map[string]effect{}
	for _, r := range results {
		for name, n := range r.deviations {
			places[name] += n
			cases[name]++
		}
		for name, e := range r.effects {
			sum := effects[name]
			effects[name] = effect{sum.files + e.files, sum.lines + e.lines}
		}
	}
	if len(places) == 0 {
		return
	}
	row := func(name, places, cases, files, lines string) {
		text := fmt.Sprintf("%-27s %7s %7s", name, places, cases)
		if len(effects) > 0 {
			text += fmt.Sprintf(" %7s %7s", files, lines)
		}
		fmt.Fprintln(w, text)
	}
	fmt.Fprintln(w)
	row("deviation", "places", "cases", "CRDs", "lines")
	for _, name := range slices.Sorted(maps.Keys(places)) {
		row(name, count(places[name]), count(cases[name]), count(effects[name].files), count(effects[name].lines))
	}
}

func total(counts map[string]int) int {
	n := 0
	for _, m := range counts {
		n += m
	}
	return n
}

// shownFaults is how many faults of one case are worth reading at once.
const shownFaults = 12

func printFaults(w io.Writer, results []result) {
	for _, r := range results {
		if len(r.faults) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n--- %s\n", r.name)
		for _, fault := range r.faults[:min(len(r.faults), shownFaults)] {
			fmt.Fprintln(w, fault)
		}
		if more := len(r.faults) - shownFaults; more > 0 {
			fmt.Fprintf(w, "and %d more\n", more)
		}
	}
}

func anyFault(results []result) bool {
	for _, r := range results {
		if len(r.faults) > 0 {
			return true
		}
	}
	return false
}

// count writes a number with a comma between thousands.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
