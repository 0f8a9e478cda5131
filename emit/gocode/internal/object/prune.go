package object

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// pruneHelper writes PruneWidgetObject (apiextensions-apiserver, pkg/apiserver/schema/pruning/algorithm.go).
func (w *Writer) pruneHelper(k *Kind) {
	typ := jen.Code(jen.Op("&").Id("crdType").Values(jen.Id("embedded").Op(":").True()))
	if s := k.Schema(); s != nil {
		typ = w.Structure(s, RootOf(k))
	}
	w.Helper("Prune"+k.Name+"Object",
		fmt.Sprintf("removes the fields that the schema does not have from an object of kind %s, version %s, and "+
			"returns their sorted paths. It prunes as the API server does: apiVersion, kind and metadata stay.",
			k.CRD.Kind.V, k.VersionName()),
		[]jen.Code{jen.Id("obj").Add(Object())}, []jen.Code{jen.Id("pruned").Index().String()},
		[]jen.Code{jen.Return(jen.Id("crdPrune").Call(jen.Id("obj"), typ))})
}

// IsMeta reports whether a field belongs to every resource.
func IsMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }
