package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-tools/pkg/genall/help"
)

const optionsIntro = `# Options

<!-- Written by ` + "`go test ./cmd/crdproof -run TestOptionsReference -update`" + ` from the tables of commands, flags and options. -->

A command line starts with a [command](#commands), or it names [generators](#generators) with their options, the
[packages](#packages) to read, [output rules](#output-rules) and [flags](#flags), in any order:

` + "```" + `
crdproof <generator>[:<option>=<value>,…]… [paths=<packages>] [output:[<generator>:]<rule>]… [flags]
` + "```" + `

crdproof writes files only after all of them are generated. A run that finds an error, or is interrupted, changes no
files. On a terminal, a successful run ends with a line such as
` + "`wrote 3 files, 2 unchanged; validated for Kubernetes 1.34–1.37 in 0.4 s`" + `.

## Lists and quotes

| What | Write |
|---|---|
| a list in an option | ` + "`crd:ignore=cel-absent,json-null`, `crd:ignore=cel-absent;json-null` or " +
	"`crd:ignore={cel-absent,json-null}`" + ` |
| a list of packages | ` + "`paths=./api/...,./pkg/...`, `paths=./api/...;./pkg/...`, or several `paths=`" + ` |
| a list in a flag | ` + "`--ignore=cel-absent,json-null`, `--ignore=cel-absent;json-null`, or several `--ignore=`" + ` |
| a value that contains a comma | double quotes around the value |

Shells need single quotes around a semicolon, braces or double quotes.

## Help

| Command line | Prints |
|---|---|
| ` + "`crdproof --help`" + ` | an overview of one screen |
| ` + "`crdproof help <command>`, `crdproof <command> --help`" + ` | arguments, flags and examples of a command |
| ` + "`crdproof help <generator>`, `crdproof <generator> --help`" + ` | the options of a generator |
| ` + "`crdproof help <check>`, such as `crdproof help cel-absent`" + ` | the page of a check, which findings name in brackets |
| ` + "`crdproof help <marker>`, such as `crdproof help MaxLength`" + ` | the page of a marker, by its name or its last word |
| ` + "`crdproof help checks`" + ` | all checks |
| ` + "`crdproof help flags`" + ` | the flags of the generators, and the exit codes |
| ` + "`crdproof help options`, `crdproof -h`" + ` | examples, and all generators with the names of their options |
| ` + "`crdproof -hh`, `-hhh`, `-hhhh`" + ` | the same with the meaning of each option, with details, as JSON |
| ` + "`crdproof help markers`, `crdproof -w`" + ` | all markers; ` + "`-ww`, `-www` and `-wwww`" + ` print more, as above |
| ` + "`crdproof <generator> -w`" + ` | the markers of a generator |
| ` + "`man -l docs/man/crdproof.1`" + ` | the manual page; each command has one in [docs/man](man) |
`

// TestOptionsReference keeps docs/options.md in step with the tables of the command line, or rewrites it.
func TestOptionsReference(t *testing.T) {
	var out strings.Builder
	out.WriteString(optionsIntro)
	writeExitCodes(&out)
	writeEnvironment(t, &out)
	docs := arguments.OptionDocs(arguments.Plan{})
	writeOptions(&out, "Generators", docs[0].Markers)
	writeOptions(&out, "Packages", docs[1].Markers)
	writeOptions(&out, "Output rules", docs[2].Markers)
	out.WriteString("\nThe rule `output:<rule>` applies to all generators, and `output:<generator>:<rule>` to one. " +
		"By default,\nconfiguration goes to `config/<generator>`, and Go code to the directory of its package.\n" +
		"\nA link that leads out of the repository is an error. One that stays inside works: the file behind it is " +
		"written.\nOutside of the repository, crdproof writes only in directories that the command line names. See\n" +
		"[SECURITY.md](../SECURITY.md#where-crdproof-writes).\n")
	writeFlags(&out, new(cli).tree().Flags())
	writeCommands(t, &out)
	path := filepath.Join(root(t), "docs", "options.md")
	want := out.String()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("%s is not current: run go test ./cmd/crdproof -run TestOptionsReference -update", path)
	}
}

func writeExitCodes(out *strings.Builder) {
	out.WriteString("\n## Exit codes\n\n| Code | Meaning |\n|---|---|\n")
	for _, row := range exitMeanings() {
		fmt.Fprintf(out, "| %d | %s |\n", row.code, strings.ToUpper(row.meaning[:1])+row.meaning[1:])
	}
	out.WriteString(`
The code depends on the mistake, not on the command:

| Mistake | Code |
|---|---|
| an error in types, markers, CRDs, objects or suites; a rejected object; a failed case; a difference | 1 |
| a syntax error in a Go file, in YAML or in JSON; an import that the go command does not find | 1 |
| an unknown command, option, flag, check or format | 2 |
| no go.mod, or one that the go command cannot use; no package, or none with Go files | 2 |
| a file or directory that does not exist or cannot be read; no CRD in the files | 2 |
| a mistake in a settings file | 2 |
`)
}

// environmentDocs documents the environment variables that crdproof itself reads.
func environmentDocs() [][2]string {
	return [][2]string{
		{"NO_COLOR", "Turns off colours if it is not empty. crdproof uses colours only on terminals."},
		{"COLUMNS", "The width of lines, in place of that of the terminal. Excerpts are cut to fit, and other lines are " +
			"wrapped between words, but not within a marker, a rule or a command that you may copy. In a pipe, a file " +
			"or the log of a CI server nothing is wrapped, and excerpts fit 120 columns, unless `COLUMNS` is set."},
		{"TERM", "Turns off colours and progress if it is `dumb`."},
		{"GITHUB_WORKSPACE", "The directory that paths in the formats `github` and `sarif` are relative to, if the " +
			"files are not in a git repository."},
		{"CRDPROOF_CACHE", "The directory of the cache, an absolute path, or `off` for no cache. The default is " +
			"`crdproof` in the user's cache directory. See [ci.md](ci.md#cache)."},
		{"GOPACKAGESDRIVER", "A program that lists Go packages instead of the go command. Runs with it are not " +
			"cached."},
		{"GOGC", "How much the heap may grow before Go collects garbage, in percent, as in all Go programs. The " +
			"default is 100; `diff`, `test` and `validate` take 400."},
		{"GOMEMLIMIT", "The memory up to which garbage is not collected early, as in all Go programs. `diff`, `test` and " +
			"`validate` take 300MiB."},
		{"CRDPROOF_CPUPROFILE", "A file for a profile of the processor's time, for the developers of crdproof."},
	}
}

// writeEnvironment lists the variables, and makes sure that they are those that the sources read.
func writeEnvironment(t *testing.T, out *strings.Builder) {
	t.Helper()
	out.WriteString("\n## Environment\n\n| Variable | Meaning |\n|---|---|\n")
	documented := map[string]bool{}
	for _, row := range environmentDocs() {
		documented[row[0]] = true
		fmt.Fprintf(out, "| `%s` | %s |\n", row[0], row[1])
	}
	out.WriteString("\ncrdproof runs the go command to list packages. That command reads its own variables, such " +
		"as `GOFLAGS`.\n")
	read := regexp.MustCompile(`\.(?:Getenv|LookupEnv)\("(\w+)"\)`)
	mentioned := map[string]bool{}
	for _, dir := range sourceFolders(t) {
		err := filepath.WalkDir(filepath.Join(root(t), dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, m := range read.FindAllSubmatch(data, -1) {
				mentioned[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name := range mentioned {
		if !documented[name] {
			t.Errorf("the environment variable %s is not documented", name)
		}
	}
	for name := range documented {
		if !mentioned[name] {
			t.Errorf("nothing reads the environment variable %s", name)
		}
	}
}

// writeOptions writes a table of options, or of the arguments of each.
func writeOptions(out *strings.Builder, heading string, list []help.MarkerDoc) {
	fmt.Fprintf(out, "\n## %s\n", heading)
	simple := true
	for _, m := range list {
		simple = simple && (m.AnonymousField() || len(m.Fields) == 0 || heading == "Output rules")
	}
	if simple {
		out.WriteString("\n| Option | Meaning |\n|---|---|\n")
		for _, m := range list {
			fmt.Fprintf(out, "| `%s` | %s |\n", wholeSyntax(m), cellText(sentence(m.Name, m.DetailedHelp)))
		}
		return
	}
	for _, m := range list {
		fmt.Fprintf(out, "\n### `%s`\n\n%s", m.Name, sentence(m.Name, m.DetailedHelp))
		if example, ok := strings.CutPrefix(m.Details, "Example: "); ok {
			fmt.Fprintf(out, " Example: `%s`.", example)
		}
		out.WriteString("\n\n| Option | Type | Meaning |\n|---|---|---|\n")
		for _, f := range m.Fields {
			kind := f.TypeString()
			if values := arguments.Values(f.Name); len(values) > 0 {
				kind += ": `" + strings.Join(values, "` or `") + "`"
			}
			if !f.Optional {
				kind += ", required"
			}
			fmt.Fprintf(out, "| `%s` | %s | %s |\n", f.Name, kind, cellText(sentence(m.Name, f.DetailedHelp)))
		}
	}
}

// wholeSyntax returns the syntax of an option with all of its arguments.
func wholeSyntax(m help.MarkerDoc) string {
	text := arguments.OptionSyntax(m)
	for _, f := range m.Fields {
		if f.Optional && !m.AnonymousField() {
			text += "[," + f.Name + "=<" + f.TypeString() + ">]"
		}
	}
	return text
}

// sentence returns the summary of an option, or of an argument of it, as a sentence. Those of controller-tools begin
// with a lowercase letter.
func sentence(option string, h help.DetailedHelp) string {
	text := h.Summary
	if tools.New(option) != nil {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// cellText escapes text for a table.
func cellText(text string) string {
	return strings.NewReplacer("\n", " ", "|", `\|`, "<", "&lt;").Replace(text)
}

func writeFlags(out *strings.Builder, flags *pflag.FlagSet) {
	out.WriteString("\n## Flags\n\n| Flag | Meaning |\n|---|---|\n")
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		value, usage := flagUsage(f)
		if value != "" {
			name = strings.TrimSuffix(name, "`") + " <" + value + ">`"
		}
		fmt.Fprintf(out, "| %s | %s |\n", name, cellText(usage))
	})
}

// flagUsage returns the placeholder for the value of a flag, or "" if it needs none, and what the flag does.
func flagUsage(f *pflag.Flag) (value, usage string) {
	value, usage = pflag.UnquoteUsage(f)
	if value == "count" {
		value = ""
	}
	if f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "" && f.DefValue != "[]" {
		usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
	}
	return value, usage
}

// writeCommands writes the help of each command.
func writeCommands(t *testing.T, out *strings.Builder) {
	t.Helper()
	out.WriteString("\n## Commands\n\n| Command | Purpose |\n|---|---|\n")
	for _, c := range new(cli).commands() {
		fmt.Fprintf(out, "| [`crdproof %s`](#crdproof-%s) | %s |\n", c.Name(), c.Name(), c.Short)
	}
	for _, c := range new(cli).commands() {
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), []string{c.Name(), "--help"}, nil, &stdout, &stderr); code != exitClean ||
			stderr.Len() > 0 {
			t.Fatalf("crdproof %s --help ends with %d: %s", c.Name(), code, stderr.String())
		}
		fmt.Fprintf(out, "\n### crdproof %s\n\n```text\n%s```\n", c.Name(), stdout.String())
	}
}
