package object

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// validateHelpers writes ValidateWidgetObject and ValidateWidgetObjectUpdate, which validate an object in passes, in
// the order of the API server (apiextensions-apiserver, pkg/registry/customresource/strategy.go).
func (w *Writer) validateHelpers(k *Kind) {
	what := fmt.Sprintf("an object of kind %s, version %s", k.CRD.Kind.V, k.VersionName())
	name, cost := "Validate"+k.Name+"Object", ""
	if note := costNote(k); note != "" {
		cost = "\n\n" + note
	}
	resource := jen.Id(w.resource(k))
	w.Helper(name, "returns the errors of "+what+", in the words of the API server. It validates values, embedded "+
		"metadata, lists of type set and map, and rules. It does not check TypeMeta and ObjectMeta of the object "+
		"itself. Prune and default the object first, as the API server does.\n\n"+
		"Objects contain the types of unstructured objects: nil, bool, int64, float64, string, []any and "+
		"map[string]any. Any other value, such as an int, has the wrong type if the schema names one."+cost,
		[]jen.Code{jen.Id("obj").Add(Object())}, []jen.Code{jen.Add(ErrorList())}, []jen.Code{
			jen.List(jen.Id("errs"), jen.Id("_")).Op(":=").Id("crdValidate").Call(jen.Id("obj"), jen.Nil(), resource),
			jen.Return(jen.Id("errs")),
		})
	w.Helper(name+"Update", "validates "+what+", that replaces old. It returns the errors and the warnings. Values "+
		"that did not change may remain invalid. A warning is a rule that fails for a value that did not change. If "+
		"old is nil, it does the same as "+name+"."+cost,
		[]jen.Code{jen.List(jen.Id("obj"), jen.Id("old")).Add(Object())},
		[]jen.Code{jen.Add(ErrorList()), jen.Index().String()}, []jen.Code{
			jen.Return(jen.Id("crdValidate").Call(jen.Id("obj"), jen.Id("old"), resource)),
		})
}

// resource writes the variable that describes a kind, and the function that validates its objects.
func (w *Writer) resource(k *Kind) string {
	if name, ok := w.resources[k]; ok {
		return name
	}
	typ := jen.Code(jen.Op("&").Id("crdType").Values(jen.Id("embedded").Op(":").True()))
	if s := k.Schema(); s != nil {
		typ = w.Structure(s, RootOf(k))
	}
	what := fmt.Sprintf("objects of kind %s, version %s", k.CRD.Kind.V, k.VersionName())
	validate := w.Function(Function{
		Name: "crdValidate" + k.Name, Doc: "validates " + what,
		Params: []jen.Code{jen.Id("v").Op("*").Id("crdValidation"), jen.Id("obj").Add(Object())},
		Body:   w.validation(k).statements(),
	})
	name := w.variable("crdResource"+k.Name, "describes "+what, jen.Id("crdResource").Custom(multiLine,
		jen.Id("apiVersion").Op(":").Lit(k.CRD.Group.V+"/"+k.VersionName()),
		jen.Id("kind").Op(":").Lit(k.CRD.Kind.V),
		jen.Id("typ").Op(":").Add(typ),
		jen.Id("validate").Op(":").Id(validate)))
	w.resources[k] = name
	return name
}

// ErrorList returns the type of a list of errors.
func ErrorList() *jen.Statement {
	return jen.Qual("k8s.io/apimachinery/pkg/util/validation/field", "ErrorList")
}

// validationPasses are what validates the objects of a kind.
type validationPasses struct {
	// typ is a pointer to the structure of the objects, nil if they have no schema.
	typ jen.Code
	// resources is the method that validates embedded resources, and lists the one that looks for duplicates; "" if
	// there is nothing to do.
	resources, lists string
	// rules is the function that checks the rules of an object; "" without rules.
	rules string
	// scale are the statements that check what the scale subresource reads.
	scale []jen.Code
	// minor is the API server whose texts the errors have.
	minor kube.Minor
}

func (w *Writer) validation(k *Kind) (p validationPasses) {
	if s := k.Schema(); s != nil {
		p.typ = w.Structure(s, RootOf(k))
		if w.Content(s).Lists {
			p.lists = "checkNewLists"
		}
		switch {
		case s.EmbeddedResource.True():
			p.resources = "checkResource"
		case w.Content(s).Resources:
			p.resources = "checkResources"
		}
	}
	p.scale, p.rules, p.minor = scale(k), w.Rules(k), w.Minor
	return p
}

// pass follows the structure of the object with a method, if there is one.
func (p validationPasses) pass(method string) []jen.Code {
	if method == "" || p.typ == nil {
		return nil
	}
	return []jen.Code{state(method, jen.Id("obj"), p.typ)}
}

// statements returns all passes. Duplicates in a list are errors only if the old object had no duplicates at all.
func (p validationPasses) statements() []jen.Code {
	embedded := p.pass(p.resources)
	if words := p.reword(jen.Id("count"), false); embedded != nil && words != nil {
		count := jen.Id("count").Op(":=").Len(jen.Id("v").Dot("errs"))
		embedded = slices.Concat([]jen.Code{count}, embedded, words)
	}
	body := slices.Concat(p.pass("checkObject"), p.scale, embedded, p.pass(p.lists))
	if p.rules != "" {
		body = append(body, state("rulesOfObject", jen.Id(p.rules)))
	}
	if len(body) > 0 {
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
