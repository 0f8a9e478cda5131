package overlay

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// The lists of a file: changes of schemas, and what the objects of CRDs carry.
const (
	keyOverlays = "overlays"
	keyCRDs     = "crds"
)

// A reader reads the files of a run.
type reader struct {
	out   *Set
	found []diag.Diagnostic
}

// Read reads the files, whose Data must be set; Read sets their Syntax. If there are mistakes, entries are missing.
func Read(files []*diag.Source) (*Set, []diag.Diagnostic) {
	r := &reader{out: &Set{files: files}}
	for _, src := range files {
		trees, problems := read.Trees(src)
		for _, tree := range trees {
			problems = append(problems, tree.Found...)
		}
		r.report(problems...)
		isEmpty := true
		for _, tree := range trees {
			isEmpty = isEmpty && !hasEntries(tree.Root)
			r.document(tree.Root)
		}
		if isEmpty && len(problems) == 0 {
			r.errorf(diag.At(src, 0, 0), "add overlays: and below it a list of entries, or do not name the file",
				"the overlay file has no entries")
		}
	}
	return r.out, diag.Sort(r.found)
}

// report adds mistakes that another package has found, without its words about objects.
func (r *reader) report(found ...diag.Diagnostic) {
	for _, d := range found {
		d.Check, d.Severity, d.Notes, d.Path = Mistake.ID, diag.Error, nil, ""
		d.Message, _, _ = strings.Cut(d.Message, "; ")
		r.found = append(r.found, d.Help("%s", d.HelpText)) // without the effect of a help on objects
	}
}

// errorf adds a mistake. help is "" if there is nothing to add.
func (r *reader) errorf(at diag.Span, help, format string, args ...any) {
	r.found = append(r.found, diag.Errorf(at, Mistake, format, args...).Help("%s", help))
}

// expect reports a value of another form.
func (r *reader) expect(at diag.Span, owner, want string, v *schema.Value) {
	r.errorf(at, "", "%s: expected %s, got %s", owner, want, v.Kind.InYAML())
}

// hasEntries reports whether a document has an entry, or something else that is reported.
func hasEntries(root *schema.Value) bool {
	isEmpty := func(v *schema.Value) bool {
		return v.Kind == schema.Null || v.Kind == schema.Array && len(v.Items) == 0
	}
	return root.Kind != schema.Null && (root.Kind != schema.Object ||
		slices.ContainsFunc(root.Members, func(m schema.Member) bool { return !isEmpty(&m.Value) }))
}

// document reads one document of a file. An empty one has no entries.
func (r *reader) document(root *schema.Value) {
	if root.Kind == schema.Null {
		return
	}
	if root.Kind != schema.Object {
		help := "write overlays: or crds: and below it a list"
		at := root.Start()
		if root.Kind == schema.Array && len(root.Items) > 0 {
			at = root.Items[0].Start()
			help = "write overlays: on a line above the list; its entries have path: or type:, and changes"
		}
		r.errorf(at, help, "expected the key overlays or crds, got %s", root.Kind.InYAML())
		return
	}
	for i := range root.Members {
		switch m := &root.Members[i]; m.Key {
		case keyOverlays:
			r.entries(m, r.entry)
		case keyCRDs:
			r.entries(m, r.frame)
		default:
			r.unknown(m, "an overlay file", []string{keyOverlays, keyCRDs}, func(name string) string {
				if slices.Contains(names(keys()), name) {
					return "write overlays: and below it a list; " + name + " is a key of its entries"
				}
				return "write overlays: or crds: and below it a list"
			})
		}
	}
}

// entries calls visit for the mappings of a list. Without a value, there are none.
func (r *reader) entries(m *schema.Member, visit func(*schema.Value)) {
	if m.Value.Kind == schema.Null {
		return
	}
	if m.Value.Kind != schema.Array {
		r.errorf(m.KeyAt, "write - before the first key of each entry", "%s: expected a list, got %s", m.Key,
			m.Value.Kind.InYAML())
		return
	}
	for i := range m.Value.Items {
		n := &m.Value.Items[i]
		if n.Kind != schema.Object {
			r.expect(diag.Nearest(n.At, m.KeyAt), m.Key, "an entry with a selector and changes", n)
			continue
		}
		visit(n)
	}
}

// unknown reports a key that a mapping does not have. meant, which may be nil, returns the help for one that is not
// near to another.
func (r *reader) unknown(m *schema.Member, owner string, known []string, meant func(name string) string) {
	d := diag.Errorf(m.KeyAt, Mistake, "unknown key %q of %s", m.Key, owner)
	if near := diag.Near(m.Key, known); near != "" {
		d = d.Help("%s", diag.Meant(near))
	} else {
		d = d.Note("the keys are %s", strings.Join(known, ", "))
		if meant != nil {
			d = d.Help("%s", meant(m.Key))
		}
	}
	r.found = append(r.found, d)
}

// entry reads an entry of the list.
func (r *reader) entry(n *schema.Value) {
	e, table, before := &entry{at: n.Start()}, keys(), len(r.found)
	for i := range n.Members {
		m := &n.Members[i]
		if j := slices.IndexFunc(table, func(k key) bool { return k.name == m.Key }); j >= 0 {
			if isSelector(m.Key) {
				e.selector = append(e.selector, *m)
			}
			table[j].read(r, e, m)
			continue
		}
		r.unknown(m, "an entry", names(table), meantKey)
	}
	if len(r.found) > before {
		return
	}
	switch {
	case e.within != nil && e.typ == nil:
		r.errorf(n.Member(keyWithin).KeyAt, "write path, or add type with a Go type",
			"within restricts where a Go type is changed, but the entry has no type")
	case e.typ == nil && e.path == nil:
		r.errorf(e.at, `add path, such as path: spec.replicas, or path: "" for the whole schema`,
			"the entry selects nothing: it has neither path nor type")
	case len(e.changes) == 0:
		r.errorf(e.at, "add a change, such as tighten: {maxLength: 63}", "the entry changes nothing")
	default:
		r.out.entries = append(r.out.entries, e)
	}
}

// text returns a string, which is not empty.
func (r *reader) text(key string, v *schema.Value) (schema.Text, bool) {
	if v.Kind != schema.String || v.Text == "" {
		r.expect(diag.Nearest(v.At, v.Start()), key, "a text", v)
		return schema.Text{}, false
	}
	return schema.Text{V: v.Text, At: v.At}, true
}

// texts returns a list of strings, or a single one.
func (r *reader) texts(m *schema.Member) (out []schema.Text) {
	items := m.Value.Items
	if m.Value.Kind != schema.Array {
		items = []schema.Value{m.Value}
	}
	if len(items) == 0 {
		r.errorf(m.KeyAt, "remove the key, or add an item", "%s: the list is empty", m.Key)
	}
	for i := range items {
		t, ok := r.text(m.Key, &items[i])
		if !ok {
			continue
		}
		if j := slices.IndexFunc(out, func(u schema.Text) bool { return u.V == t.V }); j >= 0 {
			r.found = append(r.found, diag.Errorf(t.At, Mistake, "%s: duplicate %q", m.Key, t.V).
				Help("remove one of them").See(out[j].At, "first given here"))
			continue
		}
		out = append(out, t)
	}
	return out
}

// path reads a path. The empty one is the whole schema.
func (r *reader) path(m *schema.Member) *path {
	if m.Value.Kind != schema.String {
		r.expect(m.KeyAt, m.Key, "a path such as spec.containers[].image", &m.Value)
		return nil
	}
	return r.pathOf(schema.Text{V: m.Value.Text, At: m.Value.At}, 0)
}

// pathOf reads the path that a text has from an offset on.
func (r *reader) pathOf(text schema.Text, from int) *path {
	steps, fault := schema.ParsePattern(text.V[from:])
	if fault != nil {
		help := fault.Help
		if meant := pathFrom(text.V[from:]); meant != "" {
			help = "write " + meant
		}
		r.errorf(text.Range(from+fault.Start, from+fault.End), help, "%s", fault.Why)
	}
	for i := range steps {
		steps[i].Start, steps[i].End = steps[i].Start+from, steps[i].End+from
	}
	return &path{text, steps}
}

// goType reads the name of a Go type: an import path, a dot, the type, and possibly a path from it.
func (r *reader) goType(m *schema.Member) *goType {
	text, ok := r.text(m.Key, &m.Value)
	if !ok {
		return nil
	}
	slash := strings.LastIndexByte(text.V[:strings.IndexAny(text.V+"[", "[{")], '/') + 1
	dir, last := text.V[:slash], text.V[slash:]
	dot := typeDot(last)
	if dot < 0 {
		r.errorf(text.At, "write the import path of the package, a dot and the type, such as "+
			"k8s.io/api/core/v1.Container", "expected a Go type, got %q", text.V)
		return nil
	}
	name := last[dot+1:]
	end := strings.IndexAny(name+".", ".[{")
	out := &goType{text: text, pkg: dir + last[:dot], name: name[:end]}
	if end < len(name) {
		from := len(text.V) - len(name) + end
		if name[end] == '.' {
			from++
		}
		out.fields = r.pathOf(text, from)
	}
	return out
}

// typeDot returns the index of the dot between the last part of an import path and a type, -1 without one: before a
// capital letter, as in gopkg.in/inf.v0.Dec, otherwise the first one.
func typeDot(last string) int {
	for i := 0; i+1 < len(last); i++ {
		if c := last[i+1]; last[i] == '.' && i > 0 && c >= 'A' && c <= 'Z' {
			return i
		}
	}
	return strings.IndexByte(strings.TrimSuffix(last, "."), '.')
}

// loosen reads that key.
func (r *reader) loosen(e *entry, m *schema.Member) {
	if m.Value.Kind != schema.Bool || m.Value.Text != "true" {
		r.errorf(diag.Nearest(m.Value.At, m.KeyAt), "write loosen: true, or remove the key",
			"loosen: expected true, got %s", m.Value.Compact())
		return
	}
	e.loosen = &schema.Flag{V: true, At: m.KeyAt}
}
