package generator

import (
	"path/filepath"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/lower"
)

// variants returns the configuration of each variant that is built. Helpers are those of one of them.
func (cfg Config) variants() (out []Config) {
	if len(cfg.CRD.Variants) == 0 {
		return []Config{cfg}
	}
	for i := range cfg.CRD.Variants {
		v, one := &cfg.CRD.Variants[i], cfg
		hasHelpers := cfg.Helpers != nil && cfg.Helpers.Variant == v.Name
		if one.CRD.Variant = v; !hasHelpers {
			one.Helpers = nil
		}
		if hasHelpers || !cfg.HelpersOnly {
			out = append(out, one)
		}
	}
	return out
}

// name returns the name of the variant of a build, "" if there is only one.
func (b *build) name() string {
	if b.cfg.CRD.Variant == nil {
		return ""
	}
	return b.cfg.CRD.Variant.Name
}

// files returns the files of a build. Those of a variant are in a directory of its name, below that of the output.
func (b *build) files() ([]emit.File, error) {
	out, err := b.pipe.files()
	for i := range out {
		out[i].Path = filepath.Join(filepath.Dir(out[i].Path), b.name(), filepath.Base(out[i].Path))
	}
	return out, err
}

// joined joins the findings of builds: those that all have are reported once, the others say which variants have them.
func joined(builds []*build) (out []diag.Diagnostic) {
	if len(builds) == 1 {
		return builds[0].found
	}
	in := map[finding][]string{}
	for _, b := range builds {
		for _, d := range b.found {
			in[findingOf(d)] = append(in[findingOf(d)], b.name())
		}
	}
	for _, b := range builds {
		for _, d := range b.found {
			where, isKnown := in[findingOf(d)]
			delete(in, findingOf(d))
			where = slices.Compact(where)
			what := "the variant "
			if len(where) > 1 {
				what = "the variants "
			}
			switch {
			case !isKnown: // reported for an earlier variant
			case len(where) == len(builds):
				out = append(out, d)
			case d.Check != lower.RuleUnused: // a rule that one variant uses is used
				out = append(out, d.Note("only in %s%s", what, diag.And(where)))
			}
		}
	}
	return out
}

// A finding identifies a diagnostic among those of several variants.
type finding struct {
	at             diag.Span
	check, message string
	severity       diag.Severity
}

func findingOf(d diag.Diagnostic) finding { return finding{d.Span, d.Check, d.Message, d.Severity} }
