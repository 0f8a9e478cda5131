package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A column is one figure of a row.
type column struct {
	head string
	// text is the figure of a row, and ratio its number, if it is a ratio.
	text  func(*row) string
	ratio func(*row) float64
}

// columns are those of all tables.
func columns() []column {
	seconds := func(head string, w way) column {
		return column{head: head, text: func(r *row) string { return fmt.Sprintf("%.2f s", r[w].seconds) }}
	}
	mebibytes := func(head string, w way) column {
		return column{head: head, text: func(r *row) string { return fmt.Sprintf("%.0f MiB", r[w].mebibytes) }}
	}
	ratio := func(head string, of func(*row) float64) column {
		return column{head: head, text: func(r *row) string { return share(of(r)) }, ratio: of}
	}
	return []column{
		seconds("controller-gen", controllerGen),
		seconds("crdproof", cold),
		ratio("ratio", func(r *row) float64 { return r.wall(cold) }),
		ratio("processor", func(r *row) float64 { return r.cpu(cold) }),
		ratio("warm", func(r *row) float64 { return r.wall(warm) }),
		ratio("unchanged", func(r *row) float64 { return r.wall(unchanged) }),
		mebibytes("controller-gen", controllerGen),
		mebibytes("crdproof", cold),
		ratio("ratio", func(r *row) float64 { return r.memory(cold) }),
	}
}

func share(of float64) string { return strconv.FormatFloat(of, 'f', 2, 64) }

// printHead prints the head of a table, as Markdown.
func printHead(w io.Writer, subject string) {
	head, line := "| "+subject+" |", "|---|"
	for _, c := range columns() {
		head += " " + c.head + " |"
		line += "--:|"
	}
	fmt.Fprintf(w, "%s\n%s\n", head, line)
}

func printRow(w io.Writer, name string, r row) {
	line := "| " + name + " |"
	for _, c := range columns() {
		line += " " + c.text(&r) + " |"
	}
	fmt.Fprintln(w, line)
}

// printSummary prints the geometric mean and the largest of each column of ratios.
func printSummary(w io.Writer, rows []row) {
	mean, worst := "| geometric mean |", "| largest |"
	for _, c := range columns() {
		if c.ratio == nil {
			mean, worst = mean+"  |", worst+"  |"
			continue
		}
		var values []float64
		for i := range rows {
			values = append(values, c.ratio(&rows[i]))
		}
		mean += " " + share(geometricMean(values)) + " |"
		worst += " " + share(slices.Max(values)) + " |"
	}
	fmt.Fprintf(w, "%s\n%s\n", mean, worst)
}

// printGrowth says by how much a row is more than the row before.
func printGrowth(w io.Writer, from, to int, before, now row) {
	grows := func(a, b float64) string { return fmt.Sprintf("×%.2f", b/a) }
	var parts []string
	for _, of := range []struct {
		name string
		way  way
	}{{"controller-gen", controllerGen}, {"crdproof", cold}, {"warm", warm}, {"unchanged", unchanged}} {
		a, b := before[of.way], now[of.way]
		parts = append(parts, fmt.Sprintf("%s %s time, %s memory", of.name, grows(a.seconds, b.seconds),
			grows(a.mebibytes, b.mebibytes)))
	}
	kinds := grows(float64(from), float64(to))
	fmt.Fprintf(w, "- %d to %d kinds (%s): %s\n", from, to, kinds, strings.Join(parts, "; "))
}
