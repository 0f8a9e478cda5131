package schema

import (
	"slices"
	"strconv"
	"strings"
)

// A Finder follows paths in a CRD. It has an index of the properties that it has looked for.
type Finder struct {
	crd   *CRD
	known map[*Schema]*propertyIndex
}

// A propertyIndex has the properties of a schema by name, and the length of the longest name.
type propertyIndex struct {
	byName  map[string]*Schema
	longest int
}

// NewFinder returns a Finder without an index.
func NewFinder(c *CRD) *Finder { return &Finder{crd: c, known: map[*Schema]*propertyIndex{}} }

// Find follows a path in the API server's notation: to a version, whose index is -1 if the path does not name one,
// and to a place in its schema, which is nil for a path elsewhere. rest is the rest of the path, such as ".type" of a
// place.
func (f *Finder) Find(path string) (version int, place *Place, rest string) {
	number, rest, ok := strings.Cut(strings.TrimPrefix(path, "spec.versions["), "]")
	i, err := strconv.Atoi(number)
	if !ok || err != nil || i < 0 || i >= len(f.crd.Versions) || !strings.HasPrefix(path, "spec.versions[") {
		return -1, nil, path
	}
	inSchema, ok := strings.CutPrefix(rest, ".schema.openAPIV3Schema")
	if !ok || f.crd.Versions[i].Schema == nil {
		return i, nil, rest
	}
	for place = (&Place{Schema: f.crd.Versions[i].Schema}); ; {
		next, length := f.next(place, inSchema)
		if next == nil {
			return i, place, inSchema
		}
		place, inSchema = next, inSchema[length:]
	}
}

// next finds the child at the start of a path.
func (f *Finder) next(p *Place, path string) (next *Place, length int) {
	isEnd := func(length int) bool { return len(path) == length || path[length] == '.' }
	if names, ok := strings.CutPrefix(path, stepPaths[InProperty]+"["); ok {
		before := len(path) - len(names)
		properties := f.properties(p.Schema)
		// Names may contain brackets and dots, so the longest match counts.
		for i := 0; i < len(names) && i <= properties.longest; i++ {
			if names[i] == ']' && isEnd(before+i+1) {
				if s := properties.byName[names[:i]]; s != nil {
					next = &Place{Schema: s, Above: p, Step: InProperty, Name: names[:i], Nested: p.Nested}
					length = before + i + 1
				}
			}
		}
		return next, length
	}
	if !slices.ContainsFunc(stepPaths[InItems:], func(step string) bool { return strings.HasPrefix(path, step) }) {
		return nil, 0 // a keyword of the schema itself
	}
	for _, child := range p.Children() {
		own := child.OwnPath()
		if child.Step != InProperty && strings.HasPrefix(path, own) && isEnd(len(own)) {
			return child, len(own)
		}
	}
	return nil, 0
}

// properties returns the index of a schema's properties.
func (f *Finder) properties(s *Schema) *propertyIndex {
	known := f.known[s]
	if known == nil {
		known = &propertyIndex{byName: make(map[string]*Schema, len(s.Properties))}
		for _, p := range s.Properties {
			if p.Schema != nil {
				known.byName[p.Name], known.longest = p.Schema, max(known.longest, len(p.Name))
			}
		}
		f.known[s] = known
	}
	return known
}
