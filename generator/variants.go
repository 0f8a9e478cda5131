package generator

import (
	"context"
	"path"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/rules/check"
)

// runVariants runs all stages for each variant, with the same declarations, and joins the results: the files of a
// variant are in a directory of its name, below that of the output, and helpers are those of one variant.
func runVariants(
	ctx context.Context, listing *load.Listing, program *load.Program, cfg Config,
) (out Result, err error) {
	out.Listing = listing
	var names []string
	var found [][]diag.Diagnostic
	for i := range cfg.CRD.Variants {
		v := &cfg.CRD.Variants[i]
		one := cfg
		one.CRD.Variant = v
		if cfg.Helpers != nil && cfg.Helpers.Variant != v.Name {
			if one.Helpers = nil; cfg.HelpersOnly {
				continue
			}
		}
		result, err := run(ctx, listing, program, one)
		if err != nil {
			return Result{}, err
		}
		for _, f := range result.Files {
			f.Path = path.Join(path.Dir(f.Path), v.Name, path.Base(f.Path))
			out.Files = append(out.Files, f)
		}
		out.Helpers = append(out.Helpers, result.Helpers...)
		out.Packages, out.Dirs = result.Packages, result.Dirs
		out.Sessions = append(out.Sessions, result.Sessions...)
		out.Deviations = append(out.Deviations, result.Deviations...)
		out.Known = max(out.Known, result.Known)
		names, found = append(names, v.Name), append(found, result.Diagnostics)
	}
	out.Diagnostics, out.Deviations = joined(names, found), diag.Sort(out.Deviations)
	if diag.HasErrors(out.Diagnostics) {
		out.Files, out.Helpers = nil, nil
	}
	return out, nil
}

// joined joins the findings in variants: those that all have are reported once, the others say which have them.
func joined(names []string, found [][]diag.Diagnostic) (out []diag.Diagnostic) {
	in := map[finding][]string{}
	for i, list := range found {
		for _, d := range list {
			in[findingOf(d)] = append(in[findingOf(d)], names[i])
		}
	}
	for _, list := range found {
		for _, d := range list {
			where, isKnown := in[findingOf(d)]
			delete(in, findingOf(d))
			where = slices.Compact(where)
			ofHelpers := slices.ContainsFunc(helpers.Checks(), func(c *diag.Check) bool { return c.ID == d.Check })
			switch {
			case !isKnown: // reported for an earlier variant
			case len(where) == len(names), ofHelpers: // which only one variant has
				out = append(out, d)
			case d.Check != check.Ignore.ID && d.Check != lower.RuleUnused: // what is used in one variant is used
				what := "the variant "
				if len(where) > 1 {
					what = "the variants "
				}
				out = append(out, d.Note("only in %s%s", what, diag.And(where)))
			}
		}
	}
	return diag.Sort(out)
}

// A finding identifies a diagnostic among those of several variants.
type finding struct {
	at             diag.Span
	check, message string
	severity       diag.Severity
}

func findingOf(d diag.Diagnostic) finding { return finding{d.Span, d.Check, d.Message, d.Severity} }
