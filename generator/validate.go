package generator

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// A validator validates finished CRDs while the next ones are being generated.
type validator struct {
	ctx      context.Context
	opts     Options
	verdicts *verdicts.Store
	group    *stage.Group
	// validated are in the order in which the CRDs were finished.
	validated []*validation
}

// A validation has the findings in one CRD.
type validation struct {
	name  string
	found []diag.Diagnostic
}

// start starts the validation of a CRD with the data of its file. The session must not be used until findings has
// returned; the data may.
func (v *validator) start(s *session.Session, data []byte) {
	this := &validation{name: s.CRD.ObjectName()}
	v.validated = append(v.validated, this)
	length, isLarge := len(data), size.MayBeLarge(s.CRD, data)
	v.group.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				bug := stage.Caught(value)
				bug.Value = fmt.Sprintf("validating %s: %v", this.name, bug.Value)
				panic(bug)
			}
		}()
		this.found = v.verdicts.Check(v.ctx, s, nil)
		if isLarge {
			this.found = append(this.found, v.opts.oversize(s, length)...)
		}
	})
}

// unproved is reported if CRDs are written although an API server would reject them.
var unproved = &diag.Check{
	ID: "unproved", Severity: diag.Warning, Mistake: true,
	Doc:  "An API server rejects CRDs, but the run does not fail, because of crd:unproved or crd:compat.",
	Bad:  "crdproof crd:unproved=true paths=./...",
	Good: "crdproof crd paths=./...",
}

// findings waits for all validations and returns the findings. If rejected CRDs are written anyway, the errors become
// warnings, and another warning names these CRDs.
func (v *validator) findings() []diag.Diagnostic {
	v.group.Wait()
	var out []diag.Diagnostic
	var rejected []string
	for _, this := range v.validated {
		if v.opts.Unproved && diag.HasErrors(this.found) {
			rejected = append(rejected, this.name)
			for i := range this.found {
				this.found[i].Severity = max(this.found[i].Severity, diag.Warning)
			}
		}
		out = append(out, this.found...)
	}
	if len(rejected) > 0 {
		d := diag.Warningf(diag.Span{}, unproved, "an API server rejects %s", strings.Join(rejected, ", ")).
			Note("this is only a warning because of crd:unproved or crd:compat")
		if v.opts.Policy.Raises(d) {
			d.Notes = nil
		}
		out = append(out, d)
	}
	return out
}
