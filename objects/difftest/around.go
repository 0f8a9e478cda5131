package difftest

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/objects/internal/witness"
	"github.com/crdproof/crdproof/objects/internal/witnesstest"
	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// around makes objects with random values at the place of a rule.
type around struct {
	*witnesstest.Objects
	builder *witness.Builder
	base    map[string]any
	at      schema.Path
	// whole is the schema of the place, and read what the rules there read of it.
	whole, read *schema.Schema
}

// literals are the strings and integers of a rule.
var literals = regexp.MustCompile(`'([^'\\]*)'|"([^"\\]*)"|\b(\d+)\b`)

func newAround(ctx context.Context, crd crds.CRD, v int, p *schema.Place) *around {
	version := &crd.IR.Versions[v]
	out := &around{
		Objects: witnesstest.New(rand.New(rand.NewPCG(1, 1))),
		builder: witness.NewBuilder(witness.NewWork(ctx), version.Schema, version.Schema),
		at:      pathOf(p), whole: p.Schema,
	}
	for _, r := range p.Schema.Rules {
		for _, m := range literals.FindAllStringSubmatch(r.Rule.V, -1) {
			if n, err := strconv.ParseInt(m[3], 10, 64); err == nil {
				out.Special = append(out.Special, n-1, n, n+1)
			} else {
				out.Special = append(out.Special, m[1]+m[2])
			}
		}
	}
	read := *p.Schema
	read.Properties = slices.DeleteFunc(slices.Clone(read.Properties), func(child schema.Property) bool {
		isRead := slices.ContainsFunc(p.Schema.Rules, func(r schema.Rule) bool {
			return strings.Contains(r.Rule.V, child.Name)
		})
		return !isRead && !out.builder.IsRequired(p.Schema, child.Name)
	})
	out.read = &read
	if len(out.at) > 1 {
		side := &witness.Side{CRD: crd, Version: version, IsAlone: true, Minor: kube.Latest()}
		search := witness.NewSearch(side, out.builder)
		if out.base = search.Enclosing(out.at); out.base == nil {
			out.base = search.Minimal()
		}
	}
	if out.base == nil {
		out.base = map[string]any{"apiVersion": crd.Object.Spec.Group + "/" + version.Name.V,
			"kind": crd.Object.Spec.Names.Kind, "metadata": map[string]any{"name": "a"}}
	}
	return out
}

// pathOf returns the path of the first value at a place.
func pathOf(p *schema.Place) schema.Path {
	if p.Above == nil {
		return nil
	}
	switch above := pathOf(p.Above); p.Step {
	case schema.InItems:
		return above.Then(schema.Item(0))
	case schema.InValues:
		return above.Then(schema.Key("a"))
	default:
		return above.Then(schema.Key(p.Name))
	}
}

// object returns an object with a random value at the place: often one with only the fields that the rules read.
func (a *around) object() (map[string]any, bool) {
	s := a.whole
	if a.IntN(4) > 0 {
		s = a.read
	}
	value, ok := a.Value(a.builder, s, nil)
	if !ok {
		return nil, false
	}
	if len(a.at) > 0 {
		return a.builder.Apply(a.base, witness.Plan{{At: a.at, Value: value}})
	}
	fields, isObject := value.(map[string]any)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		if isObject {
			fields[name] = a.base[name]
		}
	}
	return fields, isObject
}
