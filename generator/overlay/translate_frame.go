package overlay

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// A frameDraft is an entry of the list crds that is going to be written.
type frameDraft struct {
	kinds    []string
	settings []draftSetting
}

// A draftSetting gives a value to a slot.
type draftSetting struct {
	slot
	value *yaml.Node
	text  string
}

// node returns an entry.
func (f *frameDraft) node() *yaml.Node {
	out := mapping()
	put(out, keyKind, oneOrMore(f.kinds))
	for _, s := range f.settings {
		value := s.value
		if s.key != "" {
			if i := len(out.Content); i > 1 && out.Content[i-2].Value == s.field {
				put(out.Content[i-1], s.key, s.value)
				continue
			}
			value = mapping()
			put(value, s.key, s.value)
		}
		put(out, s.field, value)
	}
	layOut(out, 2)
	return out
}

// frames returns the entries for what CRD objects carry, and finds what differs and cannot be in one.
func (t *translator) frames() (out []frameDraft) {
	var kinds [][]int
	var settings []draftSetting
	for i, p := range t.pairs {
		for _, s := range t.settings(p) {
			at := slices.IndexFunc(settings, func(k draftSetting) bool { return k.slot == s.slot && k.text == s.text })
			if at < 0 {
				at = len(settings)
				settings, kinds = append(settings, s), append(kinds, nil)
			}
			kinds[at] = append(kinds[at], i)
		}
		t.unchangeable(p)
	}
	var pairs [][]int // the pairs of each entry
	for i, s := range settings {
		at := slices.IndexFunc(pairs, func(list []int) bool { return slices.Equal(list, kinds[i]) })
		if at < 0 {
			at = len(out)
			var names []string
			if len(kinds[i]) < len(t.pairs) || len(kinds[i]) == 1 {
				names = t.kindsOf(kinds[i])
			}
			pairs, out = append(pairs, kinds[i]), append(out, frameDraft{kinds: names})
		}
		out[at].settings = append(out[at].settings, s)
	}
	return out
}

// settings returns what gives a generated CRD what the shipped one carries.
func (t *translator) settings(p Pair) (out []draftSetting) {
	before, after := frameOf(p.Generated), frameOf(p.Shipped)
	for _, f := range fields() {
		was, now := nodeIn(before, f.path...), nodeIn(after, f.path...)
		if f.keyed == nil {
			out = append(out, t.setting(p, slot{field: f.name}, was, now)...)
			continue
		}
		for _, key := range keysOf(was, now) {
			if key != crd.VersionAnnotation && key != crd.ControllerGenAnnotation {
				out = append(out, t.setting(p, slot{f.name, key}, valueIn(was, key), valueIn(now, key))...)
			}
		}
	}
	return out
}

// setting returns the setting of one slot, none if the values are equal.
func (t *translator) setting(p Pair, at slot, was, now *yaml.Node) []draftSetting {
	before, after := nodeText(was), nodeText(now)
	switch {
	case before == after:
		return nil
	case now != nil:
	case at.key != "":
		now = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case was.Kind == yaml.SequenceNode:
		now = &yaml.Node{Kind: yaml.SequenceNode}
	default:
		t.left = append(t.left, Leftover{p.Generated.Kind.V, at.field, before, "none",
			"remove it from the Go types"})
		return nil
	}
	return []draftSetting{{at, now, after}}
}

// markersOf say what changes the parts of a CRD that no overlay changes.
var markersOf = map[string]string{
	"additionalPrinterColumns": "+kubebuilder:printcolumn", "subresources": "+kubebuilder:subresource",
	"selectableFields": "+kubebuilder:selectablefield", "storage": "+kubebuilder:storageversion",
	"served": "+kubebuilder:unservedversion", "deprecated": "+kubebuilder:deprecatedversion",
	"deprecationWarning": "+kubebuilder:deprecatedversion:warning", "scope": "+kubebuilder:resource:scope",
	"plural": "+kubebuilder:resource:path", "singular": "+kubebuilder:resource:singular",
}

// unchangeable finds the parts of a CRD that differ although no overlay changes them.
func (t *translator) unchangeable(p Pair) {
	before, after := frameOf(p.Generated), frameOf(p.Shipped)
	compare := func(where string, was, now *yaml.Node) {
		if nodeText(was) == nodeText(now) {
			return
		}
		why := "no overlay changes it"
		if marker := markersOf[where[strings.LastIndexByte(where, '.')+1:]]; marker != "" {
			why = "write " + marker + " at the Go type"
		}
		t.left = append(t.left, Leftover{p.Generated.Kind.V, where, nodeText(was), nodeText(now), why})
	}
	for _, path := range [][]string{{"metadata"}, {"spec"}, {"spec", "names"}} {
		was, now := nodeIn(before, path...), nodeIn(after, path...)
		for _, key := range keysOf(was, now) {
			at := append(slices.Clone(path), key)
			isSet := slices.ContainsFunc(fields(), func(f field) bool { return slices.Equal(f.path, at) })
			if !isSet && key != "names" && key != "versions" {
				compare(strings.Join(at, "."), valueIn(was, key), valueIn(now, key))
			}
		}
	}
	for i := range p.Generated.Versions {
		v := &p.Generated.Versions[i]
		other := versionNamed(p.Shipped, v.Name.V)
		if other == nil {
			continue
		}
		was, now := versionNode(*v), versionNode(*other)
		for _, key := range keysOf(was, now) {
			compare(v.Name.V+"."+key, valueIn(was, key), valueIn(now, key))
		}
	}
	if was, now := versionNames(p.Generated), versionNames(p.Shipped); slices.Equal(slices.Sorted(slices.Values(was)),
		slices.Sorted(slices.Values(now))) {
		compare("spec.versions", texts(was), texts(now))
	}
}

func versionNames(c *schema.CRD) (out []string) {
	for _, v := range c.Versions {
		out = append(out, v.Name.V)
	}
	return out
}

// frameOf returns the YAML of a CRD without its versions.
func frameOf(c *schema.CRD) []byte {
	frame := *c
	frame.Versions = nil
	return crd.Encode(&frame, crd.Options{})
}

// versionNode returns a version without its schema.
func versionNode(v schema.Version) *yaml.Node {
	v.Schema = nil
	list := nodeIn(crd.Encode(&schema.CRD{Versions: []schema.Version{v}}, crd.Options{}), "spec", "versions")
	return list.Content[0]
}

// keysOf returns the keys of two mappings, in order; a mapping may be nil.
func keysOf(maps ...*yaml.Node) (out []string) {
	for _, n := range maps {
		for i := 0; n != nil && i < len(n.Content); i += 2 {
			if key := n.Content[i].Value; !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	slices.Sort(out)
	return out
}

// valueIn returns the value of a key, nil without one.
func valueIn(n *yaml.Node, key string) *yaml.Node {
	for i := 0; n != nil && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// nodeText returns a value on one line.
func nodeText(n *yaml.Node) string {
	if n == nil {
		return "none"
	}
	flat := *n
	flat.Style = yaml.FlowStyle
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	data, err := yaml.Marshal(&flat)
	if err != nil {
		panic(err) // it was read
	}
	return strings.TrimSpace(string(data))
}
