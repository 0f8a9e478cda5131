package rules

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
)

// A Lost rule is one that Relieve has left out.
type Lost struct {
	Rule *schema.Rule
	// Transition is set for a rule about updates, which has no old value to compare with.
	Transition bool
	// own is the innermost place of the user's that leads to it, and why says what is wrong with it there.
	own   diag.Span
	field string
	why   string
}

// Relieve returns the CRD without rules of other people's types that no API server would accept where the types are used:
// rules about updates below lists that are not of type map (KEP-2876), and rules made of tags that do not compile or cost
// too much there. Their authors did not know where the types would be used, and whoever uses them cannot mend them. Rules
// of the user's own types stay as they are, and so do those that other people have written out: the proof refuses them, and
// knows the cure.
func Relieve(crd *schema.CRD, opts session.Options) (*schema.CRD, []Lost) {
	if opts.Owns == nil {
		return crd, nil
	}
	out := *crd
	out.Versions = slices.Clone(crd.Versions)
	var lost []Lost
	changed := false
	for i := range out.Versions {
		v := &out.Versions[i]
		r := relief{owns: opts.Owns, at: crd.At, lost: map[string][]int{}, plain: map[string][]int{}}
		schema.Walk(v.Schema, r.transitions)
		v.Schema = r.without(v.Schema)
		r.costs(i, v.Schema, opts.Kube)
		v.Schema = r.without(v.Schema)
		lost, changed = append(lost, r.list...), changed || r.changed
	}
	if !changed {
		return crd, nil
	}
	return &out, lost
}

// relief is the working state for one version.
type relief struct {
	owns func(diag.Span) bool
	at   diag.Span
	// made is set where there are rules of tags in other people's types.
	made bool
	// lost are the positions of the rules to leave out, by the path of their place.
	lost map[string][]int
	// plain are likewise the rules of tags whose messageExpression costs too much: their plain message says enough.
	plain map[string][]int
	list  []Lost
	// changed is set once there is another schema.
	changed bool
}

// isTransition matches a rule that compares with the value before an update.
var isTransition = regexp.MustCompile(`\boldSelf\b`)

// transitions looks for rules about updates that have nothing to compare with.
func (r *relief) transitions(p *schema.Place) {
	for i := range p.Schema.Rules {
		rule := &p.Schema.Rules[i]
		if p.Nested {
			continue
		}
		r.made = r.made || rule.Made && (rule.MessageExpression.V != "" || !r.owns(rule.At))
		if r.owns(rule.At) {
			continue
		}
		if isTransition.MatchString(rule.Rule.V) && isUncorrelated(p) {
			r.leaveOut(p, i, Lost{Rule: rule, Transition: true, why: "has nothing to compare with below a list that is not of type map"})
		}
	}
}

// isUncorrelated reports whether a place lies below a list of which the API server cannot tell what an item was before.
func isUncorrelated(p *schema.Place) bool {
	for ; p.Above != nil; p = p.Above {
		if p.Step == schema.InItems && p.Above.Schema.ListType.V != "map" {
			return true
		}
	}
	return false
}

// costs looks for rules of tags that do not compile, or cost more than there is.
func (r *relief) costs(version int, root *schema.Schema, versions kube.Range) {
	if !r.made {
		return
	}
	structure, err := kube.Structural(root)
	if err != nil {
		return // the verdict says why
	}
	compiled, _ := expr.Compile(version, root, structure, versions)
	for i := range compiled {
		if c := &compiled[i]; c.Checked == nil && r.yields(c) {
			r.leaveOut(c.Place, c.Index, Lost{Rule: c.Source, why: "does not compile here"})
		}
	}
	estimates := slices.DeleteFunc(cost.Estimates(compiled), func(e cost.Estimate) bool {
		if e.Part == cost.PartMessage && e.Cost > cost.RuleBudget && e.Rule.Source.Made {
			path := e.Rule.Place.Path()
			r.plain[path] = append(r.plain[path], e.Rule.Index)
			return true
		}
		dear := e.Cost > cost.RuleBudget && r.yields(e.Rule)
		if dear {
			r.leaveOut(e.Rule.Place, e.Rule.Index, tooDear(&e))
		}
		return dear
	})
	slices.SortStableFunc(estimates, func(a, b cost.Estimate) int { return cmp.Compare(b.Cost, a.Cost) })
	total := cost.Total(estimates)
	own := slices.DeleteFunc(slices.Clone(estimates), func(e cost.Estimate) bool { return r.yields(e.Rule) })
	if cost.Total(own) > cost.VersionBudget {
		return // which no rule of others is to blame for
	}
	for i := range estimates {
		if e := &estimates[i]; total > cost.VersionBudget && r.yields(e.Rule) {
			total -= min(total, e.Cost)
			r.leaveOut(e.Rule.Place, e.Rule.Index, tooDear(e))
		}
	}
}

// tooDear is a rule that is left out for its cost.
func tooDear(e *cost.Estimate) Lost {
	return Lost{Rule: e.Rule.Source, why: "would cost more than a rule may"}
}

// yields reports whether a rule may be left out for what it costs.
func (r *relief) yields(c *expr.Rule) bool { return c.Source.Made && !r.owns(c.Source.At) }

func (r *relief) leaveOut(p *schema.Place, index int, l Lost) {
	path := p.Path()
	if slices.Contains(r.lost[path], index) {
		return
	}
	r.lost[path] = append(r.lost[path], index)
	l.own, l.field = r.at, p.Field()
	for ; p != nil; p = p.Above {
		if r.owns(p.Schema.At) {
			l.own = p.Schema.At
			break
		}
	}
	r.list = append(r.list, l)
}

// without returns the schema without the rules to leave out, and forgets them.
func (r *relief) without(root *schema.Schema) *schema.Schema {
	if len(r.lost)+len(r.plain) == 0 {
		return root
	}
	out := schema.Map(root, r.kept)
	r.lost, r.plain, r.changed = map[string][]int{}, map[string][]int{}, true
	return out
}

// kept is the schema of a place without the rules to leave out.
func (r *relief) kept(p *schema.Place) *schema.Schema {
	if len(p.Schema.Rules) == 0 {
		return p.Schema
	}
	path := p.Path()
	lost, plain := r.lost[path], r.plain[path]
	if len(lost)+len(plain) == 0 {
		return p.Schema
	}
	out := *p.Schema
	out.Rules = nil
	for i, rule := range p.Schema.Rules {
		if slices.Contains(plain, i) {
			rule.MessageExpression = schema.Text{}
		}
		if !slices.Contains(lost, i) {
			out.Rules = append(out.Rules, rule)
		}
	}
	return &out
}

// Unenforced says what Relieve has left out: one warning for each place of the user's that leads there.
func Unenforced(lost []Lost) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, l := range lost {
		what := shown(l.Rule) + " of " + l.field + " " + l.why
		i := slices.IndexFunc(out, func(d diag.Diagnostic) bool { return d.Span == l.own })
		if i < 0 {
			out = append(out, diag.Diagnostic{
				Span: l.own, Check: "tag-unenforced", Severity: diag.Warning,
				Message:  "not enforced in this field, whose type is not yours: " + what,
				HelpText: "bound the lists and maps that lead there with MaxItems and MaxProperties, and make lists ones of type map",
				SeeAlso:  []diag.Related{{Span: l.Rule.At, Message: "the first of them"}},
			})
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
