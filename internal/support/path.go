package support

import "k8s.io/apimachinery/pkg/util/validation/field"

// A crdStep leads from a value to a part of it: a named field of an object, a key of a map, or an item of a list.
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

// A crdPath is the current position of a walk through an object. It is converted to text only for errors, so a step
// costs only a push and a pop.
type crdPath []crdStep

func (p *crdPath) field(name string) { *p = append(*p, crdStep{name: name}) }

func (p *crdPath) key(name string) { *p = append(*p, crdStep{name: name, kind: crdKey}) }

func (p *crdPath) item(index int) { *p = append(*p, crdStep{index: index, kind: crdItem}) }

func (p *crdPath) leave() { *p = (*p)[:len(*p)-1] }

// fieldPath is the path as field.Path, nil for the root.
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
