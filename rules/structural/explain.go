package structural

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// A reason is one for which the API server rejects a CRD, with the function of a row that explains it. If the function
// reports nothing, the reason is left to other rows, or to the server's own message.
type reason struct {
	// field is that of session.Rejection, errorType the type of the error, "" for any, and says the server's sentence,
	// "" for any. A * matches any text, once in each.
	field     string
	errorType field.ErrorType
	says      string
	explain   func(*rejection)
}

// These are short for the types of errors.
const (
	required     = field.ErrorTypeRequired
	invalid      = field.ErrorTypeInvalid
	forbidden    = field.ErrorTypeForbidden
	notSupported = field.ErrorTypeNotSupported
)

// A rejection by the API server, to be explained.
type rejection struct{ *session.Pass }

// errorf reports a finding about the field that the API server has rejected, at a place in it.
func (r *rejection) errorf(at diag.Span, format string, args ...any) session.Finding {
	return r.Reportf(r.At(at), r.Rejection.Path, format, args...)
}

// says returns the API server's sentence.
func (r *rejection) says() string { return r.Rejection.Err.Detail }

// lastField returns the last name of the field that is rejected.
func (r *rejection) lastField() string { return lastName(r.Rejection.Field) }

// supported lists the values that the API server's sentence says it supports: "a", "b", or a,b.
func (r *rejection) supported() []string {
	_, list, ok := strings.Cut(r.says(), "supported values: ")
	if !ok {
		_, list, _ = strings.Cut(r.says(), "must be one of ")
	}
	return slices.Sorted(strings.SplitSeq(strings.NewReplacer(`"`, "", " ", "").Replace(list), ","))
}

// unknown reports a value that is not in a list, at its place or else at another.
func (r *rejection) unknown(what string, value schema.Text, list []string, otherwise ...diag.Span) {
	r.errorf(r.At(append([]diag.Span{value.At}, otherwise...)...), "unknown %s %q", what, value.V).
		Help("%s", near(value.V, list, useOneOf(list)))
}

// explained returns the row of a check that explains rejections.
func explained(c diag.Check, reasons ...reason) session.Row {
	c.Verdict = true
	return session.Row{Check: c, Needs: session.EachRejection, Run: explain(reasons...)}
}

// explainedOutside explains rejections outside of junctors: list types and map types are never allowed inside of them.
func explainedOutside(c diag.Check, reasons ...reason) session.Row {
	row := explained(c, reasons...)
	run := row.Run
	row.Run = func(p *session.Pass) {
		if p.Place != nil && !p.Nested {
			run(p)
		}
	}
	return row
}

// explain runs the functions of the reasons that match a rejection.
func explain(reasons ...reason) func(*session.Pass) {
	return func(p *session.Pass) {
		r := p.Rejection
		for _, why := range reasons {
			if matches(why.field, r.Field) && (why.errorType == "" || why.errorType == r.Err.Type) &&
				(why.says == "" || matches(why.says, r.Err.Detail)) {
				why.explain(&rejection{p})
			}
		}
	}
}

// matches reports whether a text matches a pattern, in which * matches anything.
func matches(pattern, text string) bool {
	before, after, open := strings.Cut(pattern, "*")
	rest, ok := strings.CutPrefix(text, before)
	if !open {
		return ok && rest == ""
	}
	return ok && strings.HasSuffix(rest, after)
}
