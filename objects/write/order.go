package write

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/warning"

	"github.com/crdproof/crdproof/rules/kube"
)

// metadataByText sorts the errors of the object's own metadata, wherever they are in the list.
func metadataByText(errs field.ErrorList) {
	for start := 0; start < len(errs); {
		end := start
		for end < len(errs) && strings.HasPrefix(errs[end].Field, "metadata.") {
			end++
		}
		kube.ByText(errs[start:end])
		start = max(end, start+1)
	}
}

// sortWarnings calls do, and sorts its warnings.
func sortWarnings(ctx context.Context, do func(context.Context)) {
	var warnings collector
	do(warning.WithWarningRecorder(ctx, &warnings))
	slices.SortFunc(warnings, kube.Natural)
	for _, text := range warnings {
		warning.AddWarning(ctx, "", text)
	}
}

type collector []string

// AddWarning keeps a warning.
func (c *collector) AddWarning(_, text string) { *c = append(*c, text) }
