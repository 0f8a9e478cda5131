package absence

import (
	"fmt"
	"slices"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/expr"
)

// What is said of reads.
var (
	celAbsent = &diag.Check{
		ID: "cel-absent", Severity: diag.Warning,
		Doc: "A rule reads a field, a key or an item that an object may lack. An API server refuses such an object " +
			"with \"no such key\" instead of the rule's message.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self.ttl > 0\"\ntype Spec struct {\n" +
			"\tTTL *int32 `json:\"ttl,omitempty\"`\n}",
		Good: "// +kubebuilder:validation:XValidation:rule=\"!has(self.ttl) || self.ttl > 0\"\ntype Spec struct {\n" +
			"\tTTL *int32 `json:\"ttl,omitempty\"`\n}",
	}
	celNever = &diag.Check{
		ID: "cel-never", Severity: diag.Error, Accepted: true,
		Doc: "A rule reads what is absent in every object that is created, so that nothing passes it.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self == oldSelf.value()\",optionalOldSelf=true",
		Good: "// +kubebuilder:validation:XValidation:rule=\"!oldSelf.hasValue() || self == " +
			"oldSelf.value()\",optionalOldSelf=true",
	}
	messageAbsent = &diag.Check{
		ID: "cel-message-absent", Severity: diag.Warning,
		Doc: "A messageExpression reads what an object may lack. An API server says the rule's plain message then, " +
			"and nothing of why.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self.min < 9\",messageExpression=\"'min is below ' + " +
			"self.name\"\ntype Spec struct {\n\tMin  int32  `json:\"min\"`\n\tName string `json:\"name,omitempty\"`\n}",
		Good: "// +kubebuilder:validation:XValidation:rule=\"self.min < 9\",messageExpression=\"'min is below ' + " +
			"self.?name.orValue('nine')\"\ntype Spec struct {\n\tMin  int32  `json:\"min\"`\n\tName string " +
			"`json:\"name,omitempty\"`\n}",
	}
	messageOldSelf = &diag.Check{
		ID: "cel-message-old-self", Severity: diag.Warning,
		Doc: "In a messageExpression oldSelf is there on updates alone, and never an optional, in spite of " +
			"optionalOldSelf. Where it fails, an API server says the rule's plain message.",
		Bad: "// +kubebuilder:validation:XValidation:rule=\"self > oldSelf.orValue(0)\",messageExpression=\"'was ' " +
			"+ string(oldSelf.value())\",optionalOldSelf=true",
		Good: "// +kubebuilder:validation:XValidation:rule=\"self > oldSelf.orValue(0)\",message=\"may only " +
			"grow\",optionalOldSelf=true",
	}
)

// Checks is the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{celAbsent, celNever, messageAbsent, messageOldSelf}
}

// Check reports what the rules of a version's schema read that an object may lack.
func Check(structure *structural.Structural, rules []expr.Rule) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, f := range Find(structure, rules) {
		for _, d := range f.diagnostics() {
			// A rule that is written once and stands at several places is told once, for each of its uses.
			d.For = f.Rule.Source.Use()
			i := slices.IndexFunc(out, func(e diag.Diagnostic) bool {
				return e.Span == d.Span && e.For == d.For && e.Check == d.Check && e.Message == d.Message &&
					e.HelpText == d.HelpText && len(e.SeeAlso) == len(d.SeeAlso)
			})
			if i < 0 {
				out = append(out, d)
			} else {
				out[i].AlsoPaths = append(out[i].AlsoPaths, d.Path)
			}
		}
	}
	return out
}

// maxShown is how long a rule may be to be shown as a whole.
const maxShown = 300

// diagnostics tells of what is absent once for an expression, with the first place of each, and of oldSelf apart from
// it.
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
	said, note := celAbsent, "where it is, an API server refuses the object, saying "+reads[0].complaint()
	switch {
	case f.Message:
		said, note = messageAbsent, "where it is, an API server says the rule's plain message"
	case f.Never:
		said = celNever
		note = "no object that the rule is about can be created: an API server says " + reads[0].complaint()
	}
	d := diag.Errorf(text.Range(reads[0].Start, reads[0].End), said, "%s", reads[0].mayBe()).
		In(f.Rule.Path()+"."+part).Note("%s", note)
	for _, r := range reads[1:] {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: text.Range(r.Start, r.End), Message: r.mayBe()})
	}
	switch {
	case f.Fix != "" && len(f.Fix) <= maxShown:
		return d.Help("write %s", f.Fix)
	case reads[0].Guard != "" && !f.Message:
		return d.Help("ask for it first, as in %s && …", reads[0].Guard)
	case reads[0].Guard != "":
		return d.Help("ask for it first, as in %s ? … : …", reads[0].Guard)
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
	at, path := text.Range(r.Start, r.End), f.Rule.Path()+"."+part
	const help = "say it in the plain message, without the old value"
	if r.Kind == Unwrapped {
		return diag.Errorf(at, messageOldSelf, "%s always fails in a messageExpression", r.Text).In(path).Help(help).
			Note("there an API server passes the bare old value for oldSelf, in spite of optionalOldSelf, and says " +
				"the plain message")
	}
	return diag.Errorf(at, messageOldSelf, "%s is not there when an object is created", r.Text).In(path).Help(help).
		Note("an API server says the rule's plain message then")
}
