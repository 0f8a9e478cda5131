package diff

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// An audience is the people whom the changes of a class break.
type audience struct {
	class Class
	who   string
	// effects are what happens to them, by question.
	effects map[Question]string
}

// audiences returns the audiences, in the order of the classes.
func audiences() []audience {
	return []audience{
		{ClassStored, "users with stored objects", map[Question]string{Stored: "updates are rejected",
			Kept: "values are dropped", Definition: "the CRD cannot take the place of the old one"}},
		{ClassCreate, "users who create objects", map[Question]string{Create: "objects are rejected",
			Meaning: "defaults differ", Definition: "requests fail"}},
		{ClassReaders, "programs that read objects", map[Question]string{Readers: "new values may be unknown to them",
			Definition: "names, lists or subresources differ"}},
	}
}

// WriteSummary writes what the changes break, and for whom, in at most three lines. Changes that a policy does not
// report do not count.
func (r *Report) WriteSummary(w io.Writer, policy *Policy) {
	r.writeBroken(policy, func(line string) { fmt.Fprintln(w, line) }, diag.Printable)
}

// writeBroken writes the lines of the summary, in which CRDs are named in a form.
func (r *Report) writeBroken(policy *Policy, write func(line string), form func(name string) string) {
	var rejected []string
	for _, c := range r.Comparisons {
		if len(c.Rejected) > 0 {
			rejected = append(rejected, form(c.Title()))
		}
	}
	if len(rejected) > 0 {
		write("breaks everyone: API servers reject " + listed(rejected, false))
	}
	groups := groupsOf(r.Comparisons, policy)
	breaks := len(rejected) > 0
	for _, a := range audiences() {
		if line := a.line(groups, form); line != "" && len(rejected) == 0 {
			write(line)
			breaks = true
		}
	}
	if !breaks && slices.ContainsFunc(r.Comparisons, (*Comparison).Changed) {
		write(r.spared())
	}
}

// spared says what the changes do if none that is reported breaks objects or programs.
func (r *Report) spared() string {
	unknown, isHidden := 0, false
	for _, c := range r.Comparisons {
		for _, q := range Questions() {
			if c.Answer(q) == Unknown {
				unknown++
			}
		}
		for i := range c.Changes {
			breaks := func(f Finding) bool { return f.Answer == No && f.Class < ClassStrict }
			isHidden = isHidden || slices.ContainsFunc(c.Changes[i].Findings, breaks)
		}
	}
	switch {
	case unknown > 0:
		return "breaks nothing that was decided; " + diag.Counted(unknown, "answer") + " unknown"
	case isHidden:
		return "breaks only what is silenced or off"
	}
	return "breaks neither objects nor programs"
}

// line returns what changes break for an audience, "" if they break nothing.
func (a *audience) line(groups []*group, form func(name string) string) string {
	broken := map[Question]bool{}
	var crds []string
	changes := 0
	for _, g := range groups {
		for _, p := range g.places {
			breaks := false
			for _, f := range p.Findings {
				if f.Answer == No && f.Class == a.class {
					breaks, broken[f.Question] = true, true
				}
			}
			if !breaks {
				continue
			}
			changes++
			if name := form(p.crd.Title()); !slices.Contains(crds, name) {
				crds = append(crds, name)
			}
		}
	}
	if changes == 0 {
		return ""
	}
	var effects []string
	for _, q := range Questions() {
		if broken[q] {
			effects = append(effects, a.effects[q])
		}
	}
	slices.Sort(crds)
	return fmt.Sprintf("breaks %s: %s (%s of %s)", a.who, strings.Join(effects, ", "), diag.Counted(changes, "change"),
		listed(crds, false))
}

// WriteText writes the answers and the additions for people; the findings are written elsewhere.
func (r *Report) WriteText(w io.Writer, detail Detail) {
	differ := r.writeAnswers(w, detail)
	r.writeSilenced(w)
	r.writeAdditions(w, detail)
	if len(r.Added) > 0 {
		fmt.Fprintf(w, "new CRDs: %s\n", diag.Printable(listed(r.Added, detail.Places)))
	}
	what := diag.Counted(len(r.Comparisons), "CRD")
	if len(r.Comparisons) > 0 && r.Comparisons[0].Versions != "" {
		what = diag.Counted(len(r.Comparisons), "pair") + " of versions"
	}
	fmt.Fprintf(w, "%s compared, %d with differences\n", what, differ)
}

// writeAnswers writes the answers, those of CRDs with the same ones on one line, and returns how many CRDs differ.
func (r *Report) writeAnswers(w io.Writer, detail Detail) (differ int) {
	var order []string
	names := map[string][]string{}
	isYes := true
	for _, c := range r.Comparisons {
		if !c.Changed() {
			continue
		}
		differ++
		isYes = isYes && len(c.Changes)+len(c.Rejected) == 0
		answers := c.answers()
		if len(c.Rejected) > 0 {
			answers += "\n  API servers reject the new CRD; its schemas have not been compared"
		}
		if names[answers] == nil {
			order = append(order, answers)
		}
		names[answers] = append(names[answers], diag.Printable(c.Title()))
	}
	for _, answers := range order {
		fmt.Fprintf(w, "%s: %s\n", listed(names[answers], detail.Places), answers)
	}
	if !isYes {
		var legend []string
		for _, q := range Questions() {
			legend = append(legend, fmt.Sprintf("%s: %s", q, q.short()))
		}
		fmt.Fprintf(w, "  (%s)\n", strings.Join(legend, " · "))
	}
	return differ
}

// answers returns all answers on one line.
func (c *Comparison) answers() string {
	var out []string
	for _, q := range Questions() {
		out = append(out, fmt.Sprintf("%s %s", q, c.Answer(q)))
	}
	return strings.Join(out, " · ")
}

func (r *Report) writeSilenced(w io.Writer) {
	for _, c := range r.Comparisons {
		for i := range c.Changes {
			if change := &c.Changes[i]; change.Silenced != "" {
				fmt.Fprintf(w, "  - %s (silenced: %s)\n", diag.Printable(change.text(c.Name)),
					diag.Printable(change.Silenced))
			}
		}
	}
}

// shownAdditions is how many additions are shown if not all are.
const shownAdditions = 8

// writeAdditions writes the additions, equal ones on one line.
func (r *Report) writeAdditions(w io.Writer, detail Detail) {
	var order []string
	places := map[string][]string{}
	for _, c := range r.Comparisons {
		for i := range c.Additions {
			a := &c.Additions[i]
			what := a.Message + a.remark()
			if places[what] == nil {
				order = append(order, what)
			}
			where := strings.TrimSuffix(lineOf(a.Versions, cmp.Or(a.Path, c.Name), ""), ": ")
			places[what] = append(places[what], where)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(len(places[b]), len(places[a])) })
	shown := order
	if more := len(order) - shownAdditions; more > 1 && !detail.Places {
		shown = order[:shownAdditions]
	}
	for _, what := range shown {
		fmt.Fprintf(w, "  + %s: %s\n", diag.Printable(listed(places[what], detail.Places)), diag.Printable(what))
	}
	if more := len(order) - len(shown); more > 0 {
		fmt.Fprintf(w, "  + and %d more\n", more)
	}
}

// text returns a change on one line, with the name of the CRD if it is not about a field.
func (c *Change) text(name string) string { return lineOf(c.Versions, cmp.Or(c.Path, name), c.Message) }

func lineOf(versions []string, where, message string) string {
	out := where + ": " + message
	if len(versions) > 0 {
		out = strings.Join(versions, ", ") + " " + out
	}
	return out
}

// remark returns what to know about a new field.
func (a *Addition) remark() string {
	if a.IsField {
		return " (an old client that updates whole objects removes it)"
	}
	return ""
}
