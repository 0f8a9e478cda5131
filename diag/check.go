package diag

import "fmt"

// A Check is one row of a table of checks: a kind of finding. Every diagnostic names one by its ID, so that the
// reference documents every finding. Package internal/checkdoc has its document.
type Check struct {
	// ID is stable: lower-case words joined by dashes.
	ID string
	// Severity is that of its findings: Error if the API server rejects the CRD or every write of an object would
	// fail, Warning if the CRD is accepted and has another problem.
	Severity Severity
	// Group is the group of warnings that the check belongs to; nil for most checks.
	Group *Group
	// Verdict reports that an API server rejects what the check finds. The check only explains the server's error,
	// and cannot be silenced.
	Verdict bool
	// Older reports that only servers older than the library reject it.
	Older bool
	// Accepted reports that API servers accept what the check finds, but reject objects because of it. It is an Error
	// only if they reject every object.
	Accepted bool
	// Mistake reports that the finding is about what was written for crdproof itself, such as a marker, a type or an
	// option, without which there is nothing to judge: an error of it cannot be ignored.
	Mistake bool
	// Tolerated reports that controller-gen lets the mistake pass, so that it may be a warning.
	Tolerated bool
	// MayWarn reports that some findings of the mistake are warnings, or errors that controller-gen lets pass.
	MayWarn bool
	// Result reports that a finding of the mistake is what was asked for: the answer to an object or a case of a suite,
	// or a file that differs.
	Result bool
	// Whole reports that the API server's code confirms its findings with whole objects, which cannot be made if
	// something around the field is in doubt: they may wait until a mistake there is fixed.
	Whole bool
	// Follows is the check of the mistake that explains the finding if it is at the same place; nil for most checks.
	Follows *Check
}

// A Group joins findings that hurt only some programs or objects, or no one yet, so that they can be ignored together.
type Group struct {
	// ID takes the place of the ids of the checks.
	ID string
	// Who names briefly whom its findings hurt, Doc names what alone they concern.
	Who, Doc string
	// Unlisted reports that its warnings are only counted, unless all are asked for: few maintainers change anything
	// because of them.
	Unlisted bool
}

// EveryUser stands in reports for the warnings of all checks without a group.
const EveryUser = "every-user"

// The groups of checks.
var (
	GoClients = &Group{ID: "go-clients", Who: "clients in Go",
		Doc: "objects that programs in Go write with these types"}
	OldVersions = &Group{ID: "old-versions", Who: "clients of an old version", Unlisted: true,
		Doc: "versions that are older than the one that API servers store"}
	ClientSideApply = &Group{ID: "client-side-apply", Who: "users of kubectl apply without --server-side",
		Unlisted: true, Doc: "users who install the CRD with kubectl apply, but without --server-side"}
	ExtremeValues = &Group{ID: "extreme-values", Who: "objects with numbers beyond 2^53", Unlisted: true,
		Doc: "numbers that hardly any object has"}
	Messages = &Group{ID: "messages", Who: "readers of error messages", Unlisted: true,
		Doc: "the words with which API servers reject an object: they reject the right ones"}
	Unlikely = &Group{ID: "unlikely", Who: "hardly anyone", Unlisted: true,
		Doc: "what users and programs hardly ever do"}
	Edited = &Group{ID: "edited-later", Who: "no user of the CRD files in the repository", Unlisted: true,
		Doc: "what the CRD files in the repository have anyway: they are edited after generation, or another " +
			"generator writes them"}
	Future = &Group{ID: "future", Who: "no one yet", Unlisted: true, Doc: "later changes: today, everything works"}
)

// Groups returns all groups.
func Groups() []*Group {
	return []*Group{GoClients, OldVersions, ClientSideApply, ExtremeValues, Messages, Unlikely, Edited, Future}
}

// CanWarn reports whether a finding of the check can be ignored: it only warns, or an error of it does not keep a file
// from being complete.
func (c *Check) CanWarn() bool {
	return !c.Verdict && (!c.Mistake || c.Severity != Error || c.Tolerated || c.MayWarn)
}

// Because says why a mistake cannot be ignored.
func (c *Check) Because() string {
	if c.Result {
		return "it is the result that the command is run for"
	}
	return "without a fix, crdproof cannot read the input or write the files"
}

// Errorf returns an error of a check at a place.
func Errorf(at Span, check *Check, format string, args ...any) Diagnostic {
	return Diagnostic{Span: at, Check: check.ID, Severity: Error, Message: fmt.Sprintf(format, args...)}
}

// Warningf returns a warning of a check at a place.
func Warningf(at Span, check *Check, format string, args ...any) Diagnostic {
	return Diagnostic{Span: at, Check: check.ID, Severity: Warning, Message: fmt.Sprintf(format, args...)}
}

// Notef returns a note of a check at a place.
func Notef(at Span, check *Check, format string, args ...any) Diagnostic {
	return Diagnostic{Span: at, Check: check.ID, Severity: Note, Message: fmt.Sprintf(format, args...)}
}

// Note returns the diagnostic with a further line of explanation.
func (d Diagnostic) Note(format string, args ...any) Diagnostic {
	d.Notes = append(d.Notes[:len(d.Notes):len(d.Notes)], fmt.Sprintf(format, args...))
	return d
}

// See returns the diagnostic with another place that matters; one that is not valid is left out.
func (d Diagnostic) See(at Span, format string, args ...any) Diagnostic {
	if at.IsValid() {
		d.SeeAlso = append(d.SeeAlso[:len(d.SeeAlso):len(d.SeeAlso)],
			Related{Span: at, Message: fmt.Sprintf(format, args...)})
	}
	return d
}

// Hurting returns the diagnostic about a case in which it hurts only a group, other than that of its check.
func (d Diagnostic) Hurting(g *Group) Diagnostic {
	d.Hurts = g
	return d
}

// IsListed reports whether the finding is printed even if not all are asked for.
func (d Diagnostic) IsListed() bool {
	return d.Listed || d.Hurts == nil || !d.Hurts.Unlisted || d.Severity != Warning
}

// CausedBy returns the diagnostic with what it has in common with others of its check: a place, words, or both.
func (d Diagnostic) CausedBy(at Span, words string) Diagnostic {
	d.Cause = Related{at, words}
	return d
}

// In returns the diagnostic about a field of the API object, in the API server's notation.
func (d Diagnostic) In(path string) Diagnostic {
	d.Path = path
	return d
}
