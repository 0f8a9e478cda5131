// Package generator generates CRD files from annotated Go types. Run calls all stages in order.
package generator

import (
	"cmp"
	"context"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/helpers"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/size"
	"github.com/crdproof/crdproof/rules/verdicts"
	"github.com/crdproof/crdproof/schema"
)

// Config describes a run.
type Config struct {
	// Dir is the directory that relative paths are resolved against; "" is the process's own.
	Dir string
	// Paths are the package patterns of `paths=`: file-system paths (absolute, or beginning with "."), whose "..."
	// crosses nested modules, and Go package patterns. None means ".".
	Paths []string
	// BuildTags are the Go build tags to load packages with.
	BuildTags []string
	// Env is the environment of the go command, as os.Environ; nil is the process's own.
	Env []string
	CRD Options
	// Helpers asks for Go helpers as well; nil writes none.
	Helpers *helpers.Options
	// HelpersOnly is set if no CRD files are asked for. Then a CRD that an API server rejects only leaves out its own
	// helpers.
	HelpersOnly bool
	// Listing is that of an earlier run with the same packages; nil asks the go command. Overlay is the content of
	// files in place of what is on disk, as in load.Config.
	Listing *load.Listing
	Overlay map[string][]byte
	// Verdicts are those of earlier runs; nil validates all CRDs.
	Verdicts *verdicts.Store
	// Matches asks CRDs for what the entries of overlays select.
	Matches bool
	// Progress reports the progress of the run; it may be nil.
	Progress stage.Progress
}

// Options are the options of `crd:`.
type Options struct {
	lower.Options
	// Header is written before each file, with " YEAR" already replaced.
	Header []byte
	// Overlays change CRDs before anything else sees them; nil changes nothing.
	Overlays *overlay.Set
	// ToolVersion is the value of the annotation with the version of the tool; "" omits it. VersionAnnotation is its
	// key; "" is crdproof.dev/version.
	ToolVersion, VersionAnnotation string
	// Descriptions says which descriptions are dropped.
	Descriptions describe.Options
	// Validation says how the CRDs are validated; the zero value validates them for kube.DefaultRange.
	Validation session.Options
	// Unproved makes warnings of the errors of validation.
	Unproved bool
	// Outputs are the forms in which CRDs are written, and where; none means one file each, in the directory of the
	// caller.
	Outputs []profile.Output
}

// Result is the result of a run.
type Result struct {
	// Files are the CRD files, sorted by path; none if a diagnostic is an error. The paths are names, unless the
	// options have outputs.
	Files []emit.File
	// Helpers are the packages of Go helpers, sorted by directory; none if a diagnostic is an error.
	Helpers []helpers.Package
	// Dirs are the directories of the packages that the paths name, in the order of the paths.
	Dirs []string
	// Sessions are those of the CRDs whose declarations have no error, also if another diagnostic is one.
	Sessions []*session.Session
	// Listing is what the go command reported.
	Listing *load.Listing
	// Packages are those that the go command listed.
	Packages []load.Listed
	// Diagnostics are sorted and without repetition.
	Diagnostics []diag.Diagnostic
	// Known counts the findings that the policy knows, which are not among the diagnostics.
	Known int
	// Deviations are notes at the places where a file differs from controller-gen's on purpose, sorted. The check of
	// each is the name of the deviation. They are only reported if Options.Deviations is set.
	Deviations []diag.Diagnostic
}

// Run reads the packages and generates their CRDs. Mistakes of the user are diagnostics. The error is about I/O or
// loading, or that of the context.
func Run(ctx context.Context, cfg Config) (Result, error) {
	listing := cfg.Listing
	if listing == nil {
		var err error
		if listing, err = list(ctx, cfg); err != nil {
			return Result{}, err
		}
	}
	result, err := runListed(ctx, listing.Over(cfg.Overlay), cfg)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return Result{}, err
	}
	return result, nil
}

// runListed runs all stages after the go command: it builds each variant of a program, and finishes the run.
func runListed(ctx context.Context, listing *load.Listing, cfg Config) (Result, error) {
	program := listing.Load(ctx, lower.Policy(cfg.CRD.Options))
	var builds []*build
	overlays := cfg.CRD.Overlays.Start(cfg.CRD.ownAnnotation(), cfg.CRD.Variants)
	for _, one := range cfg.variants() {
		b := &build{cfg: one, overlays: overlays, pipe: pipeline{
			ctx: ctx, opts: one.CRD, verdicts: cfg.Verdicts, group: stage.NewGroup(), apart: cfg.HelpersOnly,
		}}
		defer b.pipe.kept.close()
		b.run(ctx, listing, program)
		builds = append(builds, b)
	}
	return cfg.finish(ctx, listing, program, builds)
}

// A build holds what the stages up to the validation make of a program, for one variant.
type build struct {
	cfg      Config
	overlays *overlay.Run
	pipe     pipeline
	lowered  lower.Found
	dropped  []rules.DroppedRule
	crds     []built // for the deviations
	// sessions are those of all CRDs, complete those of CRDs whose declarations have no error.
	sessions, complete []*session.Session
	// found are the findings before the policy decides about them; hidden are those that would be errors if they were
	// new.
	found, hidden []diag.Diagnostic
}

// run runs the stages up to the validation: lower, overlay, drop foreign rules, describe, write, validate. CRDs are
// written and validated while the next ones are being made.
func (b *build) run(ctx context.Context, listing *load.Listing, program *load.Program) {
	cfg, lowered := &b.cfg, &b.lowered
	var reports []describe.Report
	var unnamed []diag.Diagnostic
	used := newUsage(program.Owns)
	for c, doubt := range lower.CRDs(ctx, program, cfg.CRD.Options, cfg.Progress, lowered) {
		c = b.overlays.Apply(c, cfg.CRD.Variant, doubt == lower.Doubt{})
		s, more := cfg.CRD.dropForeignRules(cfg.CRD.session(c, program))
		if cfg.CRD.Deviations {
			b.crds = append(b.crds, built{c, s.CRD})
		}
		s, report := cfg.CRD.describe(s)
		b.pipe.start(s, doubt)
		unnamed = append(unnamed, checkFileName(s.CRD)...)
		used.add(s.CRD)
		if doubt == (lower.Doubt{}) {
			reports = append(reports, report)
			b.complete = append(b.complete, s)
		}
		b.sessions = append(b.sessions, s)
		b.dropped = append(b.dropped, more...)
		if ctx.Err() != nil {
			break
		}
	}
	var own []diag.Diagnostic
	own, b.hidden = cfg.ownFindings(ctx, listing)
	lowered.Diagnostics = append(lowered.Diagnostics, own...)
	b.found = slices.Concat(
		program.Diagnostics, lowered.Diagnostics,
		b.overlays.Annotated(withoutEchoes(b.pipe.findings(), lowered.Diagnostics)),
		rules.Unenforced(b.dropped), describe.Findings(cfg.CRD.Descriptions, reports), unnamed, b.pipe.sameFile(),
		cfg.CRD.commonNames(b.sessions),
	)
	used.mark(b.found, cfg.CRD.policy(nil).Checks)
}

// finish applies the policy to what the builds have found, writes helpers, and collects the files.
func (cfg Config) finish(
	ctx context.Context, listing *load.Listing, program *load.Program, builds []*build,
) (Result, error) {
	result := Result{Listing: listing, Packages: listing.Packages(), Dirs: program.Dirs()}
	var silences []check.Silence
	var hidden []diag.Diagnostic
	for _, b := range builds {
		silences, hidden = append(silences, b.lowered.Silences...), append(hidden, b.hidden...)
		result.Sessions = append(result.Sessions, b.complete...)
	}
	policy := cfg.CRD.policy(silences)
	all := joined(builds)
	if len(builds) == max(1, len(cfg.CRD.Variants)) { // otherwise what an entry of an overlay is for may be missing
		all = append(all, builds[0].overlays.Findings()...)
	}
	found, known := policy.Split(all)
	found = policy.Apply(found)
	for _, b := range builds {
		if b.cfg.Helpers == nil || diag.HasErrors(found) {
			continue
		}
		made, problems := cfg.writeHelpers(ctx, b.pipe.withHelpers(b.sessions), program)
		problems, more := policy.Split(problems)
		result.Helpers, found, hidden = made, append(found, problems...), append(hidden, more...)
	}
	known = append(known, hidden...)
	found = append(found, policy.Settle(known, cfg.judged(program, listing, policy.Judges(found)))...)
	for _, b := range builds {
		if !diag.HasErrors(found) {
			files, err := b.files()
			if err != nil {
				return Result{}, err
			}
			result.Files = append(result.Files, files...)
		}
		result.Deviations = append(result.Deviations,
			b.cfg.deviations(ctx, listing, b.lowered, b.dropped, b.crds)...)
	}
	result.Diagnostics, result.Known = diag.Sort(found), len(diag.Sort(known))
	result.Deviations = diag.Sort(result.Deviations)
	return result, nil
}

// writeHelpers writes the Go helpers for the CRDs of a program.
func (cfg Config) writeHelpers(
	ctx context.Context, sessions []*session.Session, program *load.Program,
) ([]helpers.Package, []diag.Diagnostic) {
	cfg.Progress.Report("writing helpers", 0, 0)
	opts := *cfg.Helpers
	opts.TypeOf = program.TypeNamed
	return helpers.Write(ctx, sessions, opts)
}

// policy returns the policy of a run with the silences in its packages.
func (o *Options) policy(silences []check.Silence) check.Policy {
	p := o.Policy
	p.Silences, p.Partial = silences, o.Compat
	if p.Checks == nil {
		p.Checks = Checks()
	}
	return p
}

// asksForFindings reports whether errors are asked for that the schemas of controller-gen do not show.
func (o *Options) asksForFindings() bool { return !o.Tolerate || o.Policy.RaisesAny() }

// ownFindings returns the errors about the Go types that only a run without Compat reports: the mistakes, and the
// warnings that the policy raises. Compat decides only the bytes. known are those that would be errors if they were
// new.
func (cfg Config) ownFindings(ctx context.Context, listing *load.Listing) (found, known []diag.Diagnostic) {
	if !cfg.CRD.Compat || !cfg.CRD.asksForFindings() {
		return nil, nil
	}
	opts := cfg.CRD.Options
	opts.Compat = false
	var lowered lower.Found
	for range lower.CRDs(ctx, listing.Load(ctx, lower.Policy(opts)), opts, cfg.Progress, &lowered) {
	}
	policy := cfg.CRD.policy(lowered.Silences)
	policy.Partial = true // the rules in these schemas are not validated
	found, known = policy.Split(lowered.Diagnostics)
	known = slices.DeleteFunc(known, func(d diag.Diagnostic) bool { return !d.Forgiven && !policy.Raises(d) })
	return diag.Errors(policy.Apply(found)), known
}

// Sessions are the CRDs of packages, sorted by kind and group, neither validated nor written.
type Sessions struct {
	CRDs []*session.Session
	// Silences are those of the declarations in the packages.
	Silences []check.Silence
	// Overlays are the entries of overlays with what they select, if Config.Matches asks for it.
	Overlays []overlay.Selection
	// Diagnostics are sorted. If one is an error, CRDs are missing.
	Diagnostics []diag.Diagnostic
}

// CRDs reads the packages. Of several variants it makes that of the options, or the last one.
func CRDs(ctx context.Context, cfg Config) (out Sessions, err error) {
	listing, err := list(ctx, cfg)
	if err != nil {
		return Sessions{}, err
	}
	if n := len(cfg.CRD.Variants); n > 0 && cfg.CRD.Variant == nil {
		cfg.CRD.Variant = &cfg.CRD.Variants[n-1]
	}
	program := listing.Load(ctx, lower.Policy(cfg.CRD.Options))
	var lowered lower.Found
	overlays := cfg.CRD.Overlays.Start(cfg.CRD.ownAnnotation(), cfg.CRD.Variants)
	overlays.Record = cfg.Matches
	for c, doubt := range lower.CRDs(ctx, program, cfg.CRD.Options, cfg.Progress, &lowered) {
		c = overlays.Apply(c, cfg.CRD.Variant, doubt == lower.Doubt{})
		if doubt == (lower.Doubt{}) {
			s, _ := cfg.CRD.dropForeignRules(cfg.CRD.session(c, program))
			s, _ = cfg.CRD.describe(s)
			out.CRDs = append(out.CRDs, s)
		}
		if ctx.Err() != nil {
			break
		}
	}
	out.Silences, out.Overlays = lowered.Silences, overlays.Selections()
	found := slices.Concat(program.Diagnostics, lowered.Diagnostics)
	if len(cfg.CRD.Variants) <= 1 { // otherwise what an entry is for may be missing
		found = append(found, overlays.Findings()...)
	}
	out.Diagnostics = diag.Sort(found)
	return out, ctx.Err()
}

func list(ctx context.Context, cfg Config) (*load.Listing, error) {
	return load.List(ctx, load.Config{
		Dir: cfg.Dir, Paths: cfg.Paths, Tags: cfg.BuildTags, Env: cfg.Env, Progress: cfg.Progress,
	})
}

// ownAnnotation returns the annotation that the files have besides those of their CRDs, "" for none.
func (o *Options) ownAnnotation() string {
	if o.ToolVersion == "" {
		return ""
	}
	return cmp.Or(o.VersionAnnotation, crd.VersionAnnotation)
}

// session starts the session of a CRD of a program.
func (o *Options) session(c *schema.CRD, program *load.Program) *session.Session {
	opts := o.Validation
	opts.Owns = func(at diag.Span) bool { return program.Owns(at) || o.Overlays.Has(at) }
	return session.New(c, nil, opts)
}

// dropForeignRules drops rules of imported types that no API server accepts, unless that is switched off.
func (o *Options) dropForeignRules(s *session.Session) (*session.Session, []rules.DroppedRule) {
	if !o.DropsRules() {
		return s, nil
	}
	return rules.DropForeignRules(s)
}

// describe drops descriptions.
func (o *Options) describe(s *session.Session) (*session.Session, describe.Report) {
	measure := func(c *schema.CRD) size.Sizes { return o.Measure(s.With(c)) }
	c, report := describe.Reduce(s.CRD, o.Descriptions, describe.Source{Owns: s.Owns, Measure: measure})
	return s.With(c), report
}
