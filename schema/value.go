package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Kind is the JSON type of a Value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	NumberKind
	String
	Array
	Object
	// Integer is a number that is an integer in the grammar of markers, as in controller-gen. Schemas and files have
	// NumberKind only.
	Integer
)

// InYAML returns what messages about YAML call a value of the kind.
func (k Kind) InYAML() string {
	return [...]string{
		Null: "null", Bool: "a boolean", NumberKind: "a number", String: "a string", Array: "a list",
		Object: "a mapping", Integer: "an integer",
	}[k]
}

// A Value is a JSON value with its position. A finished value is never changed: YAML aliases share their parts.
type Value struct {
	Kind Kind
	// At covers the value with its quotes, or a collection from its first to its last byte. It is empty for a null that
	// is not written, and invalid for a value without a source.
	At diag.Span
	// Text is the string, the JSON number literal, or "true" or "false".
	Text string
	// Items are those of an array.
	Items []Value
	// Members are those of an object in the order of the source. Each key occurs once: of duplicate keys the last
	// counts.
	Members []Member
}

// A Member is a key of an object value.
type Member struct {
	Key   string
	KeyAt diag.Span
	Value Value
}

// Equal reports whether two values are the same JSON value, regardless of position; it compares the literals of
// numbers.
func (v Value) Equal(w Value) bool {
	return v.Kind == w.Kind && v.Text == w.Text && slices.EqualFunc(v.Items, w.Items, Value.Equal) &&
		slices.EqualFunc(v.Members, w.Members, func(a, b Member) bool {
			return a.Key == b.Key && a.Value.Equal(b.Value)
		})
}

// Canonical returns the value as in a Schema: members are sorted by key, byte by byte, and numbers are canonical.
func (v *Value) Canonical() Value {
	return v.WithNumbers(func(n *Value) string { return CanonicalNumber(n.Text) })
}

// WithNumbers does what Canonical does, with another way to write numbers.
func (v *Value) WithNumbers(literal func(*Value) string) Value {
	out := Value{Kind: v.Kind, At: v.At, Text: v.Text}
	switch v.Kind {
	case NumberKind, Integer:
		out.Kind, out.Text = NumberKind, literal(v)
	case Array:
		for i := range v.Items {
			out.Items = append(out.Items, v.Items[i].WithNumbers(literal))
		}
	case Object:
		for i := range v.Members {
			m := &v.Members[i]
			out.Members = append(out.Members, Member{Key: m.Key, KeyAt: m.KeyAt, Value: m.Value.WithNumbers(literal)})
		}
		slices.SortFunc(out.Members, func(a, b Member) int { return strings.Compare(a.Key, b.Key) })
	}
	return out
}

// Size returns the number of values in a value, itself included.
func (v *Value) Size() int {
	size := 1
	for i := range v.Items {
		size += v.Items[i].Size()
	}
	for i := range v.Members {
		size += v.Members[i].Value.Size()
	}
	return size
}

// Find returns the value of a key, nil if it is absent.
func (v *Value) Find(key string) *Value {
	if m := v.Member(key); m != nil {
		return &m.Value
	}
	return nil
}

// Member returns a key with its value, nil if it is absent.
func (v *Value) Member(key string) *Member {
	for i := range v.Members {
		if v.Members[i].Key == key {
			return &v.Members[i]
		}
	}
	return nil
}

// Int64 returns the value of a number that is whole and fits.
func (v Value) Int64() (int64, bool) {
	if v.Kind != Integer && v.Kind != NumberKind {
		return 0, false
	}
	if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return i, true
	}
	// 1e3 and 5.0; beyond 2^53 a float64 is not exact.
	f, err := strconv.ParseFloat(v.Text, 64)
	const exact = 1 << 53
	if err != nil || v.Kind == Integer || f < -exact || f > exact || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

// Start returns the start of an item of a list: its first key with its value, or the whole item.
func (v *Value) Start() diag.Span {
	if len(v.Members) > 0 {
		return v.Members[0].Span()
	}
	return v.At
}

// Span returns the member with its key.
func (m *Member) Span() diag.Span {
	if m.KeyAt.Source == nil || m.Value.At.Start < m.KeyAt.Start {
		return m.Value.At // the value is elsewhere
	}
	return diag.At(m.KeyAt.Source, int(m.KeyAt.Start), int(m.Value.At.End))
}
