// Package vacuous finds rules of a CRD whose result is the same for all objects. Those that are true never reject one;
// those that are false reject each.
//
// Package symbolic decides that for all objects of the schema. A rule that bounds or enums imply is not reported: its
// author often wants its message, or repeats the bound for readers. So the search for objects for which a rule is not
// true leaves out those keywords, and reports what presence alone decides.
package vacuous

import (
	"context"
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/effort"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/rules/expr"
	"github.com/crdproof/crdproof/rules/internal/confirmed"
	"github.com/crdproof/crdproof/rules/symbolic"
)

var (
	celIdle       = &diag.Check{ID: "cel-idle", Severity: diag.Warning}
	celImpossible = &diag.Check{ID: "cel-impossible", Severity: diag.Error, Accepted: true}
)

// Checks returns the table of this package's checks.
func Checks() []*diag.Check { return []*diag.Check{celIdle, celImpossible} }

// objects are those of a schema. Most rules have an object of either result among the small ones, without the optional
// fields that the rule does not read: they are looked at first, since they take a fraction of the steps.
type objects struct {
	structure *structural.Structural
	ctx       context.Context
	budget    *effort.Budget
	whole     *symbolic.Objects
}

func objectsOf(ctx context.Context, structure *structural.Structural, budget *effort.Budget) objects {
	return objects{structure, ctx, budget, symbolic.Of(ctx, structure, nil).Within(budget)}
}

// exist answers whether there is an object for which a rule has one of some outcomes.
func (o objects) exist(r *expr.Rule, outcomes symbolic.Outcomes) symbolic.Answer {
	claim := symbolic.Claim{Rule: r, Outcomes: outcomes}
	small := symbolic.Of(o.ctx, confirmed.Reduced(o.structure, []expr.Rule{*r}), nil).Within(o.budget)
	if answer, _ := small.Exists(claim); answer == symbolic.Yes {
		return symbolic.Yes
	}
	answer, _ := o.whole.Exists(claim)
	return answer
}

// A level is a schema with some of what it demands, and why a rule is true if it is true for all of its objects.
type level struct {
	objects objects
	why     string
}

// Check reports the rules of a version's schema whose result is the same for all objects. Rules that compare with the
// value before an update are left out.
func Check(
	ctx context.Context, structure *structural.Structural, rules []expr.Rule, write check.Writer,
) []diag.Diagnostic {
	var out places
	budget := effort.New(ctx, effort.VacuousSteps)
	all := objectsOf(ctx, structure, budget)
	levels := levelsOf(ctx, structure, budget)
	for i := range rules {
		r := &rules[i]
		isPart := r.Source.Made && len(r.Source.Group) == 0 // of what a marker means
		if r.Checked == nil || r.Unreached || r.UsesOldSelf || isPart || r.Place.Schema.Incomplete != 0 ||
			out.isUseful(r) {
			continue
		}
		d, ok := levels.idle(r)
		switch {
		case ok:
			d = d.Help("%s", write.Choose("remove the marker", "remove the rule with its message"))
		case isFalse(all, r):
			d = diag.Errorf(r.Source.Rule.At, celImpossible,
				"this rule is false for every value that the schema accepts")
			ok = true
		}
		out.add(r, d, ok)
		if budget.Exceeded() {
			return append(out.found(), budget.Undecided(r.Source.Rule.At,
				"whether this rule and later ones have the same result for all objects").In(r.Path()+".rule"))
		}
	}
	return out.found()
}

// places are the findings about rules. One about a rule of a type that several fields have holds at all of them, or is
// none: the rule has a use at the others.
type places struct {
	list   []diag.Diagnostic
	index  map[diag.Span]int
	useful map[diag.Span]bool
}

// add adds what is found about a rule at one of its places.
func (p *places) add(r *expr.Rule, d diag.Diagnostic, ok bool) {
	at := r.Source.Rule.At
	if p.index == nil {
		p.index, p.useful = map[diag.Span]int{}, map[diag.Span]bool{}
	}
	d.For = r.Source.Use()
	switch i, seen := p.index[at]; {
	case !ok:
		p.useful[at] = true
	case seen && at.IsValid() && p.list[i].Check == d.Check && p.list[i].For == d.For:
		p.list[i].AlsoPaths = append(p.list[i].AlsoPaths, r.Path()+".rule")
	default:
		p.index[at] = len(p.list)
		p.list = append(p.list, d.In(r.Path()+".rule"))
	}
}

// isUseful reports whether a rule of a type has a use at another place of the type.
func (p *places) isUseful(r *expr.Rule) bool {
	return r.Source.Rule.At.IsValid() && p.useful[r.Source.Rule.At]
}

func (p *places) found() []diag.Diagnostic {
	return slices.DeleteFunc(p.list, func(d diag.Diagnostic) bool { return d.Span.IsValid() && p.useful[d.Span] })
}

// isFalse reports whether a rule is false for all objects. One that is written so forbids its field.
func isFalse(all objects, r *expr.Rule) bool {
	return strings.TrimSpace(r.Source.Rule.V) != "false" && all.exist(r, symbolic.True) == symbolic.No &&
		all.exist(r, symbolic.False) == symbolic.Yes
}

// levels are from the schema that demands most to the one that demands types alone.
type levels []level

func levelsOf(ctx context.Context, structure *structural.Structural, budget *effort.Budget) (out levels) {
	for _, l := range []struct {
		required, defaults bool
		why                string
	}{
		{true, true, ", because of defaults"},
		{true, false, ", because of required fields"},
		{false, false, ""},
	} {
		loose := structure.DeepCopy()
		loosen(loose, l.required, l.defaults)
		out = append(out, level{objectsOf(ctx, loose, budget), l.why})
	}
	return out
}

// loosen leaves out what a schema demands of values but their types, and unless they count, required fields and
// defaults. A format may be a type of CEL.
func loosen(s *structural.Structural, required, defaults bool) {
	if s == nil {
		return
	}
	if v := s.ValueValidation; v != nil {
		s.ValueValidation = &structural.ValueValidation{Format: v.Format}
		if required {
			s.ValueValidation.Required = v.Required
		}
	}
	if !defaults {
		s.Default = structural.JSON{}
	}
	for name, p := range s.Properties {
		loosen(&p, required, defaults)
		s.Properties[name] = p
	}
	loosen(s.Items, required, defaults)
	if s.AdditionalProperties != nil {
		loosen(s.AdditionalProperties.Structural, required, defaults)
	}
}

// idle reports a rule that is true for all objects of the first level, and why it is.
func (list levels) idle(r *expr.Rule) (d diag.Diagnostic, ok bool) {
	for _, l := range list {
		if l.objects.exist(r, symbolic.False|symbolic.Fails) != symbolic.No {
			break
		}
		d = diag.Warningf(r.Source.Rule.At, celIdle, "this rule is true for every object%s", l.why)
		ok = true
	}
	return d, ok
}
