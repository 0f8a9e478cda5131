package read

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// What is wanted of a value, as messages name it.
const (
	wantText    = "a string"
	wantBool    = "a boolean"
	wantInteger = "an integer"
	wantNumber  = "a number"
	wantByte    = "a byte"
	wantList    = "a list"
	wantObject  = "an object"

	wantSchemaOrBool = "a schema or a boolean"
)

// A field reads a member of an object that becomes a T. It is not called for null, which API servers take for a member
// that is not there.
type field[T any] func(r *reader, into *T, m *member)

// fields are all that an API server knows of an object, by their names.
type fields[T any] map[string]field[T]

// readObject reads what is to be an object, null being an empty one.
func readObject[T any](r *reader, n *node, into *T, known fields[T]) {
	switch n.kind {
	case schema.Object:
	case schema.Null:
		return
	default:
		r.wrongType(n, wantObject)
		return
	}
	for i := range n.members {
		m := &n.members[i]
		read, ok := known[m.key]
		r.enter("." + m.key)
		switch {
		case !ok:
			r.report(unknownField(m, slices.Sorted(maps.Keys(known)), r.lenient > 0))
		case m.value.kind != schema.Null:
			read(r, into, m)
		}
		r.leave()
	}
}

// wrongType refuses the value that is being read.
func (r *reader) wrongType(n *node, want string) {
	r.refuse(wrongType(r.name(), n, want))
}

// name is what messages call the value that is being read: the last field of its path, with what follows it.
func (r *reader) name() string {
	for i := len(r.path) - 1; i >= 0; i-- {
		if r.path[i][0] == '.' {
			return strings.Join(r.path[i:], "")[1:]
		}
	}
	return "the document"
}

func (r *reader) is(n *node, kind schema.Kind, want string) bool {
	if n.kind != kind {
		r.wrongType(n, want)
	}
	return n.kind == kind
}

// each calls read for the items of what is to be a list.
func (r *reader) each(n *node, read func(*node)) {
	if !r.is(n, schema.Array, wantList) {
		return
	}
	for i, item := range n.items {
		r.enter("[" + strconv.Itoa(i) + "]")
		read(item)
		r.leave()
	}
}

// text reads a string, or null as the empty one.
func (r *reader) text(n *node) schema.Text {
	if n.kind != schema.Null && !r.is(n, schema.String, wantText) {
		return schema.Text{}
	}
	return schema.Text{V: n.text, At: n.at}
}

func (r *reader) texts(n *node) (out []schema.Text) {
	r.each(n, func(item *node) { out = append(out, r.text(item)) })
	return out
}

func (r *reader) flag(n *node) *schema.Flag {
	if !r.is(n, schema.Bool, wantBool) {
		return nil
	}
	return &schema.Flag{V: n.text == "true", At: n.at}
}

// integer reads an integer of a Go type of that many bits.
func (r *reader) integer(n *node, bits int) *schema.Int {
	if !r.is(n, schema.NumberKind, wantInteger) {
		return nil
	}
	v, err := strconv.ParseInt(n.text, 10, bits)
	switch {
	case err == nil:
		return &schema.Int{V: v, At: n.at}
	case schema.IsWholeNumber(n.text):
		r.refuse(outOfRange(r.name(), n, bits))
	default:
		r.wrongType(n, wantInteger)
	}
	return nil
}

// bytes reads base64. To Go's decoder, and so to API servers, a list of numbers is bytes as well.
func (r *reader) bytes(n *node) (out []byte) {
	if n.kind == schema.Array {
		r.each(n, func(item *node) {
			b, err := strconv.ParseUint(item.text, 10, 8)
			if item.kind != schema.Null && (item.kind != schema.NumberKind || err != nil) {
				r.wrongType(item, wantByte)
			}
			out = append(out, byte(b))
		})
		return out
	}
	out, err := base64.StdEncoding.DecodeString(r.text(n).V)
	if err != nil {
		r.refuse(noBase64(r.name(), n))
	}
	return out
}

// keyValues reads annotations or labels.
func (r *reader) keyValues(n *node) (out []schema.KeyValue) {
	if !r.is(n, schema.Object, wantObject) {
		return nil
	}
	for i := range n.members {
		m := &n.members[i]
		r.enter("[" + m.key + "]")
		out = append(out, schema.KeyValue{Key: m.key, Value: r.text(m.value).V, At: m.at()})
		r.leave()
	}
	slices.SortFunc(out, func(a, b schema.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// The functions below make fields of the simple types from the place in T that they are read into.

func text[T any](at func(*T) *schema.Text) field[T] {
	return func(r *reader, into *T, m *member) { *at(into) = r.text(m.value) }
}

func optionalText[T any](at func(*T) **schema.Text) field[T] {
	return func(r *reader, into *T, m *member) {
		t := r.text(m.value)
		*at(into) = &t
	}
}

func texts[T any](at func(*T) *[]schema.Text) field[T] {
	return func(r *reader, into *T, m *member) { *at(into) = r.texts(m.value) }
}

func flag[T any](at func(*T) **schema.Flag) field[T] {
	return func(r *reader, into *T, m *member) { *at(into) = r.flag(m.value) }
}

// boolean is a flag whose place does not matter.
func boolean[T any](at func(*T) *bool) field[T] {
	return func(r *reader, into *T, m *member) {
		f := r.flag(m.value)
		*at(into) = f != nil && f.V
	}
}

func integer[T any](bits int, at func(*T) **schema.Int) field[T] {
	return func(r *reader, into *T, m *member) { *at(into) = r.integer(m.value, bits) }
}

func number[T any](at func(*T) **schema.Number) field[T] {
	return func(r *reader, into *T, m *member) {
		if r.is(m.value, schema.NumberKind, wantNumber) {
			*at(into) = &schema.Number{V: schema.CanonicalNumber(m.value.text), At: m.value.at}
		}
	}
}

// base64Text keeps bytes in the canonical form of base64.
func base64Text[T any](at func(*T) *schema.Text) field[T] {
	return func(r *reader, into *T, m *member) {
		*at(into) = schema.Text{V: base64.StdEncoding.EncodeToString(r.bytes(m.value)), At: m.value.at}
	}
}

// keyword keeps a value as it is, of one of the given types; none stands for all.
func keyword[T any](at func(*T) *[]schema.Keyword, kinds ...schema.Kind) field[T] {
	return func(r *reader, into *T, m *member) {
		if len(kinds) > 0 && !slices.Contains(kinds, m.value.kind) {
			r.wrongType(m.value, kindName(kinds[0]))
			return
		}
		*at(into) = append(*at(into), asKeyword(m))
	}
}

func asKeyword(m *member) schema.Keyword {
	return schema.Keyword{Name: m.key, Value: m.value.value(), At: m.keyAt}
}

// object is a field that is an object of its own, which remembers where it stands.
func object[T, U any](place func(into *T, at diag.Span) *U, known func(*reader) fields[U]) field[T] {
	return func(r *reader, into *T, m *member) { readObject(r, m.value, place(into, m.keyAt), known(r)) }
}
