package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// A DroppedRule is one that DropForeignRules has left out.
type DroppedRule struct {
	Rule *schema.Rule
	// Transition is set for a rule about updates, which has no old value to compare with.
	Transition bool
	// own is the innermost place of the user's that leads to it, and why says what is wrong with it there.
	own   diag.Span
	field string
	why   string
}

// DropForeignRules returns the session of the CRD without rules of imported types that no API server would accept where
// the types are used: rules about updates below lists that are not of type map (KEP-2876), and rules made of tags that
// do not compile or are too expensive there. Their authors did not know where the types would be used, and whoever uses
// them cannot fix them. Rules of the user's own types stay as they are, and so do written rules of imported
// types: the API server rejects them, and we explain that with a fix.
func DropForeignRules(s *session.Session) (*session.Session, []DroppedRule) {
	if s.Owns == nil {
		return s, nil
	}
	versions := make([]drops, len(s.Versions))
	for i := range versions {
		versions[i] = drops{owns: s.Owns, at: s.CRD.At, dropped: map[string][]int{}, plain: map[string][]int{}}
	}
	drop := func(choose func(*drops, *session.Version)) {
		crd := *s.CRD
		crd.Versions = slices.Clone(crd.Versions)
		for i := range versions {
			v := &crd.Versions[i]
			choose(&versions[i], s.Versions[i])
			v.Schema = versions[i].without(v.Schema)
		}
		differs := func(v *session.Version) bool { return crd.Versions[v.Index].Schema != v.Schema }
		if slices.ContainsFunc(s.Versions, differs) {
			s = s.With(&crd)
		}
	}
	drop((*drops).transitions)
	drop((*drops).costs)
	var dropped []DroppedRule
	for i := range versions {
		dropped = append(dropped, versions[i].list...)
	}
	return s, dropped
}

// drops is the working state for one version.
type drops struct {
	owns func(diag.Span) bool
	at   diag.Span
	// made is set if there are rules of tags in imported types.
	made bool
	// dropped are the positions of the rules to leave out, by the path of their place.
	dropped map[string][]int
	// plain are likewise the rules of tags whose messageExpression is too expensive: their plain message says enough.
	plain map[string][]int
	list  []DroppedRule
}

// transitions looks for rules about updates that have nothing to compare with.
func (d *drops) transitions(v *session.Version) {
	schema.Walk(v.Schema, func(p *schema.Place) {
		if p.Nested {
			return
		}
		for i := range p.Schema.Rules {
			r := &p.Schema.Rules[i]
			d.made = d.made || r.Made && (r.MessageExpression.V != "" || !d.owns(r.At))
			if !d.owns(r.At) && expr.Uncorrelated(p) != nil && isTransition(v, p, i) {
				const why = "has no old value below a list that is not of type map"
				d.leaveOut(p, i, DroppedRule{Rule: r, Transition: true, why: why})
			}
		}
	})
}

// isTransition reports whether a rule compares with the value before an update. Of one that does not compile its text
// decides.
func isTransition(v *session.Version, p *schema.Place, index int) bool {
	if !strings.Contains(p.Schema.Rules[index].Rule.V, "oldSelf") {
		return false
	}
	path := p.Path()
	compiled := v.Rules()
	i := slices.IndexFunc(compiled, func(r expr.Rule) bool { return r.Index == index && r.Place.Path() == path })
	return i < 0 || compiled[i].Checked == nil || compiled[i].UsesOldSelf
}

// costs looks for rules of tags that do not compile, or are too expensive. If there is no structural schema, the
// verdict says why.
func (d *drops) costs(v *session.Version) {
	if !d.made {
		return
	}
	compiled := v.Rules()
	for i := range compiled {
		if r := &compiled[i]; r.Checked == nil && d.droppable(r) {
			d.leaveOut(r.Place, r.Index, DroppedRule{Rule: r.Source, why: "does not compile here"})
		}
	}
	estimates := slices.DeleteFunc(slices.Clone(v.Estimates()), func(e cost.Estimate) bool {
		if e.Part == cost.PartMessage && e.Cost > cost.RuleBudget && e.Rule.Source.Made {
			path := e.Rule.Place.Path()
			d.plain[path] = append(d.plain[path], e.Rule.Index)
			return true
		}
		isExpensive := e.Cost > cost.RuleBudget && d.droppable(e.Rule)
		if isExpensive {
			d.leaveOut(e.Rule.Place, e.Rule.Index, tooExpensive(&e))
		}
		return isExpensive
	})
	slices.SortStableFunc(estimates, func(a, b cost.Estimate) int { return cmp.Compare(b.Cost, a.Cost) })
	total := cost.Total(estimates)
	own := slices.DeleteFunc(slices.Clone(estimates), func(e cost.Estimate) bool { return d.droppable(e.Rule) })
	if cost.Total(own) > cost.VersionBudget {
		return // imported rules are not the reason
	}
	for i := range estimates {
		if e := &estimates[i]; total > cost.VersionBudget && d.droppable(e.Rule) {
			total -= min(total, e.Cost)
			d.leaveOut(e.Rule.Place, e.Rule.Index, tooExpensive(e))
		}
	}
}

// tooExpensive returns a rule that is left out for its cost.
func tooExpensive(e *cost.Estimate) DroppedRule {
	return DroppedRule{Rule: e.Rule.Source, why: "exceeds the cost budget"}
}

// droppable reports whether a rule may be left out for what it costs.
func (d *drops) droppable(r *expr.Rule) bool { return r.Source.Made && !d.owns(r.Source.At) }

func (d *drops) leaveOut(p *schema.Place, index int, r DroppedRule) {
	path := p.Path()
	if slices.Contains(d.dropped[path], index) {
		return
	}
	d.dropped[path] = append(d.dropped[path], index)
	r.own, r.field = diag.Nearest(p.Nearest(d.owns), d.at), p.Field()
	d.list = append(d.list, r)
}

// without returns the schema without the rules to leave out, and forgets them.
func (d *drops) without(root *schema.Schema) *schema.Schema {
	if len(d.dropped)+len(d.plain) == 0 {
		return root
	}
	out := schema.Map(root, d.kept)
	clear(d.dropped)
	clear(d.plain)
	return out
}

// kept returns the schema of a place without the rules to leave out.
func (d *drops) kept(p *schema.Place) *schema.Schema {
	if len(p.Schema.Rules) == 0 {
		return p.Schema
	}
	path := p.Path()
	dropped, plain := d.dropped[path], d.plain[path]
	if len(dropped)+len(plain) == 0 {
		return p.Schema
	}
	out := *p.Schema
	out.Rules = nil
	for i, rule := range p.Schema.Rules {
		if slices.Contains(plain, i) {
			rule.MessageExpression = schema.Text{}
		}
		if !slices.Contains(dropped, i) {
			out.Rules = append(out.Rules, rule)
		}
	}
	return &out
}

// unenforced is found in imported types as well when CRDs are made, where its row is.
var unenforced = &diag.Check{ID: "tag-unenforced"}

// Unenforced reports what DropForeignRules has left out: one warning for each place of the user's that leads there.
func Unenforced(dropped []DroppedRule) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, r := range dropped {
		what := shown(r.Rule) + " of " + r.field + " " + r.why
		i := slices.IndexFunc(out, func(d diag.Diagnostic) bool { return d.Span == r.own })
		if i < 0 {
			const message = "not enforced in this field of an imported type: %s"
			out = append(out, diag.Warningf(r.own, unenforced, message, what).
				Help("set MaxItems and MaxProperties on the lists and maps around it, and use lists of type map").
				See(r.Rule.At, "the first rule"))
			continue
		}
		if !strings.Contains(out[i].Message, what) {
			out[i].Message += "; " + what
		}
	}
	return out
}

// shown names a rule by the tag that it stands for, or by what it says.
func shown(r *schema.Rule) string {
	if r.Made {
		return r.At.Text()
	}
	return fmt.Sprintf("the rule %q", r.Rule.V)
}
