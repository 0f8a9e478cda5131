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

// Of returns the check with an id, or nil. The rows of mistakes are only documentation: no policy applies to them.
func (t Table) Of(id string) *diag.Check {
	if i := slices.IndexFunc(t, func(c *diag.Check) bool { return c.ID == id && !c.Mistake }); i >= 0 {
		return t[i]
	}
	return nil
}

// A Silence marks the findings of a check at one declaration as intended.
type Silence struct {
	Check, Reason string
	// At is the position of the check's id, Scope the declaration with its comments, in which findings are silenced.
	At, Scope diag.Span
}

// A Policy decides which findings are reported, and with which severity.
type Policy struct {
	// Ignored are checks whose findings are dropped, Raised those whose warnings are errors. What an API server rejects
	// is never dropped.
	Ignored, Raised []string
	// Silences are those of single declarations.
	Silences []Silence
}

// Apply returns the findings to report. It also reports a silence that is wrong and, if nothing else is an error, one
// that silences nothing: the code has been fixed, and the next finding there would be missed.
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
			out = append(out, diag.Warningf(s.At, Ignore, "check %s has no findings here to ignore", s.Check).
				Help("remove the marker"))
		}
	}
	return out
}

// Usable reports ids of an option that are unknown, or that cannot be silenced if that is the purpose.
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
	Doc: "A marker or an option ignores a check that is unknown, that cannot be ignored, or that has no findings " +
		"there.",
	Bad:  "// +crdproof:ignore:check=json-nul,reason=\"a webhook sets the field\"",
	Good: "// +crdproof:ignore:check=json-null,reason=\"a webhook sets the field\"",
}

// unusable explains why a check cannot be silenced, nil if it can.
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
		return new(unknown(at, id, ids))
	case c.Verdict:
		return new(diag.Errorf(at, Ignore, "check %s cannot be ignored: it reports what an API server rejects", id).
			Help("fix the finding, or write the CRD anyway with crd:unproved=true"))
	}
	return nil
}

// unknown reports an id that is not in a sorted list, with the ids that were perhaps meant.
func unknown(at diag.Span, id string, ids []string) diag.Diagnostic {
	d := diag.Errorf(at, Ignore, "unknown check %q", id)
	if near := diag.Near(id, ids); near != "" {
		return d.Help("%s", diag.Meant(near))
	}
	// Half an id, such as cel or json, stands for several checks.
	similar := slices.DeleteFunc(ids, func(known string) bool { return id == "" || !strings.Contains(known, id) })
	if len(similar) > 0 {
		d = d.Note("similar checks: %s", strings.Join(similar[:min(len(similar), 5)], ", "))
	}
	return d.Note("all checks: https://github.com/crdproof/crdproof/blob/main/docs/checks.md")
}
