package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/spf13/pflag"
)

// The exit codes of all commands.
const (
	exitClean = 0
	// exitFound means that the input is wrong, or that files differ from what would be written.
	exitFound = 1
	// exitUsage means that the command line is wrong, or that a file cannot be read or written.
	exitUsage = 2
	// exitInterrupted is the exit code that shells give to a command that SIGINT ended.
	exitInterrupted = 130
)

// An exitMeaning documents an exit code.
type exitMeaning struct {
	code    int
	meaning string
}

// exitMeanings document all exit codes, for the help and for docs/options.md.
func exitMeanings() []exitMeaning {
	return []exitMeaning{
		{exitClean, "success; there may be warnings"},
		{exitFound, "the input is wrong, or files differ from what would be written"},
		{exitUsage, "the command line is wrong, or a file cannot be read or written"},
		{exitInterrupted, "a signal interrupted the run; no file was changed, unless the last line says so"},
	}
}

// A command is a subcommand: its name is the first word of the command line. Without one, the generators run.
type command struct {
	name string
	// arguments follow the name in the usage; summary describes the command in one line.
	arguments, summary string
	// usage is what --help prints before the flags.
	usage string
	// settings are the flags, and what is done with them.
	settings interface {
		flags(*pflag.FlagSet)
		// run gets the words between the flags, and returns the exit code.
		run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int
	}
}

// run parses the command line and runs the command. It returns the exit code.
func (c *command) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	rep := &reporter{
		stdout: stdout, stderr: stderr,
		pointer: fmt.Sprintf("run `crdproof %s --help` for arguments, flags and examples\n", c.name),
	}
	flags := c.flagSet(rep)
	if problems := parse(flags, &rep.format, args); len(problems) > 0 {
		return rep.usage(problems...)
	}
	if flags.Changed("help") || slices.Equal(flags.Args(), []string{"help"}) {
		fmt.Fprint(stdout, c.usage+"\nFlags:\n"+flags.FlagUsages())
		return exitClean
	}
	if problems := misplaced(flags, c.name == "explain" || c.name == "config"); len(problems) > 0 {
		return rep.usage(problems...)
	}
	if problems := rep.load(ctx, flags); len(problems) > 0 {
		return rep.write(problems)
	}
	return c.settings.run(ctx, flags.Args(), stdin, rep)
}

// flagSet returns the flags of the command, with those that all commands have.
func (c *command) flagSet(rep *reporter) *pflag.FlagSet {
	flags := pflag.NewFlagSet("crdproof "+c.name, pflag.ContinueOnError)
	c.settings.flags(flags)
	if c.name != "completion" {
		configFlag(flags)
	}
	flags.BoolP("help", "h", false, "print this help")
	formatFlag(flags, &rep.format)
	return flags
}

// commands returns the commands in the order of the help.
func commands() []command {
	return []command{
		{"check", "[flags] <file>…", "validate CRDs in files", checkUsage, new(checkSettings)},
		{"validate", "[flags] <file>…", "print what an API server answers to objects", validateUsage,
			new(validateSettings)},
		{"test", "[flags] [<suite>…]", "run test suites against CRDs", testUsage, new(testSettings)},
		{"diff", "[flags] <old> [<new>]", "decide what a change of CRDs breaks", diffUsage, new(diffSettings)},
		{"explain", "[flags] <packages or files>…", "print the cost of CEL rules, or the sizes of CRDs", explainUsage,
			new(explainSettings)},
		{"config", "[flags] [<option>…]", "print the settings that hold, and where they are from", configUsage,
			new(configSettings)},
		{"completion", "bash|zsh|fish", "print a completion script for your shell", completionUsage,
			new(completionSettings)},
	}
}

// findCommand returns the command that a command line begins with, or nil if it runs generators.
func findCommand(args []string) *command {
	for _, c := range commands() {
		if len(args) > 0 && args[0] == c.name {
			return &c
		}
	}
	return nil
}

// exitCode returns the exit code for a list of findings.
func exitCode(found []diag.Diagnostic) int {
	code := exitClean
	for i := range found {
		switch d := &found[i]; {
		case d.Severity != diag.Error:
		case slices.Contains([]string{
			input.Option.ID, arguments.Unknown.ID, config.Mistake.ID, load.Failed.ID, input.File.ID,
		}, d.Check):
			return exitUsage
		default:
			code = exitFound
		}
	}
	return code
}

// elsewhere returns a help for a word that is not an option of generators but may be meant as a flag or as a command.
func elsewhere(option, name, near string) string {
	switch c := findCommand([]string{option}); {
	case newFlags(new(settings)).Lookup(name) != nil:
		return diag.Meant("--" + option)
	case c != nil:
		return fmt.Sprintf("put %s first: crdproof %s %s", c.name, c.name, c.arguments)
	case near == "":
		var names []string
		for _, c := range commands() {
			names = append(names, c.name)
		}
		return diag.DidYouMean(option, names)
	}
	return ""
}
