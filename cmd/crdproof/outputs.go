package main

import (
	"cmp"
	"path/filepath"

	"github.com/crdproof/crdproof/generator/stale"
)

// A ruleKind is the form of an output rule.
type ruleKind string

const (
	toDir       ruleKind = "dir"
	toStdout    ruleKind = "stdout"
	toNone      ruleKind = "none"
	toArtifacts ruleKind = "artifacts"
)

// ruleKinds lists the forms in the order in which help shows them.
func ruleKinds() []ruleKind { return []ruleKind{toDir, toArtifacts, toStdout, toNone} }

func ruleNames() []string {
	var out []string
	for _, k := range ruleKinds() {
		out = append(out, string(k))
	}
	return out
}

// An outputRule says where a generator's files go (controller-tools, pkg/genall/output.go).
type outputRule struct {
	kind ruleKind
	// dir is where toDir puts all files, and toArtifacts those that are not part of a Go package.
	dir string
	// code is where toArtifacts puts files of a Go package; "" is the package's own directory.
	code string
}

// place returns the path of a file: packageDir is the directory of the Go package that it belongs to, "" where it
// belongs to none. keep is false where the file is to be dropped, and an empty path is standard output.
func (r outputRule) place(packageDir, name string) (path string, keep bool) {
	switch {
	case r.kind == toNone:
		return "", false
	case r.kind == toStdout:
		return "", true
	case r.kind == toDir || packageDir == "":
		return filepath.Join(r.dir, name), true
	case r.code != "":
		return filepath.Join(r.code, name), true
	}
	return filepath.Join(packageDir, name), true
}

// outputRules are the rules of a command line.
type outputRules struct {
	// fallback is output:<rule>, nil where it was not given.
	fallback *outputRule
	// own are the rules given as output:<generator>:<rule>.
	own map[string]outputRule
}

// of returns a generator's rule. A command line without output:<rule> only adjusts the standard layout, in which each
// generator has its own directory below config (controller-tools, pkg/genall/options.go).
func (r outputRules) of(generator string) outputRule {
	if own, ok := r.own[generator]; ok {
		return own
	}
	if r.fallback != nil {
		return *r.fallback
	}
	return outputRule{kind: toArtifacts, dir: filepath.Join("config", generator)}
}

// writes reports whether a rule has a place for files.
func (r outputRule) writes() bool { return r.kind == toDir || r.kind == toArtifacts }

// leaves says where the files of a run go, which is where those of earlier runs may be left.
func (p *plan) leaves(made product) stale.Run {
	run := stale.Run{Files: made.files, Dirs: made.dirs}
	if rule := p.outputs.of("crd"); p.invokes("crd") && rule.writes() {
		run.CRDs = cmp.Or(rule.dir, ".")
	}
	h := p.find("helpers")
	if h == nil || !p.outputs.of("helpers").writes() {
		return run
	}
	dir := helperOptions(*h, p.outputs).Dir
	if run.BesideTypes = dir == "" && len(h.helpers.crds) == 0; !run.BesideTypes {
		run.Helpers = []string{cmp.Or(dir, ".")}
	}
	return run
}
