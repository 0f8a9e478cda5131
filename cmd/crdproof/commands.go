package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/load"
)

// The exit codes of all commands.
const (
	exitClean = 0
	// exitFound means that the input is wrong, or differs from what it should be.
	exitFound = 1
	// exitUsage means that the command line is wrong, or that a file cannot be read or written.
	exitUsage = 2
	// exitInterrupted is what shells make of a command that SIGINT has ended.
	exitInterrupted = 130
)

// A command is the first word of a command line that asks for something else than generators.
type command struct {
	name string
	// arguments follow the name in the usage, and summary says what it is for, in a line.
	arguments, summary string
	run                func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

// commands are in the order in which help lists them.
func commands() []command {
	return []command{
		{commandCheck, "[flags] <file>…", "prove CRDs that stand in files", runCheck},
		{commandValidate, "[flags] <file>…", "say what an API server answers to objects", runValidate},
		{commandTest, "[flags] [<suites>…]", "run suites of cases against CRDs", runTest},
		{commandExplain, "[flags] <packages or files>…", "say what the rules of CRDs cost", runExplain},
	}
}

// findCommand returns the command that a command line begins with, nil where it asks for generators.
func findCommand(args []string) *command {
	list := commands()
	for i := range list {
		if len(args) > 0 && args[0] == list[i].name {
			return &list[i]
		}
	}
	return nil
}

// exitCode is what findings make of a run.
func exitCode(found []diag.Diagnostic) int {
	code := exitClean
	for i := range found {
		switch d := &found[i]; {
		case d.Severity != diag.Error:
		case slices.Contains([]string{input.Option.ID, arguments.Unknown.ID, load.Failed.ID, input.File.ID}, d.Check):
			return exitUsage
		default:
			code = exitFound
		}
	}
	return code
}

// elsewhere says what a word may be that is no option of generators: a flag, or a command.
func elsewhere(option, name, near string) string {
	switch c := findCommand([]string{option}); {
	case newFlags(new(settings)).Lookup(name) != nil:
		return diag.Meant("--" + option)
	case c != nil:
		return fmt.Sprintf("%s comes first: crdproof %s %s", c.name, c.name, c.arguments)
	case near == "":
		return diag.DidYouMean(option, commandNames())
	}
	return ""
}

func commandNames() []string {
	var out []string
	for _, c := range commands() {
		out = append(out, c.name)
	}
	return out
}
