package crds

import (
	"context"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/write"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
)

// Serve validates a CRD and returns it as an API server serves it. The object is that of the CRD, or a part of it. If
// there is no resource, the findings say why, at positions in the CRD.
func (c CRD) Serve(ctx context.Context, object *apiext.CustomResourceDefinition) (*write.Resource, []diag.Diagnostic) {
	opts := session.Options{ByVerdict: true}
	s := session.New(c.part(object), object, opts)
	reasons, err := s.Verdict(ctx)
	var found []diag.Diagnostic
	switch {
	case len(reasons) > 0:
		err = &write.Rejected{Name: object.Name, Reasons: reasons}
		if object != c.Object {
			s = session.New(c.IR, c.Object, opts)
		}
		found = diag.Errors(rules.Check(ctx, s))
	case err == nil:
		var resource *write.Resource
		if resource, err = write.Accepted(object); err == nil {
			return resource, nil
		}
	}
	if len(found) == 0 {
		found = []diag.Diagnostic{diag.Errorf(c.IR.At, rules.Server, "the API server cannot serve the CRD: %v", err)}
	}
	return nil, diag.Sort(found)
}

// Rejections returns why API servers of a range of versions reject a CRD: its creation, or its update of the CRD
// before it, if that is not nil. An update may keep some mistakes of an old CRD. All findings are errors.
func (c CRD) Rejections(ctx context.Context, before *CRD, versions kube.Range) []diag.Diagnostic {
	opts := session.Options{Kube: versions, ByVerdict: true}
	s := session.New(c.IR, c.Object, opts)
	if before != nil {
		s.Updates(session.New(before.IR, before.Object, opts))
	}
	if newest := kube.Latest(); versions == (kube.Range{First: newest, Last: newest}) {
		if reasons, err := s.Verdict(ctx); err == nil && len(reasons) == 0 {
			return nil // checks find what older ones reject
		}
	}
	table := rules.Checks()
	return diag.Sort(slices.DeleteFunc(rules.Check(ctx, s), func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error || !table.Of(d.Check).Verdict
	}))
}

// part returns the CRD with the versions that an object has: a session needs both alike.
func (c CRD) part(object *apiext.CustomResourceDefinition) *schema.CRD {
	if object == c.Object {
		return c.IR
	}
	out := *c.IR
	out.Versions = slices.DeleteFunc(slices.Clone(out.Versions), func(v schema.Version) bool {
		return !slices.ContainsFunc(object.Spec.Versions,
			func(kept apiext.CustomResourceDefinitionVersion) bool { return kept.Name == v.Name.V })
	})
	return &out
}
