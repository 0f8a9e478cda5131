package generator

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
)

// A prover proves finished CRDs while others are still being made.
type prover struct {
	ctx  context.Context
	opts Options
	// free holds a token for each processor that is not proving.
	free chan struct{}
	done sync.WaitGroup
	// proofs are in the order in which the CRDs were finished.
	proofs []*proof
}

// A proof is what was found in one CRD.
type proof struct {
	name  string
	found []diag.Diagnostic
	// bug is a panic of the proof.
	bug *stage.Panic
}

func newProver(ctx context.Context, opts Options) *prover {
	p := &prover{ctx: ctx, opts: opts, free: make(chan struct{}, runtime.GOMAXPROCS(0))}
	for range cap(p.free) {
		p.free <- struct{}{}
	}
	return p
}

// prove begins to prove a CRD that is written to a file. It waits for a free processor, so that not all CRDs have to be
// in memory at once. The session must not be used until there are findings.
func (p *prover) prove(s *session.Session, file emit.File) {
	this := &proof{name: s.CRD.ObjectName()}
	p.proofs = append(p.proofs, this)
	<-p.free
	p.done.Go(func() {
		defer func() { p.free <- struct{}{} }()
		this.bug = stage.Catch(func() {
			this.found = append(rules.Check(p.ctx, s), p.opts.oversize(s.CRD, file.Data)...)
		})
		if this.bug != nil {
			this.bug.Value = fmt.Sprintf("proving %s: %v", this.name, this.bug.Value)
		}
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
	p.done.Wait()
	var out []diag.Diagnostic
	var rejected []string
	for _, this := range p.proofs {
		if this.bug != nil {
			panic(this.bug) // where it can be reported
		}
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
