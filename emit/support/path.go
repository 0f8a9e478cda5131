package support

import "k8s.io/apimachinery/pkg/util/validation/field"

// A crdStep leads from a value to one that it holds: a named field of an object, a key of a map, or an item of a list.
type crdStep struct {
	name  string
	index int
	kind  crdStepKind
}

type crdStepKind uint8

// The kinds of steps.
const (
	crdField crdStepKind = iota
	crdKey
	crdItem
)

// A crdPath is the current position in an object. It becomes text only for an error, so that each step is only a push
// and a pop.
type crdPath []crdStep

func (p *crdPath) field(name string) { *p = append(*p, crdStep{name: name}) }

func (p *crdPath) key(name string) { *p = append(*p, crdStep{name: name, kind: crdKey}) }

func (p *crdPath) item(index int) { *p = append(*p, crdStep{index: index, kind: crdItem}) }

func (p *crdPath) leave() { *p = (*p)[:len(*p)-1] }

// fieldPath is the path as that of an error, nil for the root.
func (p crdPath) fieldPath() *field.Path {
	var path *field.Path
	for _, s := range p {
		switch s.kind {
		case crdField:
			path = path.Child(s.name)
		case crdKey:
			path = path.Key(s.name)
		case crdItem:
			path = path.Index(s.index)
		}
	}
	return path
}
