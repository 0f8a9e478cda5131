package arguments

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/input"
)

// setVariants sets the variants that the options name: one for each channel, one for each named set, or the only one
// for gates alone.
func (s *settings) setVariants() {
	gates := []string(nil)
	if s.gates != nil {
		gates = textsOf(s.gates)
	}
	var out []lower.Variant
	add := func(name string, on []string) {
		out = append(out, lower.Variant{Name: name, On: slices.Concat(on, gates), Channels: true,
			Gates: s.gates != nil || s.variants != nil})
	}
	switch {
	case s.channels != nil && s.variants != nil:
		s.failAt(s.variants.At, input.Errorf("options channels and variants exclude each other").
			Help("write each channel into the variants that have it"))
	case s.channels != nil:
		for _, channel := range textsOf(s.channels) {
			add(channel, []string{channel})
		}
	case s.variants != nil:
		for i := range s.variants.Members {
			m := &s.variants.Members[i]
			add(m.Key, textsOf(&m.Value))
		}
	case s.gates != nil:
		out = []lower.Variant{{On: gates, Gates: true}}
	}
	if s.CRD.Variants = out; len(out) == 0 && (s.channels != nil || s.variants != nil) {
		s.fail(input.Errorf("no variant is named").Help("name one, such as channels=standard;experimental"))
	}
	s.checkVariants()
}

// checkVariants reports names that cannot be directories.
func (s *settings) checkVariants() {
	var names []string
	for _, v := range s.CRD.Variants {
		if slices.Contains(names, v.Name) {
			s.fail(input.Errorf("duplicate variant %q", v.Name).Help("write each name once"))
		}
		if v.Name != "" && (!filepath.IsLocal(v.Name) || strings.ContainsAny(v.Name, `/\`)) || v.Name == "." ||
			v.Name == "" && (s.channels != nil || s.variants != nil) {
			s.fail(input.Errorf("invalid name %q of a variant: it is the name of a directory", v.Name).
				Help("write a name without slashes, such as standard"))
		}
		names = append(names, v.Name)
	}
}

// Variants returns the directories of the variants of the CRDs that are written; none if they have no directories.
func (g *Invocation) Variants() (out []string) {
	if g.Name != CRD {
		return nil
	}
	for _, v := range g.CRD.Variants {
		if v.Name != "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// helpersVariant sets and checks the variant that helpers are for: one of those that the CRDs of the run have.
func (r *reader) helpersVariant() {
	h := r.plan.Find(Helpers)
	if h == nil || len(h.Helpers.CRDs) > 0 || len(r.problems) > 0 {
		return
	}
	crd := r.plan.Find(CRD)
	if crd == nil {
		crd = h
	}
	var names []string
	for _, v := range crd.CRD.Variants {
		names = append(names, v.Name) // "" for the only one, of gates alone
	}
	asked := &h.Helpers.Variant
	r.preset = h.Helpers.variantAt
	defer func() { r.preset = diag.Span{} }()
	switch {
	case *asked == "" && len(names) > 1:
		r.fail(input.Errorf("helpers are for one variant, but the run has %d", len(names)).
			Help("name the variant, for example helpers:variant=%s", names[len(names)-1]))
	case *asked == "" && len(names) == 1:
		*asked = names[0]
	case *asked != "" && len(names) == 0:
		r.fail(input.Errorf("option variant has no effect: the run has no variants").
			Help("name them with channels or variants, or remove variant"))
	case *asked != "" && !slices.Contains(names, *asked):
		r.fail(input.Errorf("option variant: unknown variant %q", *asked).
			Note("the variants are %s", diag.And(names)).Help("%s", diag.DidYouMean(*asked, names)))
	}
}

// failAt reports a mistake at a position in a settings file, if it is valid.
func (s *settings) failAt(at diag.Span, d diag.Diagnostic) {
	if before := s.preset; at.IsValid() && before.IsValid() {
		s.preset = at
		defer func() { s.preset = before }()
	}
	s.fail(d)
}

// Select makes CRDs those of one of their variants. If the options have none, all of the names are channels.
func Select(opts *generator.Options, name string, channels ...string) *diag.Diagnostic {
	if len(opts.Variants) == 0 {
		for _, c := range channels {
			opts.Variants = append(opts.Variants, lower.Variant{Name: c, On: []string{c}, Channels: true})
		}
	}
	var names []string
	for i := range opts.Variants {
		if opts.Variants[i].Name == name {
			opts.Variant = &opts.Variants[i]
			return nil
		}
		names = append(names, opts.Variants[i].Name)
	}
	d := input.Errorf("unknown variant %q", name).Help("name the variants in the settings file, such as " +
		"crd: {channels: [standard, experimental]}")
	if len(names) > 0 {
		d = d.Note("the variants are %s", diag.And(names)).Help("%s", diag.DidYouMean(name, names))
	}
	return &d
}
