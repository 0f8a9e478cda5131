package crd

import (
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// schema writes one node; a node without any key is {}, and so is nil.
func (e *encoder) schema(s *schema.Schema) {
	e.grow()
	e.mapping(func() {
		if s != nil {
			e.node(s)
		}
	})
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

// keyword writes a keyword, by the type of its value. The omitted values follow from the JSON tags of JSONSchemaProps
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/types_jsonschema.go).
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
		if k.IsSet(s) {
			e.tristate(k.key, *at(s))
		}
	case schema.One[schema.Value]:
		e.literalValue(k.key, *at(s))
	case schema.Many[schema.Value]:
		list := *at(s)
		e.list(k.key, len(list), func(i int) { e.value(&list[i]) })
	case schema.One[schema.ExternalDocs]:
		e.externalDocs(k.key, *at(s))
	case schema.One[schema.Schema]:
		e.below(k.key, *at(s))
	case schema.ItemsField:
		e.below(k.key, *at.One(s))
	case schema.ValuesField:
		e.values(k.key, at, s)
	case schema.Many[*schema.Schema]:
		list := *at(s)
		e.list(k.key, len(list), func(i int) { e.schema(list[i]) })
	case schema.Many[schema.Property]:
		e.properties(k.key, *at(s))
	case schema.Many[schema.Rule]:
		list := *at(s)
		e.list(k.key, len(list), func(i int) { e.rule(&list[i]) })
	case schema.VerbatimField: // which is in Other
	default:
		panic("the keyword " + k.Name + " has a value that is not written")
	}
}

// DescriptionLen returns how many bytes of a file a schema's description takes, with its key, for a number of named
// fields and a number of lists and maps on the path to the schema.
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

func (e *encoder) properties(key string, list []schema.Property) {
	if len(list) > 0 {
		e.field(key, func() {
			e.sorted(len(list), func(i int) string { return list[i].Name }, func(i int) { e.schema(list[i].Schema) })
		})
	}
}

func (e *encoder) rule(r *schema.Rule) {
	e.mapping(func() {
		e.optional("fieldPath:", r.FieldPath.V)
		e.optional("message:", r.Message.V)
		e.optional("messageExpression:", r.MessageExpression.V)
		e.tristate("optionalOldSelf:", r.OptionalOldSelf)
		e.optional("reason:", r.Reason.V)
		e.text("rule:", r.Rule.V)
	})
}

func (e *encoder) externalDocs(key string, d *schema.ExternalDocs) {
	if d != nil {
		e.field(key, func() {
			e.optional("description:", d.Description.V)
			e.optional("url:", d.URL.V)
		})
	}
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
