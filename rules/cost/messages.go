package cost

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// The ids of this package's checks.
const (
	idCost    = "cel-cost"
	idMessage = "cel-cost-message"
	idTotal   = "cel-cost-total"
	idShare   = "cel-cost-share"
)

// maxNamed is how many causes and rules are named.
const maxNamed = 5

// aboveBudget says that a rule or a messageExpression costs too much.
func aboveBudget(f finding) diag.Diagnostic {
	worst := f.group[0]
	d := f.diagnostic(idCost)
	if worst.Part == PartMessage {
		d.Check = idMessage
	}
	d.Message = fmt.Sprintf("the estimated cost is %s the budget of a %s", times(worst.Cost, RuleBudget), worst.Part)
	if f.hopeless {
		d.Message = fmt.Sprintf("the estimated cost of the %s has no limit", worst.Part)
	}
	d.HelpText = f.help()
	return d
}

// aboveShare says that a rule is on its way to cost too much.
func aboveShare(f finding) diag.Diagnostic {
	worst := f.group[0]
	d := f.diagnostic(idShare)
	d.Message = fmt.Sprintf("the estimated cost is %s of the budget of a %s; little can be added before an API server refuses it",
		Share(worst.Cost, RuleBudget), worst.Part)
	d.HelpText = f.help()
	return d
}

// diagnostic is what the findings have in common.
func (f *finding) diagnostic(id string) diag.Diagnostic {
	worst := f.group[0]
	text := worst.text()
	d := diag.Diagnostic{Span: text.Range(0, len(text.V)), Check: id, Path: worst.Path()}
	d.Notes = []string{costNote(worst)}
	for _, e := range f.group[1:] {
		d.AlsoPaths = append(d.AlsoPaths, e.Path())
	}
	if n := len(f.group); n > 1 {
		d.Notes = append(d.Notes, fmt.Sprintf("this is %s; the same goes for %s, such as %s",
			fieldOf(worst), plural(n-1, "more place"), fieldOf(f.group[1])))
	}
	for _, c := range f.causes {
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: c.limit.place.At(), Message: c.String()})
	}
	return d
}

// costNote shows how the cost is made up.
func costNote(e *Estimate) string {
	note := fmt.Sprintf("cost %s of %s", Amount(e.Cost), grouped(RuleBudget))
	switch {
	case immeasurable(e.Each):
		return note
	case e.Cardinality == 1:
		return note
	case e.Unbounded:
		return note + fmt.Sprintf(": %s for one value, and %s values fit into a request", grouped(e.Each), grouped(e.Cardinality))
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
		return "the estimate knows nothing of the length of string(…); put numbers into texts as in '%d of %d'.format([self.a, self.b])"
	case f.hopeless:
		return "the estimate knows nothing of the size of texts in lists that filter, map and the like make; read fields that have bounds instead"
	}
	return fmt.Sprintf("no bound that could be set brings it there; the %s itself has to become simpler", f.group[0].Part)
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
	if len(parts) > 1 {
		verb = "bring"
	}
	last := len(parts) - 1
	list := parts[last]
	if last > 0 {
		list = strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return list + " " + verb + " it"
}

// totalAboveBudget says that the rules of a version cost too much together.
func totalAboveBudget(root *schema.Schema, total uint64, rules []portion, r *repair) diag.Diagnostic {
	d := diag.Diagnostic{
		Span: root.At, Check: idTotal,
		Message:  fmt.Sprintf("the estimated cost of all rules is %s the budget of a version", times(total, VersionBudget)),
		Notes:    []string{fmt.Sprintf("cost %s of %s", Amount(total), grouped(VersionBudget))},
		HelpText: "no few bounds bring it within the budget; make the most expensive rules simpler, or write one rule where there are several",
	}
	for i, p := range rules {
		if i == maxNamed {
			break
		}
		message := fmt.Sprintf("the %s on %s costs %s, %s of the sum", p.first.Part, fieldOf(p.first), Amount(p.cost), Share(p.cost, total))
		if p.places > 1 {
			message += ", with " + plural(p.places-1, "more place")
		}
		d.SeeAlso = append(d.SeeAlso, diag.Related{Span: p.first.text().At, Message: message})
	}
	if r != nil {
		d.HelpText = r.String() + " to " + Share(r.cost, VersionBudget)
	}
	return d
}

// consequence says of a rule above its budget that it exhausts the budget of the version as well.
func consequence(total uint64) string {
	return fmt.Sprintf("because of it the rules of the version cost %s of %s together", Amount(total), grouped(VersionBudget))
}

// fieldOf is the field that an estimate is of.
func fieldOf(e *Estimate) string {
	if field := e.Rule.Place.Field(); field != "" {
		return field
	}
	return "the object"
}

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

// Share is a part of a budget in percent, rounded down, so that what is within a budget is never shown as more than 100 %.
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
