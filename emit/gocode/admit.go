package gocode

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// admitHelper writes AdmitWidget, which does all that an API server does with the bytes of a request.
func (w *writer) admitHelper(k *Kind) {
	name := "Admit" + k.Name
	typ := jen.Code(jen.Nil())
	if s := k.schema(); s != nil {
		typ = w.structure(s, rootOf(k))
	}
	args := []jen.Code{jen.Id("raw"), jen.Id("old"), typ}
	for _, helper := range []string{"Prune" + k.Name + "Object", "Default" + k.Name + "Object",
		"Validate" + k.Name + "ObjectUpdate"} {
		args = append(args, jen.Id(helper))
	}
	w.helper(name, fmt.Sprintf("decodes, prunes, defaults and validates the JSON of an object of kind %s, version %s, as "+
		"the API server does with the body of a request. If old is not nil, it is the JSON of the object that raw "+
		"replaces. The warnings are about duplicate and unknown fields, and those of Validate%sObjectUpdate. The error "+
		"says why the JSON cannot be decoded.", k.CRD.Kind.V, k.VersionName(), k.Name),
		[]jen.Code{jen.List(jen.Id("raw"), jen.Id("old")).Index().Byte()},
		[]jen.Code{jen.Id("obj").Add(object()), jen.Id("errs").Add(errorList()), jen.Id("warnings").Index().String(),
			jen.Id("err").Error()}, []jen.Code{jen.Return(jen.Id("crdAdmit").Call(args...))})
}
