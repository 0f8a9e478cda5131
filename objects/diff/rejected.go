package diff

import (
	"context"
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/rules/kube"
)

// Introduced returns the comparison of a CRD that replaces no other; nil if API servers accept it.
func Introduced(ctx context.Context, crd crds.CRD, versions kube.Range) *Comparison {
	out := &Comparison{Name: crd.IR.ObjectName(), New: crd.IR,
		Rejected: rejections(ctx, "new", crd, nil, versions)}
	if len(out.Rejected) == 0 {
		return nil
	}
	return out
}

// judge sets why API servers reject the CRDs.
func (c *Comparison) judge(ctx context.Context, before, after crds.CRD, versions kube.Range) {
	c.OldRejected = rejections(ctx, "old", before, nil, versions)
	for i := range c.OldRejected {
		c.OldRejected[i].Severity = diag.Warning
	}
	c.Rejected = rejections(ctx, "new", after, &before, versions)
}

// rejections says why API servers reject one of the CRDs.
func rejections(ctx context.Context, which string, crd crds.CRD, before *crds.CRD, versions kube.Range) (
	out []diag.Diagnostic,
) {
	if versions == (kube.Range{}) {
		versions = kube.Range{First: kube.Latest(), Last: kube.Latest()}
	}
	out = crd.Rejections(ctx, before, versions)
	for i := range out {
		out[i].Message = fmt.Sprintf("the %s CRD is rejected: %s", which, out[i].Message)
	}
	return out
}
