package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// Check validates the CRD of a session, and returns what is wrong with it, in no particular order. The API server's
// verdict comes first: it alone decides whether the CRD is rejected. Rows of checks that explain rejections run only
// if there is one, since what they find in a CRD that the server accepts would be a mistake of ours. A rejection that
// one of them explains, by the field and the type of the error, is not reported again; any other is reported at the
// nearest position to its field. The server stops early, such as before it compiles rules of a schema that is not
// structural, while our rows see everything, so that they may explain more than it says.
func Check(ctx context.Context, s *session.Session) []diag.Diagnostic {
	if found := largeDefaults(s.CRD); len(found) > 0 {
		return found
	}
	rejections, err := s.Verdict(ctx)
	table := Checks()
	found := s.Run(ctx, needed(rows(), err == nil && len(rejections) == 0, err == nil && kube.InMetadata(rejections)))
	if err == nil && len(rejections) == 0 {
		// A finding that the CRD is rejected would be wrong.
		found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
			return !d.Older && d.Check != effort.Check.ID && explains(table.Of(d.Check))
		})
	}
	if err != nil {
		found = append(found, undecodable(s.CRD, err))
	}
	explains := explanations(found, table)
	for _, r := range rejections {
		if !explains.has(r) && (r.Err == nil || !strings.HasPrefix(r.Err.Detail, kube.NotCompiled)) {
			found = append(found, rejected(s, r))
		}
	}
	if more := s.MoreRejections(); more > 0 {
		found = append(found, effort.Rejections.Rejected(s.CRD.At, fmt.Sprintf("the API server rejects the CRD for %s "+
			"more", diag.Counted(more, "reason"))).Help("fix the others first"))
	}
	return settle(s, found, table)
}

// largeDefaults reports the defaults that the API server's code would validate for too long.
func largeDefaults(crd *schema.CRD) (found []diag.Diagnostic) {
	for i := range crd.Versions {
		schema.Walk(crd.Versions[i].Schema, func(p *schema.Place) {
			if d := p.Schema.Default; d != nil && int64(d.Size()) > effort.DefaultValues.Most {
				found = append(found, effort.DefaultValues.Rejected(diag.Nearest(d.At, p.At(), crd.At),
					fmt.Sprintf("the default of %s", p.Field())).
					Help("use a smaller default, or set the value in a webhook"))
			}
		})
	}
	return found
}

// needed leaves out the rows that only explain rejections if there is none: if the server accepts the CRD, or all of
// its versions.
func needed(rows []session.Row, accepted, versionsAccepted bool) []session.Row {
	var out []session.Row
	for i, row := range rows {
		if !accepted && !(versionsAccepted && row.Needs&(session.CRD|session.EachRejection) == 0) {
			out = append(out, row)
			continue
		}
		// The rows without Run behind it are found by it too.
		for j := i; row.Run != nil && (j == i || j < len(rows) && rows[j].Run == nil); j++ {
			if c := &rows[j].Check; !explains(c) {
				out = append(out, row)
				break
			}
		}
	}
	return out
}

// explains reports whether a check finds only what an API server of the library's version rejects.
func explains(c *diag.Check) bool { return c.Verdict && !c.Older }

// explained are the error types that findings of rejections explain, by field: "" stands for all types.
type explained map[string][]string

// explanations returns what findings explain.
func explanations(found []diag.Diagnostic, table check.Table) explained {
	out := explained{}
	for _, d := range found {
		if c := table.Of(d.Check); c == nil || !c.Verdict {
			continue
		}
		out[d.Path] = append(out[d.Path], d.ErrorType)
		for _, path := range d.AlsoPaths {
			out[path] = append(out[path], "")
		}
	}
	return out
}

// has reports whether a finding explains a rejection: it is about the same field, and about an error of that type if it
// explains one.
func (e explained) has(r kube.Rejection) bool {
	types, ok := e[r.Path]
	return ok && (r.Err == nil || slices.Contains(types, "") || slices.Contains(types, string(r.Err.Type)))
}

// settle gives each finding its severity and the position that its reader can do something about.
func settle(s *session.Session, found []diag.Diagnostic, table check.Table) []diag.Diagnostic {
	out := found[:0]
	for _, d := range found {
		at := locate(s, d.Path)
		if c := table.Of(d.Check); c != nil { // otherwise it is about a limit
			d.Severity = severity(c, at.place, s.ByVerdict)
		}
		if !d.Span.IsValid() {
			d.Span = at.at
		}
		if at.rule != nil && at.rule.Use().IsValid() {
			d = atUse(d, at.rule, s.Owns)
		}
		if s.Owns != nil && !s.Owns(d.Span) {
			if d.Severity != diag.Error {
				continue // advice on imported code
			}
			d = atOwnField(s.CRD, d, at.place, s.Owns)
		}
		out = append(out, d)
	}
	return out
}

// atUse adds the use of a rule that is declared elsewhere. If the declaration is not the user's own code, the finding
// moves to the use.
func atUse(d diag.Diagnostic, r *schema.Rule, owns func(diag.Span) bool) diag.Diagnostic {
	if r.At.Contains(d.Span) {
		return d
	}
	d.For = r.At
	if owns != nil && !owns(d.Span) && owns(r.At) {
		d.SeeAlso = append([]diag.Related{{Span: d.Span, Message: "the rule"}}, d.SeeAlso...)
		d.Span = r.At
		return d
	}
	d.SeeAlso = append(slices.Clone(d.SeeAlso), diag.Related{Span: r.At, Message: "the rule is used here"})
	return d
}

// severity returns that of a finding at a place. A mistake that API servers accept is an error only if no object can be
// written: if each has the place.
func severity(c *diag.Check, p *schema.Place, byVerdict bool) diag.Severity {
	if c.Accepted && (byVerdict || !inEveryObject(p)) {
		return diag.Warning
	}
	return c.Severity
}

// inEveryObject reports whether every object has a value at a place: all on the way to it is required.
func inEveryObject(p *schema.Place) bool {
	for ; p != nil && p.Above != nil; p = p.Above {
		isNamed := func(t schema.Text) bool { return t.V == p.Name }
		switch {
		case p.Step == schema.InAllOf:
		case p.Step != schema.InProperty || !slices.ContainsFunc(p.Above.Schema.Required, isNamed):
			return false
		}
	}
	return true
}

// atOwnField restates what is wrong in another module's type at the user's own field that leads there.
func atOwnField(crd *schema.CRD, d diag.Diagnostic, p *schema.Place, owns func(diag.Span) bool) diag.Diagnostic {
	if d.Span.IsValid() {
		d.SeeAlso = append([]diag.Related{{Span: d.Span, Message: d.Message}}, d.SeeAlso...)
		d = d.CausedBy(d.Span, d.Message)
	}
	d.Span = diag.Nearest(p.Nearest(owns), crd.At)
	if p != nil && p.Field() != "" {
		d.Message = "in " + p.Field() + ": " + d.Message
	}
	if d.HelpText == "" {
		d.HelpText = "use another type or another version of its module, or write the schema yourself with " +
			"+kubebuilder:validation:Schemaless and +kubebuilder:validation:Type=object"
	}
	return d
}

func undecodable(crd *schema.CRD, err error) diag.Diagnostic {
	return diag.Errorf(crd.At, Server, "the API server cannot decode the CRD: %v", err)
}

// rejected restates a rejection that no check explains, at the nearest position to its field.
func rejected(s *session.Session, r kube.Rejection) diag.Diagnostic {
	at := locate(s, r.Path)
	return diag.Errorf(at.at, Server, "%s", strings.ReplaceAll(r.Message, "\n", " ")).In(r.Path).
		Note("this is the message of the API server of Kubernetes %s", kube.Latest())
}
