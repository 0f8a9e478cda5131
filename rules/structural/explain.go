package structural

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules/session"
)

// A reason is one for which the API server rejects a CRD, with what a row of the table says of it. The server has
// found it; a reason without a finding is left to other rows, or to the server's own words.
type reason struct {
	// of is the field (session.Rejection), is the type of the error, "" for any, and says the server's sentence, "" for
	// any. A * stands for any text, once in each.
	of      string
	is      field.ErrorType
	says    string
	explain func(*rejection)
}

// These are short for the types of errors.
const (
	required     = field.ErrorTypeRequired
	invalid      = field.ErrorTypeInvalid
	forbidden    = field.ErrorTypeForbidden
	notSupported = field.ErrorTypeNotSupported
)

// A rejection is one of the API server's that is to be explained.
type rejection struct{ *session.Pass }

// errorf reports a finding about the field that the API server has rejected, at a place in it.
func (r *rejection) errorf(at diag.Span, format string, args ...any) session.Finding {
	return r.Reportf(r.At(at), r.Rejection.Path, format, args...)
}

// says is the API server's sentence.
func (r *rejection) says() string { return r.Rejection.Err.Detail }

// of is the last name of the field that is rejected.
func (r *rejection) of() string { return lastName(r.Rejection.Of) }

// explain runs what explains a rejection for which there is a reason.
func explain(reasons ...reason) func(*session.Pass) {
	return func(p *session.Pass) {
		r := p.Rejection
		for _, why := range reasons {
			if matches(why.of, r.Of) && (why.is == "" || why.is == r.Err.Type) &&
				(why.says == "" || matches(why.says, r.Err.Detail)) {
				why.explain(&rejection{p})
			}
		}
	}
}

// matches reports whether a text is as a pattern has it, in which * stands for anything.
func matches(pattern, text string) bool {
	before, after, open := strings.Cut(pattern, "*")
	rest, ok := strings.CutPrefix(text, before)
	if !open {
		return ok && rest == ""
	}
	return ok && strings.HasSuffix(rest, after)
}
