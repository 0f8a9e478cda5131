package gocode

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/emit/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// validateHelpers writes ValidateWidgetObject and ValidateWidgetObjectUpdate, which validate an object in passes, in
// the order of the API server (apiextensions-apiserver, pkg/registry/customresource/strategy.go).
func (w *writer) validateHelpers(k *Kind) {
	p := w.validationPasses(k)
	what := fmt.Sprintf("an object of kind %s, version %s", k.CRD.Kind.V, k.VersionName())
	name, cost := "Validate"+k.Name+"Object", ""
	if note := costNote(k); note != "" {
		cost = "\n\n" + note
	}
	w.helper(name, "returns the errors of "+what+", in the words of the API server. It validates values, embedded "+
		"metadata, lists of type set and map, and rules. It does not check TypeMeta and ObjectMeta of the object "+
		"itself. "+
		"Prune and default the object first, as the API server does.\n\n"+
		"Objects contain the types of unstructured objects: nil, bool, int64, float64, string, []any and "+
		"map[string]any. Any other value, such as an int, has the wrong type if the schema names one."+cost,
		[]jen.Code{jen.Id("obj").Add(object())}, []jen.Code{jen.Add(errorList())},
		append(p.create(), jen.Return(jen.Id("v").Dot("errs"))))
	w.helper(name+"Update", "validates "+what+", that replaces old. It returns the errors and the warnings. Values "+
		"that "+
		"did not change may remain invalid. A warning is a rule that fails for a value that did not change. If old "+
		"is "+
		"nil, it calls "+name+"."+cost,
		[]jen.Code{jen.List(jen.Id("obj"), jen.Id("old")).Add(object())},
		[]jen.Code{jen.Add(errorList()), jen.Index().String()},
		append(p.update(name), jen.Return(jen.Id("v").Dot("errs"), jen.Id("v").Dot("warnings"))))
}

// errorList is the type of a list of errors.
func errorList() *jen.Statement {
	return jen.Qual("k8s.io/apimachinery/pkg/util/validation/field", "ErrorList")
}

// validationPasses are the functions that validate the objects of a kind, each "" if there is nothing to do.
type validationPasses struct {
	// typ is the structure of the objects.
	typ string
	// values, embedded and lists take the validation and a value, rules the old value too.
	values, embedded, lists, rules string
	// scale are the statements that check what the scale subresource reads.
	scale []jen.Code
	// minor is the API server whose texts the errors have.
	minor kube.Minor
}

func (w *writer) validationPasses(k *Kind) (p validationPasses) {
	if s := k.schema(); s != nil {
		at := rootOf(k)
		p = validationPasses{typ: w.typeOf(s, at), values: w.values(s, at), embedded: w.embedded(s, at),
			lists: w.lists(s, at)}
	}
	p.scale, p.rules, p.minor = scale(k), w.rules(k), w.minor
	return p
}

// create are the statements that validate a new object.
func (p validationPasses) create() []jen.Code {
	return p.statements(newValidation(), pass(p.lists, jen.Id("obj")), jen.Nil())
}

// update are the statements that validate an update. Duplicates in a list are errors only if the old object had no
// duplicates at all.
func (p validationPasses) update(create string) []jen.Code {
	isNew := jen.If(jen.Id("old").Op("==").Nil()).Block(jen.Return(jen.Id(create).Call(jen.Id("obj")), jen.Nil()))
	members := []jen.Code{jen.Id("object").Op(":").Id("obj"), jen.Id("old").Op(":").Id("old")}
	if p.typ != "" {
		members = append(members, jen.Id("typ").Op(":").Op("&").Id(p.typ))
	}
	lists := pass(p.lists, jen.Id("obj"))
	if lists != nil {
		lists = []jen.Code{jen.If(state("repeatsNothing", jen.Id(p.lists), jen.Id("old"))).Block(lists...)}
	}
	return append([]jen.Code{isNew}, p.statements(newValidation(members...), lists, jen.Id("old"))...)
}

// statements are all passes. The one for lists is given, with the state that they share.
func (p validationPasses) statements(shared jen.Code, lists []jen.Code, old jen.Code) []jen.Code {
	embedded := pass(p.embedded, jen.Id("obj"))
	if words := p.reword(jen.Id("count"), false); embedded != nil && words != nil {
		count := jen.Id("count").Op(":=").Len(jen.Id("v").Dot("errs"))
		embedded = slices.Concat([]jen.Code{count}, embedded, words)
	}
	body := slices.Concat([]jen.Code{shared}, pass(p.values, jen.Id("obj")), p.scale, embedded, lists)
	if rules := pass(p.rules, jen.Id("obj"), old); rules != nil {
		body = append(body, jen.If(state("mayCheckRules")).Block(rules...))
	}
	if len(body) > 1 {
		body = append(body, p.reword(jen.Lit(0), true)...)
	}
	return body
}

// reword gives the errors from a position on the texts of the API server: those that changed for all errors, or for
// those of embedded metadata.
func (p validationPasses) reword(from jen.Code, everywhere bool) []jen.Code {
	arguments := []jen.Code{from}
	for _, w := range support.Wordings() {
		if p.minor < kube.Minor(w.Before) && w.Parts&support.EmbeddedMetadata != 0 &&
			everywhere == (w.Parts == support.EveryPart) {
			arguments = append(arguments, jen.Id(w.Name))
		}
	}
	if len(arguments) == 1 {
		return nil
	}
	return []jen.Code{state("reword", arguments...)}
}

// newValidation declares v, the state of a validation.
func newValidation(members ...jen.Code) jen.Code {
	path := jen.Id("path").Op(":").Make(jen.Id("crdPath"), jen.Lit(0), jen.Lit(pathCapacity))
	return jen.Id("v").Op(":=").Id("crdValidation").Values(append([]jen.Code{path}, members...)...)
}

// pathCapacity is the depth up to which a walk does not allocate.
const pathCapacity = 16

// pass calls a function with the validation, if there is one.
func pass(name string, arguments ...jen.Code) []jen.Code {
	if name == "" {
		return nil
	}
	return []jen.Code{jen.Id(name).Call(append([]jen.Code{jen.Op("&").Id("v")}, arguments...)...)}
}
