package markers

import (
	"cmp"
	"slices"
	"strings"
)

// A Table finds the definition that a comment refers to. It never changes after NewTable.
type Table struct {
	defs  []Definition
	index map[key]*Definition
	// nests says that validation markers may have prefixes that lead to parts of a value (nested.go).
	nests bool
	// tags says that the table has all tags of declarative validation, so that a name close to a tag is a typo.
	tags bool
	// prefix is another prefix of these tags than k8s:, "" for none.
	prefix string
	// ofKind are the names of the markers of kinds.
	ofKind []string
	// dialects says that the markers of other generators for channels and gates are read.
	dialects bool
}

type key struct {
	target Target
	name   string
}

// NewTable indexes a list of definitions. Of two rows with the same name and target the later one wins; tests make
// sure that Known and Options have no such rows.
func NewTable(defs []Definition) *Table {
	t := &Table{defs: defs, index: make(map[key]*Definition, 2*len(defs))}
	for i := range defs {
		t.tags = t.tags || defs[i].Grammar == Tag && defs[i].IsTag()
		if defs[i].OfKind {
			t.ofKind = append(t.ofKind, defs[i].Name)
		}
		defs[i].Example = cmp.Or(defs[i].Example, written(&defs[i]))
		for _, target := range targets(defs[i].Targets) {
			t.index[key{target, defs[i].Name}] = &defs[i]
		}
	}
	return t
}

// Definitions returns the rows in the order of the table. Callers must not change them.
func (t *Table) Definitions() []Definition { return t.defs }

// Lookup returns the definition that a comment text, starting with '+', refers to on a target, or nil. As in
// controller-gen the whole name before the '=' is tried first, then the name without its last segment, which is an
// argument's name: +groupName=x, but +kubebuilder:resource:path=x (controller-tools, pkg/markers/reg.go). For a chain
// of tags it is the definition of the first, and for a marker behind prefixes that of the marker without them.
func (t *Table) Lookup(text string, target Target) *Definition {
	if strings.HasPrefix(text, "<") {
		return t.lookupAngle(target)
	}
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

// TakesBlock reports whether the indented lines below a marker belong to it: they give a required argument that is not
// written.
func (t *Table) TakesBlock(text string) bool {
	def := t.elsewhere(split(text))
	if _, payload, ok := strings.Cut(text, "=+"); ok && def != nil && def.IsCondition() {
		return t.TakesBlock("+" + payload)
	}
	if def == nil || len(def.Either) == 0 {
		return false
	}
	m, _, _ := t.Parse(Comment{Text: text}, targets(def.Targets)[0])
	return !slices.ContainsFunc(m.Args, func(a Arg) bool { return slices.Contains(def.Either, a.Name) })
}

// NeedsConstants reports whether a marker on a type or a field needs the constants of the type; own says whether the
// type is in one of the user's packages.
func (t *Table) NeedsConstants(text string, own bool) bool {
	if t.tags && strings.HasSuffix(text, ":enum") && strings.Contains(text, "=+") {
		return true // after k8s:alpha or k8s:beta
	}
	def := t.find(split(text), Type)
	if def != nil && def.Step != NoStep { // k8s:alpha=+k8s:enum
		if m, ok, _ := t.Parse(Comment{Text: text}, Type); ok {
			def = m.Def
		}
	}
	return def != nil && (def.Constants == ListsConstants || own && def.Constants != NoConstants)
}

// StatesKind reports whether a comment says that a type is a kind: a marker of CRDs, or one of the generators of
// methods and clients. A type with the methods of an object is not certainly a kind: helpers around kinds have them
// too.
func (t *Table) StatesKind(text string) (ok, isSure bool) {
	const root, methods = "kubebuilder:object:root", "k8s:deepcopy-gen:interfaces"
	for _, name := range append(slices.Clip(t.ofKind), root, "genclient", methods) {
		rest, isName := strings.CutPrefix(text, "+"+name)
		if isName && (rest == "" || strings.ContainsRune(":= ", rune(rest[0]))) {
			ok = name != root || !strings.HasSuffix(rest, "=false")
			return ok, ok && name != methods
		}
	}
	return false, false
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

// parts are the pieces of a marker's text before any argument is read.
type parts struct {
	// whole is everything between '+' and the first '='; stem is whole without its last segment.
	whole, stem string
	// tag is the name in the grammar Tag: up to a parenthesis, an '=' or white space.
	tag string
	// rest is everything after the first '='; without '=', given is false and stem equals whole.
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
