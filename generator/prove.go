package generator

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
)

// A prover proves finished CRDs while others are still being made.
type prover struct {
	ctx   context.Context
	opts  Options
	group *stage.Group
	// proofs are in the order in which the CRDs were finished.
	proofs []*proof
}

// A proof is what was found in one CRD.
type proof struct {
	name  string
	found []diag.Diagnostic
}

// prove begins to prove a CRD that is written to a file. The session must not be used until there are findings.
func (p *prover) prove(s *session.Session, file emit.File) {
	this := &proof{name: s.CRD.ObjectName()}
	p.proofs = append(p.proofs, this)
	p.group.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				bug := stage.Caught(value)
				bug.Value = fmt.Sprintf("proving %s: %v", this.name, bug.Value)
				panic(bug)
			}
		}()
		this.found = append(rules.Check(p.ctx, s), p.opts.oversize(s, file.Data)...)
	})
}

// unproved is reported if CRDs are written although an API server would reject them.
var unproved = &diag.Check{
	ID: "unproved", Severity: diag.Warning, Mistake: true,
	Doc:  "CRDs are written although an API server would refuse them, since crd:unproved or crd:compat asks for that.",
	Bad:  "crdproof crd:unproved=true paths=./...",
	Good: "crdproof crd paths=./...",
}

// findings waits for all proofs and returns what was found. If CRDs are written all the same, the errors are warnings,
// and one more names the CRDs that an API server would reject.
func (p *prover) findings() []diag.Diagnostic {
	p.group.Wait()
	var out []diag.Diagnostic
	var rejected []string
	for _, this := range p.proofs {
		if (p.opts.Compat || p.opts.Unproved) && diag.HasErrors(this.found) {
			rejected = append(rejected, this.name)
			for i := range this.found {
				this.found[i].Severity = max(this.found[i].Severity, diag.Warning)
			}
		}
		out = append(out, this.found...)
	}
	if len(rejected) > 0 {
		out = append(out, diag.Warningf(diag.Span{}, unproved,
			"not proved, and written all the same: %s", strings.Join(rejected, ", ")))
	}
	return out
}
