package harness

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/generator"
)

var update = flag.Bool("update", false, "write the table of docs/common-findings.md")

// tableRows is how many checks the table has.
const tableRows = 9

// TestCommonFindings compares the table of docs/common-findings.md with the known findings of all modules.
func TestCommonFindings(t *testing.T) {
	const begin, end = "<!-- findings -->\n", "<!-- end of findings -->\n"
	path := filepath.Join("..", "..", "..", "docs", "common-findings.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasBegin := strings.Cut(string(page), begin)
	table, after, hasEnd := strings.Cut(rest, end)
	if !hasBegin || !hasEnd {
		t.Fatalf("%s has no table between %q and %q", path, begin, end)
	}
	want := commonFindings()
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if table != want {
		t.Errorf("the page has\n%s\nwant\n%s", table, want)
	}
}

// commonFindings returns the table of the most common findings.
func commonFindings() string {
	findings, modules := map[string]int{}, map[string]map[string]bool{}
	count := func(check, module string, n int) {
		findings[check] += n
		if modules[check] == nil {
			modules[check] = map[string]bool{}
		}
		modules[check][module] = true
	}
	for _, c := range Cases() {
		if c.Repeats() {
			continue
		}
		for check, n := range KnownAdvice(c.Name) {
			count(check, c.Dir, n)
		}
		for _, m := range KnownMistakes(c.Dir) {
			check := m.Check
			if check == "marker-unknown" {
				check = "marker-target" // the page explains them together
			}
			count(check, c.Dir, 1)
		}
	}
	checks := slices.SortedFunc(maps.Keys(findings), func(a, b string) int {
		return cmp.Or(cmp.Compare(findings[b], findings[a]), cmp.Compare(a, b))
	})
	var out strings.Builder
	out.WriteString("| Finding | Places | Modules | Hurts |\n|---|--:|--:|---|\n")
	for _, check := range checks[:tableRows] {
		name := fmt.Sprintf("[`%s`](#%s)", check, check)
		if check == "marker-target" {
			name = "[`marker-target`, `marker-unknown`](#marker-target-and-marker-unknown)"
		}
		fmt.Fprintf(&out, "| %s | %d | %d | %s |\n", name, findings[check], len(modules[check]), hurtBy(check))
	}
	return out.String()
}

// hurtBy names whom most findings of a check hurt.
func hurtBy(check string) string {
	c := generator.Checks().Of(check)
	switch {
	case c.Group == nil:
		return "every user"
	case c.Group.Unlisted:
		return c.Group.Who + " (only counted)"
	}
	return c.Group.Who
}
