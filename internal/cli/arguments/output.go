package arguments

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/markers"
)

// The forms of output rules.
const (
	ToDir       = "dir"
	ToArtifacts = "artifacts"
	ToStdout    = "stdout"
	ToNone      = "none"
	// ToProfile is for CRDs only.
	ToProfile = "profile"
)

// forms returns the forms in the order of the help.
func forms() []string { return []string{ToDir, ToArtifacts, ToProfile, ToStdout, ToNone} }

// A Rule decides where the files of a generator go (controller-tools, pkg/genall/output.go).
type Rule struct {
	Form string
	// Dir is the directory for all files (ToDir), or for those that do not belong to a Go package (ToArtifacts).
	Dir string
	// Code is the directory for files of Go packages (ToArtifacts); "" means that of each package.
	Code string
	// Profile are the outputs of CRDs (ToProfile), whose files have their paths already.
	Profile profile.Profile
}

// Place returns the path of a file; an empty path is standard output. packageDir is the directory of the Go package
// that the file belongs to, or "". keep is false if the file is dropped.
func (r Rule) Place(packageDir, name string) (path string, keep bool) {
	switch {
	case r.Form == ToNone:
		return "", false
	case r.Form == ToStdout:
		return "", true
	case r.Form == ToProfile:
		return name, true
	case r.Form == ToDir || packageDir == "":
		return filepath.Join(r.Dir, name), true
	case r.Code != "":
		return filepath.Join(r.Code, name), true
	}
	return filepath.Join(packageDir, name), true
}

// Writes reports whether the rule writes files to disk.
func (r Rule) Writes() bool { return r.Form == ToDir || r.Form == ToArtifacts || r.Form == ToProfile }

// CodeDir returns the directory for files of Go packages, or "" for that of each package.
func (r Rule) CodeDir() string {
	if r.Form == ToDir {
		return r.Dir
	}
	return r.Code
}

// Names reports whether an output rule of the plan can give a path to a file, or standard output if the path is empty.
// Files beside Go packages must be in directories that the patterns of packages can name; import paths can name any
// directory of a project.
func (p *Plan) Names(file, project string) bool {
	return slices.ContainsFunc(p.Generators, func(g Invocation) bool {
		name := filepath.Base(file)
		if folder := filepath.Dir(file); slices.Contains(g.Variants(), filepath.Base(folder)) {
			file = filepath.Join(filepath.Dir(folder), name)
		}
		switch {
		case !g.Output.Writes():
			return file == "" && g.Output.Form == ToStdout
		case g.Output.Form == ToProfile:
			return slices.ContainsFunc(g.Output.Profile.Outputs, func(o profile.Output) bool { return o.Names(file) })
		case g.Name != Helpers && g.Name != "object":
			return file == filepath.Join(g.Output.Dir, cmp.Or(tools.FileName(g.Tool), name)) &&
				(g.Name == "rbac" || filepath.Ext(name) == ".yaml")
		case !strings.HasPrefix(name, "zz_generated.") || filepath.Ext(name) != ".go":
			return false
		case g.Output.CodeDir() != "" || g.Output.Form == ToDir || g.Helpers != nil && len(g.Helpers.CRDs) > 0:
			return file == filepath.Join(g.Output.CodeDir(), name)
		}
		return p.namesPackage(filepath.Dir(file), project)
	})
}

// namesPackage reports whether the patterns of the plan can name the package in a directory.
func (p *Plan) namesPackage(dir, project string) bool {
	patterns := p.Paths
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if root, ok := patternDir(pattern); ok {
			return input.Within(input.Absolute(dir), input.Absolute(root))
		}
		return input.Within(input.Absolute(dir), project)
	})
}

// Dirs returns the directories that the command line names: those of the output rules, and those of packages.
func (p *Plan) Dirs() (out []string) {
	for i := range p.Generators {
		rule := p.Generators[i].Output
		if rule.Form == ToProfile {
			for j := range rule.Profile.Outputs {
				out = append(out, rule.Profile.Outputs[j].Folder())
			}
		} else if rule.Writes() {
			out = append(out, rule.Dir, rule.CodeDir())
		}
	}
	for _, pattern := range p.Paths {
		if dir, ok := patternDir(pattern); ok {
			out = append(out, dir)
		}
	}
	return out
}

// patternDir returns the directory that a pattern of packages names, or false for import paths.
func patternDir(pattern string) (string, bool) {
	if !filepath.IsAbs(pattern) && !strings.HasPrefix(pattern, ".") {
		return "", false
	}
	dir, _, isTree := strings.Cut(filepath.ToSlash(pattern), "...")
	if isTree && !strings.HasSuffix(dir, "/") {
		dir = path.Dir(dir) // the rest is the beginning of a name
	}
	return filepath.FromSlash(dir), true
}

// rule returns the rule of a generator. By default, each generator has its own directory below config
// (controller-tools, pkg/genall/options.go).
func (r *reader) rule(generator string) Rule {
	if own, ok := r.own[generator]; ok {
		return own
	}
	if r.fallback != nil {
		return *r.fallback
	}
	return Rule{Form: ToArtifacts, Dir: filepath.Join("config", generator)}
}

// output parses output:<rule> and output:<generator>:<rule>.
func (r *reader) output(text string) {
	owner, form := splitOutput(text)
	if owner == "" && form == ToProfile {
		owner = CRD // the outputs of the others are not in profiles
	}
	if owner != "" && !slices.Contains(Generators(), owner) {
		r.fail(input.Errorf("option %q: unknown generator or output rule %q", text, owner).
			Note("the generators are %s", strings.Join(Generators(), ", ")).
			Note("the rules are %s", strings.Join(forms(), ", ")).
			Help("%s", diag.DidYouMean(owner, append(Generators(), forms()...))))
		return
	}
	if owner != CRD && form == ToProfile {
		r.fail(input.Errorf("option %q: profiles are for crd", text).Help("write output:crd:profile=<name>"))
		return
	}
	if !slices.Contains(forms(), form) {
		r.fail(input.Errorf("option %q: unknown output rule %q", text, form).
			Note("the rules are output:dir=<directory>, output:artifacts:config=<directory>[,code=<directory>], "+
				"output:profile=<name>, output:stdout, output:none").
			Note("for one generator: output:crd:dir=<directory>").
			Help("%s", diag.DidYouMean(form, forms())))
		return
	}
	m, ok := r.parse(text, text)
	if !ok {
		return
	}
	rule := Rule{Form: form}
	switch form {
	case ToDir:
		rule.Dir = content(m.Arg(""))
	case ToArtifacts:
		rule.Dir, rule.Code = content(m.Arg("config")), content(m.Arg("code"))
	case ToProfile:
		if rule.Profile, ok = r.profile(content(m.Arg(""))); !ok {
			return
		}
	}
	if owner == "" {
		r.fallback = &rule
	} else {
		r.own[owner] = rule
	}
}

// profile returns a profile of the settings.
func (r *reader) profile(name string) (profile.Profile, bool) {
	var names []string
	for _, p := range r.line.Profiles {
		if p.Name == name {
			return p, true
		}
		names = append(names, p.Name)
	}
	d := input.Errorf("unknown profile %q", name)
	switch near := diag.DidYouMean(name, names); {
	case near != "":
		d = d.Help("%s", near)
	case len(names) > 0:
		d = d.Note("the profiles are %s", strings.Join(names, ", "))
	default:
		d = d.Note("the settings have no profiles").
			Help("add profiles: {%s: [{dir: config/crd/bases}]} to .crdproof.yaml", cmp.Or(name, "release"))
	}
	r.fail(d)
	return profile.Profile{}, false
}

// splitOutput returns the generator, or "", and the form of an output rule.
func splitOutput(text string) (owner, form string) {
	_, rest := segment(text)
	first, rest := segment(strings.TrimPrefix(rest, ":"))
	if !slices.Contains(forms(), first) && strings.HasPrefix(rest, ":") {
		owner = first
		first, _ = segment(rest[1:])
	}
	return owner, first
}

// content returns the text of a value, or "" if it is absent.
func content(v *markers.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
