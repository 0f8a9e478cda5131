// Package arguments parses the command line of the generators, whose grammar is controller-gen's: generators with their
// options, paths, and output rules. It also documents them and the markers that the generators read.
//
// Its input is the words of the command line, its output a plan. The steps, one file each:
//
//  1. arguments.go parses the words, lists.go accepts commas in lists, options.go has the table of options, settings.go
//     sets those of crd and helpers, and output.go decides where files go
//  2. docs.go generates the documentation from the tables, and text.go formats it as text
package arguments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/genall/help"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
)

// The generators that do not come from controller-tools.
const (
	CRD     = "crd"
	Helpers = "helpers"
)

// Generators returns the names of all generators, in the order of the help.
func Generators() []string {
	out := []string{CRD, Helpers}
	for _, t := range tools.All() {
		out = append(out, t.Name)
	}
	return out
}

// Unknown is the check of unknown words on the command line.
var Unknown = &diag.Check{ID: "option-unknown", Mistake: true}

// Checks returns the check of unknown options; other mistakes on the command line are findings of input.Option.
func Checks() []*diag.Check { return []*diag.Check{Unknown} }

// A Line is a command line without its flags.
type Line struct {
	Options []string
	// Version is the version of crdproof in the annotation of CRDs, and of the runtime that helpers need.
	Version string
	// Checks are the checks that ignore and fail may name.
	Checks check.Table
	// Commands are the names of the commands, which a mistyped first word may be meant for.
	Commands []string
	// Presets, Policy and Profiles are those of a settings file.
	Presets  []Preset
	Policy   check.Policy
	Profiles []profile.Profile
	// Elsewhere returns a help for a word that is not an option but may be a flag or a command, or "". option is the
	// word, name its part before a colon or an equals sign, and near the option that it resembles.
	Elsewhere func(option, name, near string) string
}

// A Plan is a parsed command line.
type Plan struct {
	// Generators are in the order of the command line, each at most once.
	Generators []Invocation
	Paths      []string
}

// An Invocation is a generator with its options: crd, helpers, or one of controller-tools.
type Invocation struct {
	Name string
	// CRD are the options of crd, and those that helpers shares with it.
	CRD *generator.Options
	// Helpers is set only for helpers.
	Helpers *HelperOptions
	Tool    genall.Generator
	// Output says where the files go.
	Output Rule
}

// HelperOptions are the options of helpers that it does not share with crd.
type HelperOptions struct {
	helpers.Options
	// CRDs name files of CRDs; none means the kinds of the packages.
	CRDs   []string
	shared []sharedOption
	// variantAt is the position of the option variant in a settings file.
	variantAt diag.Span
}

// A sharedOption is an option of helpers that crd has too.
type sharedOption struct {
	*option
	// preset is the value in a settings file, nil on the command line.
	preset *schema.Value
}

// Find returns the invocation of a generator, or nil.
func (p *Plan) Find(name string) *Invocation {
	for i := range p.Generators {
		if p.Generators[i].Name == name {
			return &p.Generators[i]
		}
	}
	return nil
}

// Parse parses the options. It reports all mistakes at once.
func Parse(line Line) (Plan, []diag.Diagnostic) {
	r := reader{line: line, table: Table(), own: map[string]Rule{}}
	if len(line.Options) > 0 && r.isNoCommand(line.Options[0]) {
		return Plan{}, []diag.Diagnostic{r.unknown(line.Options[0], line.Options[0])} // the rest is for the command
	}
	for _, option := range line.Options {
		r.option(strings.TrimPrefix(option, "+"))
	}
	for i := range r.plan.Generators {
		g := &r.plan.Generators[i]
		g.Output = r.rule(g.Name)
		if g.Name == CRD {
			g.CRD.Outputs = g.Output.Profile.Outputs
		}
	}
	for _, name := range Generators() {
		if _, ok := r.own[name]; ok && r.plan.Find(name) == nil && len(r.problems) == 0 {
			r.fail(input.Errorf("output rule for %s, but the generator %s is not named", name, name).
				Help("add the generator %s, or remove its output rule", name))
		}
	}
	r.shared()
	r.helpersVariant()
	if len(r.plan.Generators) == 0 && len(r.problems) == 0 {
		d := input.Errorf("no generator is named").Note("the generators are %s", strings.Join(Generators(), ", ")).
			Help("run crdproof crd paths=./api/... output:crd:dir=config/crd/bases")
		if len(line.Options) > 0 {
			d = d.Help("add a generator, for example crd")
		}
		r.fail(d)
	}
	return r.plan, r.problems
}

// A reader reads the options of one command line.
type reader struct {
	line  Line
	table *markers.Table
	plan  Plan
	// fallback is output:<rule>, nil if it is not given; own are the rules output:<generator>:<rule>.
	fallback *Rule
	own      map[string]Rule
	problems []diag.Diagnostic
	// preset is the value of a settings file that is being read; invalid on the command line.
	preset diag.Span
}

// fail reports a mistake. One in a settings file is reported there.
func (r *reader) fail(d diag.Diagnostic) {
	if r.preset.IsValid() {
		d.Span, d.Message = r.preset, strings.TrimPrefix(d.Message, "option ")
	}
	r.problems = append(r.problems, d)
}

func (r *reader) option(text string) {
	name, _ := segment(text)
	switch {
	case name == "paths":
		if m, ok := r.parse(text, joinList(text)); ok {
			r.plan.Paths = append(r.plan.Paths, textsOf(m.Arg(""))...)
		}
	case name == "output":
		r.output(text)
	case !slices.Contains(Generators(), name):
		r.fail(r.unknown(text, name))
	case r.plan.Find(name) != nil:
		r.fail(input.Errorf("duplicate generator %s", name).
			Help("write all its options together, separated by commas"))
	case name == CRD || name == Helpers:
		r.generator(text, name)
	default:
		doc := toolDoc(name)
		own := joinLists(text, fieldsOf(doc))
		tool, err := tools.Parse(name, own)
		if whole := r.withPresets(name, own); whole != own && (err == nil || lacksArgument(err)) {
			if tool, err = tools.Parse(name, whole); err != nil {
				r.preset = r.presetAt(name, err)
			}
		}
		if err != nil {
			slices.SortStableFunc(doc.Fields, func(a, b help.FieldHelp) int { // optional ones last
				return strings.Compare(strconv.FormatBool(a.Optional), strconv.FormatBool(b.Optional))
			})
			usage := strings.TrimPrefix(markerSyntax(doc, LevelSummary), "+")
			d := input.Errorf("option %q: %v", text, err).Note("the syntax is %s", usage)
			if _, unknown, ok := strings.Cut(err.Error(), "unknown argument "); ok {
				unknown, _, _ = strings.Cut(strings.TrimPrefix(unknown, `"`), `"`)
				var known []string
				for _, field := range doc.Fields {
					known = append(known, field.Name)
				}
				d = d.Help("%s", diag.DidYouMean(unknown, known))
			}
			r.fail(d)
			r.preset = diag.Span{}
		}
		r.plan.Generators = append(r.plan.Generators, Invocation{Name: name, Tool: tool})
	}
}

// segment splits a text before its first colon or equals sign.
func segment(text string) (first, rest string) {
	if i := strings.IndexAny(text, ":="); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// parse parses one option with crdproof's own marker parser.
// joined is its text with the separators of markers.
func (r *reader) parse(text, joined string) (markers.Marker, bool) {
	src := &diag.Source{Path: "command line", Data: []byte("+" + joined)}
	comment := markers.Comment{Text: "+" + joined, At: diag.At(src, 0, len(joined)+1)}
	m, ok, problems := r.table.Parse(comment, markers.Package)
	if !ok && len(problems) == 0 {
		// The name is known, so the parser must have read an argument without a value as a part of the name.
		problems = []diag.Diagnostic{r.withoutValue(text)}
	}
	for _, d := range problems {
		// Options have no position in a file: the message quotes them.
		d.Span = diag.Span{}
		if d.Check != input.Option.ID {
			d.Message = fmt.Sprintf("option %q: %s", text, d.Message)
		}
		r.fail(d)
	}
	return m, ok && !diag.HasErrors(problems)
}

// withoutValue reports an argument of an option that has no value.
func (r *reader) withoutValue(option string) diag.Diagnostic {
	name, argument, _ := strings.Cut(option, ":")
	if argument == "" {
		return input.Errorf("option %q: missing argument after the colon", option).Help("write %s", name)
	}
	var kind markers.Kind
	if def := r.table.Lookup("+"+name, markers.Package); def != nil {
		var known []string
		for _, p := range def.Params {
			known = append(known, p.Name)
		}
		i := slices.Index(known, argument)
		if i < 0 {
			return input.Errorf("option %q: unknown argument %q of %s", option, argument, name).
				Help("%s", diag.DidYouMean(argument, known))
		}
		kind = def.Params[i].Shape.Kind
	}
	d := input.Errorf("option %q: missing value for %s", option, argument)
	switch values, _ := Offers(argument, kind == markers.Bool); {
	case kind == markers.Bool:
		return d.Help("write %s:%s=true", name, argument)
	case kind == markers.Int:
		return d.Help("write a number, such as %s:%s=80", name, argument)
	case len(values) > 0:
		value, _, _ := strings.Cut(values[0], "\t")
		return d.Help("write a value, such as %s:%s=%s", name, argument, value)
	}
	return d.Help("write %s:%s= and the value", name, argument)
}

// isNoCommand reports whether the first word of a command line is written like a command or a generator, and is
// neither.
func (r *reader) isNoCommand(word string) bool {
	return !slices.Contains(append(Generators(), "paths", "output"), word) && len(r.line.Commands) > 0 &&
		word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

func (r *reader) unknown(option, name string) diag.Diagnostic {
	known := append(Generators(), "paths", "output")
	d := diag.Errorf(diag.Span{}, Unknown, "unknown option %q", option).
		Note("the options are %s", strings.Join(known, ", "))
	if r.isNoCommand(option) {
		d = diag.Errorf(diag.Span{}, Unknown, "unknown command %q", option).
			Note("the commands are %s", strings.Join(r.line.Commands, ", ")).
			Note("the generators are %s", strings.Join(Generators(), ", "))
	}
	near, help := diag.Near(name, known), ""
	if r.line.Elsewhere != nil {
		help = r.line.Elsewhere(option, name, near)
	}
	switch {
	case option == "":
		d.Message = "empty option"
	case help != "":
		return d.Help("%s", help)
	case near != "":
		return d.Help("%s", diag.Meant(near+strings.TrimPrefix(option, name)))
	case strings.ContainsAny(option, `/\.`) && !strings.Contains(option, "="):
		return d.Help("write paths=%s to name packages", option)
	}
	return d
}

// CheckPaths reports file-system paths that do not exist; the go command would report them as missing modules. option
// is the name of the option or flag that they come from.
func CheckPaths(option string, paths []string) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, p := range paths {
		if !filepath.IsAbs(p) && !strings.HasPrefix(p, ".") {
			continue
		}
		base, _, _ := strings.Cut(filepath.ToSlash(p), "...")
		if base = strings.TrimSuffix(base, "/"); base == "" {
			continue
		}
		switch info, err := os.Stat(base); {
		case errors.Is(err, os.ErrNotExist):
			help := ""
			if near := input.Near(base, fs.DirEntry.IsDir); near != "" {
				help = diag.Meant(strings.TrimSuffix(base, filepath.Base(base)) + near + strings.TrimPrefix(p, base))
			}
			out = append(out, input.Errorf("option %q: %s does not exist", option+"="+p, base).Help("%s", help))
		case err == nil && !info.IsDir():
			dir := filepath.ToSlash(filepath.Dir(p))
			if filepath.IsLocal(dir) && dir != "." {
				dir = "./" + dir
			}
			out = append(out, input.Errorf("option %q: expected a package, which is a directory, got a file",
				option+"="+p).
				Help("write %s=%s", option, dir))
		}
	}
	return out
}

// textsOf returns the items of a list, or nil if it is absent.
func textsOf(v *markers.Value) []string {
	if v == nil {
		return nil
	}
	out := []string{} // an empty list is not an absent one
	for _, item := range v.Items {
		out = append(out, item.Text)
	}
	return out
}
