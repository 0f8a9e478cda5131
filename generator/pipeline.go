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
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/verdicts"
	"github.com/crdproof/crdproof/schema"
)

// A pipeline writes and validates CRDs while the next ones are being made.
type pipeline struct {
	ctx      context.Context
	opts     Options
	verdicts *verdicts.Store
	group    *stage.Group
	// crds are in the order in which they were made.
	crds []*job
	kept spill
	// apart is set if CRDs that an API server rejects do not keep those of others from being used.
	apart bool
}

// A job has the file of one CRD and the findings in it.
type job struct {
	name  string
	file  *spilled
	crd   *schema.CRD
	found []diag.Diagnostic
	doubt lower.Doubt
	// isExcluded is set if the CRD gets no helpers.
	isExcluded bool
}

// buffers are what files are written into, before they are kept without spare capacity.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// start starts to write a CRD, and to validate what can be validated of it. The session must not be used until findings
// has returned.
func (p *pipeline) start(s *session.Session, doubt lower.Doubt) {
	j := &job{name: s.CRD.ObjectName(), crd: s.CRD}
	p.crds = append(p.crds, j)
	p.group.Go(func() {
		defer func() {
			if value := recover(); value != nil {
				bug := stage.Caught(value)
				bug.Value = fmt.Sprintf("validating %s: %v", j.name, bug.Value)
				panic(bug)
			}
		}()
		length, isLarge := p.write(j, s)
		if j.doubt = doubt; doubt.Unread {
			return
		}
		if doubt != (lower.Doubt{}) {
			j.found = rules.CheckIncomplete(p.ctx, s, doubt.InFrame)
		} else {
			j.found = p.verdicts.Check(p.ctx, s, nil)
		}
		if isLarge {
			j.found = append(j.found, p.opts.oversize(s, length)...)
		}
	})
}

// write writes the file of a CRD, and returns its length and whether the CRD may be too large.
func (p *pipeline) write(j *job, s *session.Session) (length int, isLarge bool) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = crd.Append((*buffer)[:0], s.CRD, p.opts.file())
	j.file = p.kept.put(crd.FileName(s.CRD), *buffer)
	return len(*buffer), size.MayBeLarge(s.CRD, *buffer)
}

// files returns the files of all CRDs, sorted by path, after findings has returned.
func (p *pipeline) files() (out []emit.File, err error) {
	for _, j := range p.crds {
		file, err := p.kept.take(j.file)
		if err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	slices.SortFunc(out, func(a, b emit.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// unproved is reported if CRDs are written although an API server would reject them.
var unproved = &diag.Check{ID: "unproved", Severity: diag.Warning, Mistake: true}

// findings waits for all validations and returns the findings. If rejected CRDs are written anyway, the errors become
// warnings, and another warning names these CRDs.
func (p *pipeline) findings() []diag.Diagnostic {
	p.group.Wait()
	if p.apart && !p.opts.Unproved {
		p.exclude()
	}
	var out []diag.Diagnostic
	var rejected []string
	for _, j := range p.crds {
		if p.opts.Unproved && diag.HasErrors(j.found) {
			rejected = append(rejected, j.name)
			for i := range j.found {
				j.found[i].Severity = max(j.found[i].Severity, diag.Warning)
			}
		}
		for _, d := range j.found {
			if j.crd.IsPart {
				d = d.Hurting(diag.Unlikely)
			}
			out = append(out, d)
		}
	}
	out = append(out, p.notValidated()...)
	if len(rejected) > 0 {
		d := diag.Warningf(diag.Span{}, unproved, "an API server rejects %s", strings.Join(rejected, ", ")).
			Note("this is only a warning because of crd:unproved or crd:compat")
		if p.opts.Policy.Raises(d) {
			d.Notes = nil
		}
		out = append(out, d)
	}
	return out
}

// commonNames returns the findings about names that several CRDs have. An API server accepts such CRDs one by one, so
// controller-gen's users may have them.
func (o *Options) commonNames(sessions []*session.Session) []diag.Diagnostic {
	var names []rules.Names
	for _, s := range sessions {
		names = append(names, rules.NamesOf(s.CRD))
	}
	found := rules.CommonNames(names)
	for i := range found {
		if o.Unproved {
			found[i].Severity = max(found[i].Severity, diag.Warning)
		}
	}
	return found
}

// exclude excludes the CRDs from helpers that an API server rejects.
func (p *pipeline) exclude() {
	reports := make([]helpers.Report, len(p.crds))
	for i, j := range p.crds {
		reports[i] = helpers.Report{CRD: j.crd, Found: j.found}
	}
	helpers.Exclude(reports)
	for i, j := range p.crds {
		j.found, j.isExcluded = reports[i].Found, reports[i].IsExcluded
	}
}

// withHelpers returns the sessions of the CRDs that get helpers, after findings has returned.
func (p *pipeline) withHelpers(sessions []*session.Session) (out []*session.Session) {
	for i, s := range sessions {
		if !p.crds[i].isExcluded {
			out = append(out, s)
		}
	}
	return out
}
