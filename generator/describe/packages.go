package describe

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A pattern matches import paths as the go command matches them (go help packages).
type pattern struct {
	text       string
	expression *regexp.Regexp
}

type patterns []pattern

func compile(list []string) patterns {
	var out patterns
	for _, text := range list {
		expression := strings.ReplaceAll(regexp.QuoteMeta(text), `\.\.\.`, `.*`)
		if prefix, ok := strings.CutSuffix(expression, `/.*`); ok {
			expression = prefix + `(/.*)?` // a/... matches a as well
		}
		out = append(out, pattern{text, regexp.MustCompile(`^` + expression + `$`)})
	}
	return out
}

// match reports whether one of the patterns matches, and records all that do.
func (list patterns) match(path string, matched map[string]bool) bool {
	found := false
	for _, p := range list {
		if path != "" && p.expression.MatchString(path) {
			matched[p.text], found = true, true
		}
	}
	return found
}

// Findings returns those of all CRDs, and warnings about patterns that match no package of any of them.
func Findings(opts Options, reports []Report) []diag.Diagnostic {
	var out []diag.Diagnostic
	if len(reports) == 0 {
		return nil
	}
	all := map[string]bool{}
	for _, r := range reports {
		out = append(out, r.Found...)
		maps.Copy(all, r.packages)
	}
	delete(all, "")
	packages := slices.Sorted(maps.Keys(all))
	for _, text := range opts.Packages {
		if !slices.ContainsFunc(reports, func(r Report) bool { return r.matched[text] }) {
			out = append(out, unmatched(text, packages))
		}
	}
	return out
}

// unmatched reports a pattern that matches no package that descriptions come from.
func unmatched(text string, packages []string) diag.Diagnostic {
	d := diag.Warningf(diag.Span{}, unmatchedPattern,
		"option dropDescriptions: no description comes from a package that matches %q", text)
	below := slices.ContainsFunc(packages, func(p string) bool { return strings.HasPrefix(p, text+"/") })
	near := diag.Near(text, packages)
	switch {
	case below:
		d.HelpText = diag.Meant(text + "/...")
	case near != "":
		d.HelpText = diag.Meant(near)
	case len(packages) > 0:
		d.HelpText = "descriptions come from " + strings.Join(packages, ", ")
	}
	return d
}
