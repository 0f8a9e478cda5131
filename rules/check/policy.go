// Package check holds what all checks have in common: the table in which each check is a row, the policy that silences
// findings, and how to set a keyword in the language of a CRD's source.
package check

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
)

// Table is a list of checks to look up in.
type Table []*diag.Check

// Of returns the check with an id, nil where there is none. The rows of mistakes are documentation alone: no policy
// applies to them.
func (t Table) Of(id string) *diag.Check {
	if i := slices.IndexFunc(t, func(c *diag.Check) bool { return c.ID == id && !c.Mistake }); i >= 0 {
		return t[i]
	}
	return nil
}

// A Silence says that what a check finds at one declaration is meant to be so.
type Silence struct {
	Check, Reason string
	// At is the check's id where it was written, Scope the declaration with its comments: findings in it are silenced.
	At, Scope diag.Span
}

// A Policy says which findings are told, and how severely.
type Policy struct {
	// Ignored are checks whose findings are dropped, Raised those whose warnings are errors. What an API server refuses
	// is never dropped.
	Ignored, Raised []string
	// Silences are those of single declarations.
	Silences []Silence
}

// Apply returns the findings that are to be told. A silence that is wrong is reported, and, where nothing else is an
// error, one that silences nothing: the code has been mended, and the next finding there would be missed.
func (p Policy) Apply(found []diag.Diagnostic, table Table) []diag.Diagnostic {
	var out []diag.Diagnostic
	used := make([]bool, len(p.Silences))
	for _, d := range found {
		c := table.Of(d.Check)
		if c == nil {
			out = append(out, d) // not a check's, but a mistake in reading or writing
			continue
		}
		if d.Severity == diag.Warning && slices.Contains(p.Raised, d.Check) {
			d.Severity = diag.Error
		}
		silenced := slices.Contains(p.Ignored, d.Check)
		for i, s := range p.Silences {
			if s.Check == d.Check && (s.Scope.Contains(d.Span) || s.Scope.Contains(d.For)) {
				used[i], silenced = true, true
			}
		}
		if c.Verdict || !silenced {
			out = append(out, d)
		}
	}
	clean := !diag.HasErrors(out)
	for i, s := range p.Silences {
		if problem := table.unusable(s.At, s.Check); problem != nil {
			out = append(out, *problem)
		} else if !used[i] && clean && !slices.Contains(p.Ignored, s.Check) {
			out = append(out, diag.Warningf(s.At, Ignore, "%s finds nothing here that could be ignored", s.Check).
				Help("remove the marker"))
		}
	}
	return out
}

// Usable reports ids of an option that name no check, or one that cannot be silenced where that is asked for.
func (t Table) Usable(option string, ids []string, silencing bool) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, id := range ids {
		problem := t.unusable(diag.Span{}, id)
		if problem == nil || !silencing && t.Of(id) != nil {
			continue
		}
		problem.Message = option + ": " + problem.Message
		out = append(out, *problem)
	}
	return out
}

// Ignore finds mistakes in silences.
var Ignore = &diag.Check{
	ID: "ignore", Mistake: true,
	Doc: "A marker or an option ignores a check that does not exist, that cannot be ignored, or that finds nothing " +
		"there.",
	Bad:  "// +crdproof:ignore:check=json-nul,reason=\"a webhook sets the field\"",
	Good: "// +crdproof:ignore:check=json-null,reason=\"a webhook sets the field\"",
}

// unusable says why a check cannot be silenced, nil where it can.
func (t Table) unusable(at diag.Span, id string) *diag.Diagnostic {
	c := t.Of(id)
	switch {
	case c == nil:
		var ids []string
		for _, c := range t {
			if !c.Mistake {
				ids = append(ids, c.ID)
			}
		}
		slices.Sort(ids)
		d := diag.Errorf(at, Ignore, "there is no check %q", id).Help("the checks are %s", strings.Join(ids, ", "))
		if near := diag.Near(id, ids); near != "" {
			d.HelpText = diag.Meant(near)
		}
		return &d
	case c.Verdict:
		return new(diag.Errorf(at, Ignore, "%s finds what an API server refuses, which cannot be ignored", id).
			Help("mend what it finds; where a CRD is to be written all the same, use crd:unproved=true"))
	}
	return nil
}
