package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/crdproof/crdproof/generator/diag"
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
}

// conflicts refuses to mix files and a report in standard output.
func (r reporter) conflicts(p plan) []diag.Diagnostic {
	if r.format == formatText {
		return nil
	}
	for _, g := range p.generators {
		if p.outputs.of(g.name).kind == toStdout {
			return []diag.Diagnostic{optionError("", nil,
				"--format=%s and output:stdout cannot both have standard output", r.format)}
		}
	}
	return nil
}

// usage reports mistakes on the command line.
func (r reporter) usage(list []diag.Diagnostic) {
	r.write(list)
	if r.format == formatText {
		fmt.Fprint(r.stderr, r.pointer)
	}
}

// findings reports what the generators found, and whether it could.
func (r reporter) findings(list []diag.Diagnostic) bool {
	ok := r.write(list)
	if r.format == formatText && diag.HasErrors(list) {
		fmt.Fprintln(r.stderr, "no file was written or changed")
	}
	return ok
}

func (r reporter) write(list []diag.Diagnostic) bool {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	switch r.format {
	case formatJSON:
		err = diag.JSON(r.stdout, list, dir)
	case formatGitHub:
		err = diag.GitHub(r.stdout, list, checkout(dir))
	case formatSARIF:
		err = diag.SARIF(r.stdout, list, checkout(dir), version())
	default:
		err = diag.Text(r.stderr, list, diag.TextOptions{Dir: dir, Color: wantsColor(r.stderr), Max: maxShown})
	}
	if err != nil {
		fmt.Fprintf(r.stderr, "error: the report could not be written: %v\n", err)
	}
	return err == nil
}

// checkout returns the root of the repository that a directory lies in, which the paths of annotations start from, or
// the directory itself.
func checkout(dir string) string {
	for d := dir; d != ""; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return dir
}

// wantsColor follows no-color.org.
func wantsColor(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
