package diff

import (
	"context"
	"fmt"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// Compare compares a CRD before and after a change, for a range of Kubernetes versions; the zero value is the newest
// version. The error says that the API server's code could not answer; it is undefined after cancellation: check
// ctx.Err() first.
func Compare(ctx context.Context, before, after crds.CRD, versions kube.Range) (*Comparison, error) {
	out := &Comparison{Name: after.IR.ObjectName(), Old: before.IR, New: after.IR}
	before = asWritten(before)
	if IsFromCluster(after) {
		after = asWritten(after)
	}
	out.Changes, out.Additions = definitions(before.IR, after.IR)
	out.judge(ctx, before, after, versions)
	if len(out.Rejected) > 0 {
		return out, nil
	}
	now := versionsOf(after.IR)
	isStored := func(v schema.Version) bool { return v.Storage && now[v.Name.V] != nil }
	isAlone := UsesWebhook(before.IR) || UsesWebhook(after.IR) || !slices.ContainsFunc(before.IR.Versions, isStored) ||
		out.isInvalid
	var pairs []pair
	for i := range before.IR.Versions {
		old := &before.IR.Versions[i]
		// Objects cannot be written in a version that is not served; definitions reports those that no longer are.
		if v := now[old.Name.V]; v != nil && old.Served && v.Served {
			if out.isInvalid && !isServed(ctx, before, old.Name.V) {
				out.Changes = append(out.Changes, unserved(old, v))
				continue
			}
			pairs = append(pairs, pair{
				&witness.Side{CRD: before, Version: old, IsAlone: isAlone},
				&witness.Side{CRD: after, Version: v, IsAlone: isAlone}})
		}
	}
	return out, out.compare(witness.NewWork(ctx), pairs, versions)
}

// Between compares two versions of a valid CRD without a webhook: objects that are sent to one are read from the other.
func Between(
	ctx context.Context, crd crds.CRD, before, after string, versions kube.Range,
) (*Comparison, error) {
	crd = asWritten(crd)
	out := &Comparison{Name: crd.IR.ObjectName(), Old: crd.IR, New: crd.IR, before: before, after: after}
	from, to := versionsOf(crd.IR)[before], versionsOf(crd.IR)[after]
	if from == nil || to == nil {
		return nil, fmt.Errorf("the CRD %s has no versions %s and %s", out.Name, before, after)
	}
	p := pair{&witness.Side{CRD: crd, Version: from}, &witness.Side{CRD: crd, Version: to}}
	out.Versions = p.name()
	return out, out.compare(witness.NewWork(ctx), []pair{p}, versions)
}

// UsesWebhook reports whether a webhook converts the objects of a CRD between its versions.
func UsesWebhook(crd *schema.CRD) bool {
	return crd.Conversion != nil && crd.Conversion.Strategy.V == string(apiext.WebhookConverter)
}

// A pair is a version of both CRDs.
type pair struct{ old, new *witness.Side }

// name returns the name of the version, or both names.
func (p pair) name() string {
	if old, now := p.old.Version.Name.V, p.new.Version.Name.V; old != now {
		return old + " as " + now
	}
	return p.new.Version.Name.V
}

// A likeness is what pairs with the same changes have in common: their schemas.
type likeness struct {
	old, new             uint64
	oldStatus, newStatus bool
}

func (p pair) likeness(w *witness.Work) likeness {
	return likeness{w.IDs.Of(p.old.Version.Schema), w.IDs.Of(p.new.Version.Schema), p.old.HasStatus(),
		p.new.HasStatus()}
}

// compare adds the changes of pairs of versions. Those of a version with the schemas of an earlier one are not found
// again.
func (c *Comparison) compare(w *witness.Work, pairs []pair, servers kube.Range) error {
	versions := make([][]string, len(pairs))
	known := map[likeness]int{}
	var first []int
	for i, p := range pairs {
		key := p.likeness(w)
		like, ok := known[key]
		if !ok {
			like, first = i, append(first, i)
			known[key] = i
		}
		versions[like] = append(versions[like], p.name())
	}
	for _, i := range first {
		if pairs[i].old.Version.Schema == nil || pairs[i].new.Version.Schema == nil {
			return fmt.Errorf("version %s has no schema", pairs[i].new.Version.Name.V)
		}
		changes, additions, err := pairs[i].answers(w, servers)
		if err != nil {
			return err
		}
		for j := range changes {
			changes[j].Versions = versions[i]
		}
		for j := range additions {
			additions[j].Versions = versions[i]
		}
		c.Changes, c.Additions = append(c.Changes, changes...), append(c.Additions, additions...)
	}
	return nil
}

// gapsOf returns the differences because of which a side may treat objects otherwise that another one accepts.
func gapsOf(on *witness.Work, accept, reject *witness.Side, isBackward bool) (*witness.Builder, []gap) {
	b := witness.NewBuilder(on, accept.Version.Schema, reject.Version.Schema)
	w := walk{Builder: b, isBackward: isBackward, known: accept.TypeMeta()}
	w.compare(&node{accept: accept.Version.Schema, reject: reject.Version.Schema})
	w.scales(accept.Version, reject.Version)
	return b, w.gaps
}

// compare returns the changes of one version.
func (p pair) compare(w *witness.Work) (changes []Change, additions []Addition, err error) {
	b, gaps := gapsOf(w, p.old, p.new, false)
	forward := &trial{Search: witness.NewSearch(p.old, b), reject: p.new}
	known := answered{}
	for i := range gaps {
		if known.has(&gaps[i]) {
			continue
		}
		if change := forward.change(&gaps[i]); len(change.Findings) > 0 {
			changes = append(changes, change)
			known.add(&gaps[i], change)
		}
		if forward.Err != nil || w.Context.Err() != nil {
			return nil, nil, forward.Err
		}
	}
	b, gaps = gapsOf(w, p.new, p.old, true)
	backward := &trial{Search: witness.NewSearch(p.new, b), reject: p.old}
	places := placesOf(changes)
	for i := range gaps {
		g := &gaps[i]
		switch {
		case g.isCut || slices.Contains(readable, g.keyword):
			if known.has(g) {
				continue
			}
			if change := backward.reader(g); len(change.Findings) > 0 {
				changes = places.merge(changes, change)
				known.add(g, change)
			}
		case !g.isTopology && g.keyword != "default" && !g.isDetail():
			additions = append(additions, Addition{Path: g.field, Message: g.text, At: diag.Nearest(g.accept, g.reject),
				IsField: g.keyword == ""})
		}
		if backward.Err != nil || w.Context.Err() != nil {
			return nil, nil, backward.Err
		}
	}
	followed, err := p.followed(w, changes)
	return append(changes, followed...), additions, err
}

// answered are the questions that changes of a value without a schema have answered with no, by its node. A schema for
// such a value is one change: its constraints on parts of the value are only listed if they answer other questions.
type answered map[*node][]Question

// isDetail reports whether a gap is about a part of a value that the accepting side has no schema for.
func (g *gap) isDetail() bool {
	return g.node.open != nil && g.node.open != g.node
}

func (a answered) add(g *gap, c Change) {
	for _, f := range c.Findings {
		open := g.node.open
		if open != nil && f.Answer == No && !slices.Contains(a[open], f.Question) {
			a[open] = append(a[open], f.Question)
		}
	}
}

func (a answered) has(g *gap) bool {
	if !g.isDetail() {
		return false
	}
	known := a[g.node.open]
	return !slices.ContainsFunc(g.asks(), func(q Question) bool {
		return !slices.Contains(known, q) || q == Create && !slices.Contains(known, Stored)
	})
}

// places are the indexes of changes in a list. Two changes are the same one, with findings about other questions, if
// they have the same texts.
type places map[[3]string]int

func (c *Change) texts() [3]string { return [3]string{c.Path, c.Keyword, c.Message} }

func placesOf(changes []Change) places {
	out := places{}
	for i := range changes {
		out.find(&changes[i], i)
	}
	return out
}

// find returns the index of a change. If it is a new one, that is the given index, and ok is unset.
func (p places) find(c *Change, index int) (at int, ok bool) {
	if at, ok = p[c.texts()]; !ok {
		p[c.texts()], at = index, index
	}
	return at, ok
}

// merge adds a change, or its findings to the same change.
func (p places) merge(changes []Change, c Change) []Change {
	i, ok := p.find(&c, len(changes))
	if !ok {
		return append(changes, c)
	}
	for _, f := range c.Findings {
		changes[i].add(f)
	}
	return changes
}

// readable are the keywords that decide whether a client can read a value.
var readable = []string{"type", "enum", "required", "nullable", "format"}
