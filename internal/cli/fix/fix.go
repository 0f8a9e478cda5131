// Package fix applies the edits of helps to files, in memory.
//
// Its input is a function that validates files, some of them with other contents than on disk. Its output is the files
// to write, with every edit verified: the findings are gone, no other has come, and API servers do with objects what
// the help says. It writes no files.
//
// Edits are made in rounds (round.go): those of one round do not overlap. What a round has changed is judged as a whole
// (judge.go); if it is not as promised, halves of it are tried, until each edit at fault is known.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/objects/crds"
)

// A State is what a run finds.
type State struct {
	// Found are the findings, after the policy of the run.
	Found []diag.Diagnostic
	// CRDs are those that can be compared with others.
	CRDs []crds.CRD
}

// Options say what is fixed, and how.
type Options struct {
	// Run validates the files, with the contents in overlay in place of those on disk, by path. Results are undefined
	// after cancellation.
	Run func(ctx context.Context, overlay map[string][]byte) (State, error)
	// API also makes edits that change which objects API servers accept, or what they store.
	API bool
	// Covers reports whether a finding is one to fix; the others are only not to become more.
	Covers func(*diag.Diagnostic) bool
	// Keeps returns why a file must not be edited, "" if it may be.
	Keeps func(path string) string
}

// A Fix is a help whose edits are made, with the findings that it is for.
type Fix struct {
	Help  diag.Help
	Found []diag.Diagnostic
}

// A Left is a fix that is not made, and why.
type Left struct {
	Fix
	Why string
	// IsKept is set if its file must not be edited.
	IsKept bool
}

// A Result is what is to be written.
type Result struct {
	// State is that of the files after all edits.
	State State
	// Files are the changed files, sorted by path. If Failed is not nil, there are none.
	Files []emit.File
	// Made are the fixes in the files, Left those that are not made although they could be.
	Made []Fix
	Left []Left
	// OfAPI counts the findings that fixes with an effect are for, if they are not asked for.
	OfAPI int
	// Failed reports an edit that does not do what it promises, which is a mistake in crdproof.
	Failed *diag.Diagnostic
}

// Fixed returns how many findings the fixes are for.
func (r *Result) Fixed() (n int) {
	for i := range r.Made {
		n += len(r.Made[i].Found)
	}
	return n
}

// fixFailed is the check of Result.Failed.
var fixFailed = &diag.Check{ID: "fix-failed", Mistake: true}

// Checks returns the table of this package's checks.
func Checks() []*diag.Check { return []*diag.Check{fixFailed} }

// maxRounds is how often edits are made in files that earlier edits have changed. What is left then is reported.
const maxRounds = 10

// Files fixes files: first without any effect on the API, then, if that is asked for, with all effects. The error is
// that of the run, or of the context.
func Files(ctx context.Context, opts Options) (Result, error) {
	state, err := opts.Run(ctx, nil)
	if err != nil || ctx.Err() != nil {
		return Result{}, cmp.Or(ctx.Err(), err)
	}
	f := fixer{Options: opts, ctx: ctx, now: newVersion(nil, state), first: map[string][]byte{}}
	for _, effects := range []bool{false, true} {
		if effects && !opts.API {
			break
		}
		f.begin(effects)
		f.rounds()
	}
	if err := cmp.Or(ctx.Err(), f.err); err != nil {
		return Result{}, err
	}
	out := Result{State: f.now.state, Made: f.made, Left: f.left, Failed: f.failed}
	if f.failed != nil {
		return out, nil
	}
	for _, path := range slices.Sorted(maps.Keys(f.now.overlay)) {
		if data := f.now.overlay[path]; !bytes.Equal(data, f.first[path]) {
			out.Files = append(out.Files, emit.File{Path: path, Data: data})
		}
	}
	if !opts.API {
		f.effects, f.tried = true, map[place]bool{}
		out.OfAPI = f.ofAPI()
	}
	return out, nil
}

// A version is what the files are at some time.
type version struct {
	overlay map[string][]byte
	state   State
	names   *baseline.Namer
}

func newVersion(overlay map[string][]byte, state State) version {
	return version{overlay, state, baseline.NewNamer("")}
}

// A place identifies a finding, whatever line it is on after edits.
type place struct {
	baseline.Key
	// says has the words of the finding and its help.
	says string
}

// place returns the place of a finding of the version.
func (v version) place(d *diag.Diagnostic) place {
	out := place{says: key(d) + d.HelpText}
	if d.Span.IsValid() {
		out.Key = v.names.Key(*d)
	}
	return out
}

// A fixer is the state of a call of Files.
type fixer struct {
	Options
	ctx context.Context
	now version
	// first are the contents of the changed files on disk.
	first map[string][]byte
	// tried are the findings whose help has been tried in vain.
	tried map[place]bool
	// effects is set if fixes may have effects.
	effects bool
	made    []Fix
	left    []Left
	failed  *diag.Diagnostic
	err     error
}

// key identifies a finding by its words. Numbers may change with other edits.
func key(d *diag.Diagnostic) string {
	path := ""
	if d.Span.Source != nil {
		path = d.Span.Source.Path
	}
	return fmt.Sprintf("%s %s %s", d.Check, path, numbers.ReplaceAllString(d.Message, "#"))
}

// after returns the content of the files after fixes.
func (f *fixer) after(fixes []Fix) map[string][]byte {
	edits := map[*diag.Source][]diag.Edit{}
	for i := range fixes {
		for _, e := range fixes[i].Help.Edits {
			edits[e.Span.Source] = append(edits[e.Span.Source], e)
		}
	}
	overlay := maps.Clone(f.now.overlay)
	if overlay == nil {
		overlay = map[string][]byte{}
	}
	for src, list := range edits {
		if _, ok := f.first[src.Path]; !ok {
			f.first[src.Path] = src.Bytes()
		}
		overlay[src.Path] = formatted(src, diag.Apply(src.Bytes(), list))
	}
	return overlay
}
