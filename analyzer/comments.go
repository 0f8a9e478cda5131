package analyzer

import (
	"crypto/sha256"

	"golang.org/x/tools/go/analysis"
)

// Comments returns an analyzer that reports nothing. Its facts are for go vet, which does not analyze a package again
// if only comments of an imported one have changed: they are hashes of comments with markers.
func Comments() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: Name + "comments", Doc: "lets go vet notice the markers of imported packages",
		FactTypes: []analysis.Fact{(*Sum)(nil)}, Run: exportSum,
	}
}

// A Sum is the hash of the comments of a package.
type Sum struct{ Hash [sha256.Size]byte }

// AFact implements analysis.Fact.
func (*Sum) AFact() {}

func exportSum(pass *analysis.Pass) (any, error) {
	if !isAPI(pass) {
		return nil, nil
	}
	h := sha256.New()
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				h.Write([]byte(c.Text + "\n"))
			}
		}
	}
	pass.ExportPackageFact(&Sum{[sha256.Size]byte(h.Sum(nil))})
	return nil, nil
}
