package baseline

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/input"
)

// A Namer names findings. It reads each file with findings once.
type Namer struct {
	mu sync.Mutex // of the maps
	// dir is the directory that the paths of files are relative to.
	dir   string
	goes  map[string]*goFile
	yamls map[*diag.Source]*yamlFile
}

// NewNamer returns a namer of findings in files that are named relative to a directory.
func NewNamer(dir string) *Namer {
	return &Namer{dir: dir, goes: map[string]*goFile{}, yamls: map[*diag.Source]*yamlFile{}}
}

// Key returns the key of a finding with a position.
func (n *Namer) Key(d diag.Diagnostic) Key {
	n.mu.Lock()
	defer n.mu.Unlock()
	k := Key{Check: d.Check}
	k.Place, k.Text = n.place(d.Span)
	if d.For.IsValid() {
		if user, _ := n.place(d.For); user != k.Place {
			k.For = user
		}
	}
	return k
}

// place returns the place of a position, and the text that tells it from others there.
func (n *Namer) place(at diag.Span) (p Place, text string) {
	src := at.Source
	if p.Unit = src.Package; p.Unit == "" {
		p.Unit = Unit(src.Path, n.dir)
	}
	if filepath.Ext(src.Path) == ".go" {
		p.Name, text = n.goFile(src).at(int(at.Start))
	} else {
		p.Name, text = n.yamlFile(src).at(int(at.Start))
	}
	return p, oneLine(text)
}

// judged reports whether a run that reads files decides what is left of the findings in a unit.
func (n *Namer) judged(files []*diag.Source, unit string) bool {
	isGone := input.IsManifest(unit) && !input.Holds(n.dir, filepath.FromSlash(unit))
	return isGone || slices.ContainsFunc(files, func(src *diag.Source) bool { return Unit(src.Path, n.dir) == unit })
}

// Unit returns the path of a file as a baseline in a directory has it. A file in a revision has the path of the file on
// disk.
func Unit(path, dir string) string {
	if path == input.StandardInput {
		return path
	}
	if _, name, ok := input.Revision(path); ok {
		path = filepath.Join(input.Repository(dir), filepath.FromSlash(name))
	}
	return diag.Relative(path, dir)
}

// oneLine returns a text as a line of a file can have it.
func oneLine(text string) string {
	return diag.Printable(strings.Join(strings.Fields(text), " "))
}
