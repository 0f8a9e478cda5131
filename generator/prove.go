package generator

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// A prover proves finished CRDs while others are still being built.
type prover struct {
	ctx  context.Context
	opts session.Options
	// written is what the files are made with.
	written Options
	lenient bool
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

func newProver(ctx context.Context, program *load.Program, opts Options) *prover {
	p := &prover{ctx: ctx, opts: proofOptions(program, opts), written: opts, lenient: opts.Compat || opts.Unproved}
	p.free = make(chan struct{}, runtime.GOMAXPROCS(0))
	for range cap(p.free) {
		p.free <- struct{}{}
	}
	return p
}

// proofOptions are the options of the proof, complete.
func proofOptions(program *load.Program, opts Options) session.Options {
	out := opts.Proof
	if out.Kube == (kube.Range{}) {
		out.Kube = kube.DefaultRange()
	}
	out.Owns = program.Owns
	return out
}

// prove begins to prove a CRD, of which the file is at hand. It waits for a free processor, so that not all CRDs have to be in memory at once.
func (p *prover) prove(c *schema.CRD, file []byte) {
	this := &proof{name: c.ObjectName()}
	p.proofs = append(p.proofs, this)
	<-p.free
	p.done.Go(func() {
		defer func() { p.free <- struct{}{} }()
		this.bug = stage.Catch(func() {
			this.found = append(rules.Check(p.ctx, session.New(c, nil, p.opts)), p.written.oversize(c, file)...)
		})
		if this.bug != nil {
			this.bug.Value = fmt.Sprintf("proving %s: %v", this.name, this.bug.Value)
		}
	})
}

// findings waits for all proofs and returns what was found. Where CRDs are written all the same, the errors are warnings,
// and one more says which CRDs an API server would refuse.
func (p *prover) findings() []diag.Diagnostic {
	p.done.Wait()
	var out []diag.Diagnostic
	var unproved []string
	for _, this := range p.proofs {
		if this.bug != nil {
			panic(this.bug) // where it can be reported
		}
		if p.lenient && diag.HasErrors(this.found) {
			unproved = append(unproved, this.name)
			for i := range this.found {
				this.found[i].Severity = max(this.found[i].Severity, diag.Warning)
			}
		}
		out = append(out, this.found...)
	}
	if len(unproved) > 0 {
		out = append(out, diag.Diagnostic{
			Check: "unproved", Severity: diag.Warning,
			Message: fmt.Sprintf("not proved, and written all the same: %s", strings.Join(unproved, ", ")),
		})
	}
	return out
}
