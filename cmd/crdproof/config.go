package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/release"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
)

// configSettings are the flags of config.
type configSettings struct{ buildTags []string }

func (set *configSettings) flags(flags *pflag.FlagSet) { buildTagsFlag(flags, &set.buildTags) }

// A heldSetting is a setting as config prints it.
type heldSetting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// From is "file", "command line" or "default".
	From   string `json:"from"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	// Paths are the files that the setting is limited to.
	Paths []string `json:"paths,omitempty"`
	// Reason is why a check is ignored, or what implies a default.
	Reason string `json:"reason,omitempty"`
	// Groups are the names of several checks in the value.
	Groups []heldGroup `json:"groups,omitempty"`
}

// A heldGroup is a name of several checks, such as json-*, with their ids.
type heldGroup struct {
	Name   string   `json:"name"`
	Checks []string `json:"checks"`
}

// The origins of settings.
const (
	fromFile        = "file"
	fromCommandLine = "command line"
	fromDefault     = "default"
)

// place returns where the setting is from, for people.
func (h heldSetting) place() string {
	text := h.From
	if h.From == fromFile {
		text = fmt.Sprintf("%s:%d:%d", h.File, h.Line, h.Column)
	}
	if h.Reason != "" {
		text += " (" + h.Reason + ")"
	}
	return text
}

// run prints what holds for a command line. It returns the exit code.
func (set *configSettings) run(ctx context.Context, args []string, _ io.Reader, rep *reporter) int {
	var generators []string
	for _, word := range args {
		if name, _, _ := strings.Cut(word, ":"); slices.Contains(arguments.Generators(), name) {
			generators = append(generators, word)
		}
	}
	if len(generators) == 0 {
		args = append(slices.Clone(args), arguments.CRD) // which needs no option, so that the other words are read
	}
	plan, problems := arguments.Parse(rep.line(args))
	if problems = append(problems, arguments.CheckPaths("paths", plan.Paths)...); diag.HasErrors(problems) {
		return rep.usage(problems...)
	}
	if rep.format == formatText {
		rep.write(problems) // settings without effect
	}
	held, unset := rep.held(ctx, generators, set.buildTags)
	var err error
	switch rep.format {
	case formatJSON:
		err = writeHeldJSON(rep, held)
	case formatSARIF:
		err = diag.SARIF(rep.stdout, nil, diag.SARIFOptions{Version: release.Version()})
	default:
		err = writeHeld(rep, held, unset)
	}
	if err != nil {
		return rep.failed(err)
	}
	return exitClean
}

// held returns the settings that hold for generators, or for those of the settings file if none are named, and the
// options without a value.
func (r *reporter) held(ctx context.Context, generators, buildTags []string) (out []heldSetting, unset []string) {
	if len(generators) == 0 {
		for _, p := range r.settings.Presets {
			if !slices.Contains(generators, p.Generator) && !isGeneral(p.Name) {
				generators = append(generators, p.Generator)
			}
		}
	}
	var own []heldSetting
	stated := map[string]string{}
	for _, option := range generators {
		name, _, _ := strings.Cut(option, ":")
		set, missing := arguments.Settings(option, r.settings.Presets)
		for _, s := range set {
			switch {
			case s.Stated && isGeneral(s.Name) && isOwn(name):
				stated[s.Name] = s.Value
			case !isGeneral(s.Name) || !isOwn(name):
				s.Name = name + ":" + s.Name
				own = append(own, heldOf(s))
			}
		}
		for _, option := range missing {
			if !isGeneral(option) || !isOwn(name) {
				unset = append(unset, name+":"+option)
			}
		}
	}
	return append(r.general(ctx, stated, buildTags), own...), unset
}

// isOwn reports whether a generator is crdproof's own; only these have options that are settings for all commands.
func isOwn(generator string) bool {
	return generator == arguments.CRD || generator == arguments.Helpers
}

// generalDefaults returns the settings for all commands with their defaults.
func generalDefaults() []arguments.Setting {
	return []arguments.Setting{
		{Name: "kube", Value: kube.DefaultRange().String()},
		{Name: "costShare", Value: strconv.Itoa(cost.DefaultShare)},
		{Name: "buildTags"}, {Name: "fail"}, {Name: "ignore"}, {Name: "baseline"}, {Name: "newFrom"},
	}
}

// isGeneral reports whether a setting is one for all commands.
func isGeneral(name string) bool {
	return slices.ContainsFunc(generalDefaults(), func(s arguments.Setting) bool { return s.Name == name })
}

// general returns the settings for all commands. stated are those of the command line.
func (r *reporter) general(ctx context.Context, stated map[string]string, buildTags []string) (out []heldSetting) {
	// crds is also an option of helpers, which it does not set.
	for _, s := range append(generalDefaults(), arguments.Setting{Name: "crds"}) {
		fromFile := slices.DeleteFunc(slices.Clone(r.settings.Shown), func(shown arguments.Setting) bool {
			return shown.Name != s.Name
		})
		value, isStated := stated[s.Name]
		if isStated {
			out = append(out, heldOf(arguments.Setting{Name: s.Name, Value: value, Stated: true}))
		}
		switch {
		case s.Name == "ignore": // what the command line ignores is added
			fromFile = slices.DeleteFunc(fromFile, func(shown arguments.Setting) bool {
				return slices.Contains(splitList(stated["fail"]), shown.Value)
			})
		case isStated:
			continue
		case s.Name == "buildTags":
			s.Value = strings.Join(buildTags, ",")
		case s.Name == "baseline":
			if path := r.usualBaseline(ctx); path != "" {
				s.Value = input.Shown(path)
			}
		}
		for _, shown := range fromFile {
			out = append(out, heldOf(shown))
		}
		if hasWhole := slices.ContainsFunc(fromFile, func(shown arguments.Setting) bool {
			return len(shown.Paths) == 0
		}); !hasWhole && !isStated {
			out = append(out, heldOf(s))
		}
	}
	return out
}

// splitList splits the value of a list on the command line.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;{}", r) })
}

func heldOf(s arguments.Setting) heldSetting {
	h := heldSetting{Name: s.Name, Value: diag.Printable(s.Value), From: fromDefault, Reason: diag.Printable(s.Because)}
	for _, path := range s.Paths {
		h.Paths = append(h.Paths, diag.Printable(path))
	}
	if s.Name == "fail" || s.Name == "ignore" {
		for _, name := range splitList(s.Value) {
			if members := catalog.Checks().Members(name); len(members) > 0 {
				h.Groups = append(h.Groups, heldGroup{name, members})
			}
		}
	}
	switch {
	case s.Stated:
		h.From = fromCommandLine
	case s.At.IsValid():
		h.From = fromFile
		h.File = diag.Relative(s.At.Source.Path, workingDir())
		h.Line, h.Column = s.At.Source.Position(int(s.At.Start))
	}
	return h
}

// writeHeld writes the settings as a table.
func writeHeld(r *reporter, held []heldSetting, unset []string) error {
	file := "none"
	if r.settings.Source != nil {
		file = input.Shown(r.settings.Source.Path)
	}
	fmt.Fprintf(r.stdout, "settings file: %s\n\n", file)
	w := tabwriter.NewWriter(r.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SETTING\tVALUE\tFROM")
	for _, h := range held {
		if len(h.Paths) > 0 {
			h.Name += " in " + strings.Join(h.Paths, ", ")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", h.Name, cmp.Or(h.Value, "-"), h.place())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var groups []string
	for _, h := range held {
		for _, g := range h.Groups {
			groups = append(groups, fmt.Sprintf("%s: %s", g.Name, strings.Join(g.Checks, ", ")))
		}
	}
	slices.Sort(groups)
	if len(groups) > 0 {
		fmt.Fprintf(r.stdout, "\n%s\n", strings.Join(slices.Compact(groups), "\n"))
	}
	if len(unset) > 0 {
		fmt.Fprintf(r.stdout, "\nnot set: %s\n", strings.Join(unset, ", "))
	}
	return nil
}

func writeHeldJSON(r *reporter, held []heldSetting) error {
	file := ""
	if r.settings.Source != nil {
		file = diag.Relative(r.settings.Source.Path, workingDir())
	}
	out := json.NewEncoder(r.stdout)
	out.SetIndent("", "  ")
	return out.Encode(struct {
		File     string        `json:"file"`
		Settings []heldSetting `json:"settings"`
	}{file, held})
}
