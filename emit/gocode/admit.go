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
		typ = jen.Op("&").Id(w.typeOf(s, rootOf(k)))
	}
	decode := func(to, from string) []jen.Code {
		return []jen.Code{
			jen.List(jen.Id(to), jen.Id("repeated"), jen.Id("err")).Op(":=").Id("crdDecode").Call(jen.Id(from), typ),
			jen.If(jen.Id("err").Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Nil(), jen.Nil(), jen.Id("err"))),
		}
	}
	call := func(prefix, suffix string, args ...jen.Code) *jen.Statement {
		return jen.Id(prefix + k.Name + "Object" + suffix).Call(args...)
	}
	obj, before := jen.Id("obj"), jen.Id("before")
	body := append(decode("obj", "raw"),
		jen.Id("warnings").Op("=").Id("crdStrictWarnings").Call(jen.Id("repeated"), call("Prune", "", obj)),
		call("Default", "", obj),
		jen.If(jen.Id("old").Op("==").Nil()).Block(
			jen.Return(obj, call("Validate", "", obj), jen.Id("warnings"), jen.Nil())),
		jen.List(before, jen.Id("_"), jen.Id("err")).Op(":=").Id("crdDecode").Call(jen.Id("old"), typ),
		jen.If(jen.Id("err").Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Nil(), jen.Nil(), jen.Id("err"))),
		call("Prune", "", before),
		call("Default", "", before),
		jen.List(jen.Id("errs"), jen.Id("unchanged")).Op(":=").Add(call("Validate", "Update", obj, before)),
		jen.Return(obj, jen.Id("errs"), jen.Append(jen.Id("warnings"), jen.Id("unchanged").Op("...")), jen.Nil()),
	)
	w.helper(name, fmt.Sprintf("decodes, prunes, defaults and validates the JSON of an object of kind %s, version %s, as "+
		"the API server does with the body of a request. If old is not nil, it is the JSON of the object that raw "+
		"replaces. The warnings are about duplicate and unknown fields, and those of Validate%sObjectUpdate. The error "+
		"says why the JSON cannot be decoded.", k.CRD.Kind.V, k.VersionName(), k.Name),
		[]jen.Code{jen.List(jen.Id("raw"), jen.Id("old")).Index().Byte()},
		[]jen.Code{obj.Clone().Add(object()), jen.Id("errs").Add(errorList()), jen.Id("warnings").Index().String(),
			jen.Id("err").Error()}, body)
}
