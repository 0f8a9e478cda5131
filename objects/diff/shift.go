package diff

import (
	"context"
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/kube"
)

// A Shift is how an edit of a CRD changes what API servers do with objects: why they accept more of them, accept fewer,
// or store others. What does not change is "".
type Shift struct{ More, Less, Other string }

// Observe compares a CRD before and after an edit, in both directions. An answer that is unknown counts as a change,
// unless known is set: then only answers count that are known.
func Observe(ctx context.Context, before, after crds.CRD, known bool) (Shift, error) {
	forward, err := Compare(ctx, before, after, kube.Range{})
	if err != nil {
		return Shift{}, err
	}
	backward, err := Compare(ctx, after, before, kube.Range{})
	if err != nil {
		return Shift{}, err
	}
	if len(forward.Rejected)+len(backward.Rejected) > 0 {
		return Shift{Other: "an API server rejects the update of the CRD"}, nil
	}
	out := Shift{
		Less: worst(forward, known, Create, Stored), More: worst(backward, known, Create),
		Other: worst(forward, known, Kept, Meaning),
	}
	if out.More == "" {
		out.More = worst(backward, known, Kept)
	}
	return out, nil
}

// worst returns why a question is not answered with yes, "" if all are.
func worst(c *Comparison, known bool, questions ...Question) string {
	for _, change := range c.Changes {
		for _, finding := range change.Findings {
			counts := finding.Answer == No || !known
			if counts && finding.Answer != Yes && slices.Contains(questions, finding.Question) {
				return fmt.Sprintf("%s is %s: %s: %s", finding.Question, finding.Answer, change.Path, change.Message)
			}
		}
	}
	return ""
}

// Beyond returns what is not allowed by an effect that is declared for an edit, as in "accepts more: …".
func (s Shift) Beyond(kind diag.EffectKind) (wrong []string) {
	forbid := func(what, why string) {
		if why != "" {
			wrong = append(wrong, what+": "+why)
		}
	}
	if kind == diag.AcceptsOther {
		return nil
	}
	if kind != diag.AcceptsMore {
		forbid("accepts more", s.More)
	}
	if kind != diag.AcceptsLess {
		forbid("accepts less", s.Less)
		forbid("stores other objects", s.Other)
	}
	return wrong
}
