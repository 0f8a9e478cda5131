package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/internal/cli/release"
)

// A topic is a word after `crdproof help` that is neither a command nor a generator.
type topic struct {
	name  string
	print func(io.Writer)
}

// topics hold what does not fit into the help of one screen.
func topics() []topic {
	return []topic{
		{"checks", printChecks},
		{"flags", printFlags},
		{"options", func(w io.Writer) { printOptions(w, arguments.LevelSummary) }},
		{"markers", func(w io.Writer) {
			docs := arguments.MarkerDocs(arguments.Plan{})
			fmt.Fprint(w, arguments.MarkerText(docs, arguments.LevelSummary))
		}},
	}
}

// help prints the help of a command: what it does, how it is used, its arguments, examples and flags.
func (l *cli) help(c *cobra.Command) {
	const heading = "\nArguments"
	purpose, arguments, found := strings.Cut(c.Long, heading)
	if found {
		arguments = heading + arguments
	}
	l.rep.print(fmt.Sprintf("%s\nUsage:\n  %s\n%s\nExamples:\n%s\nFlags:\n%s\n%s",
		purpose, c.UseLine(), arguments, c.Example, c.Flags().FlagUsages(), exitCodes()))
}

// printHelp handles all flags that ask for documentation instead of files. It returns the exit code.
func printHelp(set *settings, rep *reporter) int {
	if set.version {
		fmt.Fprintf(rep.stdout, "Version: %s\nCommit: %s\n", release.Version(), release.Commit())
		return exitClean
	}
	for _, t := range topics() {
		if set.usage && slices.Equal(set.options, []string{t.name}) {
			var text strings.Builder
			t.print(&text)
			rep.print(text.String())
			return exitClean
		}
	}
	p, problems := arguments.Parse(rep.line(set.options))
	if problems = onlyUnknown(problems); len(problems) > 0 && set.usage {
		return rep.printPages(set.options)
	} else if len(problems) > 0 {
		return rep.usage(problems...)
	}
	level := max(set.help, arguments.LevelSummary)
	switch asksForMarkers := set.help == 0 && !set.usage; {
	case asksForMarkers && set.which >= arguments.LevelJSON:
		return rep.printJSON(arguments.MarkerDocs(p))
	case asksForMarkers:
		rep.print(arguments.MarkerText(arguments.MarkerDocs(p), set.which))
	case level >= arguments.LevelJSON:
		return rep.printJSON(arguments.OptionDocs(arguments.Plan{}))
	case len(p.Generators) > 0:
		docs := arguments.OptionText(arguments.OptionDocs(p), max(level, arguments.LevelArguments))
		rep.print(generatorPointer(p) + docs)
		if found := pages.All().Find(p.Generators[0].Name); set.usage && len(found) > 0 { // of its check
			fmt.Fprintln(rep.stdout)
			return rep.printPages([]string{found[0].Name})
		}
	case set.help == 0:
		printOverview(rep.stdout)
	default:
		var text strings.Builder
		printOptions(&text, level)
		rep.print(text.String())
	}
	return exitClean
}

// printJSON prints documentation as JSON. It returns the exit code.
func (r *reporter) printJSON(docs any) int {
	if err := json.NewEncoder(r.stdout).Encode(docs); err != nil {
		return r.failed(err)
	}
	return exitClean
}

// generatorPointer precedes the options of single generators.
func generatorPointer(p arguments.Plan) string {
	name := p.Generators[0].Name
	example := map[string]string{
		arguments.CRD: "crd:maxDescLen=0,kube=1.31",
		"object":      "object:headerFile=hack/boilerplate.go.txt",
		"rbac":        "rbac:roleName=manager-role",
		"schemapatch": "schemapatch:manifests=config/crd/bases",
	}[name]
	return "Write the options after the generator, with commas between them: <generator>:<option>=<value>,…\n" +
		"Example: crdproof " + cmp.Or(example, name) + " paths=./api/...\n" +
		"Run `crdproof " + name + " -w` for its markers.\n\n"
}

// onlyUnknown returns the problems that leave open which generators are meant. A missing option does not, and if no
// generator is named, all are meant.
func onlyUnknown(problems []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(problems, func(d diag.Diagnostic) bool { return d.Check != arguments.Unknown.ID })
}

const rootExamples = `  crdproof crd paths=./api/... output:crd:dir=config/crd/bases
  crdproof check config/crd/bases
`

// printOverview writes the help that fits into a terminal of 80 columns and 24 lines.
func printOverview(w io.Writer) {
	root := new(cli).tree()
	fmt.Fprintf(w, "crdproof writes Kubernetes CRDs from annotated Go types, and validates them.\n\n"+
		"Usage:\n  %s\n\nGenerators: %s\n\nCommands:\n", root.UseLine(), strings.Join(arguments.Generators(), ", "))
	for _, c := range new(cli).commands() {
		fmt.Fprintf(w, "  %-11s %s\n", c.Name(), c.Short)
	}
	var names []string
	for _, t := range topics() {
		names = append(names, t.name)
	}
	fmt.Fprintf(w, "\nExamples:\n%s\nMore: crdproof help <name, check or marker>|%s\n", root.Example,
		strings.Join(names, "|"))
}

// printFlags documents the flags and the exit codes.
func printFlags(w io.Writer) {
	fmt.Fprint(w, "Flags of the generators (`crdproof help <command>` has those of a command):\n"+
		new(cli).tree().Flags().FlagUsages()+"\n"+exitCodes())
}

// exitCodes documents the exit codes, which all commands share.
func exitCodes() string {
	out := "Exit codes:\n"
	for _, e := range exitMeanings() {
		out += fmt.Sprintf("  %3d  %s\n", e.code, e.meaning)
	}
	return out
}

// printOptions documents the options of all generators: -h, -hh and -hhh of controller-gen.
func printOptions(w io.Writer, level int) {
	fmt.Fprint(w, `crdproof runs generators on Go packages. Its command line is that of controller-gen.

Usage:
  crdproof <generator>[:<option>=<value>,…]… [paths=<packages>] [output:[<generator>:]<rule>]… [flags]

Examples:
  # Write the CRDs of all types below api. Without an output rule they go to config/crd.
  crdproof crd paths=./api/... output:crd:dir=config/crd/bases

  # Also write Go functions that prune, default and validate objects as the API server does.
  crdproof crd helpers paths=./api/... output:crd:dir=config/crd/bases

  # Write such functions for CRDs in files.
  crdproof helpers:crds=config/crd/bases,package=rules output:helpers:dir=internal/rules

  # Run what the Makefile of kubebuilder runs.
  crdproof rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases
  crdproof object:headerFile=hack/boilerplate.go.txt paths=./...

  # Print the markers that crd reads, with their arguments.
  crdproof crd -ww

`)
	printFlags(w)
	fmt.Fprint(w, "\n"+arguments.OptionText(arguments.OptionDocs(arguments.Plan{}), level))
}
