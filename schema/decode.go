package schema

import (
	"cmp"
	"strconv"
	"time"
)

// microTime is metav1.RFC3339Micro.
const microTime = "2006-01-02T15:04:05.000000Z07:00"

// Decodes reports whether the decoder of an origin in Go accepts a value. A value of a type that the schema of the
// origin rejects is accepted.
func (o Origin) Decodes(v *Value) bool {
	var err error
	switch isText := v.Kind == String; {
	case o == Duration && isText:
		_, err = time.ParseDuration(v.Text)
	case o == Time && isText:
		_, err = time.Parse(time.RFC3339, v.Text)
	case o == MicroTime && isText:
		_, err = time.Parse(microTime, v.Text)
	case o == IntOrString && v.Kind == NumberKind && IsWholeNumber(v.Text):
		_, err = strconv.ParseInt(v.Text, 10, 32)
	}
	return err == nil
}

// Undecoded reports each value in v that the Go type of its schema cannot decode, with the path to it, which starts
// with that to v.
func Undecoded(s *Schema, v *Value, at Path, found func(*Schema, *Value, Path)) {
	if s == nil {
		return
	}
	if !s.Origin.Decodes(v) {
		found(s, v, at)
	}
	for i := range v.Items {
		Undecoded(s.Items, &v.Items[i], at.Then(Item(i)), found)
	}
	for i := range v.Members {
		m := &v.Members[i]
		Undecoded(cmp.Or(s.Property(m.Key), s.AdditionalProperties), &m.Value, at.Then(Key(m.Key)), found)
	}
}
