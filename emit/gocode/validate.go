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

// validationPasses are what validates the objects of a kind.
type validationPasses struct {
	// typ is a pointer to the structure of the objects, nil if they have no schema.
	typ jen.Code
	// resources is the method that validates embedded resources, and lists the one that looks for duplicates, which is
	// "" if there is nothing to do.
	resources, lists string
	// rules is the function that takes the validation, an object and the old one; "" without rules.
	rules string
	// scale are the statements that check what the scale subresource reads.
	scale []jen.Code
	// minor is the API server whose texts the errors have.
	minor kube.Minor
}

func (w *writer) validationPasses(k *Kind) (p validationPasses) {
	if s := k.schema(); s != nil {
		p.typ = w.structure(s, rootOf(k))
		if w.content(s).lists {
			p.lists = "checkLists"
		}
		switch {
		case isSet(s.EmbeddedResource):
			p.resources = "checkResource"
		case w.content(s).resources:
			p.resources = "checkResources"
		}
	}
	p.scale, p.rules, p.minor = scale(k), w.rules(k), w.minor
	return p
}

// pass follows the structure of the object with a method, if there is one.
func (p validationPasses) pass(method string) []jen.Code {
	if method == "" || p.typ == nil {
		return nil
	}
	return []jen.Code{state(method, jen.Id("obj"), p.typ)}
}

// create are the statements that validate a new object.
func (p validationPasses) create() []jen.Code {
	return p.statements(newValidation(), p.pass(p.lists), jen.Nil())
}

// update are the statements that validate an update. Duplicates in a list are errors only if the old object had no
// duplicates at all.
func (p validationPasses) update(create string) []jen.Code {
	isNew := jen.If(jen.Id("old").Op("==").Nil()).Block(jen.Return(jen.Id(create).Call(jen.Id("obj")), jen.Nil()))
	members := []jen.Code{jen.Id("object").Op(":").Id("obj"), jen.Id("old").Op(":").Id("old")}
	if p.typ != nil {
		members = append(members, jen.Id("typ").Op(":").Add(p.typ))
	}
	lists := p.pass(p.lists)
	if lists != nil {
		lists = []jen.Code{jen.If(state("repeatsNothing", jen.Id("old"), p.typ)).Block(lists...)}
	}
	return append([]jen.Code{isNew}, p.statements(newValidation(members...), lists, jen.Id("old"))...)
}

// statements are all passes. The one for lists is given, with the state that they share.
func (p validationPasses) statements(shared jen.Code, lists []jen.Code, old jen.Code) []jen.Code {
	embedded := p.pass(p.resources)
	if words := p.reword(jen.Id("count"), false); embedded != nil && words != nil {
		count := jen.Id("count").Op(":=").Len(jen.Id("v").Dot("errs"))
		embedded = slices.Concat([]jen.Code{count}, embedded, words)
	}
	body := slices.Concat([]jen.Code{shared}, p.pass("check"), p.scale, embedded, lists)
	if p.rules != "" {
		rules := jen.Id(p.rules).Call(jen.Op("&").Id("v"), jen.Id("obj"), old)
		body = append(body, jen.If(state("mayCheckRules")).Block(rules))
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
