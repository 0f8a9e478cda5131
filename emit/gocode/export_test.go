package gocode

import (
	"bytes"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/diag"
)

// TypeFiles writes the structures of kinds, and a table of them by the names of the kinds: the one by which old values
// are found, and, with Resource behind the name, the one that the rules of the root see.
func TypeFiles(p Package) map[string][]byte {
	w := newWriter(p.Path, p.Kube)
	var table bytes.Buffer
	fmt.Fprintf(&table, "package %s\n\nvar types = map[string]*crdType{\n", p.Name)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		w.imported = k.Imported
		at, with := rootOf(k), withTypeAndObjectMeta(k.schema())
		fmt.Fprintf(&table, "%q: &%s,\n", k.Name, w.typeOf(k.schema(), at))
		if with != k.schema() {
			at.name += "Resource"
		}
		fmt.Fprintf(&table, "%q: &%s,\n", k.Name+"Resource", w.typeOf(with, at))
	}
	table.WriteString("}\n")
	w.data.declare(w)
	types := w.file(p)
	return map[string][]byte{FileName: types, "table.go": table.Bytes(), SupportName: w.support.carry(p, types)}
}

// RuleFiles writes helpers that check the rules of kinds and nothing else: CheckWidgetRules(object, old).
func RuleFiles(p Package) (map[string][]byte, []diag.Diagnostic) {
	w := newWriter(p.Path, p.Kube)
	for i := range p.Kinds {
		k := &p.Kinds[i]
		typ, rules := jen.Op("&").Id(w.typeOf(k.schema(), rootOf(k))), jen.Id(w.rules(k))
		w.helper("Check"+k.Name+"Rules", "checks the rules of an object and nothing else.",
			[]jen.Code{jen.List(jen.Id("object"), jen.Id("old")).Add(object())},
			[]jen.Code{jen.Add(errorList()), jen.Index().String()}, []jen.Code{
				jen.Id("v").Op(":=").Id("crdValidation").Values(jen.Id("typ").Op(":").Add(typ),
					jen.Id("object").Op(":").Id("object"), jen.Id("old").Op(":").Id("old")),
				jen.Id("v").Dot("rulesOfObject").Call(rules),
				jen.Return(jen.Id("v").Dot("errs"), jen.Id("v").Dot("warnings")),
			})
	}
	rules := w.file(p)
	return map[string][]byte{FileName: rules, SupportName: w.support.carry(p, rules)}, w.diagnostics
}

// Number is the Go expression of a number of JSON.
func Number(text string) string { return fmt.Sprintf("%#v", number(text)) }
