package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/internal/input"
)

// pageWidth is how many columns the text of a page has if no width is known.
const pageWidth = 80

// printPages prints the pages of checks, markers and deviations. It returns the exit code.
func (r *reporter) printPages(names []string) int {
	width := columnsOf(r.stdout)
	if width == 0 {
		width = pageWidth
	}
	bold := func(text string) string { return text }
	if wantsColor(r.stdout) {
		bold = func(text string) string { return "\x1b[1m" + text + "\x1b[0m" }
	}
	var texts []string
	var problems []diag.Diagnostic
	for _, name := range names {
		var found []string
		for _, p := range pages.All().Find(name) {
			found = append(found, p.Text(width, bold))
		}
		if len(found) == 0 {
			found = arguments.MarkerPages(name)
		}
		if len(found) == 0 {
			problems = append(problems, noPage(name))
		}
		texts = append(texts, found...)
	}
	if len(problems) > 0 {
		return r.usage(problems...)
	}
	fmt.Fprint(r.stdout, strings.Join(texts, "\n"))
	return exitClean
}

// noPage reports a name that help does not know.
func noPage(name string) diag.Diagnostic {
	d := input.Errorf("no page for %q: expected a command, a generator, a check, a marker or a topic", name)
	names := slices.Concat(commandNames(), arguments.Generators(), pages.All().Names())
	for _, t := range topics() {
		names = append(names, t.name)
	}
	if near := diag.Near(name, names); near != "" {
		return d.Help("%s", diag.Meant(near))
	}
	if near := pages.All().Near(name); len(near) > 0 {
		return d.Help("the nearest are %s", strings.Join(near[:min(len(near), 5)], ", "))
	}
	return d.Help("run crdproof help checks or crdproof help markers for all names")
}

// printChecks lists the checks: what is in the brackets of findings.
func printChecks(w io.Writer) {
	fmt.Fprint(w, "Each finding names its check in brackets. `crdproof help <check>` prints an example and what to "+
		"write\ninstead.\n")
	for _, p := range pages.All() {
		if p.Kind == pages.Check {
			fmt.Fprintf(w, "\n%s (%s)\n    %s\n", p.Name, p.Severity, p.Summary)
		}
	}
}

// print writes a help to standard output. On a terminal, its lines are wrapped, except for examples: a line of a table
// is wrapped within its last column.
func (r *reporter) print(text string) {
	width, isExample := columnsOf(r.stdout), false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != ' ' {
			isExample = line == "Examples:" || line == "Usage:"
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		more := indent
		if column := strings.LastIndex(line, "  "); column > indent {
			more = column + len("  ")
		}
		if isExample || more > width/2 {
			fmt.Fprintln(r.stdout, line)
			continue
		}
		_, _ = io.WriteString(r.stdout, diag.Wrapped(line[:indent], strings.Repeat(" ", more), line[indent:], width))
	}
}
