// Package describe drops descriptions of a CRD: those from certain Go packages, those below a depth, or enough of them
// to bring the CRD within a budget of bytes.
//
// The input is a finished CRD and the options. The output is another CRD, which shares everything that is unchanged,
// and findings. The files:
//
//  1. describe.go: the stage
//  2. packages.go: patterns of packages
//  3. budget.go: which descriptions are dropped first, and how few are enough
//  4. checks.go: the findings
package describe

import (
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/size"
)

// Options say which descriptions are left out; the zero value keeps all.
type Options struct {
	// Packages are patterns of import paths, as Go has them: descriptions that were written in a package that one of
	// them matches are left out.
	Packages []string
	// MaxDepth is how many named fields may be on the way to a description, so that 1 keeps those of spec and status;
	// nil sets no limit.
	MaxDepth *int
	// Budget is what the CRD may take; the zero value sets no limit.
	Budget Budget
}

// A Budget is how many bytes a CRD may have; 0 sets no limit.
type Budget struct {
	// File is the limit of the file, Annotations that of all annotations after kubectl apply, with their keys.
	File, Annotations int
}

// OnlyApply reports whether the file does not matter, as long as kubectl apply works.
func (b Budget) OnlyApply() bool { return b.File == 0 && b.Annotations > 0 }

// A Source is what has to be known about the CRDs beside themselves.
type Source struct {
	// Owns reports whether a position is in the user's own code.
	Owns func(diag.Span) bool
	// Measure returns the bytes of a CRD as it is written.
	Measure func(*schema.CRD) size.Sizes
}

// A Report is what there is to say of one CRD.
type Report struct {
	// packages are those that descriptions come from, where packages were asked for, and matched the patterns that
	// match one.
	packages, matched map[string]bool
	// Found says what was left out for the sake of a budget, or that it cannot be kept.
	Found []diag.Diagnostic
}

// Reduce leaves out descriptions of a CRD.
func Reduce(c *schema.CRD, opts Options, src Source) (*schema.CRD, Report) {
	report := Report{packages: map[string]bool{}, matched: map[string]bool{}}
	if len(opts.Packages) > 0 || opts.MaxDepth != nil {
		patterns := compile(opts.Packages)
		c = without(c, func(d *description) bool {
			path := d.text.At.Package()
			report.packages[path] = true
			return patterns.match(path, report.matched) || opts.MaxDepth != nil && d.depth > *opts.MaxDepth
		})
	}
	if opts.Budget != (Budget{}) {
		c, report.Found = fit(c, opts.Budget, src)
	}
	return c, report
}

// A description is one place at which a CRD has a description.
type description struct {
	// index counts the descriptions of the CRD.
	index int
	text  *schema.Text
	// depth is how many named fields lead to it, wrapped how many lists and maps.
	depth, wrapped int
}

// without returns the CRD without some of its descriptions. Which, is asked for each in the order of schema.Walk.
func without(c *schema.CRD, leaveOut func(*description) bool) *schema.CRD {
	out := *c
	out.Versions = slices.Clone(c.Versions)
	next := 0
	for i := range out.Versions {
		v := &out.Versions[i]
		if v.Schema == nil {
			continue
		}
		v.Schema = schema.Map(v.Schema, func(p *schema.Place) *schema.Schema {
			// A value validation (allOf and the like) describes nothing: API servers refuse descriptions there.
			if p.Nested || p.Schema.Description.V == "" {
				return p.Schema
			}
			d := description{index: next, text: &p.Schema.Description}
			d.depth, d.wrapped = p.Depth()
			next++
			if !leaveOut(&d) {
				return p.Schema
			}
			bare := *p.Schema
			bare.Description = schema.Text{}
			return &bare
		})
	}
	return &out
}
