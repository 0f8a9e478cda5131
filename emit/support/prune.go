package support

import (
	"slices"
	"strconv"
)

// A crdPruning is one pruning of an object (apiextensions-apiserver, pkg/apiserver/schema/pruning).
type crdPruning struct {
	pruned []string
}

// A crdSpot is the current position of a pruning: a field or an item of the spot above; nil is the object itself.
// Spots are on the stack of the functions, so they need no allocations.
type crdSpot struct {
	above  *crdSpot
	name   string
	index  int
	isItem bool
}

// remove deletes an unknown field and records its path.
func (p *crdPruning) remove(at *crdSpot, object map[string]any, name string) {
	spot := crdSpot{above: at, name: name}
	p.pruned = append(p.pruned, spot.text())
	delete(object, name)
}

// keep deletes all fields except those with the given names.
func (p *crdPruning) keep(at *crdSpot, object map[string]any, names ...string) {
	for name := range object {
		if !slices.Contains(names, name) {
			p.remove(at, object, name)
		}
	}
}

// rest empties all objects in a value for which the schema has no object: all of their fields are unknown.
func (p *crdPruning) rest(at *crdSpot, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			p.remove(at, value, name)
		}
	case []any:
		for i, item := range value {
			if spot := (crdSpot{above: at, index: i, isItem: true}); crdHolds(item) {
				p.empty(spot.text(), item, crdDeepest)
			}
		}
	}
}

// empty is rest with the path as text, since the spots of a recursive function would not be on the stack. It stops at
// the depth of the deepest value that a server can decode.
func (p *crdPruning) empty(path string, value any, levels int) {
	if levels < 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			p.pruned = append(p.pruned, path+"."+name)
			delete(value, name)
		}
	case []any:
		for i, item := range value {
			p.empty(path+"["+strconv.Itoa(i)+"]", item, levels-1)
		}
	}
}

// crdHolds reports whether a value contains others.
func crdHolds(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// paths are the fields that were removed, sorted as the API server sorts them.
func (p *crdPruning) paths() []string {
	slices.Sort(p.pruned)
	return p.pruned
}

// text is the path of a field as the API server writes it for unknown fields: spec.ports[0].name. It always makes a
// new string: with one of the spot's own, the compiler would move the spots to the heap.
func (s *crdSpot) text() string {
	if s == nil {
		return ""
	}
	switch above := s.above.text(); {
	case s.isItem:
		return above + "[" + strconv.Itoa(s.index) + "]"
	case s.above != nil:
		return above + "." + s.name
	default:
		return above + s.name
	}
}
