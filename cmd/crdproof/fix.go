package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/fix"
	"github.com/crdproof/crdproof/internal/cli/target"
	"github.com/crdproof/crdproof/internal/cli/verify"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// The values of --fix.
const (
	fixSafe = "safe"
	fixAPI  = "api"
)

// fixSettings say what is fixed.
type fixSettings struct {
	// fix is "" if nothing is.
	fix string
	// diff prints the changes instead of writing them.
	diff bool
}

func (s *fixSettings) flags(flags *pflag.FlagSet) {
	flags.StringVar(&s.fix, "fix", "", "change the files as the first help of each finding says, if that has no "+
		"effect on\nthe API; with api, also if it has one")
	oneOf(flags, "fix", []string{fixSafe, fixAPI})
	flags.Lookup("fix").NoOptDefVal = fixSafe
	flags.BoolVar(&s.diff, "diff", false, "with --fix: print the changes as a patch, and write no files")
}

// problems finds flags that contradict each other.
func (s *fixSettings) problems(rep *reporter) []diag.Diagnostic {
	switch {
	case s.diff && s.fix == "":
		return []diag.Diagnostic{input.Errorf("--diff needs --fix").Help("write --fix --diff")}
	case s.diff && rep.format != formatText:
		return []diag.Diagnostic{input.Errorf("--format=%s and --diff both write to standard output", rep.format)}
	}
	return nil
}

// fixTypes changes the Go files of a plan. It returns an exit code, and false if the run goes on with the files as they
// are then.
func (r *reporter) fixTypes(ctx context.Context, set *settings, p arguments.Plan, c *cache.Cache) (int, bool) {
	own := ownConfig(p, set.buildTags, verdicts.In(c), r.progress())
	own.Helpers, own.HelpersOnly = nil, false
	var dirs []string
	var main map[string]bool
	run := func(ctx context.Context, overlay map[string][]byte) (fix.State, error) {
		own.Overlay = overlay
		result, err := generator.Run(ctx, own)
		if err != nil {
			return fix.State{}, err
		}
		if own.Listing == nil {
			own.Listing, dirs, main = result.Listing, result.Dirs, result.Listing.MainFiles()
		}
		return fix.State{Found: r.policy.Apply(result.Diagnostics), CRDs: comparable(result.Sessions)}, nil
	}
	keeps := func(path string) string {
		if !main[path] {
			return "the file is in another module"
		}
		return fix.Keeps(path)
	}
	result, err := fix.Files(ctx, r.fixing(set.fixSettings, run, keeps))
	if err != nil && ctx.Err() == nil {
		return r.nothingWritten([]diag.Diagnostic{load.Problem(err)}), true
	}
	return r.change(ctx, set.fixSettings, append(p.Dirs(), dirs...), result)
}

// fixing returns the options for fixing what the run reports.
func (r *reporter) fixing(
	set fixSettings, run func(context.Context, map[string][]byte) (fix.State, error), keeps func(string) string,
) fix.Options {
	return fix.Options{Run: run, API: set.fix == fixAPI, Keeps: keeps, Covers: r.covers}
}

// covers reports whether a finding is one that the run prints.
func (r *reporter) covers(d *diag.Diagnostic) bool {
	return d.Severity != diag.Note && (r.all || d.IsListed())
}

// comparable returns the CRDs of sessions as the comparison of CRDs takes them.
func comparable(sessions []*session.Session) (out []crds.CRD) {
	for _, s := range sessions {
		out = append(out, crds.CRD{IR: s.CRD, Object: s.Object()})
	}
	return out
}

// change writes the files of fixes, or prints what would change. It returns an exit code, and false if the command goes
// on with the files as they are then.
func (r *reporter) change(ctx context.Context, set fixSettings, dirs []string, result fix.Result) (int, bool) {
	if ctx.Err() != nil {
		return r.interrupted(), true
	}
	if result.Failed != nil {
		return r.nothingWritten(append(result.State.Found, *result.Failed)), true
	}
	bounds, err := target.In(dirs...)
	if err != nil {
		return r.failed(err), true
	}
	defer bounds.Close()
	if set.diff {
		list, err := verify.Differences(bounds, result.Files, nil)
		if err == nil {
			err = verify.WriteDiffs(r.stdout, list, wantsColor(r.stdout))
		}
		if err != nil {
			return r.failed(err), true
		}
		code := r.write(result.State.Found)
		r.sayFixed(result, "would fix")
		return code, true
	}
	_, err = writeAll(ctx, bounds, result.Files, nil, r.stdout, r.progress())
	if errors.Is(err, context.Canceled) {
		return r.interrupted(), true
	}
	if err != nil {
		return r.write([]diag.Diagnostic{writeFailed(err)}), true
	}
	r.sayFixed(result, "fixed")
	return exitClean, false
}

// sayFixed prints the fixes that have an effect, those that are not made, and a summary.
func (r *reporter) sayFixed(result fix.Result, fixed string) {
	if !r.summarizes() {
		return
	}
	for i := range result.Made {
		if f := &result.Made[i]; f.Help.HasEffect() {
			fmt.Fprintf(r.stderr, "%s %s: %s\n", fixed, positionOf(&f.Found[0]), printedLine(f.Help.String()))
		}
	}
	for _, l := range result.Left {
		if !l.IsKept {
			fmt.Fprintf(r.stderr, "not fixed %s: %s: %s\n", positionOf(&l.Found[0]), printedLine(l.Help.Text),
				printedLine(l.Why))
		}
	}
	kept := map[string]int{}
	for _, l := range result.Left {
		if l.IsKept {
			kept[l.Why] += len(l.Found)
		}
	}
	for _, why := range slices.Sorted(maps.Keys(kept)) {
		fmt.Fprintf(r.stderr, "not fixed: %s: %s\n", diag.Counted(kept[why], "finding"), why)
	}
	remain := 0
	for i := range result.State.Found {
		if r.covers(&result.State.Found[i]) {
			remain++
		}
	}
	line := fmt.Sprintf("%s %s in %s; %d remain", fixed, diag.Counted(result.Fixed(), "finding"),
		diag.Counted(len(result.Files), "file"), remain)
	if result.OfAPI > 0 {
		line += fmt.Sprintf(", %d of them with --fix=%s", result.OfAPI, fixAPI)
	}
	fmt.Fprintln(r.stderr, line)
}

// positionOf returns the place of a finding, and its check.
func positionOf(d *diag.Diagnostic) string {
	line, column := d.Span.Source.Position(int(d.Span.Start))
	return diag.Printable(fmt.Sprintf("%s:%d:%d [%s]", filepath.ToSlash(input.Shown(d.Span.Source.Path)), line, column,
		d.Check))
}

// printedLine returns a text as a printable line.
func printedLine(text string) string { return diag.Printable(strings.Join(strings.Fields(text), " ")) }

// fixFiles changes files of CRDs. It returns the files as they are then, and an exit code, and false if the command
// goes on.
func (set *checkSettings) fixFiles(
	ctx context.Context, sources []*diag.Source, opts crds.Validation, rep *reporter,
) ([]*diag.Source, int, bool) {
	opts.Keep = true
	run := func(ctx context.Context, overlay map[string][]byte) (fix.State, error) {
		proved := crds.Validate(ctx, over(sources, overlay), opts)
		fresh, _ := rep.policy.Split(proved.Found)
		return fix.State{Found: rep.policy.Apply(fresh), CRDs: comparable(proved.Sessions)}, nil
	}
	result, err := fix.Files(ctx, rep.fixing(set.fixSettings, run, fix.Keeps))
	if err != nil && ctx.Err() == nil {
		return nil, rep.failed(err), true
	}
	var dirs []string
	changed := map[string][]byte{}
	for _, f := range result.Files {
		dirs = append(dirs, filepath.Dir(f.Path))
		changed[f.Path] = f.Data
	}
	code, done := rep.change(ctx, set.fixSettings, dirs, result)
	return over(sources, changed), code, done
}

// over returns files with other contents, by path.
func over(sources []*diag.Source, contents map[string][]byte) []*diag.Source {
	out := slices.Clone(sources)
	for i, src := range out {
		if data, ok := contents[src.Path]; ok {
			out[i] = &diag.Source{Path: src.Path, Data: data, Syntax: src.Syntax, IsFound: src.IsFound}
		}
	}
	return out
}
