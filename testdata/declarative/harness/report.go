package harness

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A Report is what came of a run.
type Report struct {
	Seed  uint64
	Kinds int
	// Unmade are the reasons for which there is no CRD of some kinds, or none that the server takes.
	Unmade           []string
	Creates, Updates int
	Rejected, Unread int
	// Excused counts verdicts that differ for a reason, by the difference's ID.
	Excused  map[string]int
	Failures []Failure
}

func (r *Report) add(one result) {
	r.Creates += one.creates
	r.Updates += one.updates
	r.Rejected += one.rejected
	r.Unread += one.unread
	for by, n := range one.excused {
		r.Excused[by] += n
	}
	r.Failures = append(r.Failures, one.failures...)
}

// Summary writes counts.
func (r *Report) Summary(w io.Writer) {
	fmt.Fprintf(w, "seed %d: %d kinds, %d creates and %d updates, of which Go rejects %d; %d objects that Go does "+
		"not read back\n",
		r.Seed, r.Kinds, r.Creates, r.Updates, r.Rejected, r.Unread)
	for _, id := range slices.Sorted(maps.Keys(r.Excused)) {
		fmt.Fprintf(w, "  %6d %s\n", r.Excused[id], id)
	}
	byKind := map[string]int{}
	for _, f := range r.Failures {
		byKind[f.Kind]++
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		fmt.Fprintf(w, "  %6d failures of %s\n", byKind[kind], kind)
	}
	for _, reason := range r.Unmade {
		fmt.Fprintf(w, "no CRD: %.400s\n", reason)
	}
}

// Details writes the smallest failures of each kind and set of paths, at most so many.
func (r *Report) Details(w io.Writer, limit int) {
	smallest := map[string]Failure{}
	for _, f := range r.Failures {
		if s, ok := smallest[f.group()]; !ok || len(f.Object)+len(f.Old) < len(s.Object)+len(s.Old) {
			smallest[f.group()] = f
		}
	}
	for i, group := range slices.Sorted(maps.Keys(smallest)) {
		if i == limit {
			fmt.Fprintf(w, "and %d more\n", len(smallest)-limit)
			return
		}
		f := smallest[group]
		fmt.Fprintf(w, "--- %s, value %d\nobject: %s\n", f.Kind, f.Value, spec(f.Object))
		if f.Old != "" {
			fmt.Fprintf(w, "old:    %s\n", spec(f.Old))
		}
		fmt.Fprintf(w, "Go:     %s\nserver: %s\n", texts(f.Go), texts(f.Server))
	}
}

// group is what failures are reported apart by: the first path at which one verdict has an error that the other has
// not.
func (f Failure) group() string {
	inGo, inServer := paths(f.Go), paths(f.Server)
	for _, p := range inGo {
		if !slices.Contains(inServer, p) {
			return fmt.Sprint(f.Kind, f.Old != "", " only Go ", fieldOf(p))
		}
	}
	for _, p := range inServer {
		if !slices.Contains(inGo, p) {
			return fmt.Sprint(f.Kind, f.Old != "", " only the server ", fieldOf(p))
		}
	}
	return f.Kind
}

// digits makes all indices one.
func digits(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '0'
		}
		return r
	}, path)
}

// fieldOf is the field of the spec that a path leads into.
func fieldOf(path string) string {
	keys := strings.SplitN(path, ".", 3)
	return strings.Join(keys[:min(2, len(keys))], ".")
}

func spec(text string) string {
	_, after, _ := strings.Cut(text, `"spec":`)
	return strings.TrimSuffix(cmp.Or(after, text), "}")
}

func texts(list field.ErrorList) string {
	if len(list) == 0 {
		return "accepted"
	}
	var out []string
	for _, e := range list {
		out = append(out, e.Error())
	}
	return strings.Join(out, "\n        ")
}
