// Package arguments parses a command line that runs generators, in the grammar of controller-gen: generators with
// their options, paths, and output rules. It also documents the options, and the markers that the generators read.
//
// The input is the words of a command line, the output is a plan. The files:
//
//  1. arguments.go parses the words, settings.go the options of crd and helpers, and output.go the output rules
//  2. docs.go derives the documentation from the tables, and text.go formats it
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

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/tools"
	"github.com/crdproof/crdproof/markers"
)

// The generators that are no tools.
const (
	CRD     = "crd"
	Helpers = "helpers"
)

// Generators are the names of all generators in the order in which help shows them.
func Generators() []string {
	out := []string{CRD, Helpers}
	for _, t := range tools.All() {
		out = append(out, t.Name)
	}
	return out
}

// Unknown is the check of words that are no options.
var Unknown = &diag.Check{
	ID: "option-unknown", Mistake: true,
	Doc: "A word on the command line is neither an option, a generator nor a command. Nothing is done.",
}

// Checks is the table of what is said about options, beside what package input says of all arguments.
func Checks() []*diag.Check { return []*diag.Check{Unknown} }

// A Line is a command line without its flags.
type Line struct {
	Options []string
	// Version is that of the program, with which CRDs are signed.
	Version string
	// Elsewhere says what else a word may be that is no option: option is the word, name what stands before a colon or
	// an equals sign, and near the option that it resembles. It is "" where there is nothing to say.
	Elsewhere func(option, name, near string) string
}

// A Plan is what a command line asks for.
type Plan struct {
	// Generators are in the order of the command line, each at most once.
	Generators []Invocation
	Paths      []string
}

// An Invocation is a generator with its options: crd, helpers, or one of controller-tools.
type Invocation struct {
	Name string
	// CRD are the options of crd, and of helpers as far as they share them.
	CRD *generator.Options
	// Helpers is set for helpers alone.
	Helpers *HelperOptions
	Tool    genall.Generator
	// Output says where the files go.
	Output Rule
}

// HelperOptions are those that helpers has beside what it shares with crd.
type HelperOptions struct {
	helpers.Options
	// CRDs name files of CRDs; none means the kinds of the packages.
	CRDs []string
	// shared are the names of the options that crd has too.
	shared []string
}

// Find returns the invocation of a generator, nil where there is none.
func (p *Plan) Find(name string) *Invocation {
	for i := range p.Generators {
		if p.Generators[i].Name == name {
			return &p.Generators[i]
		}
	}
	return nil
}

// Parse reads the options. What is wrong with them is all reported at once.
func Parse(line Line) (Plan, []diag.Diagnostic) {
	r := reader{line: line, table: markers.Options(), own: map[string]Rule{}}
	for _, option := range line.Options {
		r.option(strings.TrimPrefix(option, "+"))
	}
	for i := range r.plan.Generators {
		g := &r.plan.Generators[i]
		g.Output = r.rule(g.Name)
	}
	for _, name := range Generators() {
		if _, ok := r.own[name]; ok && r.plan.Find(name) == nil && len(r.problems) == 0 {
			r.fail(input.Errorf("there is an output rule for %s, but %s is not to be run", name, name).
				Help("name the generator %s as well, or drop its output rule", name))
		}
	}
	r.shared()
	if len(r.plan.Generators) == 0 && len(r.problems) == 0 {
		d := input.Errorf("no generator is named").Note("the generators are %s", strings.Join(Generators(), ", ")).
			Help("crdproof crd paths=./api/... output:crd:dir=config/crd/bases")
		if len(line.Options) > 0 {
			d = d.Help("add one, such as crd")
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
	// fallback is output:<rule>, nil where it was not given; own are the rules given as output:<generator>:<rule>.
	fallback *Rule
	own      map[string]Rule
	problems []diag.Diagnostic
}

func (r *reader) fail(d diag.Diagnostic) { r.problems = append(r.problems, d) }

func (r *reader) option(text string) {
	name, _ := segment(text)
	switch {
	case name == "paths":
		if m, ok := r.parse(text); ok {
			r.plan.Paths = append(r.plan.Paths, texts(m.Arg(""))...)
		}
	case name == "output":
		r.output(text)
	case !slices.Contains(Generators(), name):
		r.fail(r.unknown(text, name))
	case r.plan.Find(name) != nil:
		r.fail(input.Errorf("the generator %s is named twice", name).
			Help("give all its options at once, as in %s:<option>=<value>,<option>=<value>", name))
	case name == CRD || name == Helpers:
		r.generator(text, name)
	default:
		tool, err := tools.Parse(name, text)
		if err != nil {
			doc := toolDoc(name)
			slices.SortStableFunc(doc.Fields, func(a, b help.FieldHelp) int { // optional ones last
				return strings.Compare(strconv.FormatBool(a.Optional), strconv.FormatBool(b.Optional))
			})
			usage := strings.TrimPrefix(markerSyntax(doc, LevelSummary), "+")
			d := input.Errorf("option %q: %v", text, err).Note("it is %s", usage)
			if _, unknown, ok := strings.Cut(err.Error(), "unknown argument "); ok {
				unknown, _, _ = strings.Cut(strings.TrimPrefix(unknown, `"`), `"`)
				var known []string
				for _, field := range doc.Fields {
					known = append(known, field.Name)
				}
				d = d.Help("%s", diag.DidYouMean(unknown, known))
			}
			r.fail(d)
		}
		r.plan.Generators = append(r.plan.Generators, Invocation{Name: name, Tool: tool})
	}
}

// segment cuts a text before its first colon or equals sign.
func segment(text string) (first, rest string) {
	if i := strings.IndexAny(text, ":="); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// parse reads one option with crdproof's own marker parser.
func (r *reader) parse(text string) (markers.Marker, bool) {
	src := &diag.Source{Path: "command line", Data: []byte("+" + text)}
	comment := markers.Comment{Text: "+" + text, At: diag.At(src, 0, len(text)+1)}
	m, ok, problems := r.table.Parse(comment, markers.Package)
	if !ok && len(problems) == 0 {
		// All names were checked before, so the parser took an argument without a value for a part of the name.
		problems = []diag.Diagnostic{withoutValue(text)}
	}
	for _, d := range problems {
		// An option is no source: it is quoted instead of pointed at.
		d.Span = diag.Span{}
		if d.Check != input.Option.ID {
			d.Message = fmt.Sprintf("option %q: %s", text, d.Message)
		}
		r.fail(d)
	}
	return m, ok && !diag.HasErrors(problems)
}

func withoutValue(option string) diag.Diagnostic {
	name, argument, _ := strings.Cut(option, ":")
	if argument == "" {
		return input.Errorf("option %q: nothing follows the colon", option).
			Help("write %s alone, or %s:<argument>=<value>", name, name)
	}
	return input.Errorf("option %q: %q of %s has no value", option, argument, name).
		Help("write %s:%s=<value>, such as =true", name, argument)
}

func (r *reader) unknown(option, name string) diag.Diagnostic {
	known := append(Generators(), "paths", "output")
	d := diag.Errorf(diag.Span{}, Unknown, "unknown option %q", option).Note("there are %s", strings.Join(known, ", "))
	near, help := diag.Near(name, known), ""
	if r.line.Elsewhere != nil {
		help = r.line.Elsewhere(option, name, near)
	}
	switch {
	case option == "":
		d.Message = "an option is empty"
	case help != "":
		return d.Help("%s", help)
	case near != "":
		return d.Help("%s", diag.Meant(near+strings.TrimPrefix(option, name)))
	case strings.ContainsAny(option, `/\.`) && !strings.Contains(option, "="):
		return d.Help("packages are named with paths=%s", option)
	}
	return d
}

// CheckPaths finds file-system paths that lead nowhere, which the go command would report in words about modules. They
// were named with the option or flag that is called option.
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
			out = append(out, input.Errorf("option %q: there is no %s", option+"="+p, base).Help("%s", help))
		case err == nil && !info.IsDir():
			dir := filepath.ToSlash(filepath.Dir(p))
			if filepath.IsLocal(dir) && dir != "." {
				dir = "./" + dir
			}
			out = append(out, input.Errorf("option %q: this is a file; a package is all files of a directory",
				option+"="+p).
				Help("write %s=%s, for its package", option, dir))
		}
	}
	return out
}

// texts are the items of a list that may be absent.
func texts(v *markers.Value) []string {
	if v == nil {
		return nil
	}
	var out []string
	for _, item := range v.Items {
		out = append(out, item.Text)
	}
	return out
}
