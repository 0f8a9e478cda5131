package schema

import "github.com/crdproof/crdproof/diag"

// A Field is the place of a keyword in a Schema. It has one of the types below, which is that of the value.
type Field interface {
	// isSet reports whether the schema has the field; a flag that is false counts.
	isSet(*Schema) bool
	// at is the position of the value, or of the item at that index of a list, or of its first if it has fewer.
	at(s *Schema, index int) diag.Span
	copy(to, from *Schema)
}

// TextField is a string, which is absent if empty.
type TextField func(*Schema) *Text

// One is a field that is absent if nil: an Int, Number, Flag, Value, ExternalDocs or Schema.
type One[T located] func(*Schema) **T

// Many is a list: of Text, Value, *Schema, Property or Rule.
type Many[T located] func(*Schema) *[]T

// ItemsField is a schema; the API also allows a list of schemas.
type ItemsField struct{ One[Schema] }

// ValuesField is a schema, or true.
type ValuesField func(*Schema) (values **Schema, allowed *bool)

// VerbatimField lists the JSON types that the API accepts for a keyword without a field in a Schema.
type VerbatimField []Kind

// located is a value with a position.
type located interface{ where() diag.Span }

func (t Text) where() diag.Span         { return t.At }
func (n Int) where() diag.Span          { return n.At }
func (n Number) where() diag.Span       { return n.At }
func (f Flag) where() diag.Span         { return f.At }
func (v Value) where() diag.Span        { return v.At }
func (d ExternalDocs) where() diag.Span { return d.At }
func (p Property) where() diag.Span     { return p.Schema.At }
func (r Rule) where() diag.Span         { return r.At }
func (s Schema) where() diag.Span       { return s.At }

func (f TextField) isSet(s *Schema) bool          { return f(s).V != "" }
func (f TextField) at(s *Schema, _ int) diag.Span { return f(s).At }
func (f TextField) copy(to, from *Schema)         { *f(to) = *f(from) }

func (f One[T]) isSet(s *Schema) bool  { return *f(s) != nil }
func (f One[T]) copy(to, from *Schema) { *f(to) = *f(from) }

func (f One[T]) at(s *Schema, _ int) diag.Span {
	if v := *f(s); v != nil {
		return (*v).where()
	}
	return diag.Span{}
}

func (f Many[T]) isSet(s *Schema) bool  { return len(*f(s)) > 0 }
func (f Many[T]) copy(to, from *Schema) { *f(to) = *f(from) }

func (f Many[T]) at(s *Schema, index int) diag.Span {
	list := *f(s)
	switch {
	case index < len(list):
		return list[index].where()
	case len(list) > 0:
		return list[0].where()
	}
	return diag.Span{}
}

func (f ValuesField) isSet(s *Schema) bool {
	values, allowed := f(s)
	return *values != nil || *allowed
}

func (f ValuesField) at(s *Schema, _ int) diag.Span {
	if values, _ := f(s); *values != nil {
		return (*values).At
	}
	return diag.Span{}
}

func (f ValuesField) copy(to, from *Schema) {
	values, allowed := f(to)
	fromValues, fromAllowed := f(from)
	*values, *allowed = *fromValues, *fromAllowed
}

func (VerbatimField) isSet(*Schema) bool        { return false }
func (VerbatimField) at(*Schema, int) diag.Span { return diag.Span{} }
func (VerbatimField) copy(*Schema, *Schema)     {}
