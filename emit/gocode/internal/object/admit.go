package object

import (
	"fmt"

	"github.com/dave/jennifer/jen"
)

// admitHelper writes AdmitWidget, which does all that an API server does with the bytes of a request.
func (w *Writer) admitHelper(k *Kind) {
	name := "Admit" + k.Name
	w.Helper(name, fmt.Sprintf("decodes, prunes, defaults and validates the JSON of an object of kind %s, version "+
		"%s, as the API server does with the body of a request. If old is not nil, it is the JSON of the object that "+
		"raw replaces. The warnings are about duplicate and unknown fields, and those of Validate%sObjectUpdate: as "+
		"many as a server sends. The error says why the server cannot read the object: it is not JSON, its metadata "+
		"have the wrong type, or it is not of this kind and version.", k.CRD.Kind.V, k.VersionName(), k.Name),
		[]jen.Code{jen.List(jen.Id("raw"), jen.Id("old")).Index().Byte()},
		[]jen.Code{jen.Id("obj").Add(Object()), jen.Id("errs").Add(ErrorList()), jen.Id("warnings").Index().String(),
			jen.Id("err").Error()}, []jen.Code{
			jen.Return(jen.Id("crdAdmit").Call(jen.Id("raw"), jen.Id("old"), jen.Id(w.resource(k)))),
		})
}
