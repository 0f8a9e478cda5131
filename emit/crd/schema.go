package crd

import (
	"slices"

	"github.com/crdproof/crdproof/generator/schema"
)

// schema writes one node; a node without any key is {}, and so is nil.
func (e *encoder) schema(s *schema.Schema) {
	e.grow()
	start := len(e.out)
	e.indent += step
	if s != nil {
		e.node(s)
	}
	e.indent -= step
	if len(e.out) == start {
		e.raw("{}")
	}
}

// A keyword is a row of the IR's table with its key, a colon included.
type keyword struct {
	*schema.Keyword
	key string
}

// keywords are all keywords in the order in which they are written.
var keywords = sortedKeywords()

func sortedKeywords() []keyword {
	rows := schema.Keywords()
	out := make([]keyword, len(rows))
	for i := range rows {
		out[i] = keyword{&rows[i], rows[i].Name + ":"}
	}
	slices.SortFunc(out, func(a, b keyword) int { return compareKeys(a.Name, b.Name) })
	return out
}

// node writes the keys of a node. A keyword whose value has no place in the IR is in Other.
func (e *encoder) node(s *schema.Schema) {
	for i := range keywords {
		e.keyword(&keywords[i], s)
		if len(s.Other) > 0 {
			e.verbatim(keywords[i].Name, s.Other)
		}
	}
}

// keyword writes a keyword, by the type of its value. Which values are omitted is said by the JSON tags of
// JSONSchemaProps (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types_jsonschema.go).
func (e *encoder) keyword(k *keyword, s *schema.Schema) {
	switch at := k.Field.(type) {
	case schema.TextField:
		e.optional(k.key, at(s).V)
	case schema.Many[schema.Text]:
		e.texts(k.key, *at(s))
	case schema.One[schema.Int]:
		e.limit(k.key, *at(s))
	case schema.One[schema.Number]:
		e.constraint(k.key, *at(s))
	case schema.One[schema.Flag]:
		if k.Pointer {
			e.tristate(k.key, *at(s))
		} else {
			e.flag(k.key, *at(s))
		}
	case schema.One[schema.Value]:
		e.literalValue(k.key, *at(s))
	case schema.Many[schema.Value]:
		e.enum(k.key, *at(s))
	case schema.One[schema.ExternalDocs]:
		e.externalDocs(k.key, *at(s))
	case schema.One[schema.Schema]:
		e.below(k.key, *at(s))
	case schema.ItemsField:
		e.below(k.key, *at.One(s))
	case schema.ValuesField:
		e.values(k.key, at, s)
	case schema.Many[*schema.Schema]:
		e.schemas(k.key, *at(s))
	case schema.Many[schema.Property]:
		e.propertyMap(k.key, *at(s))
	case schema.Many[schema.Rule]:
		e.rules(k.key, *at(s))
	case schema.VerbatimField: // which is in Other
	default:
		panic("the keyword " + k.Name + " has a value that is not written")
	}
}

// DescriptionLen returns how many bytes of a file a schema's description takes, with its key, where so many named
// fields and so many lists and maps are on the way to the schema.
func DescriptionLen(text string, fields, wrapped int) int {
	const root = 4 * step // spec.versions[].schema.openAPIV3Schema
	e := encoder{indent: root + 2*step*fields + step*wrapped}
	e.text("description:", text)
	if e.bol {
		return len(e.out) - 1 // the line break is the next line's
	}
	return len(e.out)
}

// below writes a schema that is the value of a keyword.
func (e *encoder) below(key string, s *schema.Schema) {
	if s != nil {
		e.name(key)
		e.schema(s)
	}
}

func (e *encoder) values(key string, at schema.ValuesField, s *schema.Schema) {
	values, allowed := at(s)
	switch {
	case *values != nil:
		e.below(key, *values)
	case *allowed:
		e.name(key)
		e.bool(true)
	}
}

func (e *encoder) schemas(key string, list []*schema.Schema) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	in := e.beginList()
	for _, s := range list {
		e.item()
		e.schema(s)
	}
	e.indent -= in
}

// propertyMap writes properties in the order of their names. They are sorted on a stack of pointers that nested
// nodes go on using above this node's part, hence the access by index.
func (e *encoder) propertyMap(key string, list []schema.Property) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	e.indent += step
	base := len(e.properties)
	for i := range list {
		e.properties = append(e.properties, &list[i])
	}
	sortProperties(e.properties[base:])
	for i := range list {
		p := e.properties[base+i]
		e.key(p.Name)
		e.schema(p.Schema)
	}
	e.properties = e.properties[:base]
	e.indent -= step
}

func (e *encoder) rules(key string, list []schema.Rule) {
	if len(list) == 0 {
		return
	}
	e.name(key)
	in := e.beginList()
	for i := range list {
		r := &list[i]
		e.item()
		e.indent += step
		e.optional("fieldPath:", r.FieldPath.V)
		e.optional("message:", r.Message.V)
		e.optional("messageExpression:", r.MessageExpression.V)
		e.tristate("optionalOldSelf:", r.OptionalOldSelf)
		e.optional("reason:", r.Reason.V)
		e.text("rule:", r.Rule.V)
		e.indent -= step
	}
	e.indent -= in
}

func (e *encoder) externalDocs(key string, d *schema.ExternalDocs) {
	if d == nil {
		return
	}
	e.name(key)
	if d.Description.V == "" && d.URL.V == "" {
		e.raw("{}")
		return
	}
	e.indent += step
	e.optional("description:", d.Description.V)
	e.optional("url:", d.URL.V)
	e.indent -= step
}

// verbatim writes the field of that name, if the list has it.
func (e *encoder) verbatim(name string, list []schema.Verbatim) {
	for i := range list {
		if list[i].Name == name {
			e.name(name + ":")
			e.value(&list[i].Value)
		}
	}
}

// flag writes a boolean whose Go type is bool: false is omitted.
func (e *encoder) flag(key string, f *schema.Flag) {
	if f != nil && f.V {
		e.name(key)
		e.bool(true)
	}
}

// tristate writes a boolean whose Go type is *bool: false is a value.
func (e *encoder) tristate(key string, f *schema.Flag) {
	if f != nil {
		e.name(key)
		e.bool(f.V)
	}
}

func (e *encoder) limit(key string, n *schema.Int) {
	if n != nil {
		e.name(key)
		e.integer(n.V)
	}
}

func (e *encoder) constraint(key string, n *schema.Number) {
	if n != nil {
		e.name(key)
		e.raw(n.V)
	}
}
