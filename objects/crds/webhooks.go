package crds

import (
	"context"
	"path/filepath"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/structural"
	"github.com/crdproof/crdproof/schema/read"
)

// dropConverted drops the findings that need a conversion webhook to be missing, if a patch of kustomize adds one to
// the CRD: in one of the files, or in the directory of the kustomization above the file of the CRD.
func dropConverted(ctx context.Context, all []*validated, sources []*diag.Source) {
	isLost := func(d diag.Diagnostic) bool { return d.Check == structural.LostField }
	lossy := slices.DeleteFunc(slices.Clone(all),
		func(v *validated) bool { return !slices.ContainsFunc(v.found, isLost) })
	if len(lossy) == 0 {
		return
	}
	patched, above := converted(sources), map[string]map[string]bool{}
	for _, v := range lossy {
		dir := filepath.Dir(filepath.Dir(v.at.Source.Path))
		if input.IsFile(v.at.Source) && input.Holds(dir, "kustomization.yaml") && above[dir] == nil {
			// What cannot be read is reported when it is named.
			near, _ := input.Sources(ctx, []string{dir + "/..."}, nil)
			above[dir] = converted(near)
		}
		if patched[v.name] || above[dir][v.name] {
			v.found = slices.DeleteFunc(v.found, isLost)
		}
	}
}

// converted returns the names of the CRDs to which patches in files add a conversion webhook.
func converted(sources []*diag.Source) map[string]bool {
	out := map[string]bool{}
	for _, src := range sources {
		read.EachPatch(src, func(name, strategy string) {
			out[name] = out[name] || strategy == string(apiext.WebhookConverter)
		})
	}
	return out
}
