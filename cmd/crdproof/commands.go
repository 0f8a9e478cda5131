package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes of all commands.
const (
	exitClean       = 0
	exitFound       = 1
	exitUsage       = 2
	exitInterrupted = 130 // as shells have it for a command that SIGINT ended
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
		{exitFound, "what was read is wrong, or files differ from what would be written"},
		{exitUsage, "the command line or the settings are wrong, or what they name does not exist, is empty, or " +
			"cannot be read or written"},
		{exitInterrupted, "a signal interrupted the run; no file was changed, unless the last line says so"},
	}
}

// A cli is one call of the program: its words, what it reads and reports, and the exit code that it ends with.
type cli struct {
	args  []string
	stdin io.Reader
	rep   reporter
	code  int
}

// execute runs one of the commands, or the generators. It returns the exit code.
func (l *cli) execute(ctx context.Context) int {
	root, words := l.tree(), l.args
	isAsked := asksToComplete(words)
	if isAsked {
		words = words[1:]
	}
	named, _, err := root.Find(words)
	if err != nil {
		return l.rep.usage(input.Errorf("%v", err))
	}
	if l.rep.pointer = usagePointer; named.HasParent() {
		l.rep.pointer = fmt.Sprintf("run `%s --help` for arguments, flags and examples\n", named.CommandPath())
	}
	if isAsked {
		completeFlags(named)
	}
	root.SetArgs(withDashes(named.Flags(), l.args))
	root.SetOut(l.rep.stdout)
	root.SetErr(l.rep.stderr)
	if named, err = root.ExecuteContextC(ctx); err != nil {
		l.rep.format = formatOf(l.args)
		return l.rep.usage(badFlag(err, named.Flags()))
	}
	return l.code
}

// tree returns the commands below the root, which runs generators. A command is the first word of the command line.
func (l *cli) tree() *cobra.Command {
	set := new(settings)
	generate := func(c *cobra.Command, words []string) {
		l.code = runGenerators(c.Context(), set.withWords(c.Flags(), words), &l.rep)
	}
	root := &cobra.Command{
		Use: "crdproof <generator>… [paths=<packages>] [output:<rule>] [flags]\n" +
			"  crdproof <command> [flags] [<argument>…]",
		Short:   "write Kubernetes CRDs from annotated Go types, and validate them",
		Example: rootExamples, Args: cobra.ArbitraryArgs, Run: generate, ValidArgsFunction: completeWord,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	help := &cobra.Command{
		Use: "help [<name>…]", Short: "print the page of a command, generator, check or marker",
		ValidArgsFunction: completeHelp,
		Run: func(c *cobra.Command, words []string) {
			if named, _, err := root.Find(words); err == nil && named.HasParent() && named != c {
				l.help(named)
				return
			}
			set.usage = true
			generate(c, words)
		},
	}
	root.SetHelpCommand(help)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if c == root || c == help {
			generate(c, c.Flags().Args())
		} else {
			l.help(c)
		}
	})
	set.flags(root.Flags(), &l.rep)
	set.flags(help.Flags(), &l.rep)
	if len(l.args) == 0 || !strings.HasPrefix(l.args[0], "-") {
		root.AddCommand(l.commands()...)
	}
	return root
}

// commands returns the commands in the order of the help.
func (l *cli) commands() []*cobra.Command {
	manifests := cobra.FixedCompletions([]string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt)
	return []*cobra.Command{
		l.command(new(checkSettings), &cobra.Command{Use: "check [flags] [<file>…]",
			Short: "validate CRDs in files", ValidArgsFunction: manifests}, formatMarkdown),
		l.command(new(validateSettings), &cobra.Command{Use: "validate [flags] <file>…",
			Short: "print what an API server answers to objects", ValidArgsFunction: manifests}, formatMarkdown),
		l.command(new(testSettings), &cobra.Command{Use: "test [flags] [<suite>…]",
			Short: "run test suites against CRDs"}, formatMarkdown),
		l.command(new(diffSettings), &cobra.Command{Use: "diff [flags] <old> [<new>]",
			Short: "decide what a change of CRDs breaks"}, formatMarkdown),
		l.command(new(explainSettings), &cobra.Command{
			Use: "explain [paths=]<packages>… [crd:<option>=<value>,…] [flags]\n" +
				"  crdproof explain <files of CRDs>… [flags]",
			Short: "print the cost of CEL rules, or the sizes of CRDs"}),
		l.command(new(adoptSettings), &cobra.Command{Use: "adopt [flags] [<directory>]\n" +
			"  crdproof adopt --from=<files of CRDs> [flags] [<option>…]",
			Short: "replace controller-gen in a repository"}),
		l.command(new(configSettings), &cobra.Command{Use: "config [flags] [<option>…]",
			Short:             "print the settings that hold, and where they are from",
			ValidArgsFunction: completeWord}),
		l.command(new(completionSettings), &cobra.Command{Use: "completion bash|zsh|fish|powershell",
			Short: "print a completion script for your shell", ValidArgs: shells()}),
	}
}

// texts has the help of each command, and what completion adds to the script of a shell.
//
//go:embed texts
var texts embed.FS

// text returns one of the texts.
func text(name string) string {
	data, err := texts.ReadFile("texts/" + name)
	if err != nil {
		panic(err) // the program has all that it names
	}
	return string(data)
}

// commandSettings are the flags of a command, and what is done with them.
type commandSettings interface {
	flags(*pflag.FlagSet)
	// run gets the words between the flags, and returns the exit code.
	run(ctx context.Context, args []string, stdin io.Reader, rep *reporter) int
}

// command completes a command with the examples in its help, with its flags, and with those that all commands have.
func (l *cli) command(s commandSettings, c *cobra.Command, moreFormats ...string) *cobra.Command {
	c.Long, c.Example, _ = strings.Cut(text(c.Name()+".txt"), "\nExamples:\n")
	c.DisableFlagsInUseLine = true
	flags := c.Flags()
	s.flags(flags)
	if c.Name() != "completion" {
		configFlag(flags)
	}
	flags.BoolP("help", "h", false, "print this help")
	reportFlags(flags, &l.rep, moreFormats...)
	c.Args = func(_ *cobra.Command, words []string) error {
		if slices.Equal(words, []string{"help"}) {
			return pflag.ErrHelp
		}
		return nil
	}
	c.Run = func(c *cobra.Command, words []string) {
		if problems := misplaced(c, words); len(problems) > 0 {
			l.code = l.rep.usage(problems...)
		} else if problems := l.rep.load(c.Context(), flags); len(problems) > 0 {
			l.code = l.rep.write(problems)
		} else {
			l.code = s.run(c.Context(), words, l.stdin, &l.rep)
		}
	}
	return c
}

// exitCode returns the exit code for a list of findings.
func exitCode(found []diag.Diagnostic) int {
	code := exitClean
	for i := range found {
		switch d := &found[i]; {
		case d.Severity != diag.Error:
		case slices.Contains([]string{
			input.Option.ID, arguments.Unknown.ID, config.Mistake.ID, extensions.Mistake.ID, baseline.Mistake.ID,
			load.Failed.ID, input.File.ID,
		}, d.Check), d.Check == load.NotListed.ID && !d.Span.IsValid():
			return exitUsage
		default:
			code = exitFound
		}
	}
	return code
}

// elsewhere returns a help for a word that is not an option of generators but may be meant as a flag or as a command.
func elsewhere(option, name, near string) string {
	root := new(cli).tree()
	switch c, _, err := root.Find([]string{option}); {
	case root.Flags().Lookup(name) != nil:
		return diag.Meant("--" + option)
	case err == nil && c.HasParent():
		usage, _, _ := strings.Cut(c.UseLine(), "\n")
		return fmt.Sprintf("put %s first: %s", c.Name(), usage)
	case near == "" && len(pages.All().Find(option)) > 0:
		return "to read about it, run crdproof help " + option
	case near == "":
		return diag.DidYouMean(option, append(commandNames(), "help"))
	}
	return ""
}

// commandNames returns the names of the commands in the order of the help.
func commandNames() (out []string) {
	for _, c := range new(cli).commands() {
		out = append(out, c.Name())
	}
	return out
}
