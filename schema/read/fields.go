package read

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// The expected values, besides the types of JSON, as messages name them.
const (
	wantInteger      = "an integer"
	wantByte         = "a byte"
	wantSchemaOrBool = "a schema or a boolean"
)

// A field reads a member of an object that becomes a T. It is not called for null, which API servers treat as absent.
type field[T any] func(r *reader, into *T, m *schema.Member)

// fields are the known fields of an object, by name.
type fields[T any] map[string]field[T]

// readObject reads an object; null is an empty one.
func readObject[T any](r *reader, n *schema.Value, into *T, known fields[T]) {
	switch n.Kind {
	case schema.Object:
	case schema.Null:
		return
	default:
		r.wrongType(n, kindName(schema.Object))
		return
	}
	for i := range n.Members {
		m := &n.Members[i]
		read, ok := known[m.Key]
		r.enter("." + m.Key)
		switch {
		case !ok:
			r.unknownField(m, slices.Sorted(maps.Keys(known)))
		case m.Value.Kind != schema.Null:
			read(r, into, m)
		}
		r.leave()
	}
}

// unknownField reports an unknown field. Strict decoding, which is kubectl's default, stops at custom unmarshalers,
// which JSONSchemaPropsOrArray and JSONSchemaPropsOrBool have
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go).
func (r *reader) unknownField(m *schema.Member, known []string) {
	if r.isPart {
		r.report(diag.Errorf(m.KeyAt, unknown, "unknown field %q", m.Key).Meant(diag.Near(m.Key, known)))
		return
	}
	d := diag.Warningf(m.KeyAt, unknown, "unknown field %q; kubectl rejects the file", m.Key).
		Note("with kubectl --validate=warn, the API server drops the field")
	if r.lenient > 0 {
		d = diag.Warningf(m.KeyAt, unknown, "unknown field %q; the API server drops it", m.Key).
			Note("below items and additionalProperties, kubectl does not report it")
	}
	if near := diag.Near(m.Key, known); near != "" {
		d = d.Meant(near).Changes(diag.AcceptsOther, "the field takes effect")
	}
	r.report(d)
}

// undecodable reports a value that no API server can decode into its field.
func undecodable(n *schema.Value, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(n.At, badType, format, args...).Note("API servers cannot decode the object")
}

// wrongType rejects the value that is being read.
func (r *reader) wrongType(n *schema.Value, want string) {
	kind := kindName(n.Kind)
	if want == wantInteger && n.Kind == schema.NumberKind {
		kind = n.Text
	}
	d := undecodable(n, "expected %s for %s, got %s", want, r.name(), kind)
	isBool := want == kindName(schema.Bool) && (n.Text == "true" || n.Text == "false")
	isWhole := (want == wantInteger || want == kindName(schema.NumberKind)) && schema.IsWholeNumber(n.Text)
	switch {
	case want == kindName(schema.String) && (n.Kind == schema.Bool || n.Kind == schema.NumberKind):
		d = d.Write(strconv.Quote(n.At.Text()))
	case n.Kind == schema.String && (isBool || isWhole):
		d = d.Write(n.Text)
	}
	r.reject(d)
}

// name returns the name of the value that is being read in messages: the last field of its path, with all indexes and
// keys after it.
func (r *reader) name() string {
	for i := len(r.path) - 1; i >= 0; i-- {
		if r.path[i][0] == '.' {
			return strings.Join(r.path[i:], "")[1:]
		}
	}
	return "the document"
}

func (r *reader) hasKind(n *schema.Value, kind schema.Kind) bool {
	if n.Kind != kind {
		r.wrongType(n, kindName(kind))
	}
	return n.Kind == kind
}

// each calls read for the items of a list.
func (r *reader) each(n *schema.Value, read func(*schema.Value)) {
	if !r.hasKind(n, schema.Array) {
		return
	}
	for i := range n.Items {
		r.enter("[" + strconv.Itoa(i) + "]")
		read(&n.Items[i])
		r.leave()
	}
}

// text reads a string; null is the empty one.
func (r *reader) text(n *schema.Value) schema.Text {
	if n.Kind != schema.Null && !r.hasKind(n, schema.String) {
		return schema.Text{}
	}
	return schema.Text{V: n.Text, At: n.At}
}

// time reads a time, as metav1.Time decodes it.
func (r *reader) time(n *schema.Value) {
	if r.text(n); n.Kind != schema.String {
		return
	}
	if _, err := time.Parse(time.RFC3339, n.Text); err != nil {
		r.reject(undecodable(n, "expected a time in RFC 3339 for %s, got %q", r.name(), n.Text).
			Help("remove %s: API servers set it", r.name()))
	}
}

func (r *reader) texts(n *schema.Value) (out []schema.Text) {
	r.each(n, func(item *schema.Value) { out = append(out, r.text(item)) })
	return out
}

func (r *reader) flag(n *schema.Value) *schema.Flag {
	if !r.hasKind(n, schema.Bool) {
		return nil
	}
	return &schema.Flag{V: n.Text == "true", At: n.At}
}

// integer reads an integer of a Go type with that number of bits.
func (r *reader) integer(n *schema.Value, bits int) *schema.Int {
	if n.Kind != schema.NumberKind {
		r.wrongType(n, wantInteger)
		return nil
	}
	v, err := strconv.ParseInt(n.Text, 10, bits)
	switch {
	case err == nil:
		return &schema.Int{V: v, At: n.At}
	case schema.IsWholeNumber(n.Text):
		r.reject(undecodable(n, "%s does not fit int%d, the type of %s", n.Text, bits, r.name()))
	default:
		r.wrongType(n, wantInteger)
	}
	return nil
}

// bytes reads base64. Go's decoder, and so API servers, also accept a list of numbers.
func (r *reader) bytes(n *schema.Value) (out []byte) {
	if n.Kind == schema.Array {
		r.each(n, func(item *schema.Value) {
			b, err := strconv.ParseUint(item.Text, 10, 8)
			if item.Kind != schema.Null && (item.Kind != schema.NumberKind || err != nil) {
				r.wrongType(item, wantByte)
			}
			out = append(out, byte(b))
		})
		return out
	}
	out, err := base64.StdEncoding.DecodeString(r.text(n).V)
	if err != nil {
		r.reject(undecodable(n, "expected base64 for %s", r.name()))
	}
	return out
}

// keyValues reads annotations or labels.
func (r *reader) keyValues(n *schema.Value) (out []schema.KeyValue) {
	if !r.hasKind(n, schema.Object) {
		return nil
	}
	for i := range n.Members {
		m := &n.Members[i]
		r.enter("[" + m.Key + "]")
		out = append(out, schema.KeyValue{Key: m.Key, Value: r.text(&m.Value).V, At: m.Span()})
		r.leave()
	}
	slices.SortFunc(out, func(a, b schema.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// The functions below return fields of simple types that are stored at a place in T.

func text[T any](at func(*T) *schema.Text) field[T] {
	return func(r *reader, into *T, m *schema.Member) { *at(into) = r.text(&m.Value) }
}

func optionalText[T any](at func(*T) **schema.Text) field[T] {
	return func(r *reader, into *T, m *schema.Member) {
		t := r.text(&m.Value)
		*at(into) = &t
	}
}

func texts[T any](at func(*T) *[]schema.Text) field[T] {
	return func(r *reader, into *T, m *schema.Member) { *at(into) = r.texts(&m.Value) }
}

func flag[T any](at func(*T) **schema.Flag) field[T] {
	return func(r *reader, into *T, m *schema.Member) { *at(into) = r.flag(&m.Value) }
}

// boolean returns a flag whose place does not matter.
func boolean[T any](at func(*T) *bool) field[T] {
	return func(r *reader, into *T, m *schema.Member) {
		*at(into) = r.flag(&m.Value).True()
	}
}

func integer[T any](bits int, at func(*T) **schema.Int) field[T] {
	return func(r *reader, into *T, m *schema.Member) { *at(into) = r.integer(&m.Value, bits) }
}

func number[T any](at func(*T) **schema.Number) field[T] {
	return func(r *reader, into *T, m *schema.Member) {
		if r.hasKind(&m.Value, schema.NumberKind) {
			*at(into) = &schema.Number{V: schema.CanonicalNumber(m.Value.Text), At: m.Value.At}
		}
	}
}

// base64Text keeps bytes in the canonical form of base64.
func base64Text[T any](at func(*T) *schema.Text) field[T] {
	return func(r *reader, into *T, m *schema.Member) {
		*at(into) = schema.Text{V: base64.StdEncoding.EncodeToString(r.bytes(&m.Value)), At: m.Value.At}
	}
}

// verbatim keeps a keyword as it is, if it is of one of the given types.
func verbatim(kinds []schema.Kind) field[schema.Schema] {
	return func(r *reader, s *schema.Schema, m *schema.Member) {
		if !slices.Contains(kinds, m.Value.Kind) {
			r.wrongType(&m.Value, kindName(kinds[0]))
			return
		}
		s.Other = append(s.Other, asVerbatim(m))
	}
}

func asVerbatim(m *schema.Member) schema.Verbatim {
	return schema.Verbatim{Name: m.Key, Value: m.Value.Canonical(), At: m.KeyAt}
}

// object returns a field that is an object, which remembers its position.
func object[T, U any](place func(into *T, at diag.Span) *U, known fields[U]) field[T] {
	return func(r *reader, into *T, m *schema.Member) { readObject(r, &m.Value, place(into, m.KeyAt), known) }
}

// objects returns a field that is a list of objects; start returns a new one for its position.
func objects[T, U any](at func(*T) *[]U, start func(diag.Span) U, known fields[U]) field[T] {
	return func(r *reader, into *T, m *schema.Member) {
		r.each(&m.Value, func(n *schema.Value) {
			item := start(n.Start())
			readObject(r, n, &item, known)
			*at(into) = append(*at(into), item)
		})
	}
}
