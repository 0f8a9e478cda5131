package diff

import (
	"context"
	"fmt"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Introduced returns the comparison of a CRD that replaces no other; nil if API servers accept it.
func Introduced(ctx context.Context, crd crds.CRD, versions kube.Range) *Comparison {
	if IsFromCluster(crd) {
		crd = asWritten(crd)
	}
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
	c.isInvalid = len(c.OldRejected) > 0 && len(rejections(ctx, "old", before, &before, versions)) > 0
	c.Rejected = rejections(ctx, "new", after, &before, versions)
}

// isServed reports whether API servers accept one of the versions of a CRD.
func isServed(ctx context.Context, crd crds.CRD, version string) bool {
	reasons, err := kube.Verdict(ctx, write.OnlyVersion(crd.Object, version))
	return err == nil && len(reasons) == 0
}

// unserved returns the change of a version that no API server has accepted: it has no objects with which the new one
// could be compared.
func unserved(old, after *schema.Version) Change {
	out := Change{Versions: []string{old.Name.V}, Old: old.At, New: after.At,
		Message: "not compared: API servers reject the version in the old CRD",
		Help:    "compare with the CRD that is in clusters"}
	for _, q := range []Question{Create, Stored, Kept, Meaning, Readers} {
		out.add(Finding{Question: q, Answer: Unknown, Class: ClassStrict})
	}
	return out
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
