package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/internal/cli/baseline"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/moduletest"
	"github.com/crdproof/crdproof/rules/check"
)

// A randomField is a field of a random module, with its comments and its declaration; N stands for its number.
type randomField struct {
	comments []string
	text     string
}

// flawed are fields with findings, and flawless some without. Comments may be in any order.
var flawed, flawless = []randomField{
	{[]string{"+required"}, "FN []string `json:\"fN\"`"},
	{[]string{"+required"}, "FN map[string]int32 `json:\"fN\"`"},
	{[]string{"+optional", "+kubebuilder:validation:Minimun=N"}, "FN int32 `json:\"fN,omitempty\"`"},
	{[]string{"+optional", "+kubebuilder:validation:Minimun=1", "+kubebuilder:validation:Maximun=2"},
		"FN int32 `json:\"fN,omitempty\"`"},
	{[]string{"+optional", "+kubebuilder:validation:XValidation:rule=\"self.a < self.b\""},
		"FN struct { // +optional\nA *int32 `json:\"a,omitempty\"`\n// +optional\nB *int32 `json:\"b,omitempty\"` " +
			"} `json:\"fN,omitzero\"`"},
}, []randomField{
	{[]string{"+optional", "FN is fine."}, "FN int32 `json:\"fN,omitempty\"`"},
	{[]string{"+optional", "+kubebuilder:validation:MinLength=1"}, "FN string `json:\"fN,omitempty\"`"},
	{[]string{"+optional"}, "FN []string `json:\"fN,omitempty\"`"},
}

// TestBaselineOfRandomModules injects mistakes into random modules, and stores them in a baseline. Then a run is clean,
// also after the fields, their lines and their files have moved; one more mistake is reported, and nothing else; and
// what is fixed is stale.
func TestBaselineOfRandomModules(t *testing.T) {
	modules := 20
	if testing.Short() {
		modules = 3
	}
	for seed := range modules {
		r := rand.New(rand.NewPCG(uint64(seed), 43))
		t.Run(fmt.Sprint(seed), func(t *testing.T) { t.Parallel(); testRandomBaseline(t, r) })
	}
}

func testRandomBaseline(t *testing.T, r *rand.Rand) {
	fields := map[int]randomField{}
	faulty := []int{}
	for n := range 4 + r.IntN(8) {
		fields[n] = flawless[r.IntN(len(flawless))]
		if n == 0 || r.IntN(2) == 0 {
			fields[n] = flawed[r.IntN(len(flawed))]
			faulty = append(faulty, n)
		}
	}
	dir := t.TempDir()
	writeRandom(t, r, dir, fields)
	record := baseline.NewRecord(dir)
	runKnown(t, dir, record)
	entries := record.Written(nil)
	if len(entries) < len(faulty) {
		t.Fatalf("%d entries of %d fields with mistakes: %v", len(entries), len(faulty), entries)
	}
	text := baseline.Format(entries, nil)
	known := func() check.Known {
		file, found := baseline.Read(&diag.Source{Path: "/" + baseline.Name, Data: text}, catalog.Checks())
		if len(found) > 0 {
			t.Fatal(found)
		}
		return baseline.NewKnown(file, dir)
	}
	for range 2 {
		if found := runKnown(t, dir, known()); len(found) > 0 {
			t.Fatalf("with the baseline\n%s\nfound %v", text, found)
		}
		writeRandom(t, r, dir, fields)
	}
	const added = 99
	fields[added] = flawed[r.IntN(len(flawed))]
	writeRandom(t, r, dir, fields)
	found := runKnown(t, dir, known())
	isOther := func(d diag.Diagnostic) bool { return !strings.Contains(key(dir, d), "Spec.F99") }
	if len(found) == 0 || slices.ContainsFunc(found, isOther) {
		t.Errorf("with the baseline\n%s\nand another mistake in F99 found %v", text, found)
	}
	delete(fields, added)
	fixed := faulty[r.IntN(len(faulty))]
	fields[fixed] = flawless[0]
	writeRandom(t, r, dir, fields)
	of := func(e baseline.Entry) bool {
		return strings.HasPrefix(e.Place.Name+".", fmt.Sprintf("WidgetSpec.F%d.", fixed))
	}
	found = runKnown(t, dir, known())
	for _, d := range found {
		if d.Check != baseline.Stale.ID || !strings.Contains(d.Span.Text(), fmt.Sprintf("WidgetSpec.F%d", fixed)) {
			t.Errorf("F%d is fixed, and found %s: %s", fixed, d.Check, d.Message)
		}
	}
	if gone := slices.DeleteFunc(entries, func(e baseline.Entry) bool { return !of(e) }); len(gone) != len(found) {
		t.Errorf("%d entries are of F%d, and %d are stale", len(gone), fixed, len(found))
	}
}

// key returns the entry of a finding.
func key(dir string, d diag.Diagnostic) string {
	record := baseline.NewRecord(dir)
	record.Settle([]diag.Diagnostic{d}, nil)
	return record.Written(nil)[0].String()
}

// runKnown returns what a run reports if all warnings are errors.
func runKnown(t *testing.T, dir string, known check.Known) []diag.Diagnostic {
	t.Helper()
	cfg := generator.Config{Dir: dir, Paths: []string{"./..."}, Env: moduletest.Env()}
	cfg.CRD.Policy = check.Policy{Checks: catalog.Checks(), Raised: []string{check.All}, Known: known}
	result, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return result.Diagnostics
}

// writeRandom writes a module with the fields in any order, with lines between them, in any of two files.
func writeRandom(t *testing.T, r *rand.Rand, dir string, fields map[int]randomField) {
	t.Helper()
	var b strings.Builder
	b.WriteString("package v1\n" + strings.Repeat("\n", r.IntN(5)) + "type WidgetSpec struct {\n")
	numbers := make([]int, 0, len(fields))
	for n := range fields {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	r.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	for _, n := range numbers {
		f := fields[n]
		comments := slices.Clone(f.comments)
		r.Shuffle(len(comments), func(i, j int) { comments[i], comments[j] = comments[j], comments[i] })
		b.WriteString(strings.Repeat("\n", r.IntN(2)))
		lines := strings.Join(comments, "\n// ") + "\n"
		b.WriteString(strings.ReplaceAll("// "+lines+f.text+"\n", "N", fmt.Sprint(n)))
	}
	b.WriteString("}\n")
	kind := strings.ReplaceAll(moduletest.Kind("example"), "Spec Spec `json:\"spec\"`",
		"// +required\n\tSpec WidgetSpec `json:\"spec\"`")
	files := map[string]string{"v1/a.go": kind, "v1/b.go": b.String(), "v1/c.go": "package v1\n"}
	if r.IntN(2) == 0 {
		files["v1/b.go"], files["v1/c.go"] = files["v1/c.go"], files["v1/b.go"]
	}
	moduletest.Write(t, dir, "example.com/m", files)
}
