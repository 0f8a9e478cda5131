package main

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

// completionSettings is empty: completion has no flags of its own.
type completionSettings struct{}

func (*completionSettings) flags(*pflag.FlagSet) {}

// shells returns those for which there is a completion script.
func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// run prints the script for a shell. It returns the exit code.
func (*completionSettings) run(_ context.Context, args []string, _ io.Reader, rep *reporter) int {
	if len(args) != 1 {
		return rep.usage(input.Errorf("missing argument: expected the name of a shell, %s", diag.Or(shells())))
	}
	root := &cobra.Command{Use: "crdproof"}
	var err error
	switch args[0] {
	case "bash":
		if err = root.GenBashCompletionV2(rep.stdout, true); err == nil {
			// Bash replaces only the text after the last colon or equals sign of a word without quotes. cobra does not
			// complete words that have both, or a quote, or text that it escapes, such as commas.
			_, err = io.WriteString(rep.stdout, text("completion.bash"))
		}
	case "zsh":
		err = root.GenZshCompletion(rep.stdout)
	case "fish":
		err = root.GenFishCompletion(rep.stdout, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(rep.stdout)
	default:
		return rep.usage(input.Errorf("unknown shell %q: expected %s", args[0], diag.Or(shells())).
			Help("%s", diag.DidYouMean(args[0], shells())))
	}
	if err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// asksToComplete reports whether a completion script runs the command.
func asksToComplete(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completeFlags makes cobra complete the values of the command's flags.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if v, ok := f.Value.(offered); ok {
			complete := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return candidates(completeList(typed, v.values), typed)
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // the flag is known, and has no other function
			}
		}
	})
}

// completeWord completes a word of the generators' command line. cobra adds the commands.
func completeWord(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return candidates(completeOption(typed), typed)
}

// completeHelp completes a word after help. Checks and markers are many, so they need a letter.
func completeHelp(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, c := range new(cli).commands() {
		out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
	}
	for _, t := range topics() {
		out = append(out, t.name)
	}
	for _, doc := range arguments.OptionDocs(arguments.Plan{})[0].Markers {
		out = append(out, cobra.CompletionWithDesc(doc.Name, doc.Summary))
	}
	if typed != "" {
		for _, p := range pages.All() {
			out = append(out, cobra.CompletionWithDesc(p.Name, p.Summary))
		}
	}
	return candidates(out, typed)
}

// candidates returns the texts that begin with what is typed. If one of them is not yet a complete word, no space
// follows.
func candidates(texts []string, typed string) (out []string, directive cobra.ShellCompDirective) {
	directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	for _, c := range texts {
		if text, _, _ := strings.Cut(c, "\t"); strings.HasPrefix(text, typed) {
			out = append(out, c)
			if strings.ContainsRune("=:/", rune(text[len(text)-1])) {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
	}
	return out, directive
}

// completeOption completes a generator with its options, the packages to read, or an output rule.
func completeOption(last string) (out []string) {
	if strings.HasPrefix(last, "paths=") {
		return completeList(last, completePackages)
	}
	for _, name := range arguments.Generators() {
		if prefix := "output:" + name + ":"; strings.HasPrefix(last, prefix) {
			for _, c := range completeOption(strings.Replace(last, prefix, "output:", 1)) {
				out = append(out, strings.Replace(c, "output:", prefix, 1))
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
			case strings.HasPrefix(last, name+"=") && name == "output:"+arguments.ToProfile:
				return completeList(last, profileNames)
			case strings.HasPrefix(last, name+"=") && strings.HasPrefix(name, "output:"):
				return completeList(last, directories)
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

// completeArgument completes the last argument of a generator or output rule, or its value. After a comma, a list may
// continue or another argument may begin.
func completeArgument(doc arguments.Option, last string) (out []string) {
	start := max(strings.LastIndexByte(last, ','), len(doc.Name)) + 1
	if name, _, ok := strings.Cut(last[start:], "="); ok {
		return completeList(last, valuesOf(doc, name))
	}
	if i := strings.LastIndexByte(last[:start], '='); i >= 0 {
		name := last[strings.LastIndexAny(last[:i], ",:")+1 : i]
		isList := func(f arguments.Argument) bool { return f.Name == name && f.ItemType != nil }
		if slices.ContainsFunc(doc.Fields, isList) {
			out = completeList(last, valuesOf(doc, name))
		}
	}
	for _, f := range doc.Fields {
		if !strings.Contains(last[:start], f.Name+"=") {
			out = append(out, last[:start]+f.Name+"=\t"+f.Summary)
		}
	}
	return out
}

// completeList completes the last item of a list, which may follow an equals sign. It skips the items that the list
// has.
func completeList(last string, values func(typed string) []string) (out []string) {
	start := strings.LastIndexAny(last, "=,;") + 1
	given := strings.FieldsFunc(last[:start], func(r rune) bool { return strings.ContainsRune("=,;", r) })
	for _, v := range values(last[start:]) {
		if text, _, _ := strings.Cut(v, "\t"); !slices.Contains(given, text) {
			out = append(out, last[:start]+v)
		}
	}
	return out
}

// valuesOf returns the possible values of an option.
func valuesOf(doc arguments.Option, name string) func(typed string) []string {
	isBool := func(f arguments.Argument) bool { return f.Name == name && f.Type == "bool" }
	values, offer := arguments.Offers(name, slices.ContainsFunc(doc.Fields, isBool))
	return map[arguments.Offer]func(string) []string{
		arguments.NoOffer: always(values...), arguments.OfferVersions: kubeVersions,
		arguments.OfferIgnorable: ignorable, arguments.OfferRaisable: raisable,
		arguments.OfferFiles: files, arguments.OfferDirectories: directories,
	}[offer]
}

// always returns values that do not depend on what is typed.
func always(values ...string) func(string) []string { return func(string) []string { return values } }

// kubeVersions returns the values of options and flags with versions of Kubernetes, the default and the newest first.
func kubeVersions(string) []string {
	out := []string{kube.DefaultRange().String()}
	for m := kube.Newest; m >= kube.Oldest; m-- {
		out = append(out, kube.Range{First: m, Last: m}.String())
	}
	return out
}

// ignorable returns the checks that may be ignored, with their documentation.
func ignorable(string) []string { return checksThat((*diag.Check).CanWarn) }

// raisable returns the checks whose warnings may become errors, with their documentation.
func raisable(string) []string {
	all := cobra.CompletionWithDesc(check.All, "Makes errors of all warnings.")
	return slices.Insert(checksThat(func(*diag.Check) bool { return true }), 0, all)
}

func checksThat(selects func(*diag.Check) bool) (out []string) {
	pages := checkdoc.Pages()
	for _, c := range catalog.Checks() {
		if selects(c) {
			out = append(out, cobra.CompletionWithDesc(c.ID, pages[c.ID].Doc))
		}
	}
	for _, g := range diag.Groups() {
		out = append(out, cobra.CompletionWithDesc(g.ID, "Warnings that concern only "+g.Doc+"."))
	}
	for _, c := range catalog.Checks() {
		first, _, isMore := strings.Cut(c.ID, "-")
		star := first + "-*"
		if members := catalog.Checks().Members(star); isMore && len(members) > 1 {
			out = append(out, cobra.CompletionWithDesc(star, "All checks whose ids begin with "+first+"-."))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// profileNames returns the profiles of the nearest settings. Mistakes in them are for the run to report.
func profileNames(string) (out []string) {
	set, _ := config.Load(context.Background(), "", catalog.Checks())
	for _, p := range set.Profiles {
		out = append(out, p.Name)
	}
	return out
}

// directories completes the path of a directory.
func directories(typed string) []string {
	return slices.DeleteFunc(files(typed), func(path string) bool { return !strings.HasSuffix(path, "/") })
}

// files completes the path of a file or directory. A directory that cannot be read has no candidates.
func files(typed string) (out []string) {
	dir, _ := filepath.Split(typed)
	entries, _ := os.ReadDir(filepath.Clean(dir))
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || diag.Printable(name) != name {
			continue
		}
		if e.IsDir() {
			name += "/"
		}
		out = append(out, dir+name)
	}
	return out
}

// completePackages completes a pattern of Go packages in directories.
func completePackages(typed string) []string {
	dir, name := filepath.Split(typed)
	dir = cmp.Or(dir, "./")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	out := []string{dir + "..."}
	for _, sub := range directories(dir + name) {
		if filepath.Base(sub) != "testdata" {
			out = append(out, sub, sub+"...")
		}
	}
	return out
}
