package suite

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// WriteText writes the results for a person: a line for each case if all is set, and the totals. The findings are
// printed elsewhere. The writer must keep its errors.
func (r *Report) WriteText(w io.Writer, c Coverage, all bool) {
	updated := 0
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		word := "ok"
		switch {
		case o.Updated:
			word = "updated"
			updated++
		case !o.Passed():
			word = "FAIL"
		}
		if all {
			fmt.Fprintf(w, "%-7s %s\n", word, diag.Printable(o.Name))
		}
	}
	if len(r.CRDs) > 0 {
		fmt.Fprintf(w, "tested: %s\n", diag.Printable(strings.Join(testedCRDs(r.CRDs), ", ")))
	}
	if c.All > 0 {
		fmt.Fprintf(w, "coverage: cases make %d of %d rules and validations fail\n", c.Failed, c.All)
	}
	if updated > 0 {
		fmt.Fprintf(w, "updated %s in %s\n", diag.Counted(updated, "case"), diag.Counted(r.updated, "suite"))
	}
	if r.Skipped > 0 {
		fmt.Fprintf(w, "%d skipped\n", r.Skipped)
	}
	passed, failed := r.Count()
	fmt.Fprintf(w, "%d passed, %d failed\n", passed, failed)
}

// A Result is the result of a case in the format JSON: fields may be added, but not renamed or removed.
type Result struct {
	Name string `json:"name"`
	// JSONPlace is the position of the name of the case.
	diag.JSONPlace
	// Result is passed, failed, updated or skipped.
	Result string `json:"result"`
}

// Results returns the results of all cases, those that were skipped at the end. Paths below dir are relative to it.
func (r *Report) Results(dir string) []Result {
	out := []Result{}
	for i, o := range slices.Concat(r.Outcomes, r.skipped) {
		word := "passed"
		switch {
		case i >= len(r.Outcomes):
			word = "skipped"
		case o.Updated:
			word = "updated"
		case !o.Passed():
			word = "failed"
		}
		out = append(out, Result{o.Name, diag.NewPlace(o.Case.Name.At, dir), word})
	}
	return out
}

// testedCRDs lists the CRDs that were tested: a single one by its name, several by where they are from.
func testedCRDs(list []Used) (out []string) {
	const most = 4
	if len(list) == 1 {
		return []string{list[0].Name + " from " + list[0].origin(false)}
	}
	counts := map[string]int{}
	var origins []string
	for _, u := range list {
		from := u.origin(true)
		if counts[from] == 0 {
			origins = append(origins, from)
		}
		counts[from]++
	}
	if len(origins) > most {
		return []string{fmt.Sprintf("%s from %d directories", diag.Counted(len(list), "CRD"), len(origins))}
	}
	for _, from := range origins {
		out = append(out, diag.Counted(counts[from], "CRD")+" from "+from)
	}
	return out
}

// origin returns the file of a CRD, or its directory.
func (u Used) origin(directory bool) string {
	switch {
	case u.From == "":
		return "Go types"
	case directory:
		return input.Shown(filepath.Dir(u.From))
	}
	return input.Shown(u.From)
}
