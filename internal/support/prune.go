package support

import (
	"slices"
	"strconv"
	"strings"
)

// crdPrune removes the unknown fields of an object and returns their paths, sorted as the API server sorts them
// (apiextensions-apiserver, pkg/apiserver/schema/pruning).
func crdPrune(object map[string]any, t *crdType) []string {
	var p crdPruning
	p.prune(object, t, false)
	for i, path := range p.pruned {
		p.pruned[i] = strings.TrimPrefix(path, ".")
	}
	slices.Sort(p.pruned)
	return p.pruned
}

// A crdPruning collects the paths of removed fields, such as .ports[0].name. They begin at the current value: on the
// way out of a value, its own step is put before the paths in it. So nothing is allocated if nothing is removed.
type crdPruning struct {
	pruned []string
}

// prune removes the unknown fields in a value of a type. If skip is set, it is in a list below
// x-kubernetes-preserve-unknown-fields, so fields of its own stay.
func (p *crdPruning) prune(value any, t *crdType, skip bool) {
	skip = skip || t.preserve
	switch value := value.(type) {
	case map[string]any:
		p.pruneObject(value, t, skip)
	case []any:
		switch {
		case t.items != nil:
			for i, item := range value {
				if crdHolds(item) {
					before := len(p.pruned)
					p.prune(item, t.items, skip)
					p.leave(before, "", i)
				}
			}
		case !skip:
			p.rest("", value, crdDeepest)
		}
	}
}

// pruneObject looks up the known fields, until all fields of the object have been seen, or those of the object.
func (p *crdPruning) pruneObject(object map[string]any, t *crdType, skip bool) {
	if t.values == nil && !t.open && !skip && !t.embedded && crdLooksUp(len(t.fields), len(object)) {
		unseen := len(object)
		for i := 0; i < len(t.fields) && unseen > 0; i++ {
			f := &t.fields[i]
			if field, ok := object[f.name]; ok {
				unseen--
				if crdHolds(field) {
					p.pruneField(f.name, field, f.typ)
				}
			}
		}
		if unseen == 0 {
			return
		}
	}
	p.pruneEach(object, t, skip)
}

// crdLooksUp reports whether it is faster to look up all known fields in an object than to iterate over its fields and
// to find their types.
func crdLooksUp(known, fields int) bool { return known < 2*fields+3 }

func (p *crdPruning) pruneEach(object map[string]any, t *crdType, skip bool) {
	for name, field := range object {
		if t.embedded && crdIsMeta(name) {
			continue
		}
		typ := t.member(name)
		switch holds := crdHolds(field); {
		case typ != nil && holds:
			p.pruneField(name, field, typ)
		case typ != nil:
		case t.open && holds:
			before := len(p.pruned)
			p.rest("", field, crdDeepest)
			p.leave(before, name, -1)
		case t.open, skip:
		default:
			p.pruned = append(p.pruned, "."+name)
			delete(object, name)
		}
	}
}

func (p *crdPruning) pruneField(name string, field any, t *crdType) {
	before := len(p.pruned)
	p.prune(field, t, false)
	p.leave(before, name, -1)
}

// leave puts the step to a value before the paths that were added in it: the name of a field, or the index of an item,
// which is negative for fields.
func (p *crdPruning) leave(before int, name string, index int) {
	if len(p.pruned) == before {
		return
	}
	step := "." + name
	if index >= 0 {
		step = "[" + strconv.Itoa(index) + "]"
	}
	for i := before; i < len(p.pruned); i++ {
		p.pruned[i] = step + p.pruned[i]
	}
}

// rest empties all objects in a value for which the schema has no object: all of their fields are unknown. It stops at
// the depth of the deepest value that a server can decode.
func (p *crdPruning) rest(path string, value any, levels int) {
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
			if crdHolds(item) {
				p.rest(path+"["+strconv.Itoa(i)+"]", item, levels-1)
			}
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

// crdIsMeta reports whether a field belongs to every resource.
func crdIsMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }
