package main

import (
	"go/token"
	"slices"

	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/input"
)

// A helperPlan is what the option helpers asks for beside what it shares with crd.
type helperPlan struct {
	generator.HelperOptions
	// crds name files of CRDs; none means the kinds of the packages.
	crds []string
	// shared are the names of the options that crd has too.
	shared []string
}

// helpers reads the options of the helpers generator.
func (r *planReader) helpers(text string) {
	plan, opts := &helperPlan{}, &generator.Options{}
	r.plan.generators = append(r.plan.generators, invocation{name: "helpers", crd: opts, helpers: plan})
	m, ok := r.parse(text)
	if !ok {
		return
	}
	var header headerOptions
	for i := range m.Args {
		arg := &m.Args[i]
		switch {
		case arg.Name == "crds":
			plan.crds = texts(&arg.Value)
		case arg.Name == "package":
			if plan.Package = arg.Value.Text; !token.IsIdentifier(plan.Package) {
				r.fail(input.Errorf("option package: %q is no name of a Go package", plan.Package))
			}
		case header.set(arg):
		case r.model(text, arg, opts):
			plan.shared = append(plan.shared, arg.Name)
		default:
			panic("the option " + arg.Name + " of helpers is in the table but has no meaning")
		}
	}
	plan.Header = r.header(header)
}

// shared reports options of helpers that something else decides: crd, which makes the same CRDs in the same run, or the files,
// which hold CRDs already.
func (r *planReader) shared() {
	h := r.plan.find("helpers")
	if h == nil {
		return
	}
	for _, name := range h.helpers.shared {
		switch {
		case len(h.helpers.crds) > 0 && !slices.Contains([]string{"kube", "unproved", "ignore", "fail", "costShare"}, name):
			r.fail(input.Errorf("option %s of helpers: it is about Go types, and the helpers are those of the files of crds", name).
				Help("leave it out"))
		case len(h.helpers.crds) == 0 && r.plan.invokes("crd"):
			r.fail(input.Errorf(
				"option %s of helpers: crd makes the CRDs in this run, and the helpers are those of its CRDs", name).
				Help("write crd:%s=…", name))
		}
	}
}

// find returns the invocation of a generator, nil where there is none.
func (p *plan) find(name string) *invocation {
	if i := p.index(name); i >= 0 {
		return &p.generators[i]
	}
	return nil
}

// index is where a generator stands on the command line, -1 where it does not.
func (p *plan) index(name string) int {
	return slices.IndexFunc(p.generators, func(g invocation) bool { return g.name == name })
}
