package rules

import (
	"context"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// Options say what is to be proved.
type Options struct {
	// Kube are the versions of Kubernetes that the CRD has to work on.
	Kube kube.Range
}

// Check proves a CRD, and returns what speaks against it in no particular order. The object is what will be applied: that
// of a file, or nil for the one that the IR stands for.
func Check(ctx context.Context, crd *schema.CRD, object *apiext.CustomResourceDefinition, opts Options) []diag.Diagnostic {
	if object == nil {
		object = kube.Object(crd)
	}
	refusals, err := kube.Verdict(ctx, object)
	if err != nil {
		return []diag.Diagnostic{{Span: crd.At, Rule: "api-server", Message: err.Error()}}
	}
	var out []diag.Diagnostic
	for _, r := range refusals {
		out = append(out, diag.Diagnostic{Span: crd.At, Rule: "api-server", Path: r.Path, Message: r.Message})
	}
	return out
}
