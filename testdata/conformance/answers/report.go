package answers

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/testdata/conformance/exchange"
	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// A Finding is an object for which the answers of helpers and server differ.
type Finding struct {
	Kind   string
	Seed   uint64
	Number int
	Case   objects.Case

	Server, Ours exchange.Answer
	Differences  []string
}

// A Report is what came of a run.
type Report struct {
	Findings []Finding
	// Created and Updated count the objects, Accepted those without errors, Warned those with warnings.
	Created, Updated, Accepted, Warned int
	// Pruned and Changed count the objects from which something was pruned, or that changed with defaults and nulls.
	Pruned, Changed int
	// Errors counts the server's errors by phase and type.
	Errors map[string]int
}

// Add counts an object, and keeps it where there are differences.
func (r *Report) Add(f Finding) {
	if f.Case.Old == nil {
		r.Created++
	} else {
		r.Updated++
	}
	if len(f.Server.Errors) == 0 {
		r.Accepted++
	}
	if len(f.Server.Warnings) > 0 {
		r.Warned++
	}
	if len(f.Server.Object.Unknown) > 0 {
		r.Pruned++
	}
	if string(f.Server.Object.Pruned) != string(f.Server.Object.Defaulted) {
		r.Changed++
	}
	start := 0
	for phase, n := range f.Server.Phases {
		for _, e := range f.Server.Errors[start : start+n] {
			r.count(phaseNames[phase]+": "+e.Type, 1)
		}
		start += n
	}
	if len(f.Differences) > 0 {
		r.Findings = append(r.Findings, f)
	}
}

func (r *Report) count(key string, n int) {
	if r.Errors == nil {
		r.Errors = map[string]int{}
	}
	r.Errors[key] += n
}

func (r *Report) merge(other *Report) {
	r.Findings = append(r.Findings, other.Findings...)
	slices.SortFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.Number, b.Number) })
	r.Created, r.Updated = r.Created+other.Created, r.Updated+other.Updated
	r.Accepted, r.Warned = r.Accepted+other.Accepted, r.Warned+other.Warned
	r.Pruned, r.Changed = r.Pruned+other.Pruned, r.Changed+other.Changed
	for key, n := range other.Errors {
		r.count(key, n)
	}
}

// Objects is how many there were.
func (r *Report) Objects() int { return r.Created + r.Updated }

// Summary writes the numbers.
func (r *Report) Summary(w io.Writer) {
	fmt.Fprintf(w, "%d objects: %d created and %d updated; %d accepted, %d with warnings; %d pruned, %d defaulted; "+
		"%d findings\n",
		r.Objects(), r.Created, r.Updated, r.Accepted, r.Warned, r.Pruned, r.Changed, len(r.Findings))
	for _, key := range slices.Sorted(maps.Keys(r.Errors)) {
		fmt.Fprintf(w, "%8d %s\n", r.Errors[key], key)
	}
}

// Details writes findings, at most as many as the limit.
func (r *Report) Details(w io.Writer, limit int) {
	for _, f := range r.Findings[:min(limit, len(r.Findings))] {
		fmt.Fprintf(w, "--- %s\n", f)
	}
	if n := len(r.Findings) - limit; n > 0 {
		fmt.Fprintf(w, "and %d more\n", n)
	}
}

// String is all there is to see of a finding.
func (f Finding) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s, object %d of seed %d\n", f.Kind, f.Number, f.Seed)
	for _, c := range f.Case.Changes {
		fmt.Fprintf(&out, "  %s\n", c)
	}
	fmt.Fprintf(&out, "object: %s\n", exchange.Encode(f.Case.Object))
	if f.Case.Old != nil {
		fmt.Fprintf(&out, "old:    %s\n", exchange.Encode(f.Case.Old))
	}
	for _, d := range f.Differences {
		out.WriteString(d + "\n")
	}
	return out.String()
}
