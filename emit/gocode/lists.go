package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// lists returns the function that checks that lists of type set and map repeat nothing (apiextensions-apiserver,
// pkg/apiserver/schema/listtype).
func (w *writer) lists(s *schema.Schema, at place) string {
	return w.walk(s, walk{
		name: "crdLists", doc: "checks that sets and maps repeat nothing, in",
		object: func(*schema.Schema) []jen.Code { return nil },
		list: func(s *schema.Schema) []jen.Code {
			switch s.ListType.V {
			case "set":
				return []jen.Code{jen.Id("v").Dot("listSet").Call(jen.Id("x"))}
			case "map":
				arguments := []jen.Code{jen.Id("x")}
				for _, key := range s.ListMapKeys {
					arguments = append(arguments, jen.Lit(key.V))
				}
				return []jen.Code{jen.Id("v").Dot("listMap").Call(arguments...)}
			}
			return nil
		},
	}, at)
}
