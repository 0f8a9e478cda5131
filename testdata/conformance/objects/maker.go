package objects

import (
	"math/rand/v2"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/runtime"
)

// A Maker makes objects of one kind.
type Maker struct {
	root *node
	// apiVersion and kind are those of all objects, but for a few that were mutated.
	apiVersion, kind string
	calm             bool
	// all are the ways to all nodes, ruled those to nodes with rules.
	all, ruled []way
}

// NewMaker returns what makes objects of a kind whose schema is given. Most that a calm one makes are right as far as
// the schema goes, so that rules are asked.
func NewMaker(s *structural.Structural, apiVersion, kind string, calm bool) *Maker {
	root := newNode("", s, literals{})
	root.root = true
	all, ruled := root.ways(nil, nil, nil)
	return &Maker{root: root, apiVersion: apiVersion, kind: kind, calm: calm, all: all, ruled: ruled}
}

// A Case is an object, and what was done to a valid one to make it.
type Case struct {
	Object map[string]any
	// Old is the one that it replaces; nil where it is created.
	Old     map[string]any
	Changes []string
}

// Make makes a case: the same numbers make the same one.
func (k *Maker) Make(seed, number uint64) Case {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, number)), budget: 20}
	m.budget = pick(m, 10, 30, 60, 120)
	var to way
	switch {
	case m.one(3):
	case len(k.ruled) > 0 && m.one(2):
		to = pick(m, k.ruled...)
	default:
		to = pick(m, k.all...)
	}
	object := m.object(k.root, k.root.limits(), to)
	if v, ok := m.junctors(object, k.root, k.root.limits()).(map[string]any); ok {
		object = v
	}
	k.identify(m, object)
	var c Case
	what := m.IntN(8)
	if k.calm {
		what = pick(m, 0, 0, 0, 0, 1, 8, 8, 8, 8, 9)
	}
	switch what {
	case 0: // a valid one, as far as that goes
	case 8:
		c.Old, c.Object = object, runtime.DeepCopyJSON(object)
		c.Changes = []string{k.regenerate(m, c.Object), k.regenerate(m, c.Object)}
		return c
	case 1, 2, 3:
		c.Changes = k.mutate(m, object, 1+m.IntN(3))
	default:
		c.Changes = k.update(m, &c, object)
		return c
	}
	c.Object = object
	return c
}

func (k *Maker) identify(m *maker, object map[string]any) {
	object["apiVersion"], object["kind"] = k.apiVersion, k.kind
	object["metadata"] = map[string]any{"name": "name", "namespace": "default"}
	if m.one(4) {
		object["metadata"] = map[string]any{"name": "name", "namespace": "default", "labels": map[string]any{"a": "b"},
			"annotations": map[string]any{}}
	}
}

// update makes an old object, which may be wrong, and a neighbour of it, which may be wrong in other places.
func (k *Maker) update(m *maker, c *Case, object map[string]any) (changes []string) {
	if m.one(2) {
		changes = append(changes, "both:")
		changes = append(changes, k.mutate(m, object, 1+m.IntN(3))...)
	}
	c.Old, c.Object = object, runtime.DeepCopyJSON(object)
	switch m.IntN(8) {
	case 0:
		return append(changes, "unchanged")
	case 1:
		changes = append(changes, "old:")
		changes = append(changes, k.mutate(m, c.Old, 1)...)
	}
	changes = append(changes, "new:")
	if m.one(3) {
		return append(changes, k.regenerate(m, c.Object))
	}
	return append(changes, k.mutate(m, c.Object, 1+m.IntN(3))...)
}

// regenerate makes a part of an object anew.
func (k *Maker) regenerate(m *maker, object map[string]any) string {
	m.budget = 30
	all := spots(nil, "", object, k.root)
	for range 8 {
		if len(all) == 0 {
			break
		}
		if s := pick(m, all...); s.node != nil {
			s.set(m.value(s.node))
			return s.path + " made anew"
		}
	}
	return "nothing"
}
