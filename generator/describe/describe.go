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
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package describe

import (
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/schema"
)

// Options decide which descriptions are dropped; the zero value keeps all.
type Options struct {
	// Packages are patterns of import paths, as Go has them: descriptions that come from a package that one of
	// them matches are dropped.
	Packages []string
	// MaxDepth is how many named fields may lead to a description, so that 1 keeps those of spec and status; nil sets
	// no limit.
	MaxDepth *int
	// Budget is the maximum size of the CRD; the zero value sets no limit.
	Budget Budget
}

// A Budget is how many bytes a CRD may have; 0 sets no limit.
type Budget struct {
	// File is the limit of the file, Annotations that of all annotations after kubectl apply, with their keys.
	File, Annotations int
}

// OnlyApply reports whether the budget limits only the annotations of kubectl apply.
func (b Budget) OnlyApply() bool { return b.File == 0 && b.Annotations > 0 }

// A Source is what the stage needs to know about the CRDs besides the CRDs themselves.
type Source struct {
	// Owns reports whether a position is in the user's own code.
	Owns func(diag.Span) bool
	// Measure returns the bytes of a CRD as it is written.
	Measure func(*schema.CRD) size.Sizes
}

// A Report is the result for one CRD besides the CRD itself.
type Report struct {
	// packages are those that descriptions come from, if the options have patterns, and matched the patterns that match
	// one.
	packages, matched map[string]bool
	// Found reports what was dropped to keep a budget, or that the CRD exceeds it.
	Found []diag.Diagnostic
}

// Reduce drops descriptions of a CRD.
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

// without returns the CRD without the descriptions that leaveOut selects. It calls leaveOut in the order of
// schema.Walk.
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
			// API servers reject descriptions in value validations (allOf and the like).
			if p.Nested || p.Schema.Description.V == "" {
				return p.Schema
			}
			d := description{index: next, text: &p.Schema.Description}
			d.depth, d.wrapped = p.Depth()
			next++
			if !leaveOut(&d) {
				return p.Schema
			}
			without := *p.Schema
			without.Description = schema.Text{}
			return &without
		})
	}
	return &out
}
