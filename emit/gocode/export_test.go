package gocode

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// TypeFiles writes the structures of kinds, and a table of them by the names of the kinds: the one by which old values
// are found, and, with Resource behind the name, the one that the rules of the root see.
func TypeFiles(p Package) map[string][]byte {
	w := object.NewWriter(p.Path, p.Kube)
	table := jen.Dict{}
	for i := range p.Kinds {
		k := &p.Kinds[i]
		at, with := object.RootOf(k), object.WithTypeAndObjectMeta(k.Schema())
		table[jen.Lit(k.Name)] = w.Structure(k.Schema(), at)
		if with != k.Schema() {
			at.Name += "Resource"
		}
		table[jen.Lit(k.Name+"Resource")] = w.Structure(with, at)
	}
	typ := jen.Map(jen.String()).Op("*").Add(object.Runtime("Type"))
	w.Function(object.Function{Name: "types", Doc: "are the structures by the names of the kinds",
		Results: []jen.Code{typ}, Body: []jen.Code{jen.Return(jen.Add(typ).Values(table))}})
	types, carried := w.Support.Copy(p, w.File(p))
	return map[string][]byte{FileName: types, object.SupportName: carried}
}

// RuleFiles writes helpers that check the rules of kinds and nothing else: CheckWidgetRules(old, object).
func RuleFiles(p Package) (map[string][]byte, []diag.Diagnostic) {
	w := object.NewWriter(p.Path, p.Kube)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		w.BeginRules(k)
		typ := w.Structure(k.Schema(), object.RootOf(k))
		errorList := jen.Qual("k8s.io/apimachinery/pkg/util/validation/field", "ErrorList")
		w.Function(object.Function{Name: "Check" + k.Name + "Rules", Doc: "checks the rules of an object and nothing else",
			Params:  []jen.Code{jen.List(jen.Id("old"), jen.Id("object")).Add(object.Object())},
			Results: []jen.Code{errorList, jen.Index().String()},
			Body: []jen.Code{
				jen.Id("v").Op(":=").Add(object.Runtime("Validation")).Values(jen.Id("typ").Op(":").Add(typ),
					jen.Id("object").Op(":").Id("object"), jen.Id("old").Op(":").Id("old")),
				jen.If(jen.Id("v").Dot("mayCheckRules").Call()).Block(
					jen.Parens(w.RulesTable()).Dot("checkObject").Call(jen.Op("&").Id("v"))),
				jen.Return(jen.Id("v").Dot("errs"), jen.Id("v").Dot("warnings").Dot("sent")),
			}})
	}
	rules, carried := w.Support.Copy(p, w.File(p))
	return map[string][]byte{FileName: rules, object.SupportName: carried}, w.Diagnostics
}

// Number is the Go expression of a number of JSON.
func Number(text string) string { return fmt.Sprintf("%#v", object.Number(text)) }
