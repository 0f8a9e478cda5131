package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/generator/overlay"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/internal/cli/extensions"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/rules/check"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A parser reads one settings file.
type parser struct {
	src *diag.Source
	// dir is the directory of the file, which paths in it are relative to.
	dir      string
	checks   check.Table
	settings Settings
	found    []diag.Diagnostic
}

func (p *parser) errorf(at diag.Span, format string, args ...any) *diag.Diagnostic {
	p.found = append(p.found, diag.Errorf(at, Mistake, format, args...))
	return &p.found[len(p.found)-1]
}

// root returns the mapping of the file; nil if the file is empty or cannot be read.
func (p *parser) root() *schema.Value {
	trees, problems := read.Trees(p.src)
	for _, d := range problems {
		d.Check, d.Severity = Mistake.ID, diag.Error
		p.found = append(p.found, d)
	}
	switch {
	case len(problems) > 0 || len(trees) == 0 || len(trees) == 1 && trees[0].Root.Kind == schema.Null:
		return nil
	case len(trees) > 1:
		p.errorf(trees[1].Root.Start(), "expected one document of settings, got %d", len(trees)).HelpText =
			"put all settings into the first document"
		return nil
	}
	for _, d := range trees[0].Found {
		text := "this key is read as another value; write it in quotes"
		if strings.HasPrefix(d.Message, "duplicate") {
			text = "remove one of them"
		}
		p.errorf(d.Span, "%s", d.Message).HelpText = text
		p.found[len(p.found)-1].SeeAlso = d.SeeAlso
	}
	root := trees[0].Root
	if root.Kind != schema.Object {
		p.errorf(root.Start(), "expected settings such as kube: 1.34..1.37, got %s", root.Kind.InYAML())
		return nil
	}
	return root
}

// members reads the keys of a mapping, and reports those that are unknown.
func (p *parser) members(n *schema.Value, owner string, table []key) {
	for i := range n.Members {
		m := &n.Members[i]
		if j := slices.IndexFunc(table, func(k key) bool { return k.name == m.Key }); j >= 0 {
			if table[j].read != nil {
				table[j].read(p, m)
			}
			continue
		}
		p.unknown(m, owner, table)
	}
}

// unknown reports a key that a mapping does not have.
func (p *parser) unknown(m *schema.Member, owner string, table []key) {
	var known []string
	for _, k := range table {
		known = append(known, k.name)
	}
	d := p.errorf(m.KeyAt, "unknown key %q of %s", m.Key, owner)
	switch near := diag.Near(m.Key, known); {
	case near != "":
		d.HelpText = diag.Meant(near)
	case m.Key == keyPaths || m.Key == "output":
		d.Message += ": packages and output rules are given on the command line"
		d.HelpText = "remove the key"
	default:
		d.Notes = append(d.Notes, "the keys are "+strings.Join(known, ", "))
	}
}

// fit returns the value of a key as an option has it.
func (p *parser) fit(m *schema.Member, f arguments.Argument) (schema.Value, bool) {
	v, want := arguments.Fit(f, m.Value)
	if want != "" {
		if i := slices.IndexFunc(m.Value.Items, func(item schema.Value) bool { return !isScalar(item) }); i >= 0 &&
			f.ItemType != nil {
			p.errorf(m.Value.Items[i].Start(), "%s: expected a string, got %s", m.Key, m.Value.Items[i].Kind.InYAML())
			return v, false
		}
		at := m.Value.At
		if !at.IsValid() || m.Value.Kind == schema.Null {
			at = m.KeyAt
		}
		p.errorf(at, "%s: expected %s, got %s", m.Key, want, m.Value.Kind.InYAML())
		return v, false
	}
	return v, true
}

// preset adds an option of a generator, if it is valid.
func (p *parser) preset(generator, name string, v schema.Value) bool {
	preset := arguments.Preset{Generator: generator, Name: name, Value: v}
	problems := preset.Check(arguments.Line{Checks: p.checks})
	for _, d := range problems {
		if d.Check != extensions.Mistake.ID && d.Check != overlay.Mistake.ID {
			d.Check = Mistake.ID
		}
		p.found = append(p.found, d)
	}
	p.settings.Presets = append(p.settings.Presets, preset)
	return len(problems) == 0
}

// generator reads the options of a generator.
func (p *parser) generator(m *schema.Member) {
	if !p.isMapping(m) {
		return
	}
	table := generatorKeys(m.Key)
	rest := schema.Value{At: m.Value.At}
	for i := range m.Value.Members {
		option := &m.Value.Members[i]
		if isGeneral(m.Key, option.Key) {
			p.errorf(option.KeyAt, "%s applies to all commands, not only to %s", option.Key, m.Key).HelpText =
				"move it out of " + m.Key + ", to the beginning of the line"
			continue
		}
		rest.Members = append(rest.Members, *option)
	}
	p.members(&rest, m.Key, table)
}

// located returns the value of an option with file paths as the command line has them: relative to the working
// directory. It is not ok if a file must not be read.
func (p *parser) located(option string, v schema.Value) (out schema.Value, ok bool) {
	paths := []string{"headerFile", "manifests", "crds", "declarativeFormats", "overlay", keyBaseline}
	if !slices.Contains(paths, option) {
		return v, true
	}
	ok = true
	v.Items = slices.Clone(v.Items)
	for i := range v.Items {
		item, isWithin := p.located(option, v.Items[i])
		v.Items[i], ok = item, ok && isWithin
	}
	if v.Kind != schema.String || v.Text == "-" || input.IsRevision(v.Text) {
		return v, ok
	}
	path := filepath.FromSlash(v.Text)
	commit, file, isRevision := input.Revision(p.src.Path)
	if isRevision && option == keyBaseline && filepath.IsLocal(path) {
		v.Text = commit + ":" + filepath.ToSlash(filepath.Join(filepath.Dir(file), path))
		return v, ok // a change of what is known must not decide about itself
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.dir, path)
		v.Text = input.Shown(path)
	}
	// A pull request could show files outside of the repository in the output.
	if ok = input.Within(input.Resolved(path), input.Resolved(input.Project(p.dir))); !ok {
		p.errorf(v.At, "%s: %s is outside of the repository of the settings", option, v.Text).HelpText =
			"name a file in the repository, or write the option on the command line"
	}
	return v, ok
}

// crds reads where the CRDs are. Commands that use them report those that do not exist: they may still be written.
func (p *parser) crds(m *schema.Member) {
	v, ok := p.fit(m, *list())
	if !ok {
		return
	}
	p.show(m.Key, v)
	p.located(m.Key, v)
	for _, item := range v.Items {
		path := item.Text
		if !filepath.IsAbs(path) && !input.IsRevision(path) {
			path = filepath.Join(p.dir, filepath.FromSlash(path)) // which means the same in all directories
		}
		p.settings.CRDs = append(p.settings.CRDs, schema.Text{V: path, At: item.At})
	}
}

// texts returns the strings of a list, or of a single one.
func texts(v schema.Value) []string {
	if v.Kind != schema.Array {
		return []string{v.Text}
	}
	var out []string
	for _, item := range v.Items {
		out = append(out, item.Text)
	}
	return out
}

func (p *parser) isMapping(m *schema.Member) bool {
	if m.Value.Kind != schema.Object {
		p.errorf(m.KeyAt, "%s: expected a mapping, got %s", m.Key, m.Value.Kind.InYAML())
	}
	return m.Value.Kind == schema.Object
}

// raised reads the checks of fail. An empty list is not nil.
func (p *parser) raised(m *schema.Member) ([]string, schema.Value, bool) {
	v, ok := p.fit(m, *list())
	if !ok {
		return nil, v, false
	}
	ids := []string{}
	for _, item := range v.Items {
		ids = append(ids, item.Text)
		p.checkID(item, false)
	}
	return ids, v, true
}

// checkID reports an id that is unknown, or that cannot be ignored.
func (p *parser) checkID(v schema.Value, ignoring bool) {
	for _, d := range p.checks.Usable("", []string{v.Text}, ignoring) {
		d.Span, d.Check, d.Message = v.At, Mistake.ID, strings.TrimPrefix(d.Message, ": ")
		p.found = append(p.found, d)
	}
}

// entries calls visit for the mappings in a list, which must have the keys.
func (p *parser) entries(m *schema.Member, owner string, table []key, visit func(n *schema.Value)) {
	if m.Value.Kind != schema.Array {
		p.errorf(m.KeyAt, "%s: expected a list, got %s", m.Key, m.Value.Kind.InYAML())
		return
	}
	for i := range m.Value.Items {
		n := &m.Value.Items[i]
		if n.Kind != schema.Object {
			p.errorf(n.At, "expected a mapping in %s, got %s", m.Key, n.Kind.InYAML()).HelpText = table[0].required
			continue
		}
		p.members(n, owner, table)
		complete := true
		for _, k := range table {
			if k.required != "" && n.Find(k.name) == nil {
				p.errorf(n.Start(), "missing key %q of %s", k.name, owner).HelpText = k.required
				complete = false
			}
		}
		if complete {
			visit(n)
		}
	}
}

// ignore reads checks to ignore, in files of the scope around it if that is not nil.
func (p *parser) ignore(m *schema.Member, around func(string) bool) {
	p.entries(m, "an entry of ignore", ignoreKeys(), func(n *schema.Value) {
		id, reason := n.Member(keyCheck), n.Member(keyReason)
		if id.Value.Kind != schema.String || reason.Value.Kind != schema.String {
			for _, text := range []*schema.Member{id, reason} {
				if text.Value.Kind != schema.String {
					p.errorf(text.KeyAt, "%s: expected a string, got %s", text.Key, text.Value.Kind.InYAML())
				}
			}
			return
		}
		if strings.TrimSpace(reason.Value.Text) == "" {
			p.errorf(reason.Value.At, "the reason is empty").HelpText = "explain why the findings are intended"
		}
		p.checkID(id.Value, true)
		shown := arguments.Setting{Name: keyIgnore, Value: id.Value.Text, At: id.Value.At, Because: reason.Value.Text}
		covers := around
		if paths := n.Member(keyPaths); paths != nil {
			shown.Paths = texts(paths.Value)
			inner, ok := p.paths(paths)
			if !ok {
				return
			}
			covers = both(around, inner)
		}
		if covers == nil {
			p.settings.Policy.Ignored = append(p.settings.Policy.Ignored, id.Value.Text)
		} else {
			p.settings.Policy.Scopes = append(p.settings.Policy.Scopes,
				check.Scope{Covers: covers, Ignored: []string{id.Value.Text}})
		}
		p.settings.Shown = append(p.settings.Shown, shown)
	})
}

// both joins two conditions, each of which may be nil.
func both(a, b func(string) bool) func(string) bool {
	if a == nil {
		return b
	}
	return func(path string) bool { return a(path) && b(path) }
}

// overrides reads the severities of findings in some files.
func (p *parser) overrides(m *schema.Member) {
	table := overrideKeys()
	for i := range m.Value.Items {
		entry := &m.Value.Items[i]
		for _, option := range slices.Clone(entry.Members) {
			if slices.ContainsFunc(table, func(k key) bool { return k.name == option.Key }) ||
				!slices.ContainsFunc(keys(), func(k key) bool { return k.name == option.Key }) {
				continue
			}
			p.errorf(option.KeyAt, "%s applies to a whole run: an override can only have fail and ignore", option.Key).
				HelpText = "move it to the beginning of a line, outside of overrides"
			return
		}
	}
	p.entries(m, "an override", table, func(n *schema.Value) {
		covers, ok := p.paths(n.Member(keyPaths))
		if !ok {
			return
		}
		paths := texts(n.Member(keyPaths).Value)
		if fail := n.Member(keyFail); fail != nil {
			if raised, v, ok := p.raised(fail); ok {
				p.settings.Policy.Scopes = append(p.settings.Policy.Scopes, check.Scope{Covers: covers, Raised: raised})
				p.show(keyFail, v)
				p.settings.Shown[len(p.settings.Shown)-1].Paths = paths
			}
		}
		if ignore := n.Member(keyIgnore); ignore != nil {
			before := len(p.settings.Shown)
			p.ignore(ignore, covers)
			for i := before; i < len(p.settings.Shown); i++ {
				p.settings.Shown[i].Paths = append(paths[:len(paths):len(paths)], p.settings.Shown[i].Paths...)
			}
		}
	})
}

// paths reads patterns of files. Each must name something, so that a misspelled one does not pass silently.
func (p *parser) paths(m *schema.Member) (covers func(string) bool, ok bool) {
	v, ok := p.fit(m, *list())
	if !ok {
		return nil, false
	}
	if len(v.Items) == 0 {
		p.errorf(m.KeyAt, "paths: expected at least one path").HelpText = "name files or directories, or remove the key"
		return nil, false
	}
	var list []pattern
	for _, item := range v.Items {
		pat, problem := newPattern(item.Text)
		if problem == "" {
			problem = pat.missing(p.dir)
		}
		if problem != "" {
			p.errorf(item.At, "%s", problem).HelpText = pat.near(p.dir, item.Text)
			ok = false
		}
		list = append(list, pat)
	}
	dir := p.dir
	return func(path string) bool { return coversAny(list, dir, path) }, ok
}

// checkPolicy reports a check that is both ignored and raised in all files.
func (p *parser) checkPolicy() {
	for _, s := range p.settings.Shown {
		if s.Name == keyIgnore && len(s.Paths) == 0 && slices.Contains(p.settings.Policy.Raised, s.Value) {
			p.errorf(s.At, "check %s is both in ignore and in fail", s.Value).HelpText = "remove it from one of them"
		}
	}
}

func isScalar(v schema.Value) bool { return v.Kind == schema.String || v.Kind == schema.NumberKind }

// exists reports whether a file or a directory exists.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
