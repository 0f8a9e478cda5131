package diff

import (
	"context"
	"fmt"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/crdproof/crdproof/generator/crds"
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/rules/kube"
)

// Compare compares a CRD before and after a change, for a range of Kubernetes versions; the zero value is the newest
// version. The error says that the API server's code could not answer; it is undefined after cancellation: check
// ctx.Err() first.
func Compare(ctx context.Context, before, after crds.CRD, versions kube.Range) (*Comparison, error) {
	out := &Comparison{Name: after.IR.ObjectName(), Old: before.IR, New: after.IR}
	out.Changes, out.Additions = definitions(before.IR, after.IR)
	out.judge(ctx, before, after, versions)
	if len(out.Rejected) > 0 {
		return out, nil
	}
	isStored := func(v schema.Version) bool { return v.Storage && versionIndex(after.IR, v.Name.V) >= 0 }
	isAlone := UsesWebhook(before.IR) || UsesWebhook(after.IR) || !slices.ContainsFunc(before.IR.Versions, isStored)
	var pairs []pair
	for i := range before.IR.Versions {
		old := &before.IR.Versions[i]
		// Objects cannot be written in a version that is not served; definitions reports those that no longer are.
		if j := versionIndex(after.IR, old.Name.V); j >= 0 && old.Served && after.IR.Versions[j].Served {
			pairs = append(pairs, pair{
				&side{crd: before, version: old, isAlone: isAlone},
				&side{crd: after, version: &after.IR.Versions[j], isAlone: isAlone}})
		}
	}
	return out, out.compare(ctx, pairs, versions)
}

// Between compares two versions of a valid CRD without a webhook: objects that are sent to one are read from the other.
func Between(
	ctx context.Context, crd crds.CRD, before, after string, versions kube.Range,
) (*Comparison, error) {
	out := &Comparison{Name: crd.IR.ObjectName(), Old: crd.IR, New: crd.IR, before: before, after: after}
	i, j := versionIndex(crd.IR, before), versionIndex(crd.IR, after)
	if i < 0 || j < 0 {
		return nil, fmt.Errorf("the CRD %s has no versions %s and %s", out.Name, before, after)
	}
	p := pair{&side{crd: crd, version: &crd.IR.Versions[i]}, &side{crd: crd, version: &crd.IR.Versions[j]}}
	out.Versions = p.name()
	return out, out.compare(ctx, []pair{p}, versions)
}

// UsesWebhook reports whether a webhook converts the objects of a CRD between its versions.
func UsesWebhook(crd *schema.CRD) bool {
	return crd.Conversion != nil && crd.Conversion.Strategy.V == string(apiext.WebhookConverter)
}

func versionIndex(crd *schema.CRD, name string) int {
	return slices.IndexFunc(crd.Versions, func(v schema.Version) bool { return v.Name.V == name })
}

// A pair is a version of both CRDs.
type pair struct{ old, new *side }

// name is that of the version, or both of them.
func (p pair) name() string {
	if old, now := p.old.version.Name.V, p.new.version.Name.V; old != now {
		return old + " as " + now
	}
	return p.new.version.Name.V
}

// isLike reports whether two pairs have the same schemas, so that they have the same changes.
func (p pair) isLike(q pair) bool {
	return schema.Same(p.old.version.Schema, q.old.version.Schema) &&
		schema.Same(p.new.version.Schema, q.new.version.Schema) &&
		p.old.hasStatus() == q.old.hasStatus() && p.new.hasStatus() == q.new.hasStatus()
}

// compare adds the changes of pairs of versions. Those of a version with the schemas of an earlier one are not found
// again.
func (c *Comparison) compare(ctx context.Context, pairs []pair, servers kube.Range) error {
	versions := make([][]string, len(pairs))
	var first []int
	for i, p := range pairs {
		like := slices.IndexFunc(pairs[:i], p.isLike)
		if like < 0 {
			like, first = i, append(first, i)
		}
		versions[like] = append(versions[like], p.name())
	}
	for _, i := range first {
		if pairs[i].old.version.Schema == nil || pairs[i].new.version.Schema == nil {
			return fmt.Errorf("version %s has no schema", pairs[i].new.version.Name.V)
		}
		changes, additions, err := pairs[i].answers(ctx, servers)
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
func gapsOf(accept, reject *side, isBackward bool) (*builder, []gap) {
	b := newBuilder(accept.version.Schema, reject.version.Schema)
	w := walk{builder: b, isBackward: isBackward, known: accept.typeMeta()}
	w.compare(&node{accept: accept.version.Schema, reject: reject.version.Schema})
	w.scales(accept.version, reject.version)
	return b, w.gaps
}

// compare returns the changes of one version.
func (p pair) compare(ctx context.Context) (changes []Change, additions []Addition, err error) {
	b, gaps := gapsOf(p.old, p.new, false)
	forward := &search{ctx: ctx, accept: p.old, reject: p.new, builder: b}
	known := answered{}
	for i := range gaps {
		if known.has(&gaps[i]) {
			continue
		}
		if change := forward.change(&gaps[i]); len(change.Findings) > 0 {
			changes = append(changes, change)
			known.add(&gaps[i], change)
		}
		if forward.err != nil || ctx.Err() != nil {
			return nil, nil, forward.err
		}
	}
	b, gaps = gapsOf(p.new, p.old, true)
	backward := &search{ctx: ctx, accept: p.new, reject: p.old, builder: b}
	for i := range gaps {
		g := &gaps[i]
		switch {
		case slices.Contains(readable, g.keyword):
			if known.has(g) {
				continue
			}
			if change := backward.reader(g); len(change.Findings) > 0 {
				changes = merged(changes, change)
				known.add(g, change)
			}
		case !g.isTopology && g.keyword != "default" && !g.isDetail():
			additions = append(additions, Addition{Path: g.field, Message: g.text, At: diag.Nearest(g.accept, g.reject),
				IsField: g.keyword == ""})
		}
		if backward.err != nil || ctx.Err() != nil {
			return nil, nil, backward.err
		}
	}
	return changes, additions, nil
}

// answered are the questions that changes of a value without a schema have answered with no, by its node. A schema for
// such a value is one change: its constraints on parts of the value are only listed if they answer other questions.
type answered map[*node][]Question

// isDetail reports whether a gap is about a part of a value that the accepting side has no schema for.
func (g *gap) isDetail() bool {
	open := g.node.opened()
	return open != nil && open != g.node
}

func (a answered) add(g *gap, c Change) {
	for _, f := range c.Findings {
		if open := g.node.opened(); open != nil && f.Answer == No {
			a[open] = append(a[open], f.Question)
		}
	}
}

func (a answered) has(g *gap) bool {
	if !g.isDetail() {
		return false
	}
	known := a[g.node.opened()]
	return !slices.ContainsFunc(g.asks(), func(q Question) bool {
		return !slices.Contains(known, q) || q == Create && !slices.Contains(known, Stored)
	})
}

// isSame reports whether two changes are the same one, with findings about other questions.
func (c *Change) isSame(other Change) bool {
	return other.Path == c.Path && other.Keyword == c.Keyword && other.Message == c.Message
}

// merged adds a change, or its findings to the same change.
func merged(changes []Change, c Change) []Change {
	i := slices.IndexFunc(changes, c.isSame)
	if i < 0 {
		return append(changes, c)
	}
	for _, f := range c.Findings {
		changes[i].add(f)
	}
	return changes
}

// readable are the keywords that decide whether a client can read a value.
var readable = []string{"type", "enum", "required", "nullable", "format"}
