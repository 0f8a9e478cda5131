// Package mutate changes CRDs at random, from a seed. Each change is one that an API server may reject, such as a
// misspelled type or an expensive rule. Some are harmless.
package mutate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"sigs.k8s.io/yaml"
)

// A CRD is one that is to be changed.
type CRD struct {
	// Name tells it from the others.
	Name string
	// Object is the CRD as JSON, its numbers json.Number. It is never changed.
	Object object
}

// Read reads a CRD from YAML.
func Read(name string, data []byte) (CRD, error) {
	crd := CRD{Name: name}
	useNumber := func(d *json.Decoder) *json.Decoder {
		d.UseNumber()
		return d
	}
	err := yaml.Unmarshal(data, &crd.Object, useNumber)
	return crd, err
}

// A Mutation is one CRD that was changed in one place, or in a few.
type Mutation struct {
	Seed uint64
	// Number tells the mutations of one seed apart: seed, number and the list of CRDs make a mutation again.
	Number int
	// CRD is what was changed.
	CRD     CRD
	Changes []Change
	// YAML is the CRD after the changes.
	YAML []byte
}

// A Change is one thing that was done.
type Change struct {
	// Operator is the kind of change, such as "list: set of structs".
	Operator string
	// Path is the place, in the notation of the API server.
	Path string
	// What is the change in words.
	What string
}

// String prints all there is to see of the mutation.
func (m Mutation) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "mutation %d of seed %d, %s\n", m.Number, m.Seed, m.CRD.Name)
	for _, c := range m.Changes {
		fmt.Fprintf(&out, "%s: %s at %s\n", c.Operator, c.What, c.Path)
	}
	before, err := yaml.Marshal(m.CRD.Object)
	if err != nil {
		return out.String() + err.Error()
	}
	text := diff.Diff("before", before, "after", m.YAML)
	if lines := strings.SplitAfter(string(text), "\n"); len(lines) > maxDiffLines {
		text = []byte(strings.Join(lines[:maxDiffLines], "") + "…\n")
	}
	out.Write(text)
	return out.String()
}

// maxDiffLines is enough for all but mutations that copy whole trees.
const maxDiffLines = 120

// New makes a mutation. The same arguments make the same one.
func New(seed uint64, number int, crds []CRD) (Mutation, error) {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	crd := pick(r, crds...)
	m := Mutation{Seed: seed, Number: number, CRD: crd}
	changed := clone(crd.Object).(object)
	changes := 1
	if r.IntN(4) == 0 {
		changes += 1 + r.IntN(2)
	}
	for range changes {
		m.Changes = append(m.Changes, change(r, changed))
	}
	var err error
	if m.YAML, err = marshal(changed); err != nil {
		return m, fmt.Errorf("%s: %w", m, err)
	}
	if r.IntN(20) == 0 {
		var c Change
		c, m.YAML = rewrite(r, m.YAML)
		m.Changes = append(m.Changes, c)
	}
	return m, nil
}

// marshal writes YAML. It takes numbers beyond all types, which the library's own way through YAML would change.
func marshal(crd object) ([]byte, error) {
	data, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	out, err := yaml.JSONToYAML(data)
	if err != nil || bytes.Contains(out, []byte(": .inf")) {
		return data, nil
	}
	return out, nil
}

// An operator is one kind of change.
type operator struct {
	name string
	// fits reports whether the change can be made to a node; nil is for changes that are not about a node.
	fits func(n *node) bool
	// do makes the change and says what was done, "" where there is nothing to do.
	do func(r *rand.Rand, n *node) string
}

// change does something to the CRD.
func change(r *rand.Rand, crd object) Change {
	group := pick(r, groups...)
	all := nodes(crd)
	for {
		op := pick(r, group...)
		n := &node{crd: crd, path: "the CRD"}
		if op.fits != nil {
			n = choose(r, all, op.fits)
		}
		if n != nil {
			if what := op.do(r, n); what != "" {
				return Change{Operator: op.name, Path: n.path, What: what}
			}
		}
		group = slices.Concat(groups...)
	}
}

// groups are all operators. Each group is as likely as any other, and so is each operator of one; what a server thinks
// about longest stands there twice.
var groups = [][]operator{
	typeOperators(), treeOperators(), boundOperators(), enumOperators(), defaultOperators(), defaultOperators(),
	listOperators(), listOperators(), junctorOperators(), junctorOperators(), ruleOperators(), ruleOperators(),
	ruleFieldOperators(), ruleFieldOperators(), extensionOperators(), keywordOperators(), nameOperators(),
	metadataOperators(), versionOperators(), subresourceOperators(), jsonOperators(), harmlessOperators(),
	harmlessOperators(),
}

// choose returns a node that fits, nil where none does. Each depth is as likely as any other, though most nodes lie
// deep.
func choose(r *rand.Rand, all []*node, fits func(*node) bool) *node {
	byDepth := map[int][]*node{}
	for _, n := range all {
		if fits(n) {
			byDepth[n.depth] = append(byDepth[n.depth], n)
		}
	}
	if len(byDepth) == 0 {
		return nil
	}
	depths := slices.Sorted(maps.Keys(byDepth))
	return pick(r, byDepth[pick(r, depths...)]...)
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[key] = clone(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	}
	return v
}
