package session

import (
	"context"
	"slices"

	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// judge asks for the server's verdict. Rules that this session has compiled and estimated with the server's own library
// are not compiled again: if the server has nothing against the rest of the CRD, it has nothing against them. If it
// has, it is asked about everything, since errors in a schema keep it from looking at rules.
func (s *Session) judge(ctx context.Context) ([]kube.Rejection, error) {
	if s.before != nil {
		return s.judgeUpdate(ctx)
	}
	certain := s.certainRules()
	crd, err := s.internalOfRange()
	s.internal = nil // the verdict uses it up
	if err != nil {
		return nil, err
	}
	if len(certain) == 0 || !s.isOf(crd) {
		return kube.Judge(ctx, crd), nil
	}
	kube.DropCertain(crd, s.CRD, func(r *schema.Rule) bool { return certain[r] })
	if rejections := kube.Judge(ctx, crd); kube.InMetadata(rejections) && s.defaultsObeyRules(ctx) {
		return rejections, nil
	}
	crd, err = kube.Internal(s.Object())
	if err != nil {
		return nil, err
	}
	return kube.Judge(ctx, crd), nil
}

// judgeUpdate asks for the server's verdict on an update.
func (s *Session) judgeUpdate(ctx context.Context) ([]kube.Rejection, error) {
	before, err := s.before.internalOfRange()
	s.before.internal = nil // as below
	if err != nil {
		return nil, err
	}
	crd, err := s.internalOfRange()
	s.internal = nil // the verdict uses it up
	if err != nil {
		return nil, err
	}
	return kube.JudgeUpdate(ctx, before, crd), nil
}

// defaultsObeyRules reports whether the server finds nothing wrong with defaults that rules apply to.
func (s *Session) defaultsObeyRules(ctx context.Context) bool {
	for _, v := range s.Versions {
		if s.Like(v) != v || !rulesBelowDefault(v.Schema, false) {
			continue
		}
		structure, err := v.Structure()
		if err != nil {
			return false
		}
		ruled := kube.RulesOfDefaults(structure)
		if ruled != nil && len(kube.Defaults(ctx, v.Key("schema.openAPIV3Schema"), ruled, true)) > 0 {
			return false
		}
	}
	return true
}

// rulesBelowDefault reports whether a schema has a rule at a default, or below one, or anywhere if it is below a
// default itself.
func rulesBelowDefault(s *schema.Schema, below bool) bool {
	if s == nil {
		return false
	}
	below = below || s.Default != nil
	return below && len(s.Rules) > 0 || rulesBelowDefault(s.Items, below) ||
		rulesBelowDefault(s.AdditionalProperties, below) ||
		slices.ContainsFunc(s.Properties, func(p schema.Property) bool { return rulesBelowDefault(p.Schema, below) })
}

// certainRules tells which rules a server of the library's version accepts at all of their places, judging by the
// expressions, their costs and the sum of these: see kube.DropCertain.
func (s *Session) certainRules() map[*schema.Rule]bool {
	if s.Kube.Last < kube.Latest() {
		return nil // they are compiled as an older server does it
	}
	certain := map[*schema.Rule]bool{}
	for _, v := range s.Versions {
		if v.Schema != nil && defaultsEmbedded(v.Schema) {
			return nil // looking at defaults may change them
		}
		rules, estimates := v.Rules(), v.Estimates()
		if cost.Total(estimates) > cost.VersionBudget {
			return nil
		}
		for i := range rules {
			r := &rules[i]
			before, seen := certain[r.Source]
			certain[r.Source] = (before || !seen) && r.IsCertain()
		}
		for _, e := range estimates {
			if e.Each == 0 || e.Cost > cost.RuleBudget { // without an estimate the cost is 0
				certain[e.Rule.Source] = false
			}
		}
	}
	return certain
}
