// Package check holds what all checks have in common: the table in which each check is a row, the policy that silences
// findings, and how to set a keyword in the language of a CRD's source.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Table is a list of checks to look up in.
type Table []*diag.Check

// Of returns the check with an id, or nil.
func (t Table) Of(id string) *diag.Check {
	if i := slices.IndexFunc(t, func(c *diag.Check) bool { return c.ID == id }); i >= 0 {
		return t[i]
	}
	return nil
}

// Group returns the ids of the checks of a group, none for any other name.
func (t Table) Group(name string) (ids []string) {
	for _, c := range t {
		if c.Group != nil && c.Group.ID == name {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// isGroup reports whether a name is that of a group.
func isGroup(name string) bool {
	return slices.ContainsFunc(diag.Groups(), func(g *diag.Group) bool { return g.ID == name })
}

// names reports whether the names in an option, of checks and groups, include a check.
func (t Table) names(list []string, id string) bool {
	return slices.ContainsFunc(list, func(name string) bool {
		return name == id || slices.Contains(t.Group(name), id)
	})
}

// hasGroup reports whether the names in an option include the group of a finding.
func hasGroup(list []string, d diag.Diagnostic) bool {
	return d.Hurts != nil && slices.Contains(list, d.Hurts.ID)
}

// All stands for all checks, in place of an id: their warnings become errors.
const All = "all"

// A Silence marks the findings of a check at one declaration as intended.
type Silence struct {
	Check, Reason string
	// At and ReasonAt are the positions of the check's id and of the reason. Scope is the declaration with its
	// comments, in which findings are silenced.
	At, ReasonAt, Scope diag.Span
}

// A Policy decides which findings are reported, and with which severity.
type Policy struct {
	// Checks are the checks that may be named.
	Checks Table
	// Ignored are checks and groups whose findings are dropped, Raised those whose warnings are errors; Raised may have
	// All. What an API server rejects is never dropped, and a check that is ignored is not raised.
	Ignored, Raised []string
	// Scopes change this for files, the later ones last.
	Scopes []Scope
	// Silences are those of single declarations.
	Silences []Silence
	// Partial reports that some checks did not run, so that a silence without findings may be right.
	Partial bool
}

// A Scope is a part of a policy for some files.
type Scope struct {
	// Covers reports whether the scope has the file with an absolute path.
	Covers func(path string) bool
	// Ignored are ignored in addition.
	Ignored []string
	// Raised replaces the raised checks of the policy, unless it is nil.
	Raised []string
}

// Over returns the policy of a command line over that of a settings file: what the command line raises replaces what
// the file raises, and what it ignores is added. A check that the command line raises by name is not ignored.
func (p Policy) Over(file Policy) Policy {
	isRaised := func(id string) bool { return p.Checks.names(p.Raised, id) }
	others := func(ids []string) []string {
		var out []string
		for _, name := range ids {
			if members := p.Checks.Group(name); slices.ContainsFunc(members, isRaised) {
				out = append(out, members...) // without its name, which stands for all of them
			} else {
				out = append(out, name)
			}
		}
		return slices.DeleteFunc(out, isRaised)
	}
	out := p
	out.Ignored = slices.Concat(p.Ignored, others(file.Ignored))
	for _, s := range file.Scopes {
		s.Ignored = others(s.Ignored)
		if p.Raised != nil {
			s.Raised = nil
		}
		out.Scopes = append(out.Scopes, s)
	}
	if p.Raised == nil {
		out.Raised = file.Raised
	}
	return out
}

// covers reports whether the scope has a finding: the file that it is in, or the one that uses that.
func (s Scope) covers(d diag.Diagnostic) bool {
	return slices.ContainsFunc([]diag.Span{d.Span, d.For}, func(at diag.Span) bool {
		return at.IsValid() && s.Covers(at.Source.Path)
	})
}

// Ignores reports whether the policy ignores a finding, wherever it is declared.
func (p *Policy) Ignores(d diag.Diagnostic) bool {
	isIgnored := func(list []string) bool { return p.Checks.names(list, d.Check) || hasGroup(list, d) }
	return isIgnored(p.Ignored) || slices.ContainsFunc(p.Scopes,
		func(s Scope) bool { return isIgnored(s.Ignored) && s.covers(d) })
}

// Raises reports whether a finding becomes an error. A note only does if its check is named.
func (p *Policy) Raises(d diag.Diagnostic) bool {
	raised := p.Raised
	for _, s := range p.Scopes {
		if s.Raised != nil && s.covers(d) {
			raised = s.Raised
		}
	}
	return p.Checks.names(raised, d.Check) || hasGroup(raised, d) ||
		d.Severity == diag.Warning && slices.Contains(raised, All)
}

// RaisesAny reports whether a finding may become an error.
func (p *Policy) RaisesAny() bool {
	return len(p.Raised) > 0 || slices.ContainsFunc(p.Scopes, func(s Scope) bool { return len(s.Raised) > 0 })
}

// Apply returns the findings to report. It also reports a silence that is wrong and, if nothing else is an error, one
// that silences nothing: the code has been fixed, and the next finding there would be missed. If the findings of a
// check are the result of another command, only that command knows.
func (p *Policy) Apply(found []diag.Diagnostic) []diag.Diagnostic {
	var out []diag.Diagnostic
	used := make([]bool, len(p.Silences))
	for _, d := range found {
		if c := p.Checks.Of(d.Check); c != nil {
			d.Hurts = cmp.Or(d.Hurts, c.Group)
		}
		silenced := p.Ignores(d)
		for i, s := range p.Silences {
			if s.Covers(d) {
				used[i], silenced = true, true
			}
		}
		if silenced && p.Checks.mayDrop(d) {
			continue
		}
		if !silenced && p.Raises(d) {
			d.Severity = diag.Error
		}
		if silenced && d.Severity == diag.Error && !slices.Contains(d.Notes, notIgnored) &&
			p.Checks.unusable(d.Span, d.Check) == nil {
			d = d.Note(notIgnored)
		}
		out = append(out, d)
	}
	if p.Partial {
		return out
	}
	clean := !diag.HasErrors(out)
	for i, s := range p.Silences {
		if problem := p.Checks.unusable(s.At, s.Check); problem != nil {
			out = append(out, *problem)
		} else if !used[i] && clean && !p.Checks.names(p.Ignored, s.Check) && !p.Checks.Of(s.Check).Result {
			out = append(out, diag.Warningf(s.At, Ignore, "check %s has no findings here to ignore", s.Check).
				Help("remove the marker"))
		}
	}
	return out
}

// notIgnored follows an error that is reported although its check is ignored.
const notIgnored = "this error is reported although its check is ignored: without a fix, the result is incomplete"

// Covers reports whether the silence is meant for a finding.
func (s Silence) Covers(d diag.Diagnostic) bool {
	return s.Check == d.Check && (s.Scope.Contains(d.Span) || s.Scope.Contains(d.For))
}

// mayDrop reports whether a finding can be dropped: an API server accepts what it finds, and the result is complete in
// spite of it.
func (t Table) mayDrop(d diag.Diagnostic) bool {
	c := t.Of(d.Check)
	return c != nil && !c.Verdict && !d.Fatal && (d.Severity != diag.Error || !c.Mistake)
}

// Usable reports ids of an option that are unknown, or that cannot be ignored if that is the purpose.
func (t Table) Usable(option string, ids []string, ignoring bool) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, id := range ids {
		problem := t.unusable(diag.Span{}, id)
		if isGroup(id) {
			continue
		}
		if problem == nil || !ignoring && (t.Of(id) != nil || id == All) {
			continue
		}
		problem.Message = option + ": " + problem.Message
		out = append(out, *problem)
	}
	return out
}

// Ignore finds mistakes in silences.
var Ignore = &diag.Check{
	ID: "ignore", Mistake: true, MayWarn: true,
	Doc: "A marker or an option ignores a check that is unknown, that cannot be ignored, or that has no findings " +
		"there.",
	Hurts:  "Only you: the marker hides nothing, and would hide the next finding.",
	Unless: "other runs need the marker",
}

// unusable explains why a check cannot be ignored, nil if it can.
func (t Table) unusable(at diag.Span, id string) *diag.Diagnostic {
	c := t.Of(id)
	switch {
	case id == All:
		return new(diag.Errorf(at, Ignore, "only single checks can be ignored, got %q", All).
			Help("name the checks, for example cel-absent"))
	case isGroup(id):
		return new(diag.Errorf(at, Ignore, "%s is a group: only single checks can be ignored here", id).
			Help("name the check of the finding"))
	case c == nil:
		var ids []string
		for _, c := range t {
			ids = append(ids, c.ID)
		}
		for _, g := range diag.Groups() {
			ids = append(ids, g.ID)
		}
		slices.Sort(ids)
		return new(unknown(at, id, ids))
	case c.Verdict:
		return new(diag.Errorf(at, Ignore, "check %s cannot be ignored: it reports what an API server rejects", id).
			Help("fix the finding, or write the CRD anyway with crd:unproved=true"))
	case !c.CanWarn():
		return new(diag.Errorf(at, Ignore, "check %s cannot be ignored: %s", id, c.Because()).
			Help("fix what it reports"))
	}
	return nil
}

// unknown reports an id that is not in a sorted list, with the ids that were perhaps meant.
func unknown(at diag.Span, id string, ids []string) diag.Diagnostic {
	d := diag.Errorf(at, Ignore, "unknown check %q", id)
	if near := diag.Near(id, ids); near != "" {
		return d.Meant(near)
	}
	// Half an id, such as cel or json, stands for several checks.
	similar := slices.DeleteFunc(ids, func(known string) bool { return id == "" || !strings.Contains(known, id) })
	if len(similar) > 0 {
		d = d.Note("similar checks: %s", strings.Join(similar[:min(len(similar), 5)], ", "))
	}
	return d.Note("all checks: https://github.com/crdproof/crdproof/blob/main/docs/checks.md")
}
