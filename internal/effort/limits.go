package effort

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// RevisionBytes limits what is read of a git revision.
var RevisionBytes = &Limit{
	Name: "revision-bytes", Steps: "bytes of files of a git revision", Most: 2 << 30,
	Beyond: "the revision is rejected",
	Why:    "All files of a revision are in memory at the same time.",
}

// FileBytes limits the size of a file.
var FileBytes = &Limit{
	Name: "file-bytes", Steps: "bytes of a file", Most: 256 << 20, Beyond: "the file is rejected",
	Why: "An API server accepts requests of 3 MiB (k8s.io/apiserver, pkg/server/config.go: MaxRequestBodyBytes), and a " +
		"file may hold many objects.",
}

// Limits returns all limits, in the order of docs/limits.md.
func Limits() []*Limit {
	return slices.Concat([]*Limit{RevisionBytes, FileBytes}, diffLimits(), helperLimits())
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

const head = `# Limits

<!-- Written by go test ./internal/effort -update from the table of the limits. -->

Every search, expansion and comparison of crdproof ends. Each counts its steps, not seconds, so that the result is the
same on every machine. Beyond a limit, crdproof either rejects the input or reports that a part of the validation is not
decided, with the check [too-large](checks.md).

`

// WritePage writes docs/limits.md.
func WritePage(w io.Writer) error {
	if _, err := fmt.Fprint(w, head, "| Limit | Counts | At most | Beyond it | Why |\n|---|---|---|---|---|\n"); err != nil {
		return err
	}
	for _, l := range Limits() {
		if _, err := fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s |\n", l.Name, l.Steps, grouped(l.Most), l.Beyond,
			l.Why); err != nil {
			return err
		}
	}
	return nil
}
