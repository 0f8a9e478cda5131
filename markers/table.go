package markers

import (
	"slices"
	"strings"
)

// A Table finds the definition that a comment refers to. It does not change after NewTable.
type Table struct {
	defs  []Definition
	index map[key]*Definition
	// nests says that validation markers may stand behind prefixes that lead inwards (nested.go).
	nests bool
	// tags says that the table has all tags of declarative validation, so that what resembles one was meant to be one.
	tags bool
}

type key struct {
	target Target
	name   string
}

// NewTable indexes a list of definitions. Where two rows share a name and a target the later one wins; a test of
// Known and of Options sees to it that none do.
func NewTable(defs []Definition) *Table {
	t := &Table{defs: defs, index: make(map[key]*Definition, 2*len(defs))}
	for i := range defs {
		t.tags = t.tags || defs[i].Grammar == Tag
		for _, target := range targets(defs[i].Targets) {
			t.index[key{target, defs[i].Name}] = &defs[i]
		}
	}
	return t
}

// Definitions returns the rows in the order of the table. The caller must not change them.
func (t *Table) Definitions() []Definition { return t.defs }

// Lookup returns the definition that a comment text, starting with '+', refers to on a target, or nil. As in
// controller-gen the whole name before the '=' is tried first, then the name without its last segment, which is an
// argument's name: +groupName=x, but +kubebuilder:resource:path=x (controller-tools, pkg/markers/reg.go). Of a chain of
// tags it is the first one's, and of a marker behind prefixes the marker's without them.
func (t *Table) Lookup(text string, target Target) *Definition {
	return t.find(split(text), target)
}

func (t *Table) find(p parts, target Target) *Definition {
	if def := t.index[key{target, p.tag}]; def != nil && def.Grammar == Tag {
		return def
	}
	for _, name := range []string{p.whole, p.stem} {
		if def := t.index[key{target, name}]; def != nil {
			if def.Grammar == Bare && (p.given || p.whole != def.Name) {
				return nil
			}
			return def
		}
	}
	return t.findNested(p, target)
}

// TakesBlock reports whether the lines that are indented below a marker belong to it: they give an argument that it
// cannot do without and that is not written.
func (t *Table) TakesBlock(text string) bool {
	def := t.elsewhere(split(text))
	if def == nil || len(def.Either) == 0 {
		return false
	}
	m, _, _ := t.Parse(Comment{Text: text}, targets(def.Targets)[0])
	return !slices.ContainsFunc(m.Args, func(a Arg) bool { return slices.Contains(def.Either, a.Name) })
}

// elsewhere returns the definition of a name on any target.
func (t *Table) elsewhere(p parts) *Definition {
	for _, target := range targets(anywhere) {
		if def := t.find(p, target); def != nil {
			return def
		}
	}
	return nil
}

// anywhere is the set of all targets.
const anywhere = Package | Type | Field | Constant

// targets lists the single targets of a set.
func targets(set Target) []Target {
	list := make([]Target, 0, 4)
	for _, t := range []Target{Package, Type, Field, Constant} {
		if set&t != 0 {
			list = append(list, t)
		}
	}
	return list
}

// parts are a marker text's pieces before any argument is read.
type parts struct {
	// whole is everything between '+' and the first '='; stem is whole without its last segment.
	whole, stem string
	// tag is the name in the grammar Tag: up to a parenthesis, an '=' or white space.
	tag string
	// rest is everything after the first '='; without a '=' given is false and stem equals whole.
	rest  string
	given bool
}

func split(text string) parts {
	text = strings.TrimPrefix(text, "+")
	whole, rest, given := strings.Cut(text, "=")
	p := parts{whole: whole, stem: whole, tag: tagName(text), rest: rest, given: given}
	if i := strings.LastIndexByte(whole, ':'); given && i >= 0 {
		p.stem = whole[:i]
	}
	return p
}
