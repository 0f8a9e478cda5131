package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

const completionUsage = `crdproof completion prints a script that completes commands, generators, options, flags, checks
and files in your shell.

Usage:
  crdproof completion bash|zsh|fish

Examples:
  # bash, in this shell (the script needs the package bash-completion)
  source <(crdproof completion bash)

  # bash, in new shells
  crdproof completion bash >/etc/bash_completion.d/crdproof

  # zsh, in new shells
  crdproof completion zsh >"${fpath[1]}/_crdproof"

  # fish, in new shells
  crdproof completion fish >~/.config/fish/completions/crdproof.fish
`

// completionSettings is empty: completion has no flags of its own.
type completionSettings struct{}

func (*completionSettings) flags(*pflag.FlagSet) {}

// run prints the script for a shell. It returns the exit code.
func (*completionSettings) run(_ context.Context, args []string, _ io.Reader, rep *reporter) int {
	var names []string
	for _, s := range shells() {
		if len(args) == 1 && args[0] == s.name {
			if err := s.write(completer(), rep.stdout); err != nil {
				return rep.failed(err)
			}
			return exitClean
		}
		names = append(names, s.name)
	}
	d := input.Errorf("missing argument: expected the name of a shell, %s", diag.Or(names))
	if len(args) == 1 {
		d = input.Errorf("unknown shell %q: expected %s", args[0], diag.Or(names)).
			Help("%s", diag.DidYouMean(args[0], names))
	}
	return rep.usage(d)
}

// A shell is one for which there is a completion script.
type shell struct {
	name  string
	write func(*cobra.Command, io.Writer) error
}

func shells() []shell {
	return []shell{
		{"bash", func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) }},
		{"zsh", (*cobra.Command).GenZshCompletion},
		{"fish", func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) }},
	}
}

// completer is a command of cobra that gets all candidates from complete. cobra only implements the completion
// protocols of the shells, so that crdproof need not maintain three scripts and their workarounds.
func completer() *cobra.Command {
	return &cobra.Command{
		Use: "crdproof", DisableFlagParsing: true, SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		ValidArgsFunction: func(_ *cobra.Command, words []string, last string) ([]string, cobra.ShellCompDirective) {
			return complete(words, last)
		},
		Run: func(*cobra.Command, []string) {},
	}
}

// asksToComplete reports whether a completion script runs the command.
func asksToComplete(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// runCompleter answers a completion script.
func runCompleter(args []string, stdout, stderr io.Writer) int {
	root := completer()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.Execute(); err != nil {
		return exitUsage
	}
	return exitClean
}

// unfinished are the last characters of candidates that are not yet a complete word.
const unfinished = "=:/"

// complete returns the candidates for the last word of a command line. Each is a text and, after a tab, its meaning.
func complete(words []string, last string) (out []string, directive cobra.ShellCompDirective) {
	set := newFlags(new(settings))
	command := findCommand(words)
	if command != nil {
		set = command.flagSet(new(reporter))
	}
	switch {
	case strings.HasPrefix(last, "--config="):
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	case strings.HasPrefix(last, "-"):
		out = completeFlag(set, last)
	case command != nil && command.name == "config":
		out = completeOption(last)
	case command != nil && command.name == "completion":
		for _, s := range shells() {
			out = append(out, s.name)
		}
	case slices.Equal(words, []string{"help"}):
		out = completeHelp()
	case command != nil && (command.name == "check" || command.name == "validate"):
		return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
	case command != nil:
		return nil, cobra.ShellCompDirectiveDefault
	default:
		if len(words) == 0 {
			for _, c := range commands() {
				out = append(out, c.name+"\t"+c.summary)
			}
			out = append(out, "help\tprint the help of a command, a generator or a topic")
		}
		out = append(out, completeOption(last)...)
	}
	out = slices.DeleteFunc(out, func(candidate string) bool { return !strings.HasPrefix(candidate, last) })
	directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	if slices.ContainsFunc(out, func(candidate string) bool {
		text, _, _ := strings.Cut(candidate, "\t")
		return strings.ContainsRune(unfinished, rune(text[len(text)-1]))
	}) {
		directive |= cobra.ShellCompDirectiveNoSpace
	}
	return out, directive
}

// completeFlag completes a flag, or the value after its equals sign.
func completeFlag(set *pflag.FlagSet, last string) (out []string) {
	if name, _, ok := strings.Cut(last, "="); ok {
		return completeList(last, flagValues(set, strings.TrimPrefix(name, "--")))
	}
	set.VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.NoOptDefVal == "" {
			name += "="
		}
		summary, _, _ := strings.Cut(f.Usage, "\n")
		out = append(out, name+"\t"+summary)
	})
	return out
}

// flagValues returns the possible values of a flag of a command; those of diff differ from the others.
func flagValues(set *pflag.FlagSet, name string) (out []string) {
	isDiff := set.Lookup("between-versions") != nil
	switch {
	case name == "format":
		return formatsOf(set)
	case name == "fail" && isDiff:
		return diffClasses()
	}
	return valuesOf(name)
}

// completeOption completes a generator with its options, the packages to read, or an output rule.
func completeOption(last string) (out []string) {
	if value, ok := strings.CutPrefix(last, "paths="); ok {
		return prefixed("paths=", completePackages(value))
	}
	for _, name := range arguments.Generators() {
		if rule, ok := strings.CutPrefix(last, "output:"+name+":"); ok {
			for _, candidate := range completeOption("output:" + rule) {
				if rule, ok := strings.CutPrefix(candidate, "output:"); ok {
					out = append(out, "output:"+name+":"+rule)
				}
			}
			return out
		}
	}
	for _, group := range arguments.OptionDocs(arguments.Plan{}) {
		for _, doc := range group.Markers {
			name := doc.Name
			switch prefix := name + ":"; {
			case strings.HasPrefix(last, prefix):
				return completeArgument(doc, last)
			case len(doc.Fields) == 1 && doc.Fields[0].Name == "":
				name += "="
			case slices.ContainsFunc(doc.Fields, func(f arguments.Argument) bool { return !f.Optional }):
				name += ":"
			}
			out = append(out, name+"\t"+doc.Summary)
		}
	}
	return out
}

// completeHelp completes the word after help.
func completeHelp() (out []string) {
	for _, c := range commands() {
		out = append(out, c.name+"\t"+c.summary)
	}
	for _, t := range topics() {
		out = append(out, t.name)
	}
	for _, doc := range arguments.OptionDocs(arguments.Plan{})[0].Markers {
		out = append(out, doc.Name+"\t"+doc.Summary)
	}
	return out
}

// completeArgument completes the last argument of a generator or output rule, or its value. After a comma, a list may
// continue or another argument may begin.
func completeArgument(doc arguments.Option, last string) (out []string) {
	start := max(strings.LastIndexByte(last, ','), len(doc.Name)) + 1
	if name, _, ok := strings.Cut(last[start:], "="); ok {
		return completeList(last, valuesOf(name))
	}
	if i := strings.LastIndexByte(last[:start], '='); i >= 0 {
		name := last[strings.LastIndexAny(last[:i], ",:")+1 : i]
		isList := func(f arguments.Argument) bool { return f.Name == name && f.ItemType != nil }
		if slices.ContainsFunc(doc.Fields, isList) {
			out = completeList(last, valuesOf(name))
		}
	}
	for _, f := range doc.Fields {
		if !strings.Contains(last[:start], f.Name+"=") {
			out = append(out, last[:start]+f.Name+"=\t"+f.Summary)
		}
	}
	return out
}

// completeList completes the last item of a list that follows an equals sign. It skips the items that the list has.
func completeList(last string, values []string) []string {
	start := strings.LastIndexAny(last, "=,;") + 1
	given := strings.FieldsFunc(last[:start], func(r rune) bool { return strings.ContainsRune("=,;", r) })
	return prefixed(last[:start], slices.DeleteFunc(values, func(v string) bool {
		text, _, _ := strings.Cut(v, "\t")
		return slices.Contains(given, text)
	}))
}

func prefixed(prefix string, values []string) (out []string) {
	for _, v := range values {
		out = append(out, prefix+v)
	}
	return out
}

// valuesOf returns the possible values of an option or flag, or nil if it accepts any.
func valuesOf(name string) (out []string) {
	switch name {
	case "format":
		return formats()
	case "field-validation":
		return validations()
	case "maxSize":
		return []string{"apply"}
	case "without":
		return arguments.Deviations()
	case "kube":
		for m := kube.Latest(); m >= kube.Oldest; m-- {
			out = append(out, m.String())
		}
		return append([]string{kube.DefaultRange().String()}, out...)
	case "ignore", "fail":
		for _, c := range catalog.Checks() {
			if name == "fail" || c.CanWarn() {
				out = append(out, c.ID+"\t"+c.Doc)
			}
		}
		if name == "fail" {
			out = append(out, check.All+"\tMakes errors of all warnings.")
		}
		slices.Sort(out)
		return out
	}
	for _, group := range arguments.OptionDocs(arguments.Plan{}) {
		for _, doc := range group.Markers {
			for _, f := range doc.Fields {
				if f.Name == name && f.Type == "bool" {
					return []string{"true", "false"}
				}
			}
		}
	}
	return arguments.Values(name)
}

// completePackages completes a pattern of Go packages in directories.
func completePackages(typed string) (out []string) {
	dir, _ := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Clean("./" + dir))
	if filepath.IsAbs(dir) {
		entries, err = os.ReadDir(dir)
	}
	if err != nil {
		return nil // no candidates
	}
	if dir == "" {
		dir = "./"
	}
	out = append(out, dir+"...")
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "testdata" &&
			diag.Printable(e.Name()) == e.Name() {
			out = append(out, dir+e.Name()+"/", dir+e.Name()+"/...")
		}
	}
	return out
}
