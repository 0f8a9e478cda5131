package structural

import (
	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
)

// A keyword is one that a schema states, with the place of its value.
type keyword struct {
	name string
	at   diag.Span
}

// keywords lists what a schema states, in the order of the API's Go type.
func keywords(s *schema.Schema) []keyword {
	var out []keyword
	for _, k := range schema.Keywords() {
		if k.IsSet(s) {
			out = append(out, keyword{k.Name, k.At(s)})
		}
	}
	for _, k := range s.Other {
		out = append(out, keyword{k.Name, k.At})
	}
	return out
}
