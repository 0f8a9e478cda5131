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
	"github.com/spf13/pflag"
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
	// usage is what --help prints before the flags.
	usage string
	// settings are the flags, and what is done with them.
	settings interface {
		flags(*pflag.FlagSet)
		// run is given the words between the flags, and returns the exit code.
		run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int
	}
}

// run reads the command line of the command and runs it. It returns the exit code.
func (c *command) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	rep := &reporter{
		stdout: stdout, stderr: stderr,
		pointer: fmt.Sprintf("run `crdproof %s --help` for its arguments, flags and examples\n", c.name),
	}
	flags := c.flagSet(rep)
	if problems := parse(flags, &rep.format, args); len(problems) > 0 {
		return rep.usage(problems...)
	}
	if flags.Changed("help") || slices.Equal(flags.Args(), []string{"help"}) {
		fmt.Fprint(stdout, c.usage+"\nFlags:\n"+flags.FlagUsages())
		return exitClean
	}
	if problems := misplaced(flags, c.name == "explain"); len(problems) > 0 {
		return rep.usage(problems...)
	}
	return c.settings.run(ctx, flags.Args(), stdin, rep)
}

// flagSet are the flags of the command, with those that all commands have.
func (c *command) flagSet(rep *reporter) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof "+c.name, pflag.ContinueOnError)
	c.settings.flags(flags)
	flags.BoolP("help", "h", false, "explain the command")
	formatFlag(flags, &rep.format)
	return flags
}

// commands are in the order in which help lists them.
func commands() []command {
	return []command{
		{"check", "[flags] <file>…", "prove CRDs that stand in files", checkUsage, new(checkSettings)},
		{"validate", "[flags] <file>…", "say what an API server answers to objects", validateUsage,
			new(validateSettings)},
		{"test", "[flags] [<suites>…]", "run suites of cases against CRDs", testUsage, new(testSettings)},
		{"explain", "[flags] <packages or files>…", "say what the rules of CRDs cost", explainUsage,
			new(explainSettings)},
		{"completion", "bash|zsh|fish", "print a completion script for a shell", completionUsage,
			new(completionSettings)},
	}
}

// findCommand returns the command that a command line begins with, nil where it asks for generators.
func findCommand(args []string) *command {
	for _, c := range commands() {
		if len(args) > 0 && args[0] == c.name {
			return &c
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
		var names []string
		for _, c := range commands() {
			names = append(names, c.name)
		}
		return diag.DidYouMean(option, names)
	}
	return ""
}
