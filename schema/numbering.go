package schema

import (
	"encoding/binary"
	"reflect"

	"github.com/crdproof/crdproof/diag"
)

// A Numbering gives schemas numbers: two schemas have one number if Same reports that they are equal. Each schema is
// read once, so that comparing all schemas of a list takes linear time.
type Numbering struct {
	known map[*Schema]uint64
	texts map[string]uint64
}

// NewNumbering returns a numbering without schemas.
func NewNumbering() *Numbering {
	return &Numbering{known: map[*Schema]uint64{}, texts: map[string]uint64{}}
}

// Of returns the number of a schema, which must not be modified afterwards.
func (n *Numbering) Of(s *Schema) uint64 {
	if s == nil {
		return 0
	}
	if number, ok := n.known[s]; ok {
		return number
	}
	text := string(n.append(nil, reflect.ValueOf(s).Elem()))
	number, ok := n.texts[text]
	if !ok {
		number = uint64(len(n.texts)) + 1
		n.texts[text] = number
	}
	n.known[s] = number
	return number
}

// append writes a value without positions. Schemas in it are their numbers.
func (n *Numbering) append(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		if s, ok := v.Interface().(*Schema); ok {
			return binary.AppendUvarint(out, n.Of(s))
		}
		if v.IsNil() {
			return append(out, 0)
		}
		return n.append(append(out, 1), v.Elem())
	case reflect.Slice:
		out = binary.AppendUvarint(out, uint64(v.Len()))
		for i := range v.Len() {
			out = n.append(out, v.Index(i))
		}
		return out
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			return out
		}
		for i := range v.NumField() {
			out = n.append(out, v.Field(i))
		}
		return out
	case reflect.String:
		return append(binary.AppendUvarint(out, uint64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(out, 1)
		}
		return append(out, 0)
	case reflect.Int64, reflect.Int:
		return binary.AppendVarint(out, v.Int())
	case reflect.Uint8:
		return append(out, byte(v.Uint()))
	}
	panic("a schema has a field of kind " + v.Kind().String())
}
