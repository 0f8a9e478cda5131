package diff_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/crdproof/crdproof/objects/diff"
)

// TestMarkdownIsBounded writes reports that are too large for a comment: what is left out first are the witnesses, then
// the ends of lists, then CRDs. The answers of all CRDs come first, so they stay longest.
func TestMarkdownIsBounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		crds, changes  int
		message, value string
		want, gone     []string
	}{
		{"small", 1, 1, "changed", "a", []string{"<details>", "value: a"}, []string{"more", "left out"}},
		{"a large object", 1, 2, "changed", strings.Repeat("a", 40_000),
			[]string{"`v1 spec.field1`"}, []string{"<details>", "more"}},
		{"many changes", 1, 10_000, "changed", "a", []string{"- … and 9970 more"}, []string{"<details>", "left out"}},
		{"long messages", 1, 500, strings.Repeat("long ", 1000), "a", []string{"…`\n", "- … and 470 more"}, nil},
		{"many letters that are escaped", 3, 500, strings.Repeat("\x1b", 500), "a", []string{" more"}, nil},
		{"many CRDs", 100, 50, "changed", "a", []string{"- … and 49 more", "### `things99."}, []string{"left out"}},
		{"very many CRDs", 5000, 1, "changed", "a", []string{"The rest is left out."}, []string{"<details>"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var report diff.Report
			for i := range test.crds {
				c := &diff.Comparison{Name: fmt.Sprintf("things%d.example.com", i)}
				for j := range test.changes {
					c.Changes = append(c.Changes, changeOf(fmt.Sprintf("spec.field%d", j), fmt.Sprint(j, test.message), test.value))
				}
				report.Comparisons = append(report.Comparisons, c)
			}
			got := markdownOf(t, &report)
			if len(got) >= 32<<10 {
				t.Errorf("%d bytes", len(got))
			}
			for _, want := range append(test.want, "| `things0.example.com` | no | yes |") {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%.2000s", want, got)
				}
			}
			for _, gone := range test.gone {
				if strings.Contains(got, gone) {
					t.Errorf("unexpected %q in\n%.2000s", gone, got)
				}
			}
		})
	}
}

// TestMarkdownOfHostileTexts has texts of CRDs that look like Markdown, HTML or commands of terminals. They stay code,
// on their line.
func TestMarkdownOfHostileTexts(t *testing.T) {
	t.Parallel()
	const hostile = "a`b` | <img src=x> @all\n# title\n~~~~\n~~~~~\n</details>\x1b[31m\u202e"
	c := &diff.Comparison{
		Name:      "things.example.com",
		Changes:   []diff.Change{changeOf("spec[\""+hostile+"\"]", hostile, hostile)},
		Additions: []diff.Addition{{Versions: []string{"v1"}, Path: hostile, Message: hostile, IsField: true}},
	}
	c.Changes = append(c.Changes, diff.Change{Message: hostile,
		Findings: []diff.Finding{{Question: diff.Definition, Answer: diff.Unknown, Reason: hostile}}})
	got := markdownOf(t, &diff.Report{Comparisons: []*diff.Comparison{c}, Added: []string{hostile}})
	const line = `a'b' | <img src=x> @all\n# title\n~~~~\n~~~~~\n</details>\x1b[31m\u202e`
	var outside []string
	fence := ""
	for _, text := range strings.Split(got, "\n") {
		trimmed := strings.TrimSpace(text)
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "~~~"):
			fence = strings.TrimSuffix(trimmed, "yaml")
		case fence != "" && trimmed == fence:
			fence = ""
		case fence == "" && trimmed != "":
			outside = append(outside, text)
		}
		if strings.ContainsAny(text, "\x1b\u202e") {
			t.Errorf("a command of terminals in %q", text)
		}
	}
	want := []string{
		"- breaks users who create objects: objects are rejected (1 change of `things.example.com`)",
		"| CRD | create | stored | kept | meaning | readers | crd |",
		"|---|---|---|---|---|---|---|",
		"| `things.example.com` | no | yes | yes | yes | yes | unknown |",
		"### `things.example.com`",
		"- **crd unknown** `" + line + "`; `" + line + "`",
		"- **create no** `v1 spec[\"" + line + "\"]`: `" + line + "`",
		"  <details><summary>create</summary>",
		"  </details>",
		"- Added: `v1 " + line + "`: `" + line + "` (an old client that updates whole objects removes it)",
		"- New CRD `" + line + "`",
	}
	if got, want := strings.Join(outside, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func changeOf(path, message, value string) diff.Change {
	return diff.Change{Versions: []string{"v1"}, Path: path, Message: message,
		Findings: []diff.Finding{{Question: diff.Create, Answer: diff.No, Class: diff.ClassCreate,
			Witness: &diff.Witness{Object: map[string]any{"value": value}, Old: "accepted", New: "rejected"}}}}
}

func markdownOf(t *testing.T, report *diff.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.WriteMarkdown(&out, &diff.Policy{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
