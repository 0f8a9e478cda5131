package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommonFindings compares the table of docs/common-findings.md with the known findings of all modules.
func TestCommonFindings(t *testing.T) {
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
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "common-findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	least := 0
	for line := range strings.Lines(string(page)) {
		rest, ok := strings.CutPrefix(line, "| [`")
		if !ok {
			continue
		}
		check, _, _ := strings.Cut(rest, "`")
		if want := fmt.Sprintf("| %d | %d |\n", findings[check], len(modules[check])); !strings.HasSuffix(line, want) {
			t.Errorf("%s: want %s", strings.TrimSpace(line), want)
		}
		least = findings[check]
		delete(findings, check)
	}
	if least == 0 {
		t.Error("the page has no table")
	}
	for check, n := range findings {
		if n > least {
			t.Errorf("%s has %d findings and is not among the commonest", check, n)
		}
	}
}
