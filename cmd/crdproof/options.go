package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/genall"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/markers"
)

// A plan is what a command line asks for.
type plan struct {
	// generators are in the order of the command line, each at most once.
	generators []invocation
	paths      []string
	buildTags  []string
	outputs    outputRules
}

// An invocation is a generator with its options: crd, helpers, or one of controller-tools.
type invocation struct {
	name string
	// crd are the options of crd, and of helpers as far as they share them.
	crd *generator.Options
	// helpers is set for helpers alone.
	helpers *helperPlan
	tool    genall.Generator
}

func (p *plan) invokes(name string) bool {
	return slices.ContainsFunc(p.generators, func(g invocation) bool { return g.name == name })
}

// parsePlan reads the options. What is wrong with them is all reported at once.
func parsePlan(options, buildTags []string) (plan, []diag.Diagnostic) {
	r := planReader{
		table: markers.Options(),
		plan:  plan{buildTags: buildTags, outputs: outputRules{own: map[string]outputRule{}}},
	}
	for _, option := range options {
		r.option(strings.TrimPrefix(option, "+"))
	}
	for _, name := range generatorNames() {
		if _, ok := r.plan.outputs.own[name]; ok && !r.plan.invokes(name) && len(r.problems) == 0 {
			r.fail(input.Errorf("there is an output rule for %s, but %s is not to be run", name, name).
				Help("name the generator %s as well, or drop its output rule", name))
		}
	}
	r.shared()
	if len(r.plan.generators) == 0 && len(r.problems) == 0 {
		d := input.Errorf("no generator is named").Note("the generators are %s", strings.Join(generatorNames(), ", ")).
			Help("crdproof crd paths=./api/... output:crd:dir=config/crd/bases")
		if len(options) > 0 {
			d = d.Help("add one, such as crd")
		}
		r.fail(d)
	}
	return r.plan, r.problems
}

// A planReader reads the options of one command line.
type planReader struct {
	table    *markers.Table
	plan     plan
	problems []diag.Diagnostic
}

func (r *planReader) fail(d diag.Diagnostic) { r.problems = append(r.problems, d) }

func (r *planReader) option(text string) {
	name := text
	if i := strings.IndexAny(text, ":="); i >= 0 {
		name = text[:i]
	}
	switch {
	case name == "paths":
		if m, ok := r.parse(text); ok {
			r.plan.paths = append(r.plan.paths, texts(m.Arg(""))...)
		}
	case name == "output":
		r.output(text)
	case !slices.Contains(generatorNames(), name):
		r.fail(unknownOption(text, name))
	case r.plan.invokes(name):
		r.fail(input.Errorf("the generator %s is named twice", name).
			Help("give all its options at once, as in %s:<option>=<value>,<option>=<value>", name))
	case name == "crd":
		r.crd(text)
	case name == "helpers":
		r.helpers(text)
	default:
		tool, err := parseTool(name, text)
		if err != nil {
			usage, arguments := toolUsage(name)
			d := input.Errorf("option %q: %v", text, err).Note("it is %s", usage)
			if _, unknown, ok := strings.Cut(err.Error(), "unknown argument "); ok {
				unknown, _, _ = strings.Cut(strings.TrimPrefix(unknown, `"`), `"`)
				d = d.Help("%s", diag.DidYouMean(unknown, arguments))
			}
			r.fail(d)
		}
		r.plan.generators = append(r.plan.generators, invocation{name: name, tool: tool})
	}
}

// parse reads one option with crdproof's own marker parser.
func (r *planReader) parse(text string) (markers.Marker, bool) {
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

func unknownOption(option, name string) diag.Diagnostic {
	known := append(generatorNames(), "paths", "output")
	d := diag.Errorf(diag.Span{}, undefinedOption, "unknown option %q", option).Note("there are %s", strings.Join(known, ", "))
	switch near := diag.Near(name, known); {
	case option == "":
		d.Message = "an option is empty"
	case newFlags(new(settings)).Lookup(name) != nil:
		d.HelpText = diag.Meant("--" + option)
	case findCommand([]string{option}) != nil:
		c := findCommand([]string{option})
		d.HelpText = fmt.Sprintf("%s comes first: crdproof %s %s", c.name, c.name, c.arguments)
	case near == "" && diag.Near(option, commandNames()) != "":
		d.HelpText = diag.DidYouMean(option, commandNames())
	case near != "":
		d.HelpText = diag.Meant(near + strings.TrimPrefix(option, name))
	case strings.ContainsAny(option, `/\.`) && !strings.Contains(option, "="):
		d.HelpText = "packages are named with paths=" + option
	}
	return d
}

// output reads output:<rule> and output:<generator>:<rule>.
func (r *planReader) output(text string) {
	owner, kind := splitOutput(text)
	if owner != "" && !slices.Contains(generatorNames(), owner) {
		r.fail(input.Errorf("option %q: %q is neither a generator nor an output rule", text, owner).
			Note("the generators are %s", strings.Join(generatorNames(), ", ")).
			Note("the rules are %s", strings.Join(ruleNames(), ", ")).
			Help("%s", diag.DidYouMean(owner, append(generatorNames(), ruleNames()...))))
		return
	}
	if !slices.Contains(ruleKinds(), kind) {
		r.fail(input.Errorf("option %q: no output rule %q", text, kind).
			Note("output:dir=<directory>, output:artifacts:config=<directory>[,code=<directory>], output:stdout, output:none").
			Note("with a generator: output:crd:dir=<directory>").
			Help("%s", diag.DidYouMean(string(kind), ruleNames())))
		return
	}
	m, ok := r.parse(text)
	if !ok {
		return
	}
	rule := outputRule{kind: kind}
	switch kind {
	case toDir:
		rule.dir = content(m.Arg(""))
	case toArtifacts:
		rule.dir, rule.code = content(m.Arg("config")), content(m.Arg("code"))
	}
	if owner == "" {
		r.plan.outputs.fallback = &rule
	} else {
		r.plan.outputs.own[owner] = rule
	}
}

// splitOutput finds the generator, "" where there is none, and the form of an output rule.
func splitOutput(text string) (owner string, kind ruleKind) {
	segment := func(s string) (first, rest string) {
		if i := strings.IndexAny(s, ":="); i >= 0 {
			return s[:i], s[i:]
		}
		return s, ""
	}
	_, rest := segment(text)
	first, rest := segment(strings.TrimPrefix(rest, ":"))
	if !slices.Contains(ruleKinds(), ruleKind(first)) && strings.HasPrefix(rest, ":") {
		owner = first
		first, _ = segment(rest[1:])
	}
	return owner, ruleKind(first)
}

// checkPaths finds file-system paths that lead nowhere, which the go command would report in words about modules. They were named with
// the option or flag that is called option.
func checkPaths(option string, paths []string) []diag.Diagnostic {
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
			out = append(out, input.Errorf("option %q: this is a file; a package is all files of a directory", option+"="+p).
				Help("write %s=%s, for its package", option, dir))
		}
	}
	return out
}

// content is the text of a value that may be absent.
func content(v *markers.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
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
