package overlay

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/schema"
)

// widest is the number of columns from which on a mapping or a list gets several lines.
const widest = 100

// head is what the file begins with: where editors find its JSON Schema, and what it is.
const head = "yaml-language-server: $schema=" +
	"https://raw.githubusercontent.com/crdproof/crdproof/main/docs/overlay.schema.json\n" +
	"What the CRDs that ship have, and the Go types do not give: found by crdproof adopt --from."

// fileOf returns the file with entries of both lists, nil without any.
func fileOf(entries []*draft, frames []frameDraft) []byte {
	root := mapping()
	if len(entries) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, d := range entries {
			list.Content = append(list.Content, d.node())
		}
		put(root, keyOverlays, list)
	}
	if len(frames) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, f := range frames {
			list.Content = append(list.Content, f.node())
		}
		put(root, keyCRDs, list)
	}
	if len(root.Content) == 0 {
		return nil
	}
	root.HeadComment = head
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := errors.Join(enc.Encode(root), enc.Close()); err != nil {
		panic(err) // all nodes are made here
	}
	return out.Bytes()
}

// node returns an entry.
func (d *draft) node() *yaml.Node {
	out := mapping()
	put(out, keyKind, oneOrMore(d.kinds))
	put(out, keyVersions, texts(d.versions))
	if d.typ != "" {
		put(out, keyType, text(d.typ))
	}
	if len(d.within) > 0 {
		put(out, keyWithin, text(pathText(d.within)))
	}
	if d.typ == "" || len(d.path) > 0 {
		put(out, keyPath, text(pathText(d.path)))
	}
	lists, values := d.changes()
	if rest, ok := d.only(lists[keyDrop]); ok {
		lists[keyOnly] = rest
		delete(lists, keyDrop)
	}
	for _, key := range [...]string{keyReplace, keyRemove, keyOnly, keyDrop, keyAddFields, keyRequire, keyOptional,
		keySet, keyTighten, keyRemoveRules, keyAddRules, keyDescription} {
		put(out, key, texts(lists[key]))
		put(out, key, values[key])
	}
	if d.loosens {
		put(out, keyLoosen, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	layOut(out, 2)
	return out
}

// changes returns the values of the keys that have a list of names, and of the others.
func (d *draft) changes() (lists map[string][]string, values map[string]*yaml.Node) {
	lists, values = map[string][]string{}, map[string]*yaml.Node{}
	add := func(key, name string, value *yaml.Node) {
		if values[key] == nil {
			values[key] = mapping()
		}
		put(values[key], name, value)
	}
	for i := range d.ops {
		switch o := &d.ops[i]; o.key {
		case keySet:
			key := keySet
			if d.tightens(o) {
				key = keyTighten
			}
			add(key, o.name, nodeOf(o.value, o.name))
		case keyAddFields:
			add(o.key, o.name, nodeOf(o.value))
		case keyDescription:
			if o.how == keyDrop {
				add(o.key, o.how, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
			} else {
				add(o.key, o.how, nodeOf(o.value, "description"))
			}
		case keyAddRules:
			values[o.key] = nodeOf(o.value, validations)
		case keyReplace:
			values[o.key] = nodeOf(o.value)
		case keyRemoveRules:
			lists[o.key] = o.names
		default:
			lists[o.key] = append(lists[o.key], o.name)
		}
	}
	return lists, values
}

// tightens reports whether the value of a keyword need not replace what the places have, but holds in addition.
func (d *draft) tightens(o *op) bool {
	k := schema.KeywordOf(o.name)
	if !k.Validates || k.HoldsSchemas() || k.Merge == schema.MergeNot || k.Merge == schema.MergeLast {
		return false
	}
	if flag, ok := k.Field.(schema.One[schema.Flag]); ok && !(*flag(o.value)).True() {
		return false
	}
	for _, s := range d.spots {
		want := *s.before
		k.Copy(&want, o.value)
		if made, problem := tightened(k, s.before, o.value); problem != "" || !schema.Same(made, &want) {
			return false
		}
	}
	return true
}

// only returns the fields that stay if some are dropped, if that is the shorter list, and right at all places.
func (d *draft) only(dropped []string) (out []string, ok bool) {
	for i, s := range d.spots {
		if s.after == nil {
			continue
		}
		names := s.after.PropertyNames()
		slices.Sort(names)
		if i > 0 && !slices.Equal(names, out) {
			return nil, false
		}
		out = names
		for _, name := range names {
			if s.before.Property(name) == nil {
				return nil, false
			}
		}
		for _, t := range s.before.Required { // which only drops with the fields
			if !hasName(s.after.Required, t.V) && s.after.Property(t.V) != nil {
				return nil, false
			}
		}
	}
	return out, len(out) > 0 && len(out) < len(dropped)
}

// nodeOf returns a schema in YAML, or the value of a keyword in it.
func nodeOf(s *schema.Schema, keyword ...string) *yaml.Node {
	return nodeIn(crd.EncodeSchema(s), keyword...)
}

// nodeIn returns a value in YAML: the one at a path of keys, nil without one.
func nodeIn(data []byte, path ...string) *yaml.Node {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		panic(err) // crdproof has written it
	}
	at := document.Content[0]
	for _, key := range path {
		i := 0
		for i < len(at.Content) && at.Content[i].Value != key {
			i += 2
		}
		if i >= len(at.Content) {
			return nil
		}
		at = at.Content[i+1]
	}
	return at
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

// texts returns a list of strings, nil for none.
func texts(list []string) *yaml.Node {
	if len(list) == 0 {
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode}
	for _, s := range list {
		out.Content = append(out.Content, text(s))
	}
	return out
}

// oneOrMore is texts, without a list for a single string.
func oneOrMore(list []string) *yaml.Node {
	if len(list) == 1 {
		return text(list[0])
	}
	return texts(list)
}

// put adds a key to a mapping, unless the value is nil.
func put(to *yaml.Node, key string, value *yaml.Node) {
	if value != nil {
		to.Content = append(to.Content, text(key), value)
	}
}

// layOut writes each mapping and list below an entry on one line if it fits.
func layOut(n *yaml.Node, indent int) {
	for i, child := range n.Content {
		column := indent
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				continue
			}
			column += len(n.Content[i-1].Value) + 2
		}
		if len(child.Content) == 0 {
			continue
		}
		if width := flowWidth(child); width >= 0 && column+width <= widest {
			child.Style = yaml.FlowStyle
			continue
		}
		layOut(child, indent+2)
	}
}

// flowWidth returns about how many columns a value takes on one line, -1 if a text in it has several lines.
func flowWidth(n *yaml.Node) int {
	if n.Kind == yaml.ScalarNode {
		if strings.Contains(n.Value, "\n") {
			return -1
		}
		if strings.ContainsAny(n.Value, " ,:[]{}'\"#*&!|>%@`") || n.Value == "" {
			return len(n.Value) + 2 // quotes
		}
		return len(n.Value)
	}
	width := 2
	for _, child := range n.Content {
		w := flowWidth(child)
		if w < 0 {
			return -1
		}
		width += w + 2
	}
	return width - 2
}
