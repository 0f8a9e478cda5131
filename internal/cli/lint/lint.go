// Package lint finds what one Go package has, for programs that analyze packages one by one.
//
// The input is the directory of a package. The output are the findings that `crdproof crd paths=<package>` prints, with
// the settings and the baseline that are nearest to the package. The files:
//
//  1. lint.go runs the generators in memory
//  2. settings.go reads what the repository has set
//  3. offer.go chooses the edits that other programs may make
package lint

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/edit"
	"github.com/crdproof/crdproof/rules/verdicts"
)

// Package returns the findings of the package in a directory, sorted: errors, and the warnings about files that are not
// only counted. Each finding has the edits of its helps. The error is one of loading the package, or a mistake in the
// settings. Package keeps no state, so that packages can be analyzed in parallel.
func Package(ctx context.Context, dir string) ([]diag.Diagnostic, error) {
	set, problems := read(ctx, dir)
	if diag.HasErrors(problems) {
		return nil, asError(problems, dir)
	}
	results, err := cache.Open()
	if err != nil {
		return nil, err
	}
	result, err := generator.Run(ctx, generator.Config{
		Dir: dir, Paths: []string{"."}, BuildTags: set.buildTags, CRD: set.crd, Verdicts: verdicts.In(results),
	})
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(result.Diagnostics, func(d diag.Diagnostic) bool {
		// The kinds of other packages are not stale.
		return d.Severity == diag.Note || !d.IsListed() || isAboutRun(&d) || d.Check == overlay.Mistake.ID
	})
	return edit.NewResolver().Resolve(found), nil
}

// isAboutRun reports whether a finding is a warning about the run or its settings, not about the package: it has no
// kinds, or a line of the baseline is stale.
func isAboutRun(d *diag.Diagnostic) bool {
	return d.Severity != diag.Error && (!d.Span.IsValid() || d.Span.Source.Syntax != diag.Go)
}

// asError returns the errors of a list as one, in the text format.
func asError(list []diag.Diagnostic, dir string) error {
	var text strings.Builder
	if err := diag.Text(&text, diag.Errors(list), diag.TextOptions{Dir: dir}); err != nil {
		return err
	}
	return errors.New(strings.TrimSpace(text.String()))
}
