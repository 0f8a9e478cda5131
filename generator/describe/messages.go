package describe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/size"
)

// The ids of this package's checks.
const (
	idBudget  = "crd-budget"
	idPattern = "crd-descriptions"
)

// aboveBudget says that a budget cannot be kept, and by how much. The CRD has no descriptions any more.
func aboveBudget(c *schema.CRD, budget Budget, s size.Sizes) diag.Diagnostic {
	what, has, limit := "the file", s.File, budget.File
	if over := s.Annotations - budget.Annotations; budget.Annotations > 0 && (limit == 0 || over > has-limit) {
		what, has, limit = "annotations after kubectl apply", s.Annotations, budget.Annotations
	}
	d := diag.Diagnostic{
		Span: c.At, Check: idBudget,
		Message: fmt.Sprintf("option maxSize: %s would have %s bytes even without any description, %s more than the budget of %s",
			what, size.Amount(has), size.Amount(has-limit), size.Amount(limit)),
		HelpText: "give it a larger budget, or describe less: a part that others validate can do with +kubebuilder:pruning:PreserveUnknownFields and +kubebuilder:validation:Schemaless",
	}
	spread := size.SpreadOf(c, 20)
	for _, f := range spread.Largest(1) {
		d.Notes = []string{fmt.Sprintf("the largest field is %s of %s, with %s bytes", f.Name, f.Version, size.Amount(f.Bytes))}
	}
	return d
}

// leftOut says which descriptions were left out for a budget: the first so many of all.
func leftOut(c *schema.CRD, budget Budget, all []candidate, n int) diag.Diagnostic {
	limit := "the annotations of kubectl apply within " + size.Amount(budget.Annotations)
	if budget.File > 0 {
		limit = "the CRD within " + size.Amount(budget.File)
	}
	d := diag.Diagnostic{
		Span: c.At, Check: idBudget, Severity: diag.Note,
		Message: fmt.Sprintf("%s of %s descriptions are left out, to keep %s bytes", size.Amount(n), size.Amount(len(all)), limit),
	}
	type tally struct {
		path             string
		cut, of, deepest int
	}
	var tallies []tally
	for i, each := range all {
		at := slices.IndexFunc(tallies, func(t tally) bool { return t.path == each.path })
		if at < 0 {
			at = len(tallies)
			tallies = append(tallies, tally{path: each.path, deepest: each.depth})
		}
		t := &tallies[at]
		t.of++
		if i < n {
			t.cut++
			t.deepest = min(t.deepest, each.depth)
		}
	}
	for _, t := range tallies {
		if t.cut > 0 {
			d.Notes = append(d.Notes, fmt.Sprintf("%s: %s of %s, from level %d on", t.path, size.Amount(t.cut), size.Amount(t.of), t.deepest))
		}
	}
	return d
}

// unmatched says that a pattern matches none of the packages that descriptions come from.
func unmatched(text string, packages []string) diag.Diagnostic {
	d := diag.Diagnostic{
		Check: idPattern, Severity: diag.Warning,
		Message: fmt.Sprintf("option dropDescriptions: no description comes from a package that matches %q", text),
	}
	below := slices.ContainsFunc(packages, func(p string) bool { return strings.HasPrefix(p, text+"/") })
	near := diag.Near(text, packages)
	switch {
	case below:
		d.HelpText = diag.Meant(text + "/...")
	case near != "":
		d.HelpText = diag.Meant(near)
	case len(packages) > 0:
		d.HelpText = "they come from " + strings.Join(packages, ", ")
	}
	return d
}
