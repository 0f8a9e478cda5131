package cost

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Options say what is reported.
type Options struct {
	// Share is the percentage of a rule's budget above which there is a warning; 0 means 50.
	Share int
	// Owns reports whether a position is in the user's own code, where bounds can be written; nil means that all is.
	Owns func(diag.Span) bool
}

// nearlyAll is the percentage of a rule's budget above which even published bounds are to be lowered.
const nearlyAll = 90

// DefaultShare is the percentage of a rule's budget above which there is a warning by default.
const DefaultShare = 50

// Check compares the estimated costs of a version's rules with the budgets. The version is a position in the CRD's
// versions.
func Check(
	ctx context.Context, estimates []Estimate, root *schema.Schema, version int, opts Options,
) []diag.Diagnostic {
	if opts.Share <= 0 {
		opts.Share = DefaultShare
	}
	c := checking{
		root: root, path: fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", version),
		estimates: estimates, warned: uint64(min(opts.Share, 100)) * RuleBudget / 100, owns: opts.Owns,
		steps: effort.New(ctx, effort.CostSteps),
	}
	for _, g := range c.groups(func(e *Estimate) bool { return e.Cost > min(c.warned, RuleBudget) }) {
		slices.SortStableFunc(g, func(a, b *Estimate) int { return cmp.Compare(b.Cost, a.Cost) })
		c.judge(g)
	}
	c.total()
	return c.found
}

// checking is the working state of one Check.
type checking struct {
	root      *schema.Schema
	path      string
	estimates []Estimate
	// warned is the cost above which there is a warning.
	warned   uint64
	owns     func(diag.Span) bool
	analysis *analysis
	// steps is the budget of the search for bounds.
	steps *effort.Budget
	found []diag.Diagnostic
	// worst is the cost of the most expensive rule above the budget, and the index of its finding.
	worst struct {
		cost  uint64
		index int
	}
}

// A group has the costs of a rule that is written once, at all of its places.
type group []*Estimate

// groups collects estimates by the place that they are written at.
func (c *checking) groups(wanted func(*Estimate) bool) []group {
	var out []group
	index := map[source]int{}
	for i := range c.estimates {
		e := &c.estimates[i]
		if !wanted(e) {
			continue
		}
		from := sourceOf(e)
		j, ok := index[from]
		if !ok {
			j = len(out)
			index[from] = j
			out = append(out, nil)
		}
		out[j] = append(out[j], e)
	}
	return out
}

func (g group) cost() uint64 {
	var total uint64
	for _, e := range g {
		total = sum(total, e.Cost)
	}
	return total
}

// A source identifies what is written once: an expression and its position, for each use where it has a name, or its
// path where there is none.
type source struct {
	at, use    diag.Span
	text, path string
}

func sourceOf(e *Estimate) source {
	text := e.text()
	if !text.At.IsValid() {
		return source{path: e.Path()}
	}
	return source{at: text.At, use: e.Rule.Source.Use(), text: text.V}
}

// judge reports a rule above its budget, or above the share for warnings. The most expensive place comes first.
func (c *checking) judge(g group) {
	over := g
	for len(over) > 0 && over[len(over)-1].Cost <= RuleBudget {
		over = over[:len(over)-1]
	}
	if len(over) == 0 {
		f := c.explain(g, shortRepair)
		isDefault := c.warned == DefaultShare*RuleBudget/100
		if isDefault && g[0].Cost < nearlyAll*RuleBudget/100 && f.repair.onlyLowers() {
			return // published bounds are not lowered before there is a need
		}
		c.report(f, overShare,
			"the estimated cost is %s of the budget of a %s; a small addition may exceed it",
			Share(g[0].Cost, RuleBudget), g[0].Part)
		c.found[len(c.found)-1].Listed = !isDefault
		return
	}
	if over[0].Cost > c.worst.cost {
		c.worst.cost, c.worst.index = over[0].Cost, len(c.found)
	}
	worst, check := over[0], overBudget
	if worst.Part == PartMessage {
		check = messageOverBudget
	}
	f := c.explain(g, longRepair)
	f.group = over
	versions := worst.Excess()
	where := onVersions(versions, worst.Rule.Kube)
	if where != "" {
		f.lacking = question{rule: worst.Rule, ast: worst.ast()}.lacking(versions)
		f.enough = after(versions, worst.Rule.Kube)
	}
	if f.hopeless {
		f.escaped = c.escaped(worst)
		c.report(f, check, "the estimated cost of the %s has no limit%s", worst.Part, where)
	} else {
		c.report(f, check, "the estimated cost is %s the budget of a %s%s", times(worst.Cost, RuleBudget), worst.Part,
			where)
	}
	d := &c.found[len(c.found)-1]
	d.Older = isOlder(versions)
	for _, feature := range f.lacking {
		*d = d.Note("before Kubernetes %s, %s", feature.Since(), feature.Older())
	}
}

// after returns the versions of a range that come after others, nil if there are none.
func after(versions []kube.Range, all kube.Range) *kube.Range {
	if last := versions[len(versions)-1].Last; last < all.Last {
		return &kube.Range{First: last + 1, Last: all.Last}
	}
	return nil
}

// onVersions says on which versions of a range something is so; nothing if it is so on all.
func onVersions(versions []kube.Range, all kube.Range) string {
	if len(versions) == 1 && versions[0] == all {
		return ""
	}
	return " on Kubernetes " + kube.Ranges(versions)
}

// isOlder reports whether the server of the library's version is not one of those that reject the CRD.
func isOlder(versions []kube.Range) bool { return versions[len(versions)-1].Last < kube.Latest() }

// report reports a cost with its causes, and with the bounds that lower it.
func (c *checking) report(f finding, check *diag.Check, format string, args ...any) {
	worst := f.group[0]
	text := worst.text()
	d := diag.Errorf(text.Range(0, len(text.V)), check, format, args...).In(worst.Path()).
		Note("%s", costNote(worst)).Help("%s", f.help())
	switch {
	case f.repair != nil:
		d = f.repair.changes(d)
	case !f.foreign && f.enough == nil && f.escaped != "":
		d = d.Do(diag.Rewrite, f.escaped)
	}
	for _, e := range f.group[1:] {
		d.AlsoPaths = append(d.AlsoPaths, e.Path())
	}
	if n := len(f.group); n > 1 {
		d = d.Note("this is about %s; the same applies to %s, such as %s",
			fieldOf(worst), diag.Counted(n-1, "more place"), fieldOf(f.group[1]))
	}
	if len(f.causes) > 0 {
		d = d.CausedBy(f.causes[0].limit.place.At(), "")
	}
	for _, cause := range f.causes {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: cause.limit.place.At(), Message: cause.String()})
	}
	c.found = append(c.found, d)
}

// The maximum number of moves of a repair. Warnings come with every run, and must take little time.
const (
	shortRepair = 2
	longRepair  = 3
)

// A finding is an expensive rule with its causes and its repair.
type finding struct {
	group  group
	causes []cause
	repair *repair
	// hopeless is set if no bound limits the cost at all, foreign if the rule is not the user's own.
	hopeless, foreign bool
	// lacking are the features without which the cost is too high on some versions, and enough the versions on which it
	// is not, if there are some at the end of the range.
	lacking []kube.Feature
	enough  *kube.Range
	// escaped is a rule whose cost has a limit, "" if it is not known.
	escaped string
}

// explain looks for the causes of the cost of a group, and for bounds that bring it below the share for warnings, or at
// least within the budget.
func (c *checking) explain(g group, most int) finding {
	a := c.analyze()
	moves := a.moves(g)
	s := search{steps: a.steps, budget: min(c.warned, RuleBudget), most: most, cost: func(with chosen) uint64 {
		known := map[*cel.Ast]uint64{}
		var worst uint64
		for _, e := range g {
			worst = max(worst, a.cost(e, with, known))
		}
		return worst
	}}
	f := finding{
		group: g, causes: a.causes(g[0], maxNamed), repair: s.repair(moves), foreign: !a.canWrite(g[0].text().At),
	}
	if f.repair == nil && g[0].Cost > RuleBudget {
		s.budget = RuleBudget
		f.repair = s.repair(moves)
	}
	if f.repair == nil && !a.steps.Ended() {
		all := chosen{}
		for _, m := range moves {
			for key, n := range m.least() {
				all[key] = n
			}
		}
		f.hopeless = immeasurable(s.cost(all))
	}
	return f
}

func (c *checking) analyze() *analysis {
	if c.analysis == nil {
		c.analysis = newAnalysis(c.owns, c.steps)
	}
	return c.analysis
}

// total reports that all rules of the version together are above its budget. If a single rule is the reason, its
// finding says so.
func (c *checking) total() {
	total := Total(c.estimates)
	if total <= VersionBudget {
		return
	}
	// The API server names the most expensive rules (apis/apiextensions/validation, ObserveExpressionCost). This
	// finding explains all of them.
	named := []string{c.path}
	var within uint64
	for i := range c.estimates {
		e := &c.estimates[i]
		within = sum(within, min(e.Cost, RuleBudget))
		if e.Cost >= VersionBudget/100 {
			named = append(named, e.Path())
		}
	}
	if within <= VersionBudget {
		d := &c.found[c.worst.index]
		d.AlsoPaths = append(d.AlsoPaths, named...)
		*d = d.Note("because of it, all rules of the version together cost %s of %s",
			Amount(total), diag.Grouped(VersionBudget))
		return
	}
	d := c.aboveTotal(total)
	d.Path, d.AlsoPaths = c.path, named
	c.found = append(c.found, d)
}

// aboveTotal explains the sum.
func (c *checking) aboveTotal(total uint64) diag.Diagnostic {
	a := c.analyze()
	var moves []move
	seen := map[string]bool{}
	for i := range c.estimates {
		if e := &c.estimates[i]; e.Cost >= VersionBudget/100 {
			for _, m := range a.moves([]*Estimate{e}) {
				if key := m.key(); !seen[key] {
					seen[key] = true
					moves = append(moves, m)
				}
			}
		}
	}
	s := search{steps: a.steps, budget: VersionBudget, most: longRepair, cost: func(with chosen) uint64 {
		known := map[*cel.Ast]uint64{}
		var total uint64
		for i := range c.estimates {
			total = sum(total, a.cost(&c.estimates[i], with, known))
		}
		return total
	}}
	versions := TotalExcess(c.estimates)
	d := diag.Errorf(c.root.At, totalOverBudget, "the estimated cost of all rules is %s the budget of a version%s",
		times(total, VersionBudget), onVersions(versions, c.estimates[0].Rule.Kube)).
		Note("estimated cost %s of %s", Amount(total), diag.Grouped(VersionBudget)).
		Help("simplify the most expensive rules, or combine several rules into one")
	rules := c.groups(func(*Estimate) bool { return true })
	slices.SortStableFunc(rules, func(a, b group) int { return cmp.Compare(b.cost(), a.cost()) })
	for _, g := range rules[:min(len(rules), maxNamed)] {
		first, cost := g[0], g.cost()
		message := fmt.Sprintf("the %s on %s costs %s, %s of the total", first.Part, fieldOf(first), Amount(cost),
			Share(cost, total))
		if len(g) > 1 {
			message += ", including " + diag.Counted(len(g)-1, "more place")
		}
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: first.text().At, Message: message})
	}
	if r := s.repair(moves); r != nil {
		d = r.changes(d.Help("%s", r.help(VersionBudget)))
	}
	d.Older = isOlder(versions)
	return d
}
