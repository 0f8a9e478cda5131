package overlay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// A change is one thing that an entry does at each place: one keyword, one field, one rule.
type change struct {
	// at is its position in the file, and what names it in messages.
	at   diag.Span
	what string
	// name is the field that is changed, if one is.
	name string
	// part is what it changes at a place: a keyword, with the item in brackets if it is one of several.
	part string
	// replaces says what it does to the schemas below.
	replaces extent
	// apply returns the changed schema, the same one if it changes nothing. The problem says why it cannot be applied.
	apply func(s *schema.Schema) (out *schema.Schema, problem string)
	// finds reports whether a schema has what is changed, and what it has instead; nil if it need not exist.
	finds func(s *schema.Schema) (found bool, others []string)
	// idle says that nothing changes, "" for that it changes nothing; stale is the help.
	idle, stale string
}

// An extent is what of the changes by earlier entries a change undoes.
type extent uint8

const (
	ownPart extent = iota
	// allBelow are the schemas below the place that the keyword has, wholePlace all of them and the place itself.
	allBelow
	wholePlace
)

// The keywords whose items are changed one by one.
const (
	required    = "required"
	validations = "x-kubernetes-validations"
)

// item names an item of a keyword.
func item(keyword, name string) string { return keyword + "[" + name + "]" }

// keywordsOf reads a mapping of keywords, and calls visit for each.
func (r *reader) keywordsOf(m *schema.Member, visit func(k *schema.Keyword, m *schema.Member, s *schema.Schema)) {
	if m.Value.Kind != schema.Object || len(m.Value.Members) == 0 {
		r.errorf(m.KeyAt, "indent the keywords below it, with a colon after each",
			"%s: expected keywords such as {maxLength: 63}, got %s", m.Key, m.Value.Kind.InYAML())
		return
	}
	s, ok := r.schema(m)
	if !ok {
		return
	}
	for i := range m.Value.Members {
		word := &m.Value.Members[i]
		if word.Value.Kind == schema.Null {
			r.errorf(word.KeyAt, "write remove: ["+word.Key+"]", "%s has no value", word.Key)
			continue
		}
		visit(schema.KeywordOf(word.Key), word, s)
	}
}

// schema reads a schema, with what API servers read in it.
func (r *reader) schema(m *schema.Member) (*schema.Schema, bool) {
	s, found := read.Schema(m)
	for _, d := range found {
		if near := keywordNear(d.Span.Text()); near != "" && strings.HasPrefix(d.Message, "unknown field") {
			d = d.Help("%s", diag.Meant(near))
		}
		d.Check, d.Steps = Mistake.ID, nil
		r.found = append(r.found, d)
	}
	isWhole := len(found) == 0
	schema.Walk(s, func(p *schema.Place) {
		for _, other := range p.Schema.Other {
			r.errorf(other.At, "remove it", "API servers reject %s with this value", other.Name)
			isWhole = false
		}
	})
	return s, isWhole
}

func (r *reader) set(e *entry, m *schema.Member) {
	r.keywordsOf(m, func(k *schema.Keyword, word *schema.Member, value *schema.Schema) {
		c := change{at: word.Span(), what: word.Key, part: k.Name, stale: "remove it"}
		if k.HoldsSchemas() {
			c.replaces = allBelow
		}
		c.apply = func(s *schema.Schema) (*schema.Schema, string) {
			if k.SameIn(s, value) || !k.IsSet(s) && !k.IsSet(value) {
				return s, ""
			}
			out := *s
			k.Copy(&out, value)
			return &out, ""
		}
		e.changes = append(e.changes, c)
	})
}

func (r *reader) tighten(e *entry, m *schema.Member) {
	r.keywordsOf(m, func(k *schema.Keyword, word *schema.Member, value *schema.Schema) {
		if k.Merge == schema.MergeNot || k.Merge == schema.MergeLast {
			r.errorf(word.KeyAt, "write it below set:", "%s cannot be tightened: it is replaced as a whole", word.Key)
			return
		}
		if flag, ok := k.Field.(schema.One[schema.Flag]); ok && !(*flag(value)).True() {
			r.errorf(word.KeyAt, "write it below set:", "%s: false cannot be tightened: it is the default", word.Key)
			return
		}
		c := change{at: word.Span(), what: word.Key, part: k.Name,
			stale: "remove it, or write it below set: if it must replace a tighter value"}
		switch k.Field.(type) {
		case schema.Many[schema.Text], schema.Many[*schema.Schema], schema.Many[schema.Rule]:
			if k.Merge == schema.MergeBoth { // further items do not undo others
				c.part = item(k.Name, fmt.Sprint(word.KeyAt.Start))
			}
		}
		c.apply = func(s *schema.Schema) (*schema.Schema, string) { return tightened(k, s, value) }
		e.changes = append(e.changes, c)
	})
}

// tightened returns a schema that requires a keyword of another one too.
func tightened(k *schema.Keyword, s, value *schema.Schema) (*schema.Schema, string) {
	out := *s
	switch {
	case k.Name == "type" && s.Type.V != "" && s.Type.V != value.Type.V:
		return s, fmt.Sprintf("type %s conflicts with type %s of the same value", value.Type.V, s.Type.V)
	case k.Merge == schema.MergeCommon && k.IsSet(s):
		out.Enum = slices.DeleteFunc(slices.Clone(value.Enum), func(v schema.Value) bool {
			return !slices.ContainsFunc(s.Enum, v.Equal)
		})
		switch len(out.Enum) {
		case 0:
			return s, "none of the values is in the enum " + k.Compact(s)
		case len(s.Enum):
			return s, ""
		}
		return &out, ""
	case k.Name == validations:
		for i := range value.Rules {
			if !slices.ContainsFunc(s.Rules, func(r schema.Rule) bool { return sameRule(r, value.Rules[i]) }) {
				out.Rules = append(slices.Clip(out.Rules), value.Rules[i])
			}
		}
	case k.Name == required:
		out.Required = withNames(s.Required, value.Required...)
	default:
		k.Narrow(&out, value)
	}
	if schema.Same(s, &out) {
		return s, ""
	}
	return &out, ""
}

// sameRule reports whether two rules are equal except for positions.
func sameRule(a, b schema.Rule) bool {
	return schema.Same(&schema.Schema{Rules: []schema.Rule{a}}, &schema.Schema{Rules: []schema.Rule{b}})
}

// withNames returns the names of both lists, sorted, each once; the same list if that has them all.
func withNames(list []schema.Text, more ...schema.Text) []schema.Text {
	out := slices.Clone(list)
	for _, t := range more {
		if !hasName(list, t.V) {
			out = append(out, t)
		}
	}
	if len(out) == len(list) {
		return list
	}
	slices.SortStableFunc(out, func(a, b schema.Text) int { return strings.Compare(a.V, b.V) })
	return out
}

func hasName(list []schema.Text, name string) bool { return slices.Contains(schema.Texts(list), name) }

func (r *reader) remove(e *entry, m *schema.Member) {
	for _, t := range r.texts(m) {
		k := schema.KeywordOf(t.V)
		if k == nil {
			r.found = append(r.found, diag.Errorf(t.At, Mistake, "unknown keyword %q", t.V).
				Help("%s", diag.Meant(keywordNear(t.V))))
			continue
		}
		c := change{at: t.At, what: t.V, part: k.Name, stale: "remove the name from the list"}
		if k.HoldsSchemas() {
			c.replaces = allBelow
		}
		c.finds = func(s *schema.Schema) (bool, []string) { return k.IsSet(s), keywordsIn(s) }
		c.apply = func(s *schema.Schema) (*schema.Schema, string) {
			if !k.IsSet(s) {
				return s, ""
			}
			out := *s
			k.Copy(&out, &schema.Schema{})
			return &out, ""
		}
		e.changes = append(e.changes, c)
	}
}

// keywordsIn returns the names of the keywords that a schema has.
func keywordsIn(s *schema.Schema) (out []string) {
	for _, k := range schema.Keywords() {
		if k.IsSet(s) {
			out = append(out, k.Name)
		}
	}
	return out
}

// require, optional and drop are changes of a field.
func require(out *schema.Schema, name schema.Text) { out.Required = withNames(out.Required, name) }

func optional(out *schema.Schema, name schema.Text) {
	out.Required = slices.DeleteFunc(slices.Clone(out.Required), func(t schema.Text) bool { return t.V == name.V })
}

func drop(out *schema.Schema, name schema.Text) {
	dropFields(out, func(field string) bool { return field == name.V })
}

// dropFields drops fields of a schema, with what requires them.
func dropFields(out *schema.Schema, isDropped func(name string) bool) {
	out.Properties = slices.DeleteFunc(slices.Clone(out.Properties), func(p schema.Property) bool {
		return isDropped(p.Name)
	})
	out.Required = slices.DeleteFunc(slices.Clone(out.Required), func(t schema.Text) bool { return isDropped(t.V) })
}

// fields reads the names of fields to change.
func (r *reader) fields(e *entry, m *schema.Member, apply func(out *schema.Schema, name schema.Text)) {
	idle := map[string]string{"require": "%q is required already", "optional": "%q is not required"}[m.Key]
	for _, t := range r.texts(m) {
		finds := findsField(t.V)
		c := change{at: t.At, what: fmt.Sprintf("field %q", t.V), name: t.V, part: item(required, t.V), finds: finds,
			stale: "remove the name from the list"}
		if idle != "" {
			c.idle = fmt.Sprintf(idle, t.V)
		}
		c.apply = func(s *schema.Schema) (*schema.Schema, string) {
			out := *s
			if found, _ := finds(s); found {
				apply(&out, t)
			}
			if schema.Same(s, &out) {
				return s, ""
			}
			return &out, ""
		}
		e.changes = append(e.changes, c)
	}
}

// findsField returns the test whether a schema has a field.
func findsField(name string) func(s *schema.Schema) (bool, []string) {
	return func(s *schema.Schema) (bool, []string) {
		return s.Property(name) != nil || hasName(s.Required, name), s.PropertyNames()
	}
}

func (r *reader) only(e *entry, m *schema.Member) {
	list := r.texts(m)
	for _, t := range list { // which changes nothing, but must exist
		e.changes = append(e.changes,
			change{at: t.At, what: fmt.Sprintf("field %q", t.V), name: t.V, finds: findsField(t.V)})
	}
	e.changes = append(e.changes, change{at: m.KeyAt, what: m.Key, part: "properties", stale: "remove it",
		apply: func(s *schema.Schema) (*schema.Schema, string) {
			out := *s
			dropFields(&out, func(name string) bool { return !hasName(list, name) })
			if len(out.Properties) == len(s.Properties) && len(out.Required) == len(s.Required) {
				return s, ""
			}
			return &out, ""
		}})
}

func (r *reader) addFields(e *entry, m *schema.Member) {
	if m.Value.Kind != schema.Object || len(m.Value.Members) == 0 {
		r.expect(m.KeyAt, m.Key, "fields with their schemas, such as {size: {type: integer}}", &m.Value)
		return
	}
	for i := range m.Value.Members {
		field := &m.Value.Members[i]
		if field.Value.Kind != schema.Object {
			r.expect(field.KeyAt, field.Key, "a schema", &field.Value)
			continue
		}
		added, ok := r.schema(field)
		if !ok {
			continue
		}
		e.changes = append(e.changes, change{at: field.Span(), what: fmt.Sprintf("field %q", field.Key),
			part: item(m.Key, field.Key), idle: fmt.Sprintf("%q exists already", field.Key),
			stale: "write path: to the field, and replace:",
			apply: func(s *schema.Schema) (*schema.Schema, string) {
				if s.Property(field.Key) != nil {
					return s, ""
				}
				out := *s
				out.Properties = append(slices.Clip(s.Properties), schema.Property{Name: field.Key, Schema: added})
				return &out, ""
			}})
	}
}

func (r *reader) addRules(e *entry, m *schema.Member) {
	if m.Value.Kind != schema.Array || slices.ContainsFunc(m.Value.Items, func(v schema.Value) bool {
		return v.Kind != schema.Object
	}) {
		r.errorf(m.KeyAt, `write a list, such as [{rule: "self.min <= self.max"}]`,
			"%s: expected a list of rules", m.Key)
		return
	}
	holder := schema.Member{Key: m.Key, KeyAt: m.KeyAt, Value: schema.Value{Kind: schema.Object, At: m.Value.At,
		Members: []schema.Member{{Key: validations, KeyAt: m.KeyAt, Value: m.Value}}}}
	s, ok := r.schema(&holder)
	if !ok {
		return
	}
	if len(s.Rules) == 0 {
		r.errorf(m.KeyAt, `write a list, such as [{rule: "self.min <= self.max"}]`, "%s: the list is empty", m.Key)
	}
	for _, rule := range s.Rules {
		if rule.Rule.V == "" {
			r.errorf(rule.At, "add rule: with an expression in CEL", "missing rule")
			continue
		}
		e.changes = append(e.changes, change{at: rule.At, what: "the rule", part: item(validations, rule.Rule.V),
			idle: "the schema has this rule already", stale: "remove it",
			apply: func(s *schema.Schema) (*schema.Schema, string) {
				return tightened(schema.KeywordOf(validations), s, &schema.Schema{Rules: []schema.Rule{rule}})
			}})
	}
}

func (r *reader) removeRules(e *entry, m *schema.Member) {
	for _, t := range r.texts(m) {
		isRule := func(rule schema.Rule) bool { return rule.Rule.V == t.V }
		c := change{at: t.At, what: "the rule", part: item(validations, t.V), stale: "remove it"}
		c.finds = func(s *schema.Schema) (bool, []string) {
			var others []string
			for i := range s.Rules {
				others = append(others, s.Rules[i].Rule.V)
			}
			return slices.ContainsFunc(s.Rules, isRule), others
		}
		c.apply = func(s *schema.Schema) (*schema.Schema, string) {
			out := *s
			out.Rules = slices.DeleteFunc(slices.Clone(s.Rules), isRule)
			if len(out.Rules) == len(s.Rules) {
				return s, ""
			}
			return &out, ""
		}
		e.changes = append(e.changes, c)
	}
}

func (r *reader) description(e *entry, m *schema.Member) {
	if m.Value.Kind != schema.Object || len(m.Value.Members) != 1 {
		r.errorf(m.KeyAt, `write description: {replace: "..."}, {append: "..."} or {drop: true}`,
			"description: expected one of replace, append and drop")
		return
	}
	how := &m.Value.Members[0]
	text := schema.Text{V: how.Value.Text, At: how.Value.At}
	c := change{at: how.Span(), what: m.Key, part: m.Key, stale: "remove it"}
	var after func(before schema.Text) schema.Text
	switch {
	case how.Key == keyDrop && how.Value.Kind == schema.Bool && text.V == "true":
		c.idle = "the schema has no description"
		after = func(schema.Text) schema.Text { return schema.Text{} }
	case how.Key == keyReplace && how.Value.Kind == schema.String:
		after = func(schema.Text) schema.Text { return text }
	case how.Key == keyAppend && how.Value.Kind == schema.String:
		c.part = item(m.Key, fmt.Sprint(how.KeyAt.Start))
		after = func(before schema.Text) schema.Text {
			return schema.Text{V: strings.TrimPrefix(before.V+"\n"+text.V, "\n"), At: text.At}
		}
	case how.Key == keyDrop || how.Key == keyReplace || how.Key == keyAppend:
		r.expect(how.KeyAt, how.Key, map[bool]string{true: "true", false: "a text"}[how.Key == keyDrop], &how.Value)
		return
	default:
		r.unknown(how, "a description", []string{keyReplace, keyAppend, keyDrop}, nil)
		return
	}
	c.apply = func(s *schema.Schema) (*schema.Schema, string) {
		out := *s
		if out.Description = after(s.Description); out.Description.V == s.Description.V {
			return s, ""
		}
		return &out, ""
	}
	e.changes = append(e.changes, c)
}

func (r *reader) replace(e *entry, m *schema.Member) {
	if m.Value.Kind != schema.Object {
		r.expect(m.KeyAt, m.Key, "a schema, or {} for an empty one", &m.Value)
		return
	}
	by, ok := r.schema(m)
	if !ok {
		return
	}
	e.changes = append(e.changes, change{at: m.Span(), what: m.Key, part: m.Key, replaces: wholePlace,
		stale: "remove it",
		apply: func(s *schema.Schema) (*schema.Schema, string) {
			out := *by // the Go type stays what it is
			out.Origin, out.GoType, out.Unmarked, out.Incomplete = s.Origin, s.GoType, s.Unmarked, s.Incomplete
			if schema.Same(s, &out) {
				return s, ""
			}
			return &out, ""
		}})
}
