package arguments

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/markers"
)

// The forms of output rules.
const (
	ToDir       = "dir"
	ToArtifacts = "artifacts"
	ToStdout    = "stdout"
	ToNone      = "none"
)

// forms are in the order in which help shows them.
func forms() []string { return []string{ToDir, ToArtifacts, ToStdout, ToNone} }

// A Rule says where a generator's files go (controller-tools, pkg/genall/output.go).
type Rule struct {
	Form string
	// Dir is where ToDir puts all files, and ToArtifacts those that are not part of a Go package.
	Dir string
	// Code is where ToArtifacts puts files of a Go package; "" is the package's own directory.
	Code string
}

// Place returns the path of a file: packageDir is the directory of the Go package that it belongs to, "" where it
// belongs to none. keep is false where the file is to be dropped, and an empty path is standard output.
func (r Rule) Place(packageDir, name string) (path string, keep bool) {
	switch {
	case r.Form == ToNone:
		return "", false
	case r.Form == ToStdout:
		return "", true
	case r.Form == ToDir || packageDir == "":
		return filepath.Join(r.Dir, name), true
	case r.Code != "":
		return filepath.Join(r.Code, name), true
	}
	return filepath.Join(packageDir, name), true
}

// Writes reports whether the rule has a place for files.
func (r Rule) Writes() bool { return r.Form == ToDir || r.Form == ToArtifacts }

// CodeDir is where all files of Go packages go, "" where each goes to the directory of its package.
func (r Rule) CodeDir() string {
	if r.Form == ToDir {
		return r.Dir
	}
	return r.Code
}

// rule returns a generator's rule. A command line without output:<rule> only adjusts the standard layout, in which each
// generator has its own directory below config (controller-tools, pkg/genall/options.go).
func (r *reader) rule(generator string) Rule {
	if own, ok := r.own[generator]; ok {
		return own
	}
	if r.fallback != nil {
		return *r.fallback
	}
	return Rule{Form: ToArtifacts, Dir: filepath.Join("config", generator)}
}

// output reads output:<rule> and output:<generator>:<rule>.
func (r *reader) output(text string) {
	owner, form := splitOutput(text)
	if owner != "" && !slices.Contains(Generators(), owner) {
		r.fail(input.Errorf("option %q: %q is neither a generator nor an output rule", text, owner).
			Note("the generators are %s", strings.Join(Generators(), ", ")).
			Note("the rules are %s", strings.Join(forms(), ", ")).
			Help("%s", diag.DidYouMean(owner, append(Generators(), forms()...))))
		return
	}
	if !slices.Contains(forms(), form) {
		r.fail(input.Errorf("option %q: no output rule %q", text, form).
			Note("output:dir=<directory>, output:artifacts:config=<directory>[,code=<directory>], output:stdout, "+
				"output:none").
			Note("with a generator: output:crd:dir=<directory>").
			Help("%s", diag.DidYouMean(form, forms())))
		return
	}
	m, ok := r.parse(text)
	if !ok {
		return
	}
	rule := Rule{Form: form}
	switch form {
	case ToDir:
		rule.Dir = content(m.Arg(""))
	case ToArtifacts:
		rule.Dir, rule.Code = content(m.Arg("config")), content(m.Arg("code"))
	}
	if owner == "" {
		r.fallback = &rule
	} else {
		r.own[owner] = rule
	}
}

// splitOutput finds the generator, "" where there is none, and the form of an output rule.
func splitOutput(text string) (owner, form string) {
	_, rest := segment(text)
	first, rest := segment(strings.TrimPrefix(rest, ":"))
	if !slices.Contains(forms(), first) && strings.HasPrefix(rest, ":") {
		owner = first
		first, _ = segment(rest[1:])
	}
	return owner, first
}

// content is the text of a value that may be absent.
func content(v *markers.Value) string {
	if v == nil {
		return ""
	}
	return v.Text
}
