package support

import (
	"slices"
	"strconv"
)

// A crdPruning is one pruning of an object (apiextensions-apiserver, pkg/apiserver/schema/pruning).
type crdPruning struct {
	pruned []string
}

// A crdSpot is where a pruning is: a field of what is above, or an item of it; nil is the object itself. Spots are on the
// stack of the functions that go there, so that going there costs no memory.
type crdSpot struct {
	above  *crdSpot
	name   string
	index  int
	isItem bool
}

// remove deletes a field that the schema does not know and notes where it was.
func (p *crdPruning) remove(at *crdSpot, object map[string]any, name string) {
	spot := crdSpot{above: at, name: name}
	p.pruned = append(p.pruned, spot.text())
	delete(object, name)
}

// keep deletes all fields but those of some names.
func (p *crdPruning) keep(at *crdSpot, object map[string]any, names ...string) {
	for name := range object {
		if !slices.Contains(names, name) {
			p.remove(at, object, name)
		}
	}
}

// rest empties all objects in a value for which the schema has no object: all their fields are unknown.
func (p *crdPruning) rest(at *crdSpot, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			p.remove(at, value, name)
		}
	case []any:
		for i, item := range value {
			if spot := (crdSpot{above: at, index: i, isItem: true}); crdHolds(item) {
				p.empty(spot.text(), item)
			}
		}
	}
}

// empty is rest with the path as text, as spots of a function that calls itself are not on the stack.
func (p *crdPruning) empty(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			p.pruned = append(p.pruned, path+"."+name)
			delete(value, name)
		}
	case []any:
		for i, item := range value {
			p.empty(path+"["+strconv.Itoa(i)+"]", item)
		}
	}
}

// crdHolds reports whether a value is one that holds others.
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

// text names a field as the API server names those that it does not know: spec.ports[0].name. It makes a new string in any
// case: one of the spot's own would, for the compiler, take the spots away from the stack.
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
