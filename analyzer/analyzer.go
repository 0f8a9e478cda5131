// Package analyzer reports what crdproof finds in one Go package, as an analyzer of golang.org/x/tools/go/analysis. Its
// subpackages are a plugin of golangci-lint and a tool for go vet.
//
// The findings are those of `crdproof crd` for the package alone, with the same settings and baseline. They are not
// made from the syntax and types of the pass, which lack the comments of imported packages: crdproof loads the package
// itself. The pass decides only whether that is worthwhile (scan.go), and where the findings are.
package analyzer

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/lint"
	"github.com/crdproof/crdproof/internal/cli/pages"
)

// Name is the name of the analyzer, and of the linter in golangci-lint.
const Name = "crdproof"

// New returns the analyzer. It keeps no state.
func New() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: Name,
		Doc: "reports CRDs that an API server rejects, and mistakes in the markers and types of Kubernetes APIs\n\n" +
			"The findings are those of crdproof crd for the package alone.",
		URL: pages.URL("linting.md"),
		Run: run,
	}
}

func run(pass *analysis.Pass) (any, error) {
	if !isAPI(pass) {
		return nil, nil
	}
	p := newPositions(pass)
	found, err := lint.Package(context.Background(), p.dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pass.Pkg.Path(), err)
	}
	for i := range found {
		pass.Report(p.diagnostic(&found[i]))
	}
	return nil, nil
}

// diagnostic returns a finding as analyzers report it.
func (p *positions) diagnostic(d *diag.Diagnostic) analysis.Diagnostic {
	message, more, _ := strings.Cut(diag.Prose(d), "\n")
	out := analysis.Diagnostic{Category: d.Check, URL: pages.URL("checks.md#" + d.Check)}
	if isGo := d.Span.IsValid() && d.Span.Source.Syntax == diag.Go; isGo {
		out.Pos, out.End = p.of(d.Span)
	} else {
		out.Pos, out.End = p.name.Pos(), p.name.End()
		message = diag.Printable(p.placeOf(d.Span)) + message
	}
	// Linters print the message alone, so the check is in it. Further lines are indented, as go vet does it.
	out.Message = fmt.Sprintf("%s [%s]", message, d.Check)
	if more != "" {
		out.Message += "\n\t" + strings.ReplaceAll(more, "\n", "\n\t")
	}
	for _, r := range d.SeeAlso { // golangci-lint would report an analysis.RelatedInformation as a finding of its own
		out.Message += "\n\tnote: " + diag.Printable(p.placeOf(r.Span)+r.Message)
	}
	if help, ok := lint.Offer(d, p.dir); ok {
		fix := analysis.SuggestedFix{Message: diag.Printable(help.String())}
		for _, e := range help.Edits {
			start, end := p.of(e.Span)
			fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: start, End: end, NewText: []byte(e.New)})
		}
		out.SuggestedFixes = []analysis.SuggestedFix{fix}
	}
	return out
}

// placeOf returns a place in front of a message, "" for none.
func (p *positions) placeOf(at diag.Span) string {
	if !at.IsValid() {
		return ""
	}
	line, column := at.Source.Position(int(at.Start))
	return fmt.Sprintf("%s:%d:%d: ", diag.Relative(at.Source.Path, p.dir), line, column)
}

// dirOf returns the directory of a package, which is that of its files that are not tests.
func dirOf(pass *analysis.Pass) string {
	for _, f := range pass.Files {
		if name := pass.Fset.File(f.FileStart).Name(); isSource(name) {
			return filepath.Dir(name)
		}
	}
	return ""
}
