// Package check holds what all checks have in common: the table in which each check is a row, the policy that silences
// findings, and how to set a keyword in the language of a CRD's source.
//
// The package carries no promise, and may change in any release: see docs/stability.md.
package check

import (
	"cmp"
	"slices"

	"github.com/crdproof/crdproof/diag"
)

// All stands for all checks, in place of an id: their warnings become errors.
const All = "all"

// A Silence marks the findings of a check at one declaration as intended.
type Silence struct {
	Check, Reason string
	// At and ReasonAt are the positions of the check's id and of the reason. Scope is the declaration with its
	// comments, in which findings are silenced; it is invalid if they are silenced in all files of Package, an import
	// path.
	At, ReasonAt, Scope diag.Span
	Package             string
	// Lenient reports that it may be right without findings, because the run reads only a part of the package.
	Lenient bool
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
	// Silences are those of single declarations and packages.
	Silences []Silence
	// Known are findings that are not new, and so neither reported nor raised; nil for none.
	Known Known
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
			if members := p.Checks.Members(name); slices.ContainsFunc(members, isRaised) {
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
		if silenced && p.Checks.MayDrop(d) {
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
		isNeeded := used[i] || s.Lenient || p.Checks.names(p.Ignored, s.Check)
		if problem := p.Checks.unusable(s.At, s.Check); problem != nil {
			out = append(out, *problem)
		} else if !isNeeded && clean && !p.Checks.Of(s.Check).Result {
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
	if s.Check != d.Check {
		return false
	}
	if !s.Scope.IsValid() {
		return d.Span.Package() == s.Package || d.For.Package() == s.Package
	}
	return s.Scope.Contains(d.Span) || s.Scope.Contains(d.For)
}
