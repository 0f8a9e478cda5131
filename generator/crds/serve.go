package crds

import (
	"context"
	"errors"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/server"
	"github.com/crdproof/crdproof/rules/session"
)

// Serve proves a CRD, and returns it as an API server serves it. The object is that of the CRD, or as much of it as is
// wanted. Where there is no resource, the findings say what keeps a server from it, at its places in the CRD.
func (c CRD) Serve(ctx context.Context, object *apiext.CustomResourceDefinition) (*server.Resource, []diag.Diagnostic) {
	resource, err := server.New(ctx, object)
	if err == nil {
		return resource, nil
	}
	var found []diag.Diagnostic
	if errors.As(err, new(*server.Refused)) {
		found = diag.Errors(rules.Check(ctx, session.New(c.IR, c.Object, session.Options{ByVerdict: true})))
	}
	if len(found) == 0 {
		found = []diag.Diagnostic{diag.Errorf(c.IR.At, rules.Server, "an API server cannot serve the CRD: %v", err)}
	}
	return nil, diag.Sort(found)
}
