package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/checkdoc"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/cli/pages"
	"github.com/crdproof/crdproof/internal/cli/release"
	"github.com/crdproof/crdproof/internal/edit"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
	"github.com/crdproof/crdproof/objects/suite"
	"github.com/crdproof/crdproof/rules/check"
)

// The output formats.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatGitHub = "github"
	formatSARIF  = "sarif"
	// formatMarkdown is not a format of all commands.
	formatMarkdown = "markdown"
)

func formats() []string { return []string{formatText, formatJSON, formatGitHub, formatSARIF} }

// maxShown is how many findings the text format prints, and maxBrief how many brief ones.
const (
	maxShown = 50
	maxBrief = 15
)

// A reporter writes findings: as text to standard error, in the formats for programs to standard output.
type reporter struct {
	format         string
	stdout, stderr io.Writer
	// pointer names the help to read after a mistake on the command line.
	pointer string
	// all prints all findings in all formats, also those that are only counted, and all their places.
	all bool
	// brief prints what the command is run for without the lines of sources, in the text format.
	brief bool
	// ignoring precedes the ids of checks in the option that ignores them; "" if the command has no such option.
	ignoring string
	// quiet turns off progress and the line that summarizes a successful run.
	quiet bool
	// cases are the results of the cases of suites, for the format JSON.
	cases []suite.Result
	// settings are those of a settings file.
	settings config.Settings
	// policy says which findings are ignored, and which are errors.
	policy check.Policy
	// baseline is what is known before the run, and known how many findings it has left out.
	baseline baselineRun
	known    int
}

// conflicts reports an output rule that would mix files with the report in standard output.
func (r *reporter) conflicts(p arguments.Plan) []diag.Diagnostic {
	if r.format == formatText || !slices.ContainsFunc(p.Generators,
		func(g arguments.Invocation) bool { return g.Output.Form == arguments.ToStdout }) {
		return nil
	}
	return []diag.Diagnostic{input.Errorf("--format=%s and output:stdout both write to standard output", r.format)}
}

// summarizes reports whether the output may have lines that are not findings, such as a count: the text format and the
// log of a workflow may.
func (r *reporter) summarizes() bool { return r.format == formatText || r.format == formatGitHub }

// usage reports mistakes on the command line, and returns the exit code.
func (r *reporter) usage(list ...diag.Diagnostic) int {
	r.write(list)
	if r.format == formatText {
		fmt.Fprint(r.stderr, r.pointer)
	}
	return exitUsage
}

// nothingWritten reports errors that keep the generators from writing files, and returns the exit code.
func (r *reporter) nothingWritten(list []diag.Diagnostic) int {
	code := r.write(list)
	if r.format == formatText {
		fmt.Fprintln(r.stderr, "no files were written")
	}
	return code
}

// failed reports that files could not be read, and returns the exit code.
func (r *reporter) failed(err error) int { return r.write([]diag.Diagnostic{fileTrouble(err)}) }

// fileTrouble reports an error about a file, with its help if it has one.
func fileTrouble(err error) diag.Diagnostic {
	d := diag.Errorf(diag.Span{}, input.File, "%s", input.Trouble(err))
	var rejected interface{ Help() string }
	if errors.As(err, &rejected) {
		d = d.Help("%s", rejected.Help())
	}
	return d
}

// progress returns the function that shows progress, or nil if progress is not shown.
func (r *reporter) progress() stage.Progress {
	if r.quiet {
		return nil
	}
	if t := terminalOf(r.stderr); t != nil && t.line != nil {
		return t.line.report
	}
	return nil
}

// interrupted reports that a signal ended the command before a file was changed, and returns the exit code.
func (r *reporter) interrupted() int {
	fmt.Fprintln(r.stderr, "interrupted: no files were changed")
	return exitInterrupted
}

// write writes the findings, and returns the exit code.
func (r *reporter) write(list []diag.Diagnostic) int {
	var err error
	list, unlisted := r.listed(diag.Join(r.policy.Apply(list), isAnswer))
	if r.format == formatJSON || r.format == formatSARIF || r.format == formatMarkdown {
		list = edit.NewResolver().Resolve(list)
	}
	dir := workingDir()
	switch r.format {
	case formatJSON:
		err = diag.WriteJSON(r.stdout, jsonReport{diag.NewJSON(list, len(unlisted), dir), r.cases})
	case formatGitHub:
		err = diag.GitHub(r.stdout, list, checkout(dir))
	case formatSARIF:
		err = diag.SARIF(r.stdout, list,
			diag.SARIFOptions{Root: checkout(dir), Version: release.Version(), Describe: checkDoc})
	case formatMarkdown:
		err = diag.Markdown(r.stdout, list, diag.MarkdownOptions{Root: checkout(dir), Max: effort.Markdown.N(),
			Page: func(check string) string { return checkDoc(check).URI }})
	default:
		err = diag.Text(r.stderr, list, r.textOptions())
		if !r.brief {
			r.sayCounts(list)
			r.sayUnlisted(unlisted)
			r.sayKnown()
		}
	}
	if err != nil {
		return unwritable(r.stderr, err)
	}
	return exitCode(list)
}

// A jsonReport is the format JSON of all commands.
type jsonReport struct {
	diag.JSONReport
	Cases []suite.Result `json:"cases,omitzero"`
}

// listed splits a list into what is printed and what is only counted.
func (r *reporter) listed(list []diag.Diagnostic) (listed, unlisted []diag.Diagnostic) {
	for _, d := range list {
		if r.all || d.IsListed() {
			listed = append(listed, d)
		} else {
			unlisted = append(unlisted, d)
		}
	}
	return listed, unlisted
}

// textOptions returns how the text format is written to standard error.
func (r *reporter) textOptions() diag.TextOptions {
	opts := diag.TextOptions{
		Dir: workingDir(), Color: wantsColor(r.stderr), Width: columnsOf(r.stderr), Max: maxShown,
		More: "--all prints all",
	}
	switch {
	case r.all:
		opts.Max = 0
	case r.brief:
		opts.Max = maxBrief
	}
	if r.brief {
		opts.Brief = isAnswer
	}
	return opts
}

// unwritable reports that the output cannot be written, and returns the exit code.
func unwritable(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, diag.Printable(fmt.Sprintf("error: cannot write the report: %v", err)))
	return exitUsage
}

// A watched writer remembers the first error, so that callers need not check every write.
type watched struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// workingDir returns the directory that paths are shown relative to, or "" if it is unknown, for example removed.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// checkout returns the root of the repository that contains a directory, or the directory itself. Paths in annotations
// start from there. Symbolic links are resolved first.
func checkout(dir string) string {
	dir = input.Resolved(dir)
	if root := input.Repository(dir); root != "" {
		return root
	}
	// Jobs may get their files without git.
	workspace := os.Getenv("GITHUB_WORKSPACE")
	if root := input.Resolved(workspace); workspace != "" && input.Within(dir, root) {
		return root
	}
	return dir
}

// checkDoc returns the documentation of a check for SARIF.
func checkDoc(id string) diag.CheckDoc {
	checks := catalog.Checks()
	i := slices.IndexFunc(checks, func(c *diag.Check) bool { return c.ID == id })
	if i < 0 { // a note of --deviations, which names a chapter of another page
		doc := "A CRD differs from that of controller-gen on purpose: " + id + "."
		return diag.CheckDoc{Short: strings.TrimSuffix(doc, "."), Long: doc, Markdown: doc, Severity: diag.Note,
			URI: pages.URL("deviations.md#" + id)}
	}
	c, p := checks[i], checkdoc.Pages()[id]
	doc := diag.CheckDoc{Long: p.Doc, Markdown: p.Doc, Severity: c.Severity, URI: pages.URL("checks.md#" + id)}
	doc.Short, _, _ = strings.Cut(strings.TrimSuffix(p.Doc, "."), ". ")
	if p.Bad != "" {
		doc.Markdown += "\n\nWrong:\n\n```\n" + p.Bad + "\n```\n\nRight:\n\n```\n" + p.Good + "\n```\n"
	}
	return doc
}

// usagePointer follows mistakes on the command line of the generators.
const usagePointer = "run `crdproof help options` for the options, `crdproof <generator> -w` for the markers\n"

// internalError reports a panic with the value that recover returned.
func internalError(bug any) diag.Diagnostic {
	return stage.Caught(bug).Finding(diag.Span{}, "the files that crdproof was run on")
}
