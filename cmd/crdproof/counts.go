package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/catalog"
)

// countedFrom is how many findings are counted by check behind the list: fewer are seen at a glance.
const countedFrom = 6

// isAnswer reports whether the findings of a check are what the command is run for, so that each is printed by itself.
func isAnswer(id string) bool {
	c := catalog.Checks().Of(id)
	return c == nil || c.Result
}

// sayCounts prints how many findings of each check a list has, by whom they hurt, with the option that leaves out those
// that hurt only some.
func (r *reporter) sayCounts(list []diag.Diagnostic) {
	if len(list) < countedFrom {
		return
	}
	for _, g := range append([]*diag.Group{nil}, diag.Groups()...) {
		counts := countsOf(list, g)
		if counts == "" {
			continue
		}
		who, without := "by check", ""
		if slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Hurts != nil }) {
			who = "every user"
		}
		if g != nil {
			who = g.Who
			if r.ignoring != "" {
				without = fmt.Sprintf(" (%s%s leaves them out)", r.ignoring, g.ID)
			}
		}
		fmt.Fprintf(r.stderr, "%s: %s%s\n", who, counts, without)
	}
}

// sayUnlisted prints how many findings of each check are only counted.
func (r *reporter) sayUnlisted(list []diag.Diagnostic) {
	for _, g := range diag.Groups() {
		if counts := countsOf(list, g); counts != "" {
			fmt.Fprintf(r.stderr, "%s: %s (--all prints them)\n", g.Who, counts)
		}
	}
}

// sayKnown prints how many findings are not new.
func (r *reporter) sayKnown() {
	if r.known > 0 {
		verb := map[bool]string{true: "is", false: "are"}[r.known == 1]
		fmt.Fprintln(r.stderr, diag.Printable(fmt.Sprintf("%s %s in %s", diag.Counted(r.known, "known finding"), verb,
			r.baseline.where())))
	}
}

// countsOf counts the findings of a group by check, most first: "3 json-null, 1 json-zero".
func countsOf(list []diag.Diagnostic, g *diag.Group) string {
	counts := map[string]int{}
	for i := range list {
		if d := &list[i]; d.Hurts == g && d.Check != "" && d.Severity != diag.Note {
			counts[d.Check]++
		}
	}
	ids := make([]string, 0, len(counts))
	for id := range counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for i, id := range ids {
		ids[i] = fmt.Sprintf("%d %s", counts[id], id)
	}
	return strings.Join(ids, ", ")
}
