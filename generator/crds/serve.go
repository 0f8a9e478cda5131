package crds

import (
	"context"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/server"
	"github.com/crdproof/crdproof/rules/session"
)

// Serve validates a CRD and returns it as an API server serves it. The object is that of the CRD, or a part of it. If
// there is no resource, the findings say why, at positions in the CRD.
func (c CRD) Serve(ctx context.Context, object *apiext.CustomResourceDefinition) (*server.Resource, []diag.Diagnostic) {
	opts := session.Options{ByVerdict: true}
	s := session.New(c.IR, object, opts)
	reasons, err := s.Verdict(ctx)
	var found []diag.Diagnostic
	switch {
	case len(reasons) > 0:
		err = &server.Rejected{Name: object.Name, Reasons: reasons}
		if object != c.Object {
			s = session.New(c.IR, c.Object, opts)
		}
		found = diag.Errors(rules.Check(ctx, s))
	case err == nil:
		var resource *server.Resource
		if resource, err = server.Accepted(object); err == nil {
			return resource, nil
		}
	}
	if len(found) == 0 {
		found = []diag.Diagnostic{diag.Errorf(c.IR.At, rules.Server, "the API server cannot serve the CRD: %v", err)}
	}
	return nil, diag.Sort(found)
}
