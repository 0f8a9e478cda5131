package structural

import (
	"github.com/crdproof/crdproof/generator/diag"
	"github.com/crdproof/crdproof/generator/schema"
)

// A keyword is one that a schema states, with the place of its value.
type keyword struct {
	name string
	at   diag.Span
	// row is nil for the name of a field that stands for a keyword in a message.
	row *schema.Keyword
}

// keywords lists what a schema states, in the order of the API's Go type.
func keywords(s *schema.Schema) []keyword {
	var out []keyword
	rows := schema.Keywords()
	for i := range rows {
		if k := &rows[i]; k.IsSet(s) {
			out = append(out, keyword{k.Name, k.At(s), k})
		}
	}
	for _, k := range s.Other {
		out = append(out, keyword{k.Name, k.At, schema.KeywordOf(k.Name)})
	}
	return out
}
