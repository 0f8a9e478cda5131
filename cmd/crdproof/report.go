package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/arguments"
	"github.com/crdproof/crdproof/generator/catalog"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/input"
	"github.com/crdproof/crdproof/generator/stage"
	"github.com/crdproof/crdproof/generator/stale"
)

// The formats of findings.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatGitHub = "github"
	formatSARIF  = "sarif"
)

func formats() []string { return []string{formatText, formatJSON, formatGitHub, formatSARIF} }

// maxShown is how many findings a person gets to see at once.
const maxShown = 50

// A reporter writes findings: as text to standard error, in the formats for programs to standard output.
type reporter struct {
	format         string
	stdout, stderr io.Writer
	// pointer is where to read on after a mistake on the command line.
	pointer string
	// all asks for all findings, as text too.
	all bool
}

// conflicts refuses to mix files and a report in standard output.
func (r *reporter) conflicts(p arguments.Plan) []diag.Diagnostic {
	if r.format == formatText || !slices.ContainsFunc(p.Generators,
		func(g arguments.Invocation) bool { return g.Output.Form == arguments.ToStdout }) {
		return nil
	}
	return []diag.Diagnostic{input.Errorf("--format=%s and output:stdout cannot both have standard output", r.format)}
}

// summarizes reports whether the format leaves room for lines that are no findings, such as how many there were: text
// does, and the log of a workflow.
func (r *reporter) summarizes() bool { return r.format == formatText || r.format == formatGitHub }

// usage reports mistakes on the command line, and returns the exit code.
func (r *reporter) usage(list ...diag.Diagnostic) int {
	r.write(list)
	if r.format == formatText {
		fmt.Fprint(r.stderr, r.pointer)
	}
	return exitUsage
}

// refused reports what keeps the generators from writing anything, and returns the exit code.
func (r *reporter) refused(list []diag.Diagnostic) int {
	code := r.write(list)
	if r.format == formatText {
		fmt.Fprintln(r.stderr, "no file was written or changed")
	}
	return code
}

// failed reports that files could not be read, and returns the exit code.
func (r *reporter) failed(err error) int {
	return r.write([]diag.Diagnostic{diag.Errorf(diag.Span{}, input.File, "%s", input.Trouble(err))})
}

// progress returns who is to be told how far the command has come, nil where nobody looks.
func (r *reporter) progress() stage.Progress {
	if t := terminalOf(r.stderr); t != nil && t.line != nil {
		return t.line.report
	}
	return nil
}

// interrupted reports that a signal has ended the command before it has changed a file, and returns the exit code.
func (r *reporter) interrupted() int {
	fmt.Fprintln(r.stderr, "interrupted: no file was changed")
	return exitInterrupted
}

// write reports what was found, and returns the exit code.
func (r *reporter) write(list []diag.Diagnostic) int {
	var err error
	dir := workingDir()
	switch r.format {
	case formatJSON:
		err = diag.JSON(r.stdout, list, dir)
	case formatGitHub:
		err = diag.GitHub(r.stdout, list, checkout(dir))
	case formatSARIF:
		err = diag.SARIF(r.stdout, list, diag.SARIFOptions{Root: checkout(dir), Version: version(), Describe: ruleDoc})
	default:
		err = diag.Text(r.stderr, list, r.textOptions())
	}
	if err != nil {
		return unwritable(r.stderr, err)
	}
	return exitCode(list)
}

// textOptions say how text is written to standard error.
func (r *reporter) textOptions() diag.TextOptions {
	opts := diag.TextOptions{Dir: workingDir(), Color: wantsColor(r.stderr), Max: maxShown}
	if r.all {
		opts.Max = 0
	}
	return opts
}

// unwritable reports that what the command has to say cannot be written, and returns the exit code.
func unwritable(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "error: the report could not be written: %v\n", err)
	return exitUsage
}

// A watched writer remembers the first error, so that not everyone who prints has to ask for it.
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

// workingDir is what paths are shown relative to; "" where it is not known, as that of a directory which is gone.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// checkout returns the root of the repository that a directory lies in, which the paths of annotations start from, or
// the directory itself. Where links lead to the directory, it is that of the linked one.
func checkout(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if root := input.Repository(dir); root != "" {
		return root
	}
	// A job that got its files without git.
	if workspace, err := filepath.EvalSymlinks(os.Getenv("GITHUB_WORKSPACE")); err == nil {
		if below, err := filepath.Rel(workspace, dir); err == nil && filepath.IsLocal(below) {
			return workspace
		}
	}
	return dir
}

// ruleDoc is what a log of findings says about a rule. Some are no checks, but stages that have failed.
func ruleDoc(rule string) diag.RuleDoc {
	c := catalog.Checks().Of(rule)
	if c == nil {
		return stageDoc(rule)
	}
	doc := diag.RuleDoc{Long: c.Doc, Markdown: c.Doc, Severity: c.Severity, URI: reference + "checks.md#" + rule}
	doc.Short, _, _ = strings.Cut(strings.TrimSuffix(c.Doc, "."), ". ")
	if c.Bad != "" {
		doc.Markdown += "\n\nWrong:\n\n```\n" + c.Bad + "\n```\n"
	}
	if c.Good != "" {
		doc.Markdown += "\nRight:\n\n```\n" + c.Good + "\n```\n"
	}
	return doc
}

// usagePointer follows every mistake on the command line of the generators.
const usagePointer = "run `crdproof --help` for the options, `crdproof <generator> -w` for the markers\n"

// reference is where the documentation can be read.
const reference = "https://github.com/crdproof/crdproof/blob/main/docs/"

// internalError tells of a panic, which is what recover has returned.
func internalError(bug any) diag.Diagnostic {
	return stage.Caught(bug).Finding(diag.Span{}, "the files that crdproof was run on")
}

// stageDoc says what rules are about that are no checks.
func stageDoc(rule string) diag.RuleDoc {
	text := map[string]string{
		"go-list":          "The go command finds all packages that are named or imported.",
		"go-read":          "The Go files of the packages can be read.",
		"go-syntax":        "Go files are well-formed.",
		"go-redeclared":    "A package declares each of its types once.",
		"controller-tools": "The generators of controller-tools accept the packages.",
		"file-differs":     "A generated file is as the generators would write it.",
		"file-missing":     "All files that the generators would write are there.",
		stale.Check.ID:     "There is no generated file whose kind is gone.",
		"internal":         "crdproof has no bugs.",
	}[rule]
	if text == "" {
		text = "Something is wrong that crdproof calls " + rule + "."
	}
	return diag.RuleDoc{Short: strings.TrimSuffix(text, "."), Long: text, Markdown: text, URI: reference + "checks.md"}
}
