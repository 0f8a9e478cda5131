package cost

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// maxNamed is how many causes and rules are named.
const maxNamed = 5

// costNote shows how the cost is made up.
func costNote(e *Estimate) string {
	note := fmt.Sprintf("cost %s of %s", Amount(e.Cost), grouped(RuleBudget))
	switch {
	case immeasurable(e.Each), e.Cardinality == 1:
		return note
	case e.Unbounded:
		return note + fmt.Sprintf(": %s for one value, and %s values fit into a request",
			grouped(e.Each), grouped(e.Cardinality))
	}
	return note + fmt.Sprintf(": %s for one value, and there can be %s values", grouped(e.Each), grouped(e.Cardinality))
}

// String is what a cause does to the cost.
func (c cause) String() string {
	size := "no " + c.limit.keyword
	if c.limit.now >= 0 {
		size = c.limit.keyword + " " + grouped(uint64(c.limit.now))
	}
	subject := fmt.Sprintf("%s has %s", c.limit.name(), size)
	switch {
	case c.repeats:
		return subject + ", and the rule is evaluated for each value in it"
	case c.power == 1:
		return subject + ", and the cost grows with its size"
	case c.power == 2:
		return subject + ", and the cost grows with the square of its size"
	case c.power == 3:
		return subject + ", and the cost grows with the cube of its size"
	case c.power > 3:
		return subject + fmt.Sprintf(", and the cost grows with the %dth power of its size", c.power)
	}
	return subject
}

// help says what to write.
func (f *finding) help() string {
	switch {
	case f.repair != nil:
		return f.repair.String() + " to " + Share(f.repair.cost, RuleBudget)
	case f.foreign:
		return ""
	case f.hopeless && calls(f.group[0].ast(), "string"):
		return "the estimate knows nothing of the length of string(…); " +
			"put numbers into texts as in '%d of %d'.format([self.a, self.b])"
	case f.hopeless:
		return "the estimate knows nothing of the size of texts in lists that filter, map and the like make; " +
			"read fields that have bounds instead"
	}
	return fmt.Sprintf("no bound that could be set brings it there; the %s itself has to become simpler",
		f.group[0].Part)
}

// String is what has to be written, up to "brings it".
func (r *repair) String() string {
	var parts []string
	for _, b := range r.bounds {
		part := b.limit.target.write(b.n)
		if b.limit.now >= 0 {
			part += fmt.Sprintf(" instead of %d", b.limit.now)
		}
		if b.most > b.n {
			part += fmt.Sprintf(" (at most %s)", grouped(uint64(b.most)))
		}
		parts = append(parts, part)
	}
	verb := "brings"
	list, last := parts[0], len(parts)-1
	if last > 0 {
		verb, list = "bring", strings.Join(parts[:last], ", ")+" and "+parts[last]
	}
	return list + " " + verb + " it"
}

// fieldOf is the field that an estimate is of.
func fieldOf(e *Estimate) string { return cmp.Or(e.Rule.Place.Field(), "the object") }

// times is a multiple of a budget: "3.5 times". What is hardly more than one is told to more places, or in words.
func times(cost, budget uint64) string {
	factor := float64(cost) / float64(budget)
	switch {
	case immeasurable(cost):
		return "immeasurably many times"
	case factor >= 100:
		return grouped(uint64(factor)) + " times"
	case factor >= 1.05:
		return strconv.FormatFloat(factor, 'f', 1, 64) + " times"
	}
	if factor < 1.001 {
		return "just above"
	}
	return strconv.FormatFloat(factor, 'g', 4, 64) + " times"
}

// Share is a part of a budget in percent, rounded down, so that what is within a budget is never shown as more than 100
// %.
func Share(cost, of uint64) string {
	tenths := product(cost, 1000) / of
	switch {
	case immeasurable(cost):
		return infinity
	case tenths == 0 && cost > 0:
		return "<0.1 %"
	case tenths >= 10_000:
		return grouped(tenths/10) + " %"
	}
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// Amount is a cost or a number, with separators between thousands.
func Amount(n uint64) string {
	if immeasurable(n) {
		return infinity
	}
	return grouped(n)
}

// infinity stands for what is immeasurable.
const infinity = "∞"

// grouped writes a number with separators between thousands.
func grouped(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var out strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	return out.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
