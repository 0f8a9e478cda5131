package rules

import (
	"context"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/absence"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/structural"
)

// Options say what is to be proved.
type Options struct {
	// Kube are the versions of Kubernetes that the CRD has to work on.
	Kube kube.Range
	// Share is the percentage of a rule's cost budget above which it is warned of.
	Share int
	// ByVerdict makes warnings of all that an API server accepts, though every write of an object would fail.
	ByVerdict bool
	// Owns reports whether a position is in the user's own code; nil means that all is. What is found elsewhere is told at
	// the user's own field that leads there.
	Owns func(diag.Span) bool
}

// Check proves a CRD, and returns what speaks against it in no particular order. The object is what will be applied: that
// of a file, or nil for the one that the IR stands for.
func Check(ctx context.Context, crd *schema.CRD, object *apiext.CustomResourceDefinition, opts Options) []diag.Diagnostic {
	if object == nil {
		object = kube.Object(crd)
	}
	found := ours(crd, opts)
	refusals, err := kube.Verdict(ctx, object)
	if err != nil {
		return settle(crd, append(found, undecodable(crd, err)), opts)
	}
	if len(refusals) == 0 {
		found = slices.DeleteFunc(found, contradicted)
	}
	for _, r := range refusals {
		if !explained(r, found) {
			found = append(found, refused(crd, r))
		}
	}
	return settle(crd, found, opts)
}

// contradicted reports whether a finding says that an API server refuses a CRD which it accepts. The verdict is the server's,
// and such a finding is a mistake of ours.
func contradicted(d diag.Diagnostic) bool {
	c := table().Of(d.Check)
	return c.Verdict && !c.Older
}

// ours runs our own checks, which say better what the API server would say, and what it does not say.
func ours(crd *schema.CRD, opts Options) []diag.Diagnostic {
	found := structural.Check(crd, opts.Kube)
	for i := range crd.Versions {
		v := &crd.Versions[i]
		if v.Schema == nil {
			continue
		}
		structure, err := kube.Structural(v.Schema)
		if err != nil {
			continue // the verdict says why
		}
		compiled, list := expr.Compile(i, v.Schema, structure, opts.Kube)
		found = append(found, list...)
		found = append(found, absence.Check(structure, compiled)...)
		found = append(found, cost.Check(compiled, v.Schema, i, cost.Options{Share: opts.Share, Owns: opts.Owns})...)
	}
	return found
}

// explained reports whether one of our findings stands for a refusal: it is about the same field.
func explained(r kube.Refusal, found []diag.Diagnostic) bool {
	checks := table()
	return slices.ContainsFunc(found, func(d diag.Diagnostic) bool {
		return (d.Path == r.Path || slices.Contains(d.AlsoPaths, r.Path)) && checks.Of(d.Check).Verdict
	})
}

// settle gives each finding its severity and the position that its reader can do something about.
func settle(crd *schema.CRD, found []diag.Diagnostic, opts Options) []diag.Diagnostic {
	checks := table()
	out := found[:0]
	for _, d := range found {
		at := locate(crd, d.Path)
		d.Severity = severity(checks.Of(d.Check), at.place, opts)
		if !d.Span.IsValid() {
			d.Span = at.at
		}
		if at.rule != nil && at.rule.Use().IsValid() {
			d = atUse(d, at.rule, opts.Owns)
		}
		if opts.Owns != nil && !opts.Owns(d.Span) {
			if d.Severity != diag.Error {
				continue // advice on somebody else's code
			}
			d = atOwnField(crd, d, at.place, opts.Owns)
		}
		out = append(out, d)
	}
	return out
}

// atUse says where a rule is used in which something is wrong that is written elsewhere. Where that is not the user's own code
// the finding is told at the use.
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

// severity is that of a finding at a place. What API servers accept is an error only where no object can be written: the
// place is part of each.
func severity(c *diag.Check, p *schema.Place, opts Options) diag.Severity {
	if c.Accepted && (opts.ByVerdict || !inEveryObject(p)) {
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
	own, field := crd.At, ""
	if p != nil {
		field = p.Field()
	}
	for ; p != nil; p = p.Above {
		if owns(p.Schema.At) {
			own = p.Schema.At
			break
		}
	}
	if d.Span.IsValid() {
		d.SeeAlso = append([]diag.Related{{Span: d.Span, Message: d.Message}}, d.SeeAlso...)
	}
	d.Span = own
	if field != "" {
		d.Message = "in " + field + ": " + d.Message
	}
	if d.HelpText == "" {
		d.HelpText = "use another type or another version of its module, or state the schema yourself with " +
			"+kubebuilder:validation:Schemaless and +kubebuilder:validation:Type=…"
	}
	return d
}

func undecodable(crd *schema.CRD, err error) diag.Diagnostic {
	return diag.Diagnostic{Span: crd.At, Check: idServer, Message: "an API server cannot read the CRD: " + err.Error()}
}

// refused restates a refusal that no check of ours foresaw, at the nearest position to its field.
func refused(crd *schema.CRD, r kube.Refusal) diag.Diagnostic {
	at := locate(crd, r.Path)
	return diag.Diagnostic{
		Span: at.at, Check: idServer, Path: r.Path, Message: strings.ReplaceAll(r.Message, "\n", " "),
		Notes: []string{"an API server of Kubernetes " + kube.Latest().String() + " says so"},
	}
}
