package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A page is a Markdown file of the documentation, taken apart into what a reader does on the way through it:
//
//   - a block of files is written: its name stands in backquotes, with a colon, at the end of the line above the block;
//   - a block ```diff is applied to the files that stand in it;
//   - of a block ```console each line after "$ " is given to a shell, in the directory to which the last one has gone,
//     and what it prints has to be the lines below it, where a line … stands for any lines, and … in a line for any
//     text;
//   - a comment <!-- run: … --> is such a command that the reader does not see, <!-- exits 1 --> says how the last
//     command of the next block ends, and <!-- story --> begins again in an empty directory.
//
// <!-- story: in this repository --> goes to the root of crdproof's own, where nothing is written.
type page struct {
	path  string
	lines []string
	steps []step
	// problems are what a reader could do and no test would.
	problems []string
}

// A stepKind is what a reader does at a step.
type stepKind int

const (
	stepStory stepKind = iota
	stepFile
	stepPatch
	stepConsole
	stepHidden
)

// A step is one of the things that a reader does.
type step struct {
	kind stepKind
	// from and to are the lines of the block, without its fences; lines count from 0, and to is the first line behind
	// it.
	from, to int
	// word is the name of a file, the hidden command, or where a story happens.
	word string
	// exit is how the last command of a console ends.
	exit int
}

var (
	fence     = regexp.MustCompile("^(\\s*)(`{3,}|~{3,})\\s*([^\\s`]*)\\s*$")
	fileName  = regexp.MustCompile("(?:^|\\s)`([\\w./-]+)`:$")
	directive = regexp.MustCompile(`^<!-- (story|run|exits)(?:: | |$)(.*?) ?-->$`)
	// commandLine is what may stand in a console alone.
	commandLine = regexp.MustCompile(`^\s*(- )?(\w+: )?(\$ |crdproof |` +
		`go (tool|run|install|get|mod|test|generate) |make\b(?: \w|$)|//go:generate )`)
)

// generatedPage begins what tests of their own write.
const generatedPage = "<!-- Written by "

// readPage takes a page apart. What a reader could type and no test would run is a problem.
func readPage(path, text string) (*page, []string) {
	p := &page{path: path, lines: strings.Split(text, "\n")}
	exit := 0
	for i := 0; i < len(p.lines); i++ {
		line := p.lines[i]
		m := fence.FindStringSubmatch(line)
		switch {
		case directive.MatchString(line):
			exit = p.directive(i, exit)
		case m != nil:
			end := i + 1
			for ; end < len(p.lines) && strings.TrimSpace(p.lines[end]) != m[2]; end++ {
			}
			if s, ok := p.block(i, end, m[1], m[3]); ok {
				s.exit, exit = exit, 0
				p.steps = append(p.steps, s)
			}
			i = end
		case strings.HasPrefix(line, "    ") && commandLine.MatchString(line):
			p.problem(i, "a command line in an indented block, which no test runs; make it a console: "+line)
		}
	}
	if exit != 0 {
		p.problem(len(p.lines)-1, "nothing follows that could exit")
	}
	return p, p.problems
}

func (p *page) problem(line int, text string) {
	p.problems = append(p.problems, fmt.Sprintf("%s: %s", p.at(line), text))
}

// at is the place of a line.
func (p *page) at(line int) string {
	return fmt.Sprintf("%s:%d", filepath.Base(p.path), line+1)
}

// directive reads a comment. It returns how the last command of the next block exits.
func (p *page) directive(line, exit int) int {
	m := directive.FindStringSubmatch(p.lines[line])
	switch m[1] {
	case "story":
		p.steps = append(p.steps, step{kind: stepStory, from: line, word: m[2]})
	case "run":
		p.steps = append(p.steps, step{kind: stepHidden, from: line, word: m[2]})
	case "exits":
		code, err := strconv.Atoi(m[2])
		if err != nil || code == 0 {
			p.problem(line, "how does it exit?")
		}
		return code
	}
	return exit
}

// block is the step of a fenced block; ok is false where there is nothing to do.
func (p *page) block(open, end int, indent, language string) (s step, ok bool) {
	s = step{from: open + 1, to: end}
	above := open - 1
	for above > 0 && strings.TrimSpace(p.lines[above]) == "" {
		above--
	}
	name := fileName.FindStringSubmatch(p.lines[max(above, 0)])
	switch {
	case end == len(p.lines):
		p.problem(open, "a block without an end")
		return s, false
	case indent != "":
		p.problem(open, "an indented block, which no test runs")
		return s, false
	case language == "console":
		s.kind = stepConsole
		return s, true
	case language == "diff":
		s.kind = stepPatch
		return s, true
	case language == "sh" || language == "shell" || language == "bash":
		p.problem(open, "make it a console, which is run")
		return s, false
	case name != nil:
		s.kind, s.word = stepFile, name[1]
		return s, true
	}
	for i := s.from; i < s.to; i++ {
		if commandLine.MatchString(p.lines[i]) {
			p.problem(i, "a command line in a block that no test runs; make it a console, or name its file above: "+
				p.lines[i])
		}
	}
	return s, false
}

// text is the block of a step.
func (p *page) text(s step) string {
	if s.from == s.to {
		return ""
	}
	return strings.Join(p.lines[s.from:s.to], "\n") + "\n"
}

// An exchange is a command of a console and the lines that it prints.
type exchange struct {
	line    int
	command string
	output  []string
	// shown are the lines of the command as they stand in the page.
	shown []string
}

// exchanges takes a console apart. A command goes on in the next line where it ends with a backslash.
func (p *page) exchanges(t *testing.T, s step) []exchange {
	t.Helper()
	var out []exchange
	for i := s.from; i < s.to; i++ {
		first, ok := strings.CutPrefix(p.lines[i], "$ ")
		if !ok {
			if len(out) == 0 {
				t.Fatalf("%s: a console begins with a command", p.at(i))
			}
			last := &out[len(out)-1]
			last.output = append(last.output, p.lines[i])
			continue
		}
		e := exchange{line: i, command: first, shown: []string{p.lines[i]}}
		for strings.HasSuffix(e.command, "\\") && i+1 < s.to {
			i++
			e.command += "\n" + p.lines[i]
			e.shown = append(e.shown, p.lines[i])
		}
		out = append(out, e)
	}
	return out
}

// cut is the line that stands for lines that are left out.
const cut = "…"

// outputFits says whether a command printed what the page says that it prints.
func outputFits(page, printed []string) bool {
	switch {
	case len(page) == 0:
		return len(printed) == 0
	case page[0] != cut:
		return len(printed) > 0 && lineFits(page[0], printed[0]) && outputFits(page[1:], printed[1:])
	}
	for n := range len(printed) + 1 {
		if outputFits(page[1:], printed[n:]) {
			return true
		}
	}
	return false
}

func lineFits(page, printed string) bool {
	if page == printed || !strings.Contains(page, cut) {
		return page == printed
	}
	parts := strings.Split(page, cut)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString(printed)
}

// cutAgain leaves out of what a command printed what the page has left out before: a part of the page between two cuts
// is found again by its first and its last line. Where it is not, nothing is left out.
func cutAgain(page, printed []string) []string {
	if len(page) == 0 {
		return printed
	}
	var out []string
	at := 0
	for i := 0; i < len(page); i++ {
		if page[i] == cut {
			out = append(out, cut)
			continue
		}
		last := i
		for last+1 < len(page) && page[last+1] != cut {
			last++
		}
		first, end := at, len(printed)
		if i > 0 {
			first = find(printed, page[i], at)
		}
		if last+1 < len(page) {
			end = find(printed, page[last], max(first, at)) + 1
		}
		if first < 0 || end <= first {
			return printed
		}
		out = append(out, printed[first:end]...)
		at, i = end, last
	}
	return out
}

// find is the first line from at on that the line of the page stands for, -1 where there is none.
func find(printed []string, line string, at int) int {
	for i := at; i < len(printed); i++ {
		if lineFits(line, printed[i]) {
			return i
		}
	}
	return -1
}
