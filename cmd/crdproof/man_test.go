package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/internal/cli/arguments"
)

// TestManPages keeps docs/man in step with the commands, or rewrites it. cobra's own generator goes through Markdown,
// where <file> is HTML and disappears, and needs two more modules.
func TestManPages(t *testing.T) {
	root := new(cli).tree()
	pages := map[string]string{"crdproof.1": rootPage(root)}
	for _, c := range root.Commands() {
		pages["crdproof-"+c.Name()+".1"] = commandPage(c)
	}
	dir := filepath.Join(docs(t), "man")
	entries, err := os.ReadDir(dir)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for _, e := range entries {
		if pages[e.Name()] == "" {
			t.Errorf("%s is not the page of a command: remove it", e.Name())
		}
	}
	for name, want := range pages {
		path := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); string(got) != want {
			t.Errorf("%s is not current (%v): run go test ./cmd/crdproof -run TestManPages -update", path, err)
		}
	}
}

// TestManPagesRender lets mandoc look for mistakes in the pages.
func TestManPagesRender(t *testing.T) {
	if _, err := exec.LookPath("mandoc"); err != nil {
		if os.Getenv("CRDPROOF_PROGRAMS") == "required" {
			t.Fatal(err)
		}
		t.Skip("mandoc is not installed")
	}
	pages, err := filepath.Glob(filepath.Join(docs(t), "man", "*.1"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	out, err := exec.Command("mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if !strings.Contains(line, "missing date") { // a page changes only with its command
			t.Error(line)
		}
	}
}

func docs(t *testing.T) string {
	t.Helper()
	return filepath.Join(root(t), "docs")
}

// A manual is a page in the language man of roff.
type manual struct{ strings.Builder }

func rootPage(root *cobra.Command) string {
	var p manual
	p.begin(root)
	p.section("DESCRIPTION")
	p.text("crdproof runs generators on Go packages. Its command line is that of controller-gen. Its commands are:\n")
	var pages []string
	for _, c := range root.Commands() {
		pages = append(pages, "crdproof-"+c.Name()+"(1)")
		p.row("crdproof-"+c.Name()+"(1)", c.Short)
	}
	p.section("HELP")
	p.row("crdproof help <name>…", "prints the page of a command, a generator, a check or a marker. A check is what a "+
		"finding has in brackets; the name of a marker may be its last word.")
	p.row("crdproof help checks", "prints the names of all checks.")
	p.row("crdproof help markers", "prints the names of all markers.")
	p.options(root.Flags())
	p.section("GENERATORS, PACKAGES AND OUTPUT RULES")
	p.text(indented(arguments.OptionText(arguments.OptionDocs(arguments.Plan{}), arguments.LevelArguments)))
	p.end(root)
	p.seeAlso(pages...)
	return p.String()
}

func commandPage(c *cobra.Command) string {
	var p manual
	p.begin(c)
	p.section("DESCRIPTION")
	p.text(c.Long)
	p.options(c.Flags())
	p.end(c)
	p.seeAlso("crdproof(1)")
	return p.String()
}

func (p *manual) begin(c *cobra.Command) {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(p, ".\\\" Written by go test ./cmd/crdproof -run TestManPages -update.\n"+
		".TH %s 1 \"\" crdproof \"crdproof manual\"\n", strings.ToUpper(name))
	p.section("NAME")
	fmt.Fprintf(p, "%s \\- %s\n", escaped(name), escaped(c.Short))
	p.section("SYNOPSIS")
	p.text("  " + c.UseLine() + "\n")
}

// end writes the sections after the options.
func (p *manual) end(c *cobra.Command) {
	p.section("EXIT STATUS")
	for _, e := range exitMeanings() {
		p.row(fmt.Sprint(e.code), e.meaning)
	}
	p.section("ENVIRONMENT")
	for _, row := range environmentDocs() {
		p.row(row[0], strings.NewReplacer("`", "", "[ci.md](ci.md#cache)", "docs/ci.md").Replace(row[1]))
	}
	p.section("FILES")
	p.row(".crdproof.yaml", "Settings, in the working directory or the nearest parent in the repository.")
	p.row("~/.cache/crdproof", "Results of earlier runs, in the user's cache directory. They may be removed.")
	p.section("EXAMPLES")
	p.text(c.Example)
}

func (p *manual) seeAlso(pages ...string) {
	p.section("SEE ALSO")
	fmt.Fprintf(p, "%s\n", escaped(strings.Join(pages, ", ")))
}

func (p *manual) section(name string) { fmt.Fprintf(p, ".SH %s\n", name) }

// row writes a name and its meaning.
func (p *manual) row(name, meaning string) {
	fmt.Fprintf(p, ".TP\n\\fB%s\\fR\n%s\n", escaped(name), escaped(strings.ReplaceAll(meaning, "\n", " ")))
}

func (p *manual) options(flags *pflag.FlagSet) {
	p.section("OPTIONS")
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := flagUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		p.row(name, usage)
	})
}

// text writes paragraphs. Indented lines are kept as they are.
func (p *manual) text(text string) {
	isKept := false
	for line := range strings.Lines(text) {
		if keeps := strings.HasPrefix(line, "  ") || isKept && line == "\n"; keeps != isKept {
			p.keep(keeps)
			isKept = keeps
		}
		if isKept || line != "\n" {
			p.WriteString(escaped(line))
		} else {
			p.paragraph()
		}
	}
	if isKept {
		p.keep(false)
	}
}

// keep begins or ends lines that are not filled.
func (p *manual) keep(keeps bool) {
	if keeps {
		p.paragraph()
		p.WriteString(".nf\n")
	} else {
		p.WriteString(".fi\n")
	}
}

// paragraph begins a paragraph, unless one has just begun.
func (p *manual) paragraph() {
	text := strings.TrimSuffix(p.String(), "\n")
	if last := text[strings.LastIndexByte(text, '\n')+1:]; last != ".PP" && !strings.HasPrefix(last, ".SH ") {
		p.WriteString(".PP\n")
	}
}

func indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString("  ")
		}
		out.WriteString(line)
	}
	return out.String()
}

// escaped returns text whose characters roff does not interpret.
func escaped(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", "\\`", "'", `\(aq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
