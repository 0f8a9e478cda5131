package gocode

import (
	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/generator/schema"
)

// embedded returns the function that validates apiVersion, kind and metadata of embedded resources
// (apiextensions-apiserver, pkg/apiserver/schema/objectmeta).
func (w *writer) embedded(s *schema.Schema, at place) string {
	return w.walk(s, walk{
		name: "crdEmbedded", doc: "validates the metadata of resources in",
		object: func(s *schema.Schema) []jen.Code {
			if !isSet(s.EmbeddedResource) {
				return nil
			}
			return []jen.Code{jen.Id("v").Dot("embeddedResource").Call(jen.Id("x"))}
		},
		list: func(*schema.Schema) []jen.Code { return nil },
	}, at)
}
