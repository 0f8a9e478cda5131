package cost

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/kube"
)

// maxNamed is how many causes and rules are named.
const maxNamed = 5

// costNote shows how the cost is made up.
func costNote(e *Estimate) string {
	note := fmt.Sprintf("estimated cost %s of %s", Amount(e.Cost), diag.Grouped(RuleBudget))
	switch {
	case immeasurable(e.Each), e.Cardinality == 1:
		return note
	case e.Unbounded:
		return note + fmt.Sprintf(": %s per item × %s items, the most that fit into a request",
			diag.Grouped(e.Each), diag.Grouped(e.Cardinality))
	}
	return note + fmt.Sprintf(": %s per item × %s items", diag.Grouped(e.Each), diag.Grouped(e.Cardinality))
}

// String describes how a cause affects the cost.
func (c cause) String() string {
	size := "no " + c.limit.keyword
	if c.limit.now >= 0 {
		size = c.limit.keyword + " " + diag.Grouped(c.limit.now)
	}
	subject := fmt.Sprintf("%s has %s", c.limit.name(), size)
	switch {
	case c.repeats:
		return subject + "; the rule runs once per item"
	case c.power == 1:
		return subject + "; the cost grows with its size"
	case c.power == 2:
		return subject + "; the cost grows with the square of its size"
	case c.power == 3:
		return subject + "; the cost grows with the cube of its size"
	case c.power > 3:
		return subject + fmt.Sprintf("; the cost grows with the %dth power of its size", c.power)
	}
	return subject
}

// help returns what to write.
func (f *finding) help() string {
	switch {
	case f.repair != nil:
		return f.repair.help(RuleBudget)
	case f.foreign:
		return ""
	case f.enough != nil:
		return f.older() + "drop older versions with " + check.In(f.group[0].text().At).Kube(f.enough.String())
	case f.escaped != "":
		return "change the rule to " + f.escaped
	case f.hopeless && calls(f.group[0].ast(), "string"):
		return "format numbers as in '%d of %d'.format([self.a, self.b]): the result of string() has no estimated " +
			"length"
	case f.hopeless:
		return "read fields that have bounds instead: strings in lists from filter() or map() have no estimated size"
	}
	return fmt.Sprintf("simplify the %s: no bounds lower its cost enough", f.group[0].Part)
}

// older returns what to write instead of what older versions find too expensive, with "or".
func (f *finding) older() string {
	switch {
	case slices.Contains(f.lacking, kube.UnitEquality):
		return "compare quantities with compareTo, and URLs and addresses as strings, or "
	case slices.Contains(f.lacking, kube.SizesOfLocals):
		return "read each field by its name instead, or "
	}
	return fmt.Sprintf("simplify the %s, or ", f.group[0].Part)
}

// changes adds the steps and the effect of the bounds. They may be ones that all objects satisfy anyway.
func (r *repair) changes(d diag.Diagnostic) diag.Diagnostic {
	isKnown := func(b bounding) bool { return b.limit.target.at.IsValid() }
	if !slices.ContainsFunc(r.bounds, func(b bounding) bool { return !isKnown(b) }) {
		for _, b := range r.bounds {
			d = d.DoAt(diag.Bound, b.limit.target.at, fmt.Sprintf("%s%d", b.limit.target.text, b.n))
		}
	}
	return d.Changes(diag.AcceptsLess, "only those within the bounds")
}

// help returns what to write, and the share of a budget to which that lowers the cost.
func (r *repair) help(budget uint64) string {
	var parts []string
	for _, b := range r.bounds {
		part := b.limit.target.write(b.n)
		if b.limit.now >= 0 {
			part += fmt.Sprintf(" instead of %d", b.limit.now)
		}
		if b.most > b.n {
			part += fmt.Sprintf(" (at most %s)", diag.Grouped(b.most))
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("set %s; the cost drops to %s", diag.And(parts), Share(r.cost, budget))
}

// fieldOf returns the field that an estimate is of.
func fieldOf(e *Estimate) string { return cmp.Or(e.Rule.Place.Field(), "the object") }

// times returns a multiple of a budget: "3.5 times". If it is hardly more than one, it has more digits, or is in words.
func times(cost, budget uint64) string {
	factor := float64(cost) / float64(budget)
	switch {
	case immeasurable(cost):
		return "over 100,000,000 times"
	case factor >= 100:
		return diag.Grouped(uint64(factor)) + " times"
	case factor >= 1.05:
		return strconv.FormatFloat(factor, 'f', 1, 64) + " times"
	}
	if factor < 1.001 {
		return "just above"
	}
	return strconv.FormatFloat(factor, 'g', 4, 64) + " times"
}

// Share returns a part of a budget in percent, rounded down, so that a cost within the budget is never shown as more
// than 100 %.
func Share(cost, total uint64) string {
	tenths := product(cost, 1000) / total
	switch {
	case immeasurable(cost):
		return infinity
	case tenths == 0 && cost > 0:
		return "<0.1 %"
	case tenths >= 10_000:
		return diag.Grouped(tenths/10) + " %"
	}
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// Amount returns a cost or a number, with separators between thousands.
func Amount(n uint64) string {
	if immeasurable(n) {
		return infinity
	}
	return diag.Grouped(n)
}

// infinity stands for what is immeasurable.
const infinity = "∞"
