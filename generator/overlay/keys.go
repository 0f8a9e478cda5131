package overlay

import (
	"slices"

	"github.com/crdproof/crdproof/schema"
)

// A key is a row of the table of the keys of an entry.
type key struct {
	name, doc string
	// form is the form of the value, for editors.
	form form
	// read reads the value.
	read func(r *reader, e *entry, m *schema.Member)
}

// A form is the form of a value.
type form uint8

const (
	oneText form = iota
	manyTexts
	truth
	keywords
	schemas
	wholeSchema
	rules
	description
)

// The keys that other keys refer to.
const (
	keyKind    = "kind"
	keyType    = "type"
	keyPath    = "path"
	keyWithin  = "within"
	keyLoosen  = "loosen"
	keyReplace = "replace"
	keyAppend  = "append"
	keyDrop    = "drop"

	keyVersions    = "versions"
	keyTighten     = "tighten"
	keySet         = "set"
	keyRemove      = "remove"
	keyRequire     = "require"
	keyOptional    = "optional"
	keyOnly        = "only"
	keyAddFields   = "addFields"
	keyAddRules    = "addRules"
	keyRemoveRules = "removeRules"
	keyDescription = "description"
)

// keys returns the keys of an entry, in the order of the documentation: selectors first.
func keys() []key {
	return []key{
		{keyKind, "The kinds, such as NodePool, or NodePool.karpenter.sh if several groups have the kind. Without " +
			"it, all kinds.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { e.kinds = r.texts(m) }},
		{keyVersions, "The versions, such as [v1]. Without it, all versions.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { e.versions = r.texts(m) }},
		{keyPath, "The path to the schemas: names of fields, [] for items, {} for values of maps, * for any field, " +
			"** for any depth. It starts at the root of a version, or at the Go type.", oneText,
			func(r *reader, e *entry, m *schema.Member) { e.path = r.path(m) }},
		{keyType, "A Go type, or a field of one, such as k8s.io/api/core/v1.Container.resources, wherever a kind " +
			"reaches it.", oneText,
			func(r *reader, e *entry, m *schema.Member) { e.typ = r.goType(m) }},
		{keyWithin, "A path below which the Go type is changed.", oneText,
			func(r *reader, e *entry, m *schema.Member) { e.within = r.path(m) }},
		{keyTighten, "Keywords that hold in addition, merged as markers are: of two bounds, the tighter one.", keywords,
			(*reader).tighten},
		{keySet, "Keywords with exactly these values.", keywords, (*reader).set},
		{keyRemove, "Names of keywords to remove.", manyTexts, (*reader).remove},
		{keyRequire, "Fields of the schema that become required.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { r.fields(e, m, require) }},
		{keyOptional, "Fields of the schema that may be absent from now on.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { r.fields(e, m, optional) }},
		{keyOnly, "The fields to retain: all others are dropped from the schema.", manyTexts, (*reader).only},
		{keyDrop, "The fields to drop from the schema, which API servers then prune.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { r.fields(e, m, drop) }},
		{keyAddFields, "Fields to add to the schema, each with its schema: those that the Go type does not have.",
			schemas,
			(*reader).addFields},
		{keyAddRules, "Rules to add, as in x-kubernetes-validations.", rules, (*reader).addRules},
		{keyRemoveRules, "Rules to remove, by their exact text.", manyTexts, (*reader).removeRules},
		{keyDescription, "Replaces the description, appends to it, or drops it.", description, (*reader).description},
		{keyReplace, "A schema in place of the whole one; {} for an empty one.", wholeSchema, (*reader).replace},
		{keyChannel, "The entry is for the CRDs of this channel only, or of several.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { e.conditions.condition(r, m) }},
		{keyGate, "The entry has an effect only if this feature gate is on, or one of several.", manyTexts,
			func(r *reader, e *entry, m *schema.Member) { e.conditions.condition(r, m) }},
		{keyLoosen, "Says that the entry accepts more than before.", truth, (*reader).loosen},
	}
}

// isSelector reports whether a key says what an entry selects.
func isSelector(name string) bool {
	return slices.Contains([]string{keyKind, keyVersions, keyPath, keyType, keyWithin}, name)
}

// names returns the names of the keys of a table.
func names(table []key) (out []string) {
	for _, k := range table {
		out = append(out, k.name)
	}
	return out
}
