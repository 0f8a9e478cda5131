package main

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/tools"
	"github.com/crdproof/crdproof/internal/cli/unchanged"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// generateOrReuse returns the product of an earlier run that has read the same, or runs the generators of the plan. It
// stores the product before any file is written, because files of the product may be inputs too.
func (r *reporter) generateOrReuse(
	ctx context.Context, c *cache.Cache, set *settings, p arguments.Plan, began time.Time,
) (product, []diag.Diagnostic) {
	verdicts := verdicts.In(c)
	defer func() { r.aboutVerdicts(set, verdicts) }()
	other := notCached(p)
	if r.baseline.records() {
		other = "--baseline needs all findings"
	}
	if other != "" {
		r.aboutCache(set, "the cache is not used: "+other)
		if problems := r.baseline.earlierTypes(ctx, p, set.buildTags, verdicts, r.progress()); problems != nil {
			return product{}, problems
		}
		return generate(ctx, p, set.buildTags, verdicts, r.progress())
	}
	run := unchanged.Begin(c, r.request(set, p, began))
	if data, ok := run.Result(); ok {
		if made, found, ok := readProduct(data, p); ok {
			r.aboutCache(set, fmt.Sprintf("nothing has changed since an earlier run: %s from the cache in %s",
				diag.Counted(len(made.files), "file"), c.Dir()))
			return made, found
		}
	}
	if problems := r.baseline.earlierTypes(ctx, p, set.buildTags, verdicts, r.progress()); problems != nil {
		return product{}, problems
	}
	made, found := generate(ctx, p, set.buildTags, verdicts, r.progress())
	if ctx.Err() == nil && !diag.HasErrors(found) {
		run.Store(unchanged.Read{Packages: made.read, Dirs: codeDirs(made.files)},
			func(w *cache.Writer, known func(string) bool) bool { return writeProduct(w, made, found, known) })
	}
	r.aboutCache(set, "the cache was not used: "+run.Why())
	return made, found
}

// aboutCache prints a line about the cache, if that is asked for.
func (r *reporter) aboutCache(set *settings, line string) {
	if set.verbose {
		fmt.Fprintln(r.stderr, diag.Printable(line))
	}
}

// aboutVerdicts prints how many CRDs were not validated again, if that is asked for.
func (r *reporter) aboutVerdicts(set *settings, known *verdicts.Store) {
	if all, known := known.Counts(); known > 0 {
		r.aboutCache(set, fmt.Sprintf("validated in an earlier run: %d of %s", known, diag.Counted(all, "CRD")))
	}
}

// notCached names a part of a plan that reads more than Go packages, "" if there is none.
func notCached(p arguments.Plan) string {
	for i := range p.Generators {
		g := &p.Generators[i]
		switch {
		case g.Tool != nil && !tools.ReadsOnlyPackages(g.Name):
			return g.Name + " may read more than Go packages"
		case g.Helpers != nil && len(g.Helpers.CRDs) > 0:
			return "the option crds of helpers names files"
		}
	}
	return ""
}

// request identifies the run of a plan.
func (r *reporter) request(set *settings, p arguments.Plan, began time.Time) unchanged.Request {
	out := unchanged.Request{Paths: p.Paths, Began: began}
	out.Options = append(out.Options, strings.Join(set.buildTags, ","), fmt.Sprint(set.deviations))
	out.Options = append(out.Options, set.options...)
	if src := r.settings.Source; src != nil {
		out.Options = append(out.Options, src.Path)
		if input.IsFile(src) {
			out.Files = append(out.Files, src.Path)
		} else {
			out.Options = append(out.Options, string(src.Data))
		}
	}
	r.baseline.addTo(&out)
	for i := range p.Generators {
		g := &p.Generators[i]
		switch {
		case g.Tool != nil:
			if header := tools.HeaderFile(g.Tool); header != "" {
				out.Files = append(out.Files, header)
			}
		case g.Helpers != nil:
			out.Options = append(out.Options, string(g.Helpers.Header))
		}
		if g.CRD != nil {
			out.Options = append(out.Options, string(g.CRD.Header), fmt.Sprintf("%q", g.CRD.Formats))
			for _, src := range g.CRD.Overlays.Sources() {
				out.Files = append(out.Files, src.Path)
			}
		}
	}
	return out
}

// codeDirs returns the directories of Go files that a run writes: names that other files there declare may collide
// with those in helpers.
func codeDirs(files []emit.File) (out []string) {
	for _, f := range files {
		if filepath.Ext(f.Path) == ".go" {
			out = append(out, filepath.Dir(f.Path))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// writeProduct encodes what generate returns without errors. It returns false if the position of a finding is in a file
// that is not known.
func writeProduct(w *cache.Writer, made product, found []diag.Diagnostic, known func(string) bool) bool {
	cache.WriteList(w, made.files, func(f emit.File) {
		w.String(f.Path)
		w.Bytes(f.Data)
	})
	w.Strings(made.dirs)
	w.Bool(made.validated != nil)
	w.Int(made.known)
	return cache.WriteDiagnostics(w, found, sourceSpans{known: known})
}

// readProduct decodes what writeProduct has encoded for the same plan. An entry that names a file that the output rules
// of the plan cannot name is not its product: the cache must not decide where a run writes.
func readProduct(data []byte, p arguments.Plan) (made product, found []diag.Diagnostic, ok bool) {
	r := cache.NewReader(data)
	made.files = cache.ReadList(r, func() emit.File { return emit.File{Path: r.String(), Data: r.Bytes()} })
	project := input.Project(workingDir())
	if slices.ContainsFunc(made.files, func(f emit.File) bool { return !p.Names(f.Path, project) }) {
		return product{}, nil, false
	}
	made.dirs = r.Strings()
	if r.Bool() {
		made.validated = validatedFor(p)
	}
	made.known = r.Int()
	found, ok = cache.ReadDiagnostics(r, sourceSpans{sources: map[sourceID]*diag.Source{}})
	return made, found, ok && r.Complete()
}

// sourceSpans encodes positions as offsets in files that have not changed.
type sourceSpans struct {
	known   func(path string) bool
	sources map[sourceID]*diag.Source
}

// A sourceID identifies a source: findings about the same place refer to the same source.
type sourceID struct {
	path, pkg string
	syntax    diag.Syntax
}

// WriteSpan implements cache.Spans.
func (s sourceSpans) WriteSpan(w *cache.Writer, at diag.Span) bool {
	w.String(at.Source.Path)
	w.String(at.Source.Package)
	w.Int(int(at.Source.Syntax))
	w.Int(int(at.Start))
	w.Int(int(at.End))
	return s.known(at.Source.Path)
}

// ReadSpan implements cache.Spans.
func (s sourceSpans) ReadSpan(r *cache.Reader) (diag.Span, bool) {
	id := sourceID{path: r.String(), pkg: r.String(), syntax: diag.Syntax(r.Int())}
	if s.sources[id] == nil {
		s.sources[id] = &diag.Source{Path: id.path, Package: id.pkg, Syntax: id.syntax}
	}
	start, end := r.Int(), r.Int()
	return diag.At(s.sources[id], start, end), 0 <= start && start <= end && end <= math.MaxInt32
}
