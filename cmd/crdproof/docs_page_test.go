package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A page is a Markdown file of the documentation, parsed into the steps of its reader:
//
//   - A block with the content of a file is written. The line before the block ends with the name of the file in
//     backquotes, and a colon.
//   - A block ```diff is applied to the files that it names.
//   - In a block ```console, each line after "$ " is run by a shell, in the current directory of the last command. Its
//     output must be the lines below it. A line … matches any lines, and … in a line matches any text.
//   - A comment <!-- run: … --> is a command that the reader does not see. <!-- exits 1 --> is the exit code of the
//     last command in the next block. <!-- story --> starts again in an empty directory.
//   - <!-- story: without spaces --> starts in a directory whose path has no spaces.
//   - <!-- story: in this repository --> goes to the root of crdproof's own repository, where nothing is written.
type page struct {
	path  string
	lines []string
	steps []step
	// problems are things that a reader could do and that no test would do.
	problems []string
}

// A stepKind is the kind of a step.
type stepKind int

const (
	stepStory stepKind = iota
	stepFile
	stepPatch
	stepConsole
	stepHidden
)

// A step is one thing that a reader does.
type step struct {
	kind stepKind
	// from and to are the lines of the block, without its fences. Lines count from 0, and to is the line after the
	// last one.
	from, to int
	// word is the name of a file, the hidden command, or the place of a story.
	word string
	// exit is the exit code of the last command of a console.
	exit int
}

var (
	fence     = regexp.MustCompile("^(\\s*)(`{3,}|~{3,})\\s*([^\\s`]*)\\s*$")
	fileName  = regexp.MustCompile("(?:^|\\s)`([\\w./-]+)`:$")
	directive = regexp.MustCompile(`^<!-- (story|run|exits)(?:: | |$)(.*?) ?-->$`)
	// commandLine matches lines that may only be in a console.
	commandLine = regexp.MustCompile(`^\s*(- )?(\w+: )?(\$ |crdproof |` +
		`go (tool|run|install|get|mod|test|generate) |make\b(?: \w|$)|//go:generate )`)
)

// generatedPage is the beginning of pages that other tests write.
const generatedPage = "<!-- Written by "

// readPage parses a page. A command that a reader could type and that no test would run is a problem.
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

// at is the position of a line.
func (p *page) at(line int) string {
	return fmt.Sprintf("%s:%d", filepath.Base(p.path), line+1)
}

// directive reads a comment. It returns the exit code of the last command of the next block.
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
			p.problem(line, "expected an exit code other than 0")
		}
		return code
	}
	return exit
}

// block is the step of a fenced block; ok is false if there is nothing to do.
func (p *page) block(open, end int, indent, language string) (s step, ok bool) {
	s = step{from: open + 1, to: end}
	above := open - 1
	for above > 0 && strings.TrimSpace(p.lines[above]) == "" {
		above--
	}
	name := fileName.FindStringSubmatch(p.lines[max(above, 0)])
	switch {
	case end == len(p.lines):
		p.problem(open, "the block has no end")
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
	// shown are the lines of the command as they are in the page.
	shown []string
}

// exchanges parses a console. A command that ends with a backslash continues in the next line.
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

// cut is the line that represents omitted lines.
const cut = "…"

// outputFits reports whether the output of a command matches the page.
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

// cutAgain omits from the output of a command what the page omits. It finds a part of the page between two cuts by its
// first and its last line. If it does not find one of them, it omits nothing.
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

// find is the index of the first line, from at on, that matches the line of the page, or -1.
func find(printed []string, line string, at int) int {
	for i := at; i < len(printed); i++ {
		if lineFits(line, printed[i]) {
			return i
		}
	}
	return -1
}
