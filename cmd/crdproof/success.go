package main

import (
	"fmt"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/kube"
)

// An outcome counts the files of a run.
type outcome struct {
	written, unchanged, removed int
	// printed counts files that were written to standard output.
	printed int
}

// String describes the outcome, for example "wrote 3 files, 2 unchanged".
func (o outcome) String() string {
	var parts []string
	add := func(n int, verb, after string) {
		switch {
		case n == 0:
		case len(parts) == 0: // only the first count says what is counted
			parts = append(parts, verb+diag.Counted(n, "file")+after)
		default:
			parts = append(parts, fmt.Sprint(verb, n, after))
		}
	}
	add(o.written, "wrote ", "")
	add(o.printed, "printed ", "")
	add(o.removed, "removed ", "")
	add(o.unchanged, "", " unchanged")
	if len(parts) == 0 {
		return "wrote no files"
	}
	return strings.Join(parts, ", ")
}

// upToDate describes the result of --verify if no file differs.
func upToDate(files int) string {
	if files == 1 {
		return "1 file is up to date"
	}
	return diag.Counted(files, "file") + " are up to date"
}

// succeeded ends a successful run with a line on standard error. The line is for people: it is printed only on a
// terminal and in the text format.
func (r *reporter) succeeded(what string, made product) {
	t := terminalOf(r.stderr)
	if t == nil || r.quiet || r.format != formatText {
		return
	}
	if made.validated != nil {
		what += "; validated for Kubernetes " + dashed(*made.validated)
	}
	fmt.Fprintf(r.stderr, "%s in %.1f s\n", what, t.elapsed().Seconds())
}

// dashed returns a range of versions in prose: "1.34–1.37".
func dashed(versions kube.Range) string {
	if versions.First == versions.Last {
		return versions.First.String()
	}
	return versions.First.String() + "–" + versions.Last.String()
}
