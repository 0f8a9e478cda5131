package effort

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Limits returns all limits, in the order of docs/limits.md.
func Limits() []*Limit {
	return slices.Concat(diffLimits(), helperLimits())
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
