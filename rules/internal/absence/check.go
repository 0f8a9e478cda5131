package absence

import (
	"context"
	"fmt"
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/symbolic"
	"github.com/crdproof/crdproof/schema"
)

// The checks of reads.
var (
	celAbsent      = &diag.Check{ID: "cel-absent", Severity: diag.Warning}
	celNever       = &diag.Check{ID: "cel-never", Severity: diag.Error, Accepted: true}
	messageAbsent  = &diag.Check{ID: "cel-message-absent", Severity: diag.Warning}
	messageOldSelf = &diag.Check{ID: "cel-message-old-self", Severity: diag.Warning}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check {
	return []*diag.Check{celAbsent, celNever, messageAbsent, messageOldSelf, celRuntime, celOverload, celText,
		celUnequal, celOutside}
}

// Check reports what the rules of a version's schema read that an object may lack, and operands that do not fit.
func Check(ctx context.Context, structure *structural.Structural, rules []expr.Rule) []diag.Diagnostic {
	var out []diag.Diagnostic
	found, undecided := Find(ctx, structure, rules)
	unread := map[*schema.Schema]bool{} // with a rule that does not compile, and may be the guard of others
	for i := range rules {
		if rules[i].Checked == nil && strings.Contains(rules[i].Source.Rule.V, "has(") {
			unread[rules[i].Place.Schema] = true
		}
	}
	for _, f := range found {
		if f.Rule.Place.Schema.Incomplete&schema.DoubtRules != 0 || unread[f.Rule.Place.Schema] {
			continue
		}
		for _, d := range f.diagnostics() {
			// A rule that is written once and used at several places is reported once for each use.
			d.For = f.Rule.Source.Use()
			out = append(out, d)
		}
	}
	out = append(out, runtimeErrors(ctx, structure, rules)...)
	out = append(joined(out), Misfits(rules)...)
	if undecided != nil {
		out = append(out, undecided.Budget.Undecided(undecided.Rule.Source.Rule.At, "whether this rule and later ones "+
			"read values that an object may lack").In(undecided.Rule.Path()+".rule"))
	}
	return out
}

// joined reports findings that several places share once.
func joined(list []diag.Diagnostic) []diag.Diagnostic {
	type identity struct {
		at, use              diag.Span
		check, message, help string
		others               int
	}
	var out []diag.Diagnostic
	index := map[identity]int{}
	for _, d := range list {
		key := identity{d.Span, d.For, d.Check, d.Message, fmt.Sprint(d.Helps()), len(d.SeeAlso)}
		if i, ok := index[key]; ok {
			out[i].AlsoPaths = append(out[i].AlsoPaths, d.Path)
			continue
		}
		index[key] = len(out)
		out = append(out, d)
	}
	return out
}

// maxShown is the maximum length of a rule that is shown as a whole.
const maxShown = 300

// diagnostics reports absent values once for an expression, with the first place of each, and oldSelf separately.
func (f *Finding) diagnostics() []diag.Diagnostic {
	var absent, oldSelf []Read
	for _, r := range f.Reads {
		switch {
		case r.Kind == symbolic.OldSelf || r.Kind == symbolic.Unwrapped:
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
	check, note := celAbsent, ""
	switch {
	default:
		note = f.whereAbsent(reads[0]) + ", the API server rejects the object with " + reads[0].complaint()
	case f.Message:
		check, note = messageAbsent, "if it is absent, the API server reports the rule's plain message"
	case f.Never:
		check = celNever
		note = "the API server rejects every new object with " + reads[0].complaint()
	}
	d := diag.Errorf(text.Range(reads[0].Start, reads[0].End), check, "%s", reads[0].mayBe()).
		In(f.Rule.Path()+"."+part).Note("%s", note).CausedBy(f.Rule.Place.At(), reads[0].subject())
	isMore := func(r Read) bool { return r.subject() != "self.spec" }
	switch {
	case check != celAbsent:
	case f.Rule.Place.Above == nil && !slices.ContainsFunc(reads, isMore):
		d = d.Hurting(diag.Unlikely) // without a spec, there is nothing to do
	case f.Meant:
		d = d.Hurting(diag.Messages)
	case !f.Requires && !slices.ContainsFunc(reads, f.mayLack):
		d = d.Hurting(diag.Unlikely)
	}
	for _, r := range reads[1:] {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: text.Range(r.Start, r.End), Message: r.mayBe()})
	}
	return f.help(d, reads)
}

// help adds the rules to write instead, the one that the author probably means first. No object without a field that
// says which others are set means anything, so such a field must be required.
func (f *Finding) help(d diag.Diagnostic, reads []Read) diag.Diagnostic {
	switch guard := reads[0].Guard; {
	case !f.suggests() && guard == "":
		return d
	case !f.suggests() && f.Message:
		return d.Help("check %s first, with the operator ?:", guard)
	case !f.suggests():
		return d.Help("check %s first", guard)
	}
	if f.needsDiscriminator(reads[0]) {
		d = d.Help("make the field required")
	}
	fix := func() {
		if f.Fix != "" {
			d = d.Or("change the rule to %s", f.Fix).Do(diag.Rewrite, f.Fix)
		}
	}
	if f.Meant || f.Never || f.Message {
		fix()
	}
	if f.Lenient != "" {
		d = d.Or("change the rule to %s", f.Lenient).Do(diag.Rewrite, f.Lenient).
			Changes(diag.AcceptsMore, "%s", accepted(reads))
	}
	if !f.Meant {
		fix()
	}
	return d
}

// mayLack reports whether objects without a value are likely: for most fields, a marker or the comment says so.
func (f *Finding) mayLack(r Read) bool {
	s := f.fieldOf(r)
	return s == nil || !s.Unmarked
}

// fieldOf returns the schema of the field that is read, nil if it is not one.
func (f *Finding) fieldOf(r Read) *schema.Schema {
	root := f.Rule.Checked.NativeRep().Expr()
	in := fieldsOf{"self": f.Rule.Place.Schema, "oldSelf": f.Rule.Place.Schema}
	for _, loop := range slices.Backward(loopsAround(root, r.ID)) {
		in = in.within(loop.AsComprehension())
	}
	return in.schemaOf(find(root, r.ID))
}

// needsDiscriminator reports whether no object without a field passes, and the field has an enum without the empty
// text.
func (f *Finding) needsDiscriminator(r Read) bool {
	s := f.fieldOf(r)
	isEmptyText := func(v schema.Value) bool { return v.Text == "" }
	return f.Requires && s != nil && len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, isEmptyText)
}

// suggests reports whether there is a rule to show.
func (f *Finding) suggests() bool {
	return f.Fix+f.Lenient != "" && max(len(f.Fix), len(f.Lenient)) <= maxShown
}

// accepted says which objects the rule accepts that is true if a value is absent.
func accepted(reads []Read) string {
	var names []string
	for _, r := range reads {
		if name := strings.TrimSuffix(r.Text, ".value()"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return "those without " + diag.Or(names)
}

func (f *Finding) source() (text schema.Text, part string) {
	if f.Message {
		return f.Rule.Source.MessageExpression, "messageExpression"
	}
	return f.Rule.Source.Rule, "rule"
}

// mayBe returns the message about a read.
func (r *Read) mayBe() string {
	switch {
	case r.Kind == symbolic.Item:
		return fmt.Sprintf("the list may be too short for %s", r.Text)
	case r.Kind == symbolic.Value:
		return fmt.Sprintf("%s may have no value", r.Text)
	}
	return fmt.Sprintf("%s may be absent", r.Text)
}

// subject returns what may be absent, in the old object or in the new one: one edit of the schema helps all rules that
// read it.
func (r *Read) subject() string {
	if rest, ok := strings.CutPrefix(r.Text, "oldSelf"); ok {
		return "self" + rest
	}
	return r.Text
}

// complaint returns the message of the API server's evaluator.
func (r *Read) complaint() string {
	switch r.Kind {
	case symbolic.Item:
		return `"index out of bounds"`
	case symbolic.Value:
		return `"optional.none() dereference"`
	}
	return `"no such key"`
}

func (f *Finding) noOldSelf(r Read) diag.Diagnostic {
	text, part := f.source()
	at, path := text.Range(r.Start, r.End), f.Rule.Path()+"."+part
	const help = "use a plain message without the old value"
	if r.Kind == symbolic.Unwrapped {
		return diag.Errorf(at, messageOldSelf, "%s always fails in a messageExpression", r.Text).In(path).Help(help).
			Note("the API server passes the bare old value for oldSelf, even with optionalOldSelf, and then reports " +
				"the rule's plain message")
	}
	return diag.Errorf(at, messageOldSelf, "%s is absent when an object is created", r.Text).In(path).Help(help).
		Note("the API server then reports the rule's plain message")
}
