package overlay

import (
	"fmt"
	"maps"
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// A walker finds the places of one version that an entry selects, and changes them.
type walker struct {
	run      *Run
	entry    *entry
	progress *progress
	crd      *schema.CRD
	version  string
	// replaced are the schemas that the entry has put in place of others. It selects nothing in them: otherwise **
	// could lead into what it has just written, without end.
	replaced map[*schema.Schema]bool
	// seen are the places that were changed, and those reached at a step: two ways may lead to one.
	seen map[string]bool
	// holds has the schemas that have the Go type of the entry, or have it below them.
	holds map[*schema.Schema]bool
}

// A miss is a step of a path that leads nowhere.
type miss struct {
	path *path
	step int
	// stage orders the paths of an entry: within, the fields of a type, path.
	stage int
	// where is the place before the step, before its schema, and names the fields of all such places.
	where  string
	before *schema.Schema
	names  []string
	// dropped is what dropped the field, if a change did.
	dropped dropping
}

// The stages of a selector.
const (
	stageWithin = iota
	stageFields
	stagePath
)

// from changes the schema of a version.
func (w *walker) from(root *schema.Schema) *schema.Schema {
	p := &schema.Place{Schema: root}
	if w.entry.typ == nil {
		return w.along(p, w.entry.path, 0, stagePath, w.change)
	}
	if isReached := w.typesIn(root)[w.entry.typ.String()]; !isReached && w.entry.within == nil {
		return root
	}
	return w.along(p, w.entry.within, 0, stageWithin, w.typed)
}

// along follows a path from a step on, and changes the places at its end.
func (w *walker) along(
	p *schema.Place, on *path, i, stage int, change func(*schema.Place) *schema.Schema,
) *schema.Schema {
	if on == nil || i == len(on.steps) {
		return change(p)
	}
	if w.replaced[p.Schema] {
		return p.Schema
	}
	step := &on.steps[i]
	if step.Kind == schema.AnyDepth {
		if w.again(p, on, i) {
			return p.Schema
		}
		if p.Schema = w.along(p, on, i+1, stage, change); w.replaced[p.Schema] {
			return p.Schema
		}
		return mapStructure(p, func(child *schema.Place) *schema.Schema { return w.along(child, on, i, stage, change) })
	}
	isFound := false
	out := mapStructure(p, func(child *schema.Place) *schema.Schema {
		if !leadsTo(step, child) {
			return child.Schema
		}
		isFound = true
		return w.along(child, on, i+1, stage, change)
	})
	if !isFound {
		w.missed(miss{path: on, step: i, stage: stage, names: p.Schema.PropertyNames(), before: p.Schema,
			dropped: w.run.dropped[w.version+p.Path()+fieldPath(step.Name)], where: w.at(p).where()})
	}
	return out
}

// again reports whether a place was reached before at a step. Only a further ** is reached on several ways, and with
// each their number would grow by a factor.
func (w *walker) again(p *schema.Place, on *path, i int) bool {
	if !slices.ContainsFunc(on.steps[:i], func(s schema.PatternStep) bool { return s.Kind == schema.AnyDepth }) {
		return false
	}
	key := fmt.Sprint(on.text.At.Start, " ", i, p.Path())
	out := w.seen[key]
	w.seen[key] = true
	return out
}

// leadsTo reports whether a step leads to a place from the one above it.
func leadsTo(step *schema.PatternStep, child *schema.Place) bool {
	switch step.Kind {
	case schema.NamedField:
		return child.Step == schema.InProperty && child.Name == step.Name
	case schema.ItemsOfList:
		return child.Step == schema.InItems
	case schema.ValuesOfMap:
		return child.Step == schema.InValues
	}
	return child.Step == schema.InProperty
}

// mapStructure changes the schemas one step below a place that describe a part of the value.
func mapStructure(p *schema.Place, change func(*schema.Place) *schema.Schema) *schema.Schema {
	return p.MapChildren(func(child *schema.Place) *schema.Schema {
		if child.Step >= schema.InAllOf {
			return child.Schema
		}
		return change(child)
	})
}

// at returns a match of a place, before it is changed.
func (w *walker) at(p *schema.Place) *Match {
	return &Match{Kind: w.crd.Kind.V, Group: w.crd.Group.V, Version: w.version, Field: fieldOf(p), Before: p.Schema}
}

// missed records a step that leads nowhere: the one that is furthest from the root.
func (w *walker) missed(m miss) {
	before := w.progress.miss
	switch {
	case before == nil || m.stage > before.stage || m.stage == before.stage && m.step > before.step:
		w.progress.miss = &m
	case m.stage == before.stage && m.step == before.step:
		for _, name := range m.names {
			if !slices.Contains(before.names, name) {
				before.names = append(before.names, name)
			}
		}
	}
}

// typed changes the places at and below a place that have the Go type of the entry.
func (w *walker) typed(p *schema.Place) *schema.Schema {
	typ := w.entry.typ
	if w.replaced[p.Schema] || !w.reaches(p.Schema) {
		return p.Schema
	}
	if p.Schema.GoType.Is(typ.pkg, typ.name) {
		w.progress.typeSeen = true
		p.Schema = w.along(p, typ.fields, 0, stageFields, func(p *schema.Place) *schema.Schema {
			return w.along(p, w.entry.path, 0, stagePath, w.change)
		})
	}
	if w.replaced[p.Schema] {
		return p.Schema
	}
	return mapStructure(p, w.typed)
}

// reaches reports whether a schema, or one below it, has the Go type of the entry.
func (w *walker) reaches(s *schema.Schema) bool {
	if s == nil {
		return false
	}
	known, seen := w.holds[s]
	if seen {
		return known
	}
	out := s.GoType.Is(w.entry.typ.pkg, w.entry.typ.name) || slices.ContainsFunc(s.Properties,
		func(p schema.Property) bool { return w.reaches(p.Schema) }) ||
		w.reaches(s.Items) || w.reaches(s.AdditionalProperties)
	w.holds[s] = out
	return out
}

// typesIn returns the names of the Go types in the walker's version before any change.
func (w *walker) typesIn(root *schema.Schema) map[string]bool {
	names := w.run.reached[w.version]
	if names == nil {
		names = map[string]bool{}
		w.run.reached[w.version] = names
		addTypes(names, root, map[*schema.Schema]bool{})
		maps.Copy(w.run.types, names)
	}
	return names
}

// addTypes adds the names of the Go types of a schema and of those below it, each looked at once.
func addTypes(names map[string]bool, s *schema.Schema, seen map[*schema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	addType(names, s.GoType)
	for _, p := range s.Properties {
		addTypes(names, p.Schema, seen)
	}
	addTypes(names, s.Items, seen)
	addTypes(names, s.AdditionalProperties, seen)
}

func addType(names map[string]bool, t *schema.GoType) {
	if t == nil || t.Name != "" && names[t.String()] {
		return
	}
	if t.Name != "" {
		names[t.String()] = true
	}
	for _, under := range t.Under {
		addType(names, under)
	}
}
