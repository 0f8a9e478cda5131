package absence

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// The ids of this package's checks.
const (
	idAbsent         = "cel-absent"
	idNever          = "cel-never"
	idMessage        = "cel-message-absent"
	idMessageOldSelf = "cel-message-old-self"
)

// maxShown is how long a rule may be to be shown as a whole.
const maxShown = 300

// diagnostics tells of what is absent once for an expression, with the first place of each, and of oldSelf apart from it.
func (f *Finding) diagnostics() []diag.Diagnostic {
	var absent, oldSelf []Read
	for _, r := range f.Reads {
		switch {
		case r.Kind == OldSelf || r.Kind == Unwrapped:
			oldSelf = append(oldSelf, r)
		case !slices.ContainsFunc(absent, func(other Read) bool { return other.Text == r.Text }):
			absent = append(absent, r)
		}
	}
	var out []diag.Diagnostic
	if len(absent) > 0 {
		out = append(out, f.absent(absent))
	}
	if len(oldSelf) > 0 {
		out = append(out, f.noOldSelf(oldSelf[0]))
	}
	return out
}

func (f *Finding) absent(reads []Read) diag.Diagnostic {
	text, part := f.source()
	d := diag.Diagnostic{Span: text.Range(reads[0].Start, reads[0].End), Check: idAbsent, Path: f.Rule.Path() + "." + part}
	d.Message = reads[0].mayBe()
	for _, r := range reads[1:] {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: text.Range(r.Start, r.End), Message: r.mayBe()})
	}
	switch {
	case f.Message:
		d.Check = idMessage
		d.Notes = []string{"where it is, an API server says the rule's plain message"}
	case f.Never:
		d.Check = idNever
		d.Notes = []string{"no object that the rule is about can be created: an API server says " + reads[0].complaint()}
	default:
		d.Notes = []string{"where it is, an API server refuses the object, saying " + reads[0].complaint()}
	}
	switch {
	case f.Fix != "" && len(f.Fix) <= maxShown:
		d.HelpText = "write " + f.Fix
	case reads[0].Guard != "" && !f.Message:
		d.HelpText = "ask for it first, as in " + reads[0].Guard + " && …"
	case reads[0].Guard != "":
		d.HelpText = "ask for it first, as in " + reads[0].Guard + " ? … : …"
	}
	return d
}

func (f *Finding) source() (text schema.Text, part string) {
	if f.Message {
		return f.Rule.Source.MessageExpression, "messageExpression"
	}
	return f.Rule.Source.Rule, "rule"
}

// mayBe says what is wrong with a read.
func (r *Read) mayBe() string {
	switch {
	case r.Kind == Item:
		return fmt.Sprintf("the list may be too short for %s", r.Text)
	case r.Kind == Value:
		return fmt.Sprintf("%s may be without a value", r.Text)
	}
	return fmt.Sprintf("%s may be absent", r.Text)
}

// complaint is what the API server's evaluator says.
func (r *Read) complaint() string {
	switch r.Kind {
	case Item:
		return `"index out of bounds"`
	case Value:
		return `"optional.none() dereference"`
	}
	return `"no such key"`
}

func (f *Finding) noOldSelf(r Read) diag.Diagnostic {
	text, part := f.source()
	d := diag.Diagnostic{Span: text.Range(r.Start, r.End), Check: idMessageOldSelf, Path: f.Rule.Path() + "." + part}
	if r.Kind == Unwrapped {
		d.Message = fmt.Sprintf("%s always fails in a messageExpression", r.Text)
		d.Notes = []string{"there an API server passes the bare old value for oldSelf, in spite of optionalOldSelf, and says the plain message"}
	} else {
		d.Message = fmt.Sprintf("%s is not there when an object is created", r.Text)
		d.Notes = []string{"an API server says the rule's plain message then"}
	}
	d.HelpText = "say it in the plain message, without the old value"
	return d
}
