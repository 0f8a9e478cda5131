package gocode

import (
	"bytes"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/gocode/internal/object"
)

// TypeFiles writes the structures of kinds, and a table of them by the names of the kinds: the one by which old values
// are found, and, with Resource behind the name, the one that the rules of the root see.
func TypeFiles(p Package) map[string][]byte {
	w := object.NewWriter(p.Path, p.Kube)
	var table bytes.Buffer
	fmt.Fprintf(&table, "package %s\n\nvar types = map[string]*crdType{\n", p.Name)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		w.Imported = k.Imported
		at, with := object.RootOf(k), object.WithTypeAndObjectMeta(k.Schema())
		fmt.Fprintf(&table, "%q: &%s,\n", k.Name, w.TypeOf(k.Schema(), at))
		if with != k.Schema() {
			at.Name += "Resource"
		}
		fmt.Fprintf(&table, "%q: &%s,\n", k.Name+"Resource", w.TypeOf(with, at))
	}
	table.WriteString("}\n")
	types, carried := w.Support.Copy(p, w.File(p))
	return map[string][]byte{FileName: types, "table.go": table.Bytes(), object.SupportName: carried}
}

// RuleFiles writes helpers that check the rules of kinds and nothing else: CheckWidgetRules(old, object).
func RuleFiles(p Package) (map[string][]byte, []diag.Diagnostic) {
	w := object.NewWriter(p.Path, p.Kube)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		typ, rules := jen.Op("&").Id(w.TypeOf(k.Schema(), object.RootOf(k))), jen.Id(w.Rules(k))
		errorList := jen.Qual("k8s.io/apimachinery/pkg/util/validation/field", "ErrorList")
		w.Function(object.Function{Name: "Check" + k.Name + "Rules", Doc: "checks the rules of an object and nothing else",
			Params:  []jen.Code{jen.List(jen.Id("old"), jen.Id("object")).Add(object.Object())},
			Results: []jen.Code{errorList, jen.Index().String()},
			Body: []jen.Code{
				jen.Id("v").Op(":=").Add(object.Runtime("Validation")).Values(jen.Id("typ").Op(":").Add(typ),
					jen.Id("object").Op(":").Id("object"), jen.Id("old").Op(":").Id("old")),
				jen.Id("v").Dot("rulesOfObject").Call(rules),
				jen.Return(jen.Id("v").Dot("errs"), jen.Id("v").Dot("warnings").Dot("sent")),
			}})
	}
	rules, carried := w.Support.Copy(p, w.File(p))
	return map[string][]byte{FileName: rules, object.SupportName: carried}, w.Diagnostics
}

// Number is the Go expression of a number of JSON.
func Number(text string) string { return fmt.Sprintf("%#v", object.Number(text)) }
