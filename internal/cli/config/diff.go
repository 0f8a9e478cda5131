package config

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/arguments"
	"github.com/crdproof/crdproof/objects/diff"
	"github.com/crdproof/crdproof/schema"
)

// The keys of an entry of diff.
const (
	keyDiff     = "diff"
	keyQuestion = "question"
	keyKeyword  = "keyword"
	keyPath     = "path"
	keySeverity = "severity"
)

// diffKeys returns the keys of an entry of diff.
func diffKeys() []key {
	return []key{
		{name: keySeverity, doc: "What crdproof diff does with the changes: error, warning or off.",
			required: "write severity: error, severity: warning or severity: off"},
		{name: keyQuestion, doc: "Only answers to this question, such as readers."},
		{name: keyKeyword, doc: "Only changes of this keyword, such as enum, or field for new and removed fields."},
		{name: keyPath, doc: "Only changes at paths such as status.**: * is any part, ** any number of parts."},
	}
}

// diff reads the severities of changes.
func (p *parser) diff(m *schema.Member) {
	var questions, levels []string
	for _, q := range diff.Questions() {
		questions = append(questions, q.String())
	}
	for _, l := range diff.Levels() {
		levels = append(levels, l.String())
	}
	p.entries(m, "an entry of diff", diffKeys(), func(n *schema.Value) {
		before := len(p.found)
		out := diff.Severity{Question: p.oneOf(n, keyQuestion, questions),
			Keyword: p.oneOf(n, keyKeyword, diff.Keywords())}
		if path := n.Member(keyPath); path != nil && path.Value.Kind == schema.String {
			out.Path = path.Value.Text
		} else if path != nil {
			p.errorf(path.KeyAt, "path: expected a string, got %s", path.Value.Kind.InYAML())
		}
		level := slices.Index(levels, p.oneOf(n, keySeverity, levels))
		if len(p.found) > before {
			return
		}
		out.Level = diff.Levels()[level]
		p.settings.Severities = append(p.settings.Severities, out)
		words := slices.DeleteFunc([]string{keyDiff, out.Question, out.Keyword, out.Path},
			func(s string) bool { return s == "" })
		p.settings.Shown = append(p.settings.Shown, arguments.Setting{Name: strings.Join(words, " "),
			Value: out.Level.String(), At: n.Member(keySeverity).Value.At})
	})
}

// oneOf returns the value of a key, "" if it is not set. YAML 1.1 reads off as a boolean.
func (p *parser) oneOf(n *schema.Value, name string, values []string) string {
	m := n.Member(name)
	if m == nil {
		return ""
	}
	text := m.Value.Text
	if m.Value.Kind == schema.Bool {
		text = m.Value.At.Text()
	}
	if !slices.Contains(values, text) {
		d := p.errorf(diag.Nearest(m.Value.At, m.KeyAt), "%s: unknown value %q", name, text)
		if near := diag.Near(text, values); near != "" {
			d.HelpText = diag.Meant(near)
		} else {
			d.Notes = append(d.Notes, "the values are "+diag.Or(values))
		}
	}
	return text
}
