// Package sample reports what an API server answers to the objects in files, with the position of each answer in the
// file.
//
// The input is CRDs and an object with positions. The output is whether the object is accepted, and findings. The
// answer comes from objects/write, which calls the server's own code. This package maps it to the file (findings.go),
// searches the schemas for what the user probably meant (unknown.go, value.go), and finds the rule that failed
// (rule.go). Objects of kinds that the CRDs do not have never reach a server: catalog.go separates foreign kinds from
// misspelled ones.
package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// Outcome is the result for an object.
type Outcome uint8

const (
	// Ignored objects are of kinds that the CRDs do not define.
	Ignored Outcome = iota
	Accepted
	Rejected
	// Unvalidated objects are of a CRD that an API server rejects, so no server can answer.
	Unvalidated
)

// Validation says what a server does with unknown and duplicate fields, with the values of the API (fieldValidation).
type Validation string

// Strict is the default of kubectl, Warn that of other clients.
const (
	Strict Validation = "Strict"
	Warn   Validation = "Warn"
	Ignore Validation = "Ignore"
)

// Validations returns all values, the strictest first.
func Validations() []Validation { return []Validation{Strict, Warn, Ignore} }

// Options say how objects are written.
type Options struct {
	Validation Validation
	// Old is the object that is stored; where there is one, the object is an update of it.
	Old *Stored
}

// An Answer is the server's answer to one object.
type Answer struct {
	Outcome Outcome
	// Name is the object's name as kubectl prints it: widget.example.com/sample.
	Name string
	// Webhook is set if a webhook, which is not called, would convert the object before it is stored.
	Webhook bool
	// Found is in the order of the file.
	Found []diag.Diagnostic
	// entry and kind are set by a Run: what is known about the object after its tree has been dropped.
	entry
	kind string
}

// Validate returns the answer to an object of an API server that has the CRDs. It may be called concurrently. An error
// is a bug.
func (c *Catalog) Validate(ctx context.Context, o *read.Object, opts Options) (Answer, error) {
	k, problem := c.find(o)
	if problem != nil {
		return Answer{Outcome: Rejected, Name: NameOf(o), Found: []diag.Diagnostic{*problem}}, nil
	}
	if k == nil {
		return Answer{Outcome: Ignored, Name: NameOf(o)}, nil
	}
	served, problems := k.served(ctx)
	if served == nil {
		return Answer{Outcome: Unvalidated, Name: NameOf(o), Found: problems}, nil
	}
	j := &judgement{object: o, kind: k, version: k.version(versionOf(o)), opts: opts}
	return j.run(ctx, served)
}

// A judgement translates the server's answers to one object into findings with positions in its file.
type judgement struct {
	object  *read.Object
	kind    *kind
	version *schema.Version
	opts    Options
	found   []diag.Diagnostic
}

func (j *judgement) run(ctx context.Context, r *write.Resource) (Answer, error) {
	req := write.Request{Object: j.object.JSON, Validation: string(j.opts.Validation)}
	if j.opts.Old != nil {
		req.Old = j.opts.Old.object
	}
	out := Answer{Outcome: Accepted, Name: NameOf(j.object)}
	said, err := r.Write(ctx, req)
	if said.Rejection != nil && len(said.Unknown) > 0 && len(said.Errors) == 0 && j.opts.Validation == Strict {
		// The server stops here. Report also what it will say after the fields are fixed.
		unknown := said.Unknown
		req.Validation = string(Ignore)
		said, err = r.Write(ctx, req)
		said.Unknown = unknown
		out.Outcome = Rejected
	}
	switch {
	case errors.As(err, new(*write.WebhookError)):
		out.Webhook = true // everything has been validated before the conversion
	case err != nil:
		return Answer{}, fmt.Errorf("%s: %w", out.Name, err)
	}
	j.duplicates()
	said.Unknown = firstOf(ctx, j, said.Unknown, "unknown field")
	said.Errors = firstOf(ctx, j, said.Errors, "error")
	j.unknown(said.Unknown)
	j.rejection(said)
	j.warnings(said.Warnings)
	if said.Rejection == nil {
		schema.Undecoded(j.version.Schema, j.object.Root, nil, j.undecodable)
	}
	j.found = append(j.found, j.object.Renamed...)
	out.Found = diag.Sort(j.found)
	if diag.HasErrors(out.Found) {
		out.Outcome = Rejected
	}
	if len(said.Errors) > 0 && (len(said.Unknown) == 0 || j.opts.Validation != Strict) {
		return out, j.accepting(ctx, r, req, out.Found)
	}
	return out, nil
}

// firstOf returns the first part of what is wrong with an object, and reports that the rest is left out.
func firstOf[T any](ctx context.Context, j *judgement, list []T, what string) []T {
	budget := effort.New(ctx, effort.ObjectFindings)
	if budget.Spend(len(list)) {
		return list
	}
	n := int(effort.ObjectFindings.Most)
	j.report(schema.Location{}, "", budget.Undecided(diag.Span{}, "where "+diag.Counted(len(list)-n, "more "+what)+
		" in this object can be fixed"))
	return list[:n]
}

// accepting adds to errors which earlier API servers accept the object.
func (j *judgement) accepting(
	ctx context.Context, r *write.Resource, req write.Request, found []diag.Diagnostic,
) error {
	versions, err := r.Accepting(ctx, req, j.kind.versions)
	if err != nil || versions == (kube.Range{}) {
		return err
	}
	for i, d := range found {
		if d.Severity == diag.Error {
			found[i] = d.Note("an API server of Kubernetes %s accepts the object", versions)
		}
	}
	return nil
}

// NameOf returns how kubectl names an object.
func NameOf(o *read.Object) string {
	out := cmp.Or(strings.ToLower(o.Kind), "object")
	if group, _, ok := strings.Cut(o.APIVersion, "/"); ok {
		out += "." + group
	}
	if made := o.Root.Locate("metadata.generateName"); o.Name == "" && made.Missing == "" {
		return out + "/" + made.Node.Text + "…"
	}
	if o.Name == "" {
		return out
	}
	return out + "/" + o.Name
}
