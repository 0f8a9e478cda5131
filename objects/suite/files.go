package suite

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/internal/stage"
)

// Files selects the suites in directories and trees: *.testsuite.yaml, and *.yaml in folders tests/<crd name>, and the
// same with *.yml.
func Files() input.Choice {
	return input.Choice{Takes: isSuite, Called: "suite (*.testsuite.yaml, or *.yaml in tests/<crd name>)",
		Lenient: true}
}

func isSuite(path string) bool {
	name := strings.TrimSuffix(path, filepath.Ext(path))
	if !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
		return false
	}
	if strings.HasSuffix(name, ".testsuite") {
		return true
	}
	folder := filepath.Dir(path) // the name of a CRD ends in a group, which has a dot
	return strings.Contains(filepath.Base(folder), ".") && filepath.Base(filepath.Dir(folder)) == "tests"
}

// ParseAll reads suites. It returns those without errors, and the findings about all of them.
func ParseAll(ctx context.Context, sources []*diag.Source) (out []*Suite, found []diag.Diagnostic) {
	suites := make([]*Suite, len(sources))
	problems := make([][]diag.Diagnostic, len(sources))
	stage.Run(ctx, nil, "reading suites", len(sources), func(i int) { suites[i], problems[i] = Parse(sources[i]) })
	for i, s := range suites {
		if s != nil && !diag.HasErrors(problems[i]) {
			out = append(out, s)
		}
	}
	return out, diag.Sort(slices.Concat(problems...))
}
