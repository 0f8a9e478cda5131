package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/markers"
)

var (
	link       = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	heading    = regexp.MustCompile(`^#+ (.*)$`)
	inlineCode = regexp.MustCompile("`(crdproof [^`]*)`")
)

// prose is the text of a page without its blocks and comments, which have no links and headings.
func prose(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	inside := ""
	for _, line := range strings.Split(string(data), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case inside == "" && m != nil:
			inside = m[2]
		case inside != "" && strings.TrimSpace(line) == inside:
			inside = ""
		case inside == "" && !strings.HasPrefix(line, "<!--"):
			out = append(out, line)
		}
	}
	return out
}

// anchors are the targets of links in a page, as GitHub names them.
func anchors(t *testing.T, path string) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, line := range prose(t, path) {
		if m := heading.FindStringSubmatch(line); m != nil {
			name := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
			out[strings.ReplaceAll(name, " ", "-")]++
		}
	}
	return out
}

// TestDocsLinks follows the links from page to page.
func TestDocsLinks(t *testing.T) {
	found := 0
	known := map[string]map[string]int{}
	for _, path := range docsPages(t) {
		for _, line := range prose(t, path) {
			for _, m := range link.FindAllStringSubmatch(regexp.MustCompile("`[^`]*`").ReplaceAllString(line, ""), -1) {
				found++
				if strings.HasPrefix(m[1], "https://") {
					continue
				}
				name, anchor, _ := strings.Cut(m[1], "#")
				to := path
				if name != "" {
					to = filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
				}
				if _, err := os.Stat(to); err != nil {
					t.Errorf("%s: broken link to %s", filepath.Base(path), m[1])
					continue
				}
				if anchor == "" {
					continue
				}
				if known[to] == nil {
					known[to] = anchors(t, to)
				}
				if n := known[to][anchor]; n != 1 {
					t.Errorf("%s: %d headings for the link to %s", filepath.Base(path), n, m[1])
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d links", found)
	}
}

// TestReadmeIsShort makes sure that a maintainer can read the README in a minute.
func TestReadmeIsShort(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("\n")); n > 150 {
		t.Errorf("README.md has %d lines, want at most 150", n)
	}
}

// TestDocsPagesAreLinked makes sure that docs/README.md leads to every page.
func TestDocsPagesAreLinked(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(root(t), "docs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs := filepath.Join(root(t), "docs")
	for _, path := range docsPages(t) {
		name, err := filepath.Rel(docs, path)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if filepath.Base(name) != "README.md" && !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md has no link to %s", name)
		}
	}
}

// TestDocsInline makes sure that the flags and options of command lines in running text exist. These are not run.
func TestDocsInline(t *testing.T) {
	for _, path := range docsPages(t) {
		for _, line := range prose(t, path) {
			for _, m := range inlineCode.FindAllStringSubmatch(line, -1) {
				inline(t, filepath.Base(path), strings.Fields(m[1])[1:])
			}
		}
	}
}

// ownCommand is crdproof on a command line of a console, with its arguments up to the next command.
var ownCommand = regexp.MustCompile(`(?:^|[\s/;&|])crdproof((?:\s+[^\s|;&<>]+)*)`)

// TestDocsConsoles makes sure that a reader can follow each page, without running it as TestDocs does: all commands
// are in consoles, and their flags, options and make targets exist.
func TestDocsConsoles(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, path := range docsPages(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(generatedPage)) {
			continue
		}
		p, problems := readPage(path, string(data))
		for _, text := range problems {
			t.Error(text)
		}
		own := false
		for _, s := range p.steps {
			if s.kind == stepStory {
				own = s.word == "in this repository"
			}
			if s.kind != stepConsole {
				continue
			}
			for _, e := range p.exchanges(t, s) {
				text := strings.ReplaceAll(e.command, "\\\n", " ")
				for _, m := range ownCommand.FindAllStringSubmatch(text, -1) {
					commands++
					inline(t, p.at(e.line), strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(m[1])))
				}
				target, ok := strings.CutPrefix(text, "make ")
				target, _, _ = strings.Cut(target, " ")
				if ok && own && !strings.Contains(string(makefile), "\n"+target+":") {
					t.Errorf("%s: the Makefile has no target %s", p.at(e.line), target)
				}
			}
		}
	}
	if commands < 50 {
		t.Errorf("found only %d commands", commands)
	}
}

// inline looks up the words of a command line.
func inline(t *testing.T, page string, words []string) {
	t.Helper()
	args := []string{"-hhh"}
	if c, _, err := new(cli).tree().Find(words); err == nil && c.HasParent() {
		args = []string{words[0], "--help"}
		words = words[1:]
	}
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), args, nil, &stdout, &stderr); code != exitClean {
		t.Fatal(stderr.String())
	}
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(word, "--"):
			if !regexp.MustCompile(regexp.QuoteMeta(name) + `\b`).MatchString(stdout.String()) {
				t.Errorf("%s: crdproof %s has no flag %s", page, strings.Join(args, " "), name)
			}
		case strings.HasPrefix(word, "-") || strings.ContainsAny(word, "<…"):
		case arguments.Table().Lookup("+"+word, markers.Package) != nil:
			if _, problems := arguments.Parse(new(reporter).line([]string{word, "crd"})); len(onlyUnknown(problems)) > 0 {
				t.Errorf("%s: %s: %s", page, word, problems[0].Message)
			}
		}
	}
}
