// Package generator turns annotated Go types into finished CRD files. Run names every stage, in order.
package generator

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/describe"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/generator/lower"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/session"
)

// Config is what one run is asked to do.
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
	Helpers *HelperOptions
	// Progress is told how far the run has come; nil where nobody wants to know.
	Progress stage.Progress
}

// Options are the options of `crd:`.
type Options struct {
	lower.Options
	// Header is written before each file, with " YEAR" already replaced.
	Header []byte
	// ToolVersion is the value of the annotation crdproof.dev/version; "" omits the annotation.
	ToolVersion string
	// Descriptions says which descriptions are left out.
	Descriptions describe.Options
	// Proof says what is proved of the CRDs; the zero value proves them for kube.DefaultRange.
	Proof session.Options
	// Unproved makes warnings of what speaks against the CRDs, as Compat does.
	Unproved bool
	// Ignored are ids of checks whose findings are not told, Raised those whose warnings are errors.
	Ignored, Raised []string
}

// Result is what a run made.
type Result struct {
	// Files are the finished artifacts, sorted by path; none where a diagnostic is an error.
	Files []emit.File
	// Helpers are the packages of Go helpers, sorted by directory; none where a diagnostic is an error.
	Helpers []HelperFiles
	// Dirs are the directories of the packages that the paths name, in the order of the paths.
	Dirs []string
	// Diagnostics are sorted and without repetition.
	Diagnostics []diag.Diagnostic
	// Deviations are notes at the places where a file differs from controller-gen's on purpose, sorted; the rule of each is
	// the name of the deviation. There are none unless Options.Deviations is set.
	Deviations []diag.Diagnostic
}

// Run reads the packages and makes their CRDs. Mistakes of the user are diagnostics; the error is I/O or loading, or that the context
// has ended.
func Run(ctx context.Context, cfg Config) (Result, error) {
	listing, err := list(ctx, cfg)
	if err != nil {
		return Result{}, err
	}
	result := run(ctx, listing, cfg)
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return result, nil
}

// CRDs reads the packages and returns their CRDs, sorted by kind and group, without proving or writing them. Where a
// diagnostic is an error, CRDs are missing.
func CRDs(ctx context.Context, cfg Config) ([]*schema.CRD, []diag.Diagnostic, error) {
	listing, err := list(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	program := listing.Load(lower.Policy(cfg.CRD.Compat))
	var out []*schema.CRD
	var found lower.Found
	for c, sound := range lower.CRDs(program, cfg.CRD.Options, cfg.Progress, &found) {
		if sound {
			proof := proofOptions(program, cfg.CRD)
			c, _ = relieve(c, nil, proof, cfg.CRD)
			c, _ = describe.Reduce(c, cfg.CRD.Descriptions, cfg.CRD.source(proof))
			out = append(out, c)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	return out, diag.Sort(slices.Concat(program.Diagnostics, found.Diagnostics)), nil
}

// PackageDirs returns the directories of the packages that the paths name and of all that they import, but for those of the standard
// library.
func PackageDirs(ctx context.Context, cfg Config) ([]string, error) {
	listing, err := list(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return listing.Dirs(), nil
}

func list(ctx context.Context, cfg Config) (*load.Listing, error) {
	return load.List(ctx, load.Config{Dir: cfg.Dir, Paths: cfg.Paths, Tags: cfg.BuildTags, Env: cfg.Env, Progress: cfg.Progress})
}

// run is all of Run but for the go command.
func run(ctx context.Context, listing *load.Listing, cfg Config) Result {
	program := listing.Load(lower.Policy(cfg.CRD.Compat))
	prover := newProver(ctx, program, cfg.CRD)
	var files []emit.File
	var buffer []byte // shared, so that each file is kept without spare capacity
	var lost []rules.Lost
	var described []describe.Report
	var crds []*schema.CRD
	var found lower.Found
	for c, sound := range lower.CRDs(program, cfg.CRD.Options, cfg.Progress, &found) {
		c, lost = relieve(c, lost, prover.opts, cfg.CRD)
		c, report := describe.Reduce(c, cfg.CRD.Descriptions, cfg.CRD.source(prover.opts))
		buffer = crd.Append(buffer[:0], c, cfg.CRD.file())
		file := emit.File{Path: crd.FileName(c), Data: bytes.Clone(buffer)}
		if sound {
			described = append(described, report)
			prover.prove(c, file.Data)
		}
		if cfg.Helpers != nil {
			crds = append(crds, c)
		}
		files = append(files, file)
		if ctx.Err() != nil {
			break
		}
	}
	policy := check.Policy{Ignored: cfg.CRD.Ignored, Raised: cfg.CRD.Raised, Silences: found.Silences}
	told := policy.Apply(slices.Concat(program.Diagnostics, found.Diagnostics, prover.findings(), rules.Unenforced(lost), left(cfg.CRD, described)), Checks())
	result := Result{Diagnostics: diag.Sort(told), Deviations: found.Deviations}
	for _, pkg := range program.Roots {
		result.Dirs = append(result.Dirs, pkg.Dir())
	}
	if cfg.CRD.Deviations {
		result.Deviations = diag.Sort(slices.Concat(result.Deviations, deviations(lost)))
	}
	if cfg.Helpers != nil && !diag.HasErrors(result.Diagnostics) {
		cfg.Progress.Report("writing helpers", 0, 0)
		var problems []diag.Diagnostic
		result.Helpers, problems = Helpers(crds, *cfg.Helpers, prover.opts.Kube)
		result.Diagnostics = diag.Sort(append(result.Diagnostics, problems...))
	}
	if !diag.HasErrors(result.Diagnostics) {
		result.Files = files
		slices.SortFunc(result.Files, func(a, b emit.File) int { return strings.Compare(a.Path, b.Path) })
	}
	return result
}

// relieve leaves out what no API server would accept of other people's types, but for compat, and adds it to what was left
// out before.
func relieve(c *schema.CRD, lost []rules.Lost, proof session.Options, opts Options) (*schema.CRD, []rules.Lost) {
	if opts.Compat {
		return c, lost
	}
	c, more := rules.Relieve(c, proof)
	return c, append(lost, more...)
}

// deviations are notes at the rules that controller-gen would have written.
func deviations(lost []rules.Lost) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, l := range lost {
		if l.Transition {
			out = append(out, lower.TransitionLost(l.Rule.At))
		}
	}
	return out
}
