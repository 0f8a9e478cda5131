package analyzer

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/crdproof/crdproof/diag"
)

// positions finds the positions of a pass for those of crdproof.
type positions struct {
	fset *token.FileSet
	// dir is the directory of the package.
	dir string
	// files are those of the package, and others that findings are in, by their paths.
	files map[string]*token.File
	// name is the name of the package in one of its files, for findings without a position in Go.
	name *ast.Ident
}

func newPositions(pass *analysis.Pass) *positions {
	p := &positions{fset: pass.Fset, dir: dirOf(pass), files: map[string]*token.File{}}
	for _, f := range pass.Files {
		file := pass.Fset.File(f.FileStart)
		if filepath.Dir(file.Name()) != p.dir {
			continue // what cgo has made
		}
		p.files[file.Name()] = file
		if p.name == nil {
			p.name = f.Name
		}
	}
	return p
}

// of returns the positions of a span. A file that is not one of the package, such as that of an imported type, becomes
// one of the pass.
func (p *positions) of(at diag.Span) (start, end token.Pos) {
	file := p.files[at.Source.Path]
	if file == nil {
		data := at.Source.Bytes()
		file = p.fset.AddFile(at.Source.Path, -1, len(data))
		file.SetLinesForContent(data)
		p.files[at.Source.Path] = file
	}
	pos := func(offset int32) token.Pos { return file.Pos(min(int(offset), file.Size())) }
	return pos(at.Start), pos(at.End)
}
