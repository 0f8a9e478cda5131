package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/tools"
	"github.com/spf13/pflag"
	"sigs.k8s.io/controller-tools/pkg/genall/help"
)

const optionsIntro = `# Options

<!-- Written by ` + "`go test ./cmd/crdproof -run TestOptionsReference -update`" + ` from the tables of commands, flags and options. -->

A command line begins with one of the [commands](#commands), or else it has [generators](#generators) with their options, the [packages](#packages) to read,
[output rules](#output-rules) and [flags](#flags), in any order:

` + "```" + `
crdproof <generator>[:<option>=<value>,…]… [paths=<packages>] [output:[<generator>:]<rule>]… [flags]
` + "```" + `

Everything is generated in memory and then renamed into place: a run that finds an error, or is interrupted, changes no file. ` + "`crdproof -hhh`" + ` prints what stands here of generators,
and ` + "`crdproof <command> --help`" + ` what stands here of a command.

A list has semicolons between its items, as in ` + "`paths=./api/...;./pkg/...`" + `, or stands in braces, with commas, as in ` + "`crd:ignore={cel-absent,json-null}`" + `.
A value with a comma in it stands in double quotes. Shells want both in single quotes.
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
	out.WriteString("\nWithout an output rule, configuration goes to `config/<generator>`, and Go code beside its " +
		"package. `output:<rule>` holds for all generators, and\n" +
		"`output:<generator>:<rule>` for one.\n")
	writeFlags(&out, newFlags(new(settings)))
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
	for _, row := range []struct {
		code    int
		meaning string
	}{
		{exitClean, "All is well. There may be warnings."},
		{exitFound, "The input is wrong, or differs from what it should be."},
		{exitUsage, "The command line is wrong, or a file cannot be read or written."},
		{exitInterrupted, "A signal has interrupted the run. No file was changed, unless the last line says that all " +
			"files had been written."},
	} {
		fmt.Fprintf(out, "| %d | %s |\n", row.code, row.meaning)
	}
}

// environmentDocs says what environment variables are for that crdproof itself reads.
func environmentDocs() [][2]string {
	return [][2]string{
		{"NO_COLOR", "Where it is set to anything, text is not coloured. It is coloured on terminals only in any " +
			"case."},
		{"TERM", "On a terminal that is `dumb`, text is not coloured, and progress is not shown."},
		{"GITHUB_WORKSPACE", "Where a job got its files without git, `github` and `sarif` name files from here."},
		{"GOGC", "How much the heap may grow before it is collected, as for all programs in Go; 60 if not set."},
	}
}

// writeEnvironment lists the variables, which are all that the sources mention.
func writeEnvironment(t *testing.T, out *strings.Builder) {
	t.Helper()
	out.WriteString("\n## Environment\n\n| Variable | Meaning |\n|---|---|\n")
	documented := map[string]bool{}
	for _, row := range environmentDocs() {
		documented[row[0]] = true
		fmt.Fprintf(out, "| `%s` | %s |\n", row[0], row[1])
	}
	out.WriteString("\nPackages are listed by the go command, which obeys its own variables, such as `GOFLAGS`.\n")
	read := regexp.MustCompile(`\.(?:Getenv|LookupEnv)\("(\w+)"\)`)
	mentioned := map[string]bool{}
	for _, dir := range []string{"cmd", "generator", "markers", "rules", "emit"} {
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
			if !f.Optional {
				kind += ", required"
			}
			fmt.Fprintf(out, "| `%s` | %s | %s |\n", f.Name, kind, cellText(sentence(m.Name, f.DetailedHelp)))
		}
	}
}

// wholeSyntax is an option with all of its arguments.
func wholeSyntax(m help.MarkerDoc) string {
	text := arguments.OptionSyntax(m)
	for _, f := range m.Fields {
		if f.Optional && !m.AnonymousField() {
			text += "[," + f.Name + "=<" + f.TypeString() + ">]"
		}
	}
	return text
}

// sentence is the summary of an option, or of an argument of it, as a sentence: controller-tools leaves capitals to who
// prints it.
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

// cellText is text in a table.
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
		value, usage := pflag.UnquoteUsage(f)
		if value != "" && value != "count" {
			name = strings.TrimSuffix(name, "`") + " <" + value + ">`"
		}
		if f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "" && f.DefValue != "[]" {
			usage += " (default " + strings.Trim(f.DefValue, "[]") + ")"
		}
		fmt.Fprintf(out, "| %s | %s |\n", name, cellText(usage))
	})
}

// writeCommands writes what each command says of itself.
func writeCommands(t *testing.T, out *strings.Builder) {
	t.Helper()
	out.WriteString("\n## Commands\n\n| Command | |\n|---|---|\n")
	for _, c := range commands() {
		fmt.Fprintf(out, "| [`crdproof %s`](#crdproof-%s) | %s |\n", c.name, c.name, c.summary)
	}
	for _, c := range commands() {
		var stdout, stderr bytes.Buffer
		if code := c.run(context.Background(), []string{"--help"}, nil, &stdout, &stderr); code != exitClean ||
			stderr.Len() > 0 {
			t.Fatalf("crdproof %s --help ends with %d: %s", c.name, code, stderr.String())
		}
		fmt.Fprintf(out, "\n### crdproof %s\n\n```text\n%s```\n", c.name, stdout.String())
	}
}
