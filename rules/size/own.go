package size

import (
	"encoding/json"

	"github.com/crdproof/crdproof/rules/kube"
	"github.com/crdproof/crdproof/schema"
)

// A meter counts the bytes of JSON, which it does not keep.
type meter struct {
	written int
	encoder *json.Encoder
}

func newMeter() *meter {
	m := &meter{}
	m.encoder = json.NewEncoder(m)
	return m
}

func (m *meter) Write(p []byte) (int, error) {
	m.written += len(p)
	return len(p), nil
}

// length returns how long a value is as JSON. A pointer to a value is as long as the value, and needs no copy.
func (m *meter) length(value any) int {
	m.written = -len("\n")
	if err := m.encoder.Encode(value); err != nil {
		panic(noJSON(err))
	}
	return m.written
}

// description returns how long a description is, with its key and a comma.
func (m *meter) description(text *string) int { return len(`"description":,`) + m.length(text) }

// ownBytes returns how long a schema is as JSON without those below it. Keywords are counted one by one, because a
// large CRD has tens of thousands, and to encode them all takes longer than to validate them.
func (m *meter) ownBytes(s *schema.Schema) int {
	out, count := len("{}"), 0
	keywords := schema.Keywords()
	for i := range keywords {
		if k := &keywords[i]; k.IsSet(s) {
			out += m.keyword(k, s)
			count++
		}
	}
	if s.Other != nil {
		if length := m.asDecoded(&schema.Schema{Other: s.Other}); length > 0 {
			out += length
			count++
		}
	}
	return out + max(count-1, 0)*len(",")
}

// keyword returns how long a keyword is that a schema has.
func (m *meter) keyword(k *schema.Keyword, s *schema.Schema) int {
	key := len(`"":`) + len(k.Name)
	switch at := k.Field.(type) {
	case schema.TextField:
		return key + m.length(&at(s).V)
	case schema.One[schema.Int]:
		return key + m.length(&(*at(s)).V)
	case schema.One[schema.Flag]:
		return key + m.length(&(*at(s)).V)
	case schema.Many[schema.Text]:
		texts := *at(s)
		key += listBytes(len(texts))
		for i := range texts {
			key += m.length(&texts[i].V)
		}
		return key
	case schema.One[schema.Schema], schema.ItemsField:
		return key
	case schema.Many[*schema.Schema]:
		return key + listBytes(len(*at(s)))
	case schema.Many[schema.Property]:
		properties := *at(s)
		key += listBytes(len(properties))
		for i := range properties {
			key += m.length(&properties[i].Name) + len(":")
		}
		return key
	case schema.ValuesField:
		if values, _ := at(s); *values != nil {
			return key
		}
		return key + len("true")
	}
	alone := &schema.Schema{}
	k.Copy(alone, s)
	return m.asDecoded(alone)
}

// asDecoded returns how long a schema is as JSON, without braces. kubectl decodes it first, and may then write the
// numbers of values otherwise.
func (m *meter) asDecoded(s *schema.Schema) int {
	return m.length(decoded(encoded(kube.Props(s)))) - len("{}")
}

// listBytes returns how long a list or an object of so many parts is without the parts.
func listBytes(parts int) int { return len("[]") + max(parts-1, 0)*len(",") }
