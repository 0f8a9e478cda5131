package generator

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/profile"
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
	name string
	// files are those of the outputs, in their order.
	files []*spilled
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
			j.found = append(j.found, p.variants(s, j.found)...)
		}
		if isLarge {
			j.found = append(j.found, p.opts.oversize(s, length)...)
		}
	})
}

// outputs returns the forms in which CRDs are written.
func (o *Options) outputs() []profile.Output {
	if len(o.Outputs) == 0 {
		return []profile.Output{{}}
	}
	return o.Outputs
}

// write writes the files of a CRD, and returns the length of the whole CRD and whether it may be too large.
func (p *pipeline) write(j *job, s *session.Session) (length int, isLarge bool) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	outputs := p.opts.outputs()
	for i := range outputs {
		o := &outputs[i]
		*buffer = o.Append((*buffer)[:0], o.Vary(s.CRD), p.opts.file())
		j.files = append(j.files, p.kept.put(o.Path(s.CRD), *buffer))
	}
	if len(p.opts.Outputs) > 0 { // none of them may be the whole CRD
		*buffer = crd.Append((*buffer)[:0], s.CRD, p.opts.file())
	}
	return len(*buffer), size.MayBeLarge(s.CRD, *buffer)
}

// variants returns why API servers reject what outputs write of a CRD, besides what is known of the whole CRD.
func (p *pipeline) variants(s *session.Session, known []diag.Diagnostic) (found []diag.Diagnostic) {
	for i := range p.opts.Outputs {
		o := &p.opts.Outputs[i]
		variant := o.Vary(s.CRD)
		if variant == s.CRD {
			continue
		}
		for _, d := range diag.Errors(p.verdicts.Check(p.ctx, s.With(variant), nil)) {
			if !slices.ContainsFunc(known, func(k diag.Diagnostic) bool {
				return k.Check == d.Check && k.Span == d.Span && k.Message == d.Message
			}) {
				found = append(found, d.See(o.At, "in this output"))
			}
		}
	}
	return found
}

// files returns the files of all CRDs, sorted by path, after findings has returned.
func (p *pipeline) files() (out []emit.File, err error) {
	outputs := p.opts.outputs()
	for i := range outputs {
		var files []emit.File
		for _, j := range p.crds {
			file, err := p.kept.take(j.files[i])
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
		if o := &outputs[i]; o.File != "" {
			files = p.joined(o, files)
		}
		out = append(out, files...)
	}
	slices.SortStableFunc(out, func(a, b emit.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// joined returns the one file of an output, whose CRDs are in the order of the names of their own files.
func (p *pipeline) joined(o *profile.Output, files []emit.File) []emit.File {
	if len(files) == 0 {
		return nil
	}
	order := make([]int, len(files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Compare(crd.FileName(p.crds[a].crd), crd.FileName(p.crds[b].crd))
	})
	var parts [][]byte
	for _, i := range order {
		parts = append(parts, files[i].Data)
	}
	return []emit.File{{Path: o.File, Data: crd.Join(o.Header(p.opts.Header), parts, o.List)}}
}

// sameFile reports CRDs and outputs that have the same file.
func (p *pipeline) sameFile() (found []diag.Diagnostic) {
	type owner struct {
		output *profile.Output
		crd    string
	}
	owners := map[string]owner{}
	for i := range p.opts.Outputs {
		o := &p.opts.Outputs[i]
		for _, j := range p.crds {
			path := o.Path(j.crd)
			switch first, taken := owners[path]; {
			case !taken:
				owners[path] = owner{o, j.name}
			case first.output != o:
				found = append(found, diag.Errorf(o.At, fileName, "two outputs write the file %s", filepath.Base(path)).
					Help("name another directory or file, or add fileName").See(first.output.At, "the other output"))
			case o.File == "":
				found = append(found, diag.Errorf(diag.Nearest(o.FileName.At, o.At), fileName,
					"%s and %s have the same file %s", first.crd, j.name, filepath.Base(path)).
					Help("add {group} or {plural} to the name"))
			}
		}
	}
	return found
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
