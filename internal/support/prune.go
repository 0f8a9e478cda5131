package support

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// crdPrune removes the unknown fields of an object and returns their paths, sorted as the API server sorts them
// (apiextensions-apiserver, pkg/apiserver/schema/pruning).
func crdPrune(object map[string]any, t *crdType) []string { return crdPruneValue(object, t, false) }

// crdPruneValue removes the unknown fields in a value. Most values have none, which is found out without memory for
// paths. If areWarnings is set, it returns of many paths only those that are sent to a client, and their beginnings.
func crdPruneValue(value any, t *crdType, areWarnings bool) []string {
	var first crdPruning
	if first.prune(value, t, false); !first.isNeeded {
		return nil
	}
	p := crdPruning{found: &crdPrunedPaths{areWarnings: areWarnings}}
	p.prune(value, t, false)
	p.found.finish()
	return p.found.paths
}

// crdPrunedPaths are the paths of removed fields, such as ports[0].name.
type crdPrunedPaths struct {
	paths []string
	// areWarnings is set if only the paths matter that are sent to a client. Then size is the length of all in bytes,
	// maxSize is that at which there are too many, and last is the last one that is left if warnings are cut.
	areWarnings   bool
	size, maxSize int
	last          string
}

func (f *crdPrunedPaths) add(path []byte) {
	if f.areWarnings {
		most := crdMostWarnings
		if f.last != "" {
			most = crdMostWarning
		}
		path = crdCut(path, most)
	}
	if f.last == "" || string(path) < f.last {
		f.paths = append(f.paths, string(path))
		f.size += len(path)
	}
	if f.areWarnings && f.size > max(f.maxSize, crdMostWarnings) {
		f.finish()
		f.maxSize = 2 * f.size
	}
}

// finish sorts the paths, and leaves those that matter.
func (f *crdPrunedPaths) finish() {
	slices.Sort(f.paths)
	if !f.areWarnings {
		return
	}
	f.paths = slices.Compact(f.paths)
	runes := 0
	for _, path := range f.paths {
		runes += utf8.RuneCountInString(path)
	}
	const most = crdMostWarnings / len(`unknown field ""`)
	isCutting := runes > crdMostWarnings
	if isCutting && len(f.paths) > most {
		clear(f.paths[most:])
		f.paths = f.paths[:most]
		f.last = f.paths[most-1]
	}
	f.size = 0
	for i, path := range f.paths {
		if isCutting {
			f.paths[i] = string(crdCut([]byte(path), crdMostWarning))
		}
		f.size += len(f.paths[i])
	}
}

// A crdPruning is a walk through an object that removes unknown fields.
type crdPruning struct {
	// found gets the paths. If it is nil, nothing is removed: the walk ends when it isNeeded.
	found    *crdPrunedPaths
	isNeeded bool
	// path leads to the current value, such as .ports[0]
	path []byte
}

// enter adds the name of a field to the path, and enterItem an index. They return the length of the path before.
func (p *crdPruning) enter(name string) (above int) {
	above = len(p.path)
	if p.found != nil {
		p.path = append(append(p.path, '.'), name...)
	}
	return above
}

func (p *crdPruning) enterItem(i int) (above int) {
	above = len(p.path)
	if p.found != nil {
		p.path = append(strconv.AppendInt(append(p.path, '['), int64(i), 10), ']')
	}
	return above
}

// leave removes what was added to a path of a length.
func (p *crdPruning) leave(above int) { p.path = p.path[:above] }

// drop removes a field of the current object.
func (p *crdPruning) drop(object map[string]any, name string) {
	if p.found == nil {
		p.isNeeded = true
		return
	}
	above := p.enter(name)
	p.found.add(p.path[1:])
	p.leave(above)
	delete(object, name)
}

// prune removes the unknown fields in a value of a type. If skip is set, it is in a list below
// x-kubernetes-preserve-unknown-fields, so fields of its own stay.
func (p *crdPruning) prune(value any, t *crdType, skip bool) {
	if p.isNeeded {
		return
	}
	skip = skip || t.preserve
	switch value := value.(type) {
	case map[string]any:
		p.pruneObject(value, t, skip)
	case []any:
		switch {
		case t.items != nil:
			for i, item := range value {
				if crdHolds(item) {
					above := p.enterItem(i)
					p.prune(item, t.items, skip)
					p.leave(above)
				}
			}
		case !skip:
			p.rest(value, crdDeepest)
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
			above := p.enter(name)
			p.rest(field, crdDeepest)
			p.leave(above)
		case t.open, skip:
		default:
			p.drop(object, name)
		}
	}
}

func (p *crdPruning) pruneField(name string, field any, t *crdType) {
	above := p.enter(name)
	p.prune(field, t, false)
	p.leave(above)
}

// rest empties all objects in a value for which the schema has no object: all of their fields are unknown. It stops at
// the depth of the deepest value that a server can decode.
func (p *crdPruning) rest(value any, levels int) {
	if levels < 0 || p.isNeeded {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name := range value {
			p.drop(value, name)
		}
	case []any:
		for i, item := range value {
			if crdHolds(item) {
				above := p.enterItem(i)
				p.rest(item, levels-1)
				p.leave(above)
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
