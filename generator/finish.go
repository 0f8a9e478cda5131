package generator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// A finisher writes and validates CRDs while the next ones are being made.
type finisher struct {
	ctx      context.Context
	opts     Options
	verdicts *verdicts.Store
	group    *stage.Group
	// crds are in the order in which they were made.
	crds []*finishing
	kept spill
}

// A finishing has the file of one CRD and the findings in it.
type finishing struct {
	name  string
	file  *finished
	found []diag.Diagnostic
}

// buffers are what files are written into, before they are kept without spare capacity.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// start starts to write a CRD, and to validate it if it is sound. The session must not be used until findings has
// returned.
func (f *finisher) start(s *session.Session, isSound bool) {
	this := &finishing{name: s.CRD.ObjectName()}
	f.crds = append(f.crds, this)
	f.group.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				bug := stage.Caught(value)
				bug.Value = fmt.Sprintf("validating %s: %v", this.name, bug.Value)
				panic(bug)
			}
		}()
		length, isLarge := f.write(this, s)
		if !isSound {
			return
		}
		this.found = f.verdicts.Check(f.ctx, s, nil)
		if isLarge {
			this.found = append(this.found, f.opts.oversize(s, length)...)
		}
	})
}

// write writes the file of a CRD, and returns its length and whether the CRD may be too large.
func (f *finisher) write(this *finishing, s *session.Session) (length int, isLarge bool) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = crd.Append((*buffer)[:0], s.CRD, f.opts.file())
	this.file = f.kept.put(crd.FileName(s.CRD), *buffer)
	return len(*buffer), size.MayBeLarge(s.CRD, *buffer)
}

// files returns the files of all CRDs, sorted by path, after findings has returned.
func (f *finisher) files() (out []emit.File, err error) {
	for _, this := range f.crds {
		file, err := f.kept.take(this.file)
		if err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	slices.SortFunc(out, func(a, b emit.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// unproved is reported if CRDs are written although an API server would reject them.
var unproved = &diag.Check{
	ID: "unproved", Severity: diag.Warning, Mistake: true,
	Doc: "An API server rejects CRDs, but the run does not fail, because of crd:unproved or crd:compat.",
}

// findings waits for all validations and returns the findings. If rejected CRDs are written anyway, the errors become
// warnings, and another warning names these CRDs.
func (f *finisher) findings() []diag.Diagnostic {
	f.group.Wait()
	var out []diag.Diagnostic
	var rejected []string
	for _, this := range f.crds {
		if f.opts.Unproved && diag.HasErrors(this.found) {
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
		if f.opts.Policy.Raises(d) {
			d.Notes = nil
		}
		out = append(out, d)
	}
	return out
}
