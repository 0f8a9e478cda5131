package adopt

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A Report is what a repository has, and what was measured.
type Report struct {
	Found
	// Linked is the version of controller-gen that crdproof's CRDs were compared with.
	Linked string
	// Compat is set if crdproof writes the CRDs of controller-gen.
	Compat bool
	// Same counts the files that stay as they are, Changed are the others with the reason.
	Same    int
	Changed []Changed
	// IsUnverified is set if CI does not compare all files, because something else edits some.
	IsUnverified bool
	// Deviations are the differences of crdproof's own CRDs, by name, in OwnFiles files.
	Deviations []Count
	OwnFiles   int
	// Rejected are the errors that the API server reports for the CRDs of today, and Tolerated is set if CI passes
	// although there are such errors.
	Rejected  []string
	Tolerated []string
	// Findings counts what is found, by check. Fixable of them are fixed without an effect on the API, and FixableAPI
	// with one.
	Findings            []Count
	Fixable, FixableAPI int
	// Baseline counts the findings that the baseline has.
	Baseline int
	// Failed says why nothing was measured, "" if it was.
	Failed string
	// Written are the files that --write creates or edits.
	Written []string
}

// Changed is a file that changes.
type Changed struct{ Path, Why string }

// A Count is how often something is found.
type Count struct {
	Name string
	N    int
}

// most is how many lines of a list the page has.
const most = 8

// Write writes the page.
func (r *Report) Write(w io.Writer) error {
	p := printer{w: w}
	p.calls(r)
	if r.Failed != "" {
		p.section("Not measured", []string{r.Failed})
	} else if len(edited(r.Calls)) > 0 {
		p.measured(r)
	}
	p.left(r)
	return p.err
}

// A printer keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, diag.Printable(fmt.Sprintf(format, args...)))
	}
}

// section prints a heading and the first lines of a list.
func (p *printer) section(heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("%s:", heading)
	for i, text := range lines {
		if i == most && len(lines) > most+1 {
			p.line("  … and %d more", len(lines)-most)
			return
		}
		p.line("  %s", text)
	}
}

// edited returns the calls that become calls of crdproof.
func edited(calls []Call) (out []Call) {
	for _, c := range calls {
		if c.Writes() {
			out = append(out, c)
		}
	}
	return out
}

// calls prints the calls that become calls of crdproof.
func (p *printer) calls(r *Report) {
	version := r.Version
	if version == "" {
		version = "of an unknown version"
	}
	var lines []string
	for _, c := range edited(r.Calls) {
		text := strings.Join(c.Words, " ")
		if c.Dir != "." {
			text += " (in " + c.Dir + ")"
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s", c.File, c.Line, text))
	}
	p.section("crdproof replaces controller-gen "+version+" here", lines)
}

// measured prints what changes.
func (p *printer) measured(r *Report) {
	var lines []string
	switch {
	case r.Same == 1:
		lines = []string{"1 file stays byte for byte"}
	case r.Same > 0:
		lines = []string{diag.Counted(r.Same, "file") + " stay byte for byte"}
	}
	for _, c := range r.Changed {
		lines = append(lines, c.Path+" changes: "+c.Why)
	}
	if r.IsUnverified {
		lines = append(lines,
			"the job in CI validates the CRDs, but does not compare the files: something else edits them",
			"crdproof adopt --from=<files> finds an overlay file in place of such edits")
	}
	if r.Linked != r.Version {
		lines = append(lines, fmt.Sprintf("compared with controller-gen %s, which is part of crdproof", r.Linked))
	}
	p.section("Files", lines)
	own := "Differences of crdproof's CRDs (docs/deviations.md)"
	if r.Compat {
		own = "Left for later: what is different in crdproof's own CRDs, without compat (docs/deviations.md)"
	}
	if len(r.Deviations) > 0 {
		p.section(own, []string{listed(r.Deviations) + ", in " + diag.Counted(r.OwnFiles, "file")})
	}
	p.section("The API server rejects today", r.Rejected)
	p.section("Errors that cannot be in a baseline, so that they are only warnings for now", r.Tolerated)
	if len(r.Findings) > 0 {
		lines := []string{listed(r.Findings)}
		if r.Fixable+r.FixableAPI > 0 {
			lines = append(lines, fmt.Sprintf("fixed mechanically: %d with --fix, %d more with --fix=api", r.Fixable,
				r.FixableAPI))
		}
		p.section("Findings in the types", lines)
	}
	if r.Baseline > 0 {
		p.section("Baseline", []string{diag.Counted(r.Baseline, "finding") + " of today; only new ones fail"})
	}
}

// left prints what the user has to look at.
func (p *printer) left(r *Report) {
	var stay, notEdited, after []string
	for _, c := range r.Calls {
		at := fmt.Sprintf("%s:%d: ", c.File, c.Line)
		switch {
		case c.Why != "":
			notEdited = append(notEdited, at+c.Command+" ("+c.Why+")")
		case !c.Writes():
			stay = append(stay, at+strings.Join(c.Words, " "))
		}
		for _, s := range c.steps(changes, copies) {
			after = append(after, fmt.Sprintf("%s:%d: %s", c.File, s.Line, s.Text))
		}
	}
	p.section("Stays with controller-gen, because it writes no CRDs", stay)
	p.section("Not edited: edit these lines yourself", notEdited)
	p.section("Runs on the files afterwards, unchanged", after)
	if r.IsIncomplete {
		p.line("The repository is too large: not all files were searched.")
	}
	p.section("Files of the change", r.Written)
	var back []string
	for _, c := range edited(r.Calls) {
		if text := c.Back(); !slices.Contains(back, text) {
			back = append(back, text)
		}
	}
	p.section("The way back", back)
}

// steps returns the steps behind a call of crd that match one of the patterns.
func (c *Call) steps(patterns ...*regexp.Regexp) (out []Step) {
	if c.Why == "" && !c.Writes() {
		return nil
	}
	for _, s := range c.After {
		isOne := func(p *regexp.Regexp) bool { return p.MatchString(s.Text) }
		if !mentions.MatchString(s.Text) && slices.ContainsFunc(patterns, isOne) {
			out = append(out, s)
		}
	}
	return out
}

// IsEdited reports whether a command behind the call may edit its files.
func (c *Call) IsEdited() bool { return len(c.steps(changes)) > 0 }

// listed returns counts in one line.
func listed(counts []Count) string {
	var out []string
	for i, c := range counts {
		if i == most {
			out = append(out, fmt.Sprintf("%d others", len(counts)-most))
			break
		}
		out = append(out, fmt.Sprintf("%d %s", c.N, c.Name))
	}
	return strings.Join(out, ", ")
}

// PullRequest writes the text of a pull request.
func (r *Report) PullRequest(w io.Writer) error {
	p := printer{w: w}
	p.line("# Generate CRDs with crdproof")
	p.line("")
	p.line("crdproof reads the markers of controller-gen and has its command line. It validates every CRD with the " +
		"API server's own code, and reports mistakes that controller-gen ignores.")
	p.line("")
	p.line("```text")
	p.measured(r)
	p.line("```")
	p.line("")
	p.line("- The generated files were measured with both tools, in memory. Nothing else of `make` changes.")
	for _, c := range edited(r.Calls)[:1] {
		p.line("- The way back: `%s`", c.Back())
	}
	if r.Baseline > 0 {
		p.line("- `.crdproof-baseline` has the findings of today. `--baseline=prune` removes what is fixed.")
	}
	return p.err
}
