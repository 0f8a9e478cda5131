// Package sample reports what an API server answers to the objects in files, with the position of each answer in the
// file.
//
// The input is CRDs and an object with positions. The output is whether the object is accepted, and findings. The
// answer comes from rules/server, which calls the server's own code. This package maps it to the file (findings.go),
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

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/read"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/server"
)

// Outcome is what becomes of an object.
type Outcome uint8

const (
	// PassedOver objects are of kinds that the CRDs do not speak of.
	PassedOver Outcome = iota
	Accepted
	Refused
	// Unjudged objects are of a CRD that an API server refuses, so that there is none that would answer.
	Unjudged
)

// Validation says what becomes of fields that are unknown or twice there, in the words of the API (fieldValidation).
type Validation string

// The ways of validation. Strict is kubectl's, Warn that of clients which do not say.
const (
	Strict Validation = "Strict"
	Warn   Validation = "Warn"
	Ignore Validation = "Ignore"
)

// Options say how objects are written.
type Options struct {
	Validation Validation
	// Old is the object that is stored; where there is one, the object is an update of it.
	Old *Stored
}

// An Answer is what is said of one object.
type Answer struct {
	Outcome Outcome
	// Name is the object's as kubectl writes it: widget.example.com/sample.
	Name string
	// Webhook is set where the object would be converted by a webhook before it is stored, which nobody has asked.
	Webhook bool
	// Found is in the order of the file.
	Found []diag.Diagnostic
}

// Validate says what an API server that has the CRDs answers to the object. It may be called by several goroutines at
// once. The error is a bug.
func (c *Catalog) Validate(ctx context.Context, o *read.Object, opts Options) (Answer, error) {
	k, problem := c.find(o)
	if problem != nil {
		return Answer{Outcome: Refused, Name: NameOf(o), Found: []diag.Diagnostic{*problem}}, nil
	}
	if k == nil {
		return Answer{Outcome: PassedOver, Name: NameOf(o)}, nil
	}
	served, problems := k.served(ctx)
	if served == nil {
		return Answer{Outcome: Unjudged, Name: NameOf(o), Found: problems}, nil
	}
	j := &judge{object: o, kind: k, version: k.version(versionOf(o)), opts: opts}
	return j.judge(ctx, served)
}

// A judge leads the answers to one object back to its file.
type judge struct {
	object  *read.Object
	kind    *kind
	version *schema.Version
	opts    Options
	found   []diag.Diagnostic
}

func (j *judge) judge(ctx context.Context, r *server.Resource) (Answer, error) {
	req := server.Request{Object: j.object.JSON, Validation: string(j.opts.Validation)}
	if j.opts.Old != nil {
		req.Old = j.opts.Old.object
	}
	out := Answer{Outcome: Accepted, Name: NameOf(j.object)}
	said, err := r.Write(ctx, req)
	if said.Refusal != nil && len(said.Unknown) > 0 && len(said.Errors) == 0 && j.opts.Validation == Strict {
		// The server stops here. Who repairs the fields would like to know what it says then.
		unknown := said.Unknown
		req.Validation = string(Ignore)
		said, err = r.Write(ctx, req)
		said.Unknown = unknown
		out.Outcome = Refused
	}
	switch {
	case errors.As(err, new(*server.WebhookError)):
		out.Webhook = true // all is validated by then
	case err != nil:
		return Answer{}, fmt.Errorf("%s: %w", out.Name, err)
	}
	j.duplicates()
	j.unknown(said.Unknown)
	j.refusal(said)
	j.warnings(said.Warnings)
	j.found = append(j.found, j.object.Renamed...)
	out.Found = diag.Sort(j.found)
	if diag.HasErrors(out.Found) {
		out.Outcome = Refused
	}
	return out, nil
}

// NameOf is how kubectl names an object.
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
