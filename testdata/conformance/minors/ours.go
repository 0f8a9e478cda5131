package main

import (
	"context"
	"strings"

	celconfig "k8s.io/apiserver/pkg/apis/cel"

	"github.com/crdproof/crdproof/diag"
	crdproof "github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/cost"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema/read"
)

// A verdictReason is a field for which a CRD is rejected.
type verdictReason struct{ field, message string }

// ours are crdproof's reasons to reject a CRD for a minor.
func ours(
	ctx context.Context, minor, last kube.Minor, crd []byte,
) (out []verdictReason, rules []ruleCost, err error) {
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: crd})
	for _, doc := range docs {
		object, err := kube.Decode(doc.JSON)
		if err != nil {
			return []verdictReason{{"", err.Error()}}, nil, nil
		}
		opts := session.Options{Kube: kube.Range{First: minor, Last: last}, ByVerdict: true}
		s := session.New(doc.CRD, object, opts)
		rules = append(rules, ourCosts(s, minor)...)
		found = append(found, crdproof.Check(ctx, s)...)
	}
	for _, d := range found {
		if d.Severity == diag.Error {
			for _, path := range append([]string{d.Path}, d.AlsoPaths...) {
				out = append(out, verdictReason{path, d.Message + " [" + d.Check + "]"})
			}
		}
	}
	return out, rules, nil
}

// ourCosts are what crdproof says of the rules that it compiles.
func ourCosts(s *session.Session, minor kube.Minor) (out []ruleCost) {
	for _, v := range s.Versions {
		index := map[string]int{}
		for _, r := range v.Rules() {
			most := uint64(celconfig.MaxRequestSizeBytes / (r.Decl.MinSerializedSize + 1))
			c := ruleCost{Path: r.Path(), Values: most}
			if strings.TrimSpace(r.Source.Rule.V) == "" {
				continue // the server does not look at it
			}
			if r.Checked == nil {
				c.Rule = "does not compile"
			} else if r.Message == nil && r.Source.MessageExpression.V != "" {
				c.Message = "does not compile"
			}
			index[c.Path] = len(out)
			out = append(out, c)
		}
		for _, e := range v.Estimates() {
			if c := &out[index[e.Rule.Path()]]; e.Part == cost.PartRule {
				c.Each = e.At(minor)
			} else {
				c.MessageCost = e.At(minor)
			}
		}
	}
	return out
}
