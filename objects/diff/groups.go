package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// A group is changes that differ in their places only: the same keyword has the same old and new value, and answers the
// questions alike.
type group struct {
	severity diag.Severity
	places   []located
	// rank is 0 for the first groups of a keyword.
	rank int
}

// A located change is one of a CRD. Its findings are those that are reported.
type located struct {
	crd *Comparison
	*Change
}

// examples is how many groups of a keyword come before all others of it: a report may end after some groups.
const examples = 3

// groupsOf returns the changes that are reported, grouped: errors first, then those that break most.
func groupsOf(list []*Comparison, policy *Policy) (out []*group) {
	index := map[string]*group{}
	for _, c := range list {
		for i := range c.Changes {
			change, severity := policy.reported(&c.Changes[i])
			if change == nil {
				continue
			}
			key := fmt.Sprintln(severity, change.Keyword, change.Message, change.answers())
			if index[key] == nil {
				index[key] = &group{severity: severity}
				out = append(out, index[key])
			}
			index[key].places = append(index[key].places, located{c, change})
		}
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(a.places[0].Class(), b.places[0].Class()))
	})
	seen := map[string]int{}
	for _, g := range out {
		key := fmt.Sprintln(g.severity, g.places[0].Class(), g.places[0].Keyword)
		if seen[key]++; seen[key] > examples {
			g.rank = 1
		}
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.severity, b.severity), cmp.Compare(a.rank, b.rank))
	})
	return out
}

// answers returns the answers of a change on one line.
func (c *Change) answers() string {
	var out []string
	for _, f := range c.Findings {
		out = append(out, fmt.Sprintf("%s %s%s", f.Question, f.Answer, f.servers()))
	}
	return strings.Join(out, " · ")
}

// text returns the first place and what has changed, on one line.
func (g *group) text() string {
	first := g.places[0]
	where := cmp.Or(first.Path, first.crd.Name)
	if more := len(g.places) - 1; more > 0 {
		where += " and " + diag.Counted(more, "more place")
	}
	return lineOf(first.Versions, where, first.Message)
}

// reasons returns why the answers are what they are, each reason once.
func (g *group) reasons() (out []string) {
	for _, f := range g.places[0].Findings {
		if f.Reason != "" && !slices.Contains(out, f.Reason) {
			out = append(out, f.Reason)
		}
	}
	return out
}

// others returns the places but the first one: some of them, unless all are asked for. Those in another CRD have its
// name.
func (g *group) others(all bool) string {
	var out []string
	for _, p := range g.places[1:] {
		where := lineOf(p.Versions, p.Path, "")
		if p.crd != g.places[0].crd || p.Path == "" {
			where = p.crd.Name + " " + where
		}
		out = append(out, strings.TrimRight(where, ": "))
	}
	return listed(out, all)
}

// shownNames is how many of several names are shown.
const shownNames = 3

// listed joins names: the first of them, and how many others there are, or all.
func listed(names []string, all bool) string {
	if more := len(names) - shownNames; more > 1 && !all { // the last one takes no more room
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownNames], ", "), more)
	}
	return strings.Join(names, ", ")
}
