// Code generated from internal/support of crdproof. DO NOT EDIT.

package crd

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// prune removes the unknown fields of an object and returns their paths, sorted as the API server sorts them
// (apiextensions-apiserver, pkg/apiserver/schema/pruning).
func prune(object map[string]any, t *Type) []string { return pruneValue(object, t, false) }

// pruneValue removes the unknown fields in a value. Most values have none, which is found out without memory for
// paths. If areWarnings is set, it returns of many paths only those that are sent to a client, and their beginnings.
func pruneValue(value any, t *Type, areWarnings bool) []string {
	var first pruner
	if first.prune(value, t, false); !first.isNeeded {
		return nil
	}
	p := pruner{found: &prunedPaths{areWarnings: areWarnings}}
	p.prune(value, t, false)
	p.found.finish()
	return p.found.paths
}

// prunedPaths are the paths of removed fields, such as ports[0].name.
type prunedPaths struct {
	paths []string
	// areWarnings is set if only the paths matter that are sent to a client. Then size is the length of all in bytes,
	// maxSize is that at which there are too many, and last is the last one that is left if warnings are cut.
	areWarnings   bool
	size, maxSize int
	last          string
}

func (f *prunedPaths) add(path []byte) {
	if f.areWarnings {
		most := mostWarnings
		if f.last != "" {
			most = mostWarning
		}
		path = cut(path, most)
	}
	if f.last == "" || string(path) < f.last {
		f.paths = append(f.paths, string(path))
		f.size += len(path)
	}
	if f.areWarnings && f.size > max(f.maxSize, mostWarnings) {
		f.finish()
		f.maxSize = 2 * f.size
	}
}

// finish sorts the paths, and leaves those that matter.
func (f *prunedPaths) finish() {
	slices.Sort(f.paths)
	if !f.areWarnings {
		return
	}
	f.paths = slices.Compact(f.paths)
	runes := 0
	for _, path := range f.paths {
		runes += utf8.RuneCountInString(path)
	}
	const most = mostWarnings / len(`unknown field ""`)
	isCutting := runes > mostWarnings
	if isCutting && len(f.paths) > most {
		clear(f.paths[most:])
		f.paths = f.paths[:most]
		f.last = f.paths[most-1]
	}
	f.size = 0
	for i, path := range f.paths {
		if isCutting {
			f.paths[i] = string(cut([]byte(path), mostWarning))
		}
		f.size += len(f.paths[i])
	}
}

// A pruner is a walk through an object that removes unknown fields.
type pruner struct {
	// found gets the paths. If it is nil, nothing is removed: the walk ends when it isNeeded.
	found    *prunedPaths
	isNeeded bool
	// path leads to the current value, such as .ports[0]
	path []byte
}

// enter adds the name of a field to the path, and enterItem an index. They return the length of the path before.
func (p *pruner) enter(name string) (above int) {
	above = len(p.path)
	if p.found != nil {
		p.path = append(append(p.path, '.'), name...)
	}
	return above
}

func (p *pruner) enterItem(i int) (above int) {
	above = len(p.path)
	if p.found != nil {
		p.path = append(strconv.AppendInt(append(p.path, '['), int64(i), 10), ']')
	}
	return above
}

// leave removes what was added to a path of a length.
func (p *pruner) leave(above int) { p.path = p.path[:above] }

// drop removes a field of the current object.
func (p *pruner) drop(object map[string]any, name string) {
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
func (p *pruner) prune(value any, t *Type, skip bool) {
	if p.isNeeded {
		return
	}
	skip = skip || t.Preserve
	switch value := value.(type) {
	case map[string]any:
		p.pruneObject(value, t, skip)
	case []any:
		switch {
		case t.Items != nil:
			for i, item := range value {
				if holdsParts(item) {
					above := p.enterItem(i)
					p.prune(item, t.Items, skip)
					p.leave(above)
				}
			}
		case !skip:
			p.rest(value, deepest)
		}
	}
}

// pruneObject looks up the known fields, until all fields of the object have been seen, or those of the object.
func (p *pruner) pruneObject(object map[string]any, t *Type, skip bool) {
	if t.Values == nil && !t.Open && !skip && !t.Embedded && looksUp(len(t.Fields), len(object)) {
		unseen := len(object)
		for i := 0; i < len(t.Fields) && unseen > 0; i++ {
			f := &t.Fields[i]
			if field, ok := object[f.Name]; ok {
				unseen--
				if holdsParts(field) {
					p.pruneField(f.Name, field, f.Type)
				}
			}
		}
		if unseen == 0 {
			return
		}
	}
	p.pruneEach(object, t, skip)
}

// looksUp reports whether it is faster to look up all known fields in an object than to iterate over its fields and
// to find their types.
func looksUp(known, fields int) bool { return known < 2*fields+3 }

func (p *pruner) pruneEach(object map[string]any, t *Type, skip bool) {
	for name, field := range object {
		if t.Embedded && isMetaField(name) {
			continue
		}
		typ := t.member(name)
		switch holds := holdsParts(field); {
		case typ != nil && holds:
			p.pruneField(name, field, typ)
		case typ != nil:
		case t.Open && holds:
			above := p.enter(name)
			p.rest(field, deepest)
			p.leave(above)
		case t.Open, skip:
		default:
			p.drop(object, name)
		}
	}
}

func (p *pruner) pruneField(name string, field any, t *Type) {
	above := p.enter(name)
	p.prune(field, t, false)
	p.leave(above)
}

// rest empties all objects in a value for which the schema has no object: all of their fields are unknown. It stops at
// the depth of the deepest value that a server can decode.
func (p *pruner) rest(value any, levels int) {
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
			if holdsParts(item) {
				above := p.enterItem(i)
				p.rest(item, levels-1)
				p.leave(above)
			}
		}
	}
}

// holdsParts reports whether a value contains others.
func holdsParts(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// isMetaField reports whether a field belongs to every resource.
func isMetaField(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
