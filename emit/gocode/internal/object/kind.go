package object

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/internal/support"
	"github.com/crdproof/crdproof/rules/kube"
)

// kindsName is the function that lists the kinds of a package.
const kindsName = "Kinds"

// RegistryNames returns the names that the registry of a package declares, besides those of the helpers.
func RegistryNames() []string { return []string{kindsName} }

// HelpersName returns the name of the variable that has the helpers of a kind.
func HelpersName(kind string) string { return kind + "Helpers" }

// A GoKind is what typed code adds to the helpers of a kind.
type GoKind struct {
	// Type is the Go type of the objects.
	Type jen.Code
	// IsValid is the function that reports whether an object is certainly valid, nil if there is none. SetDefaults sets
	// defaults, nil if there are none.
	IsValid, SetDefaults jen.Code
	// Parts lists the functions for parts of an object, nil if there are none.
	Parts jen.Code
	// MayLose is set if pruning may remove fields of the type.
	MayLose bool
	// Notes are sentences about the type for its users.
	Notes []string
}

// Kind writes the variable with the helpers of a kind: for JSON and, unless that is nil, for its Go type.
func (w *Writer) Kind(k *Kind, goKind *GoKind) {
	what := fmt.Sprintf("version %s of kind %s", k.VersionName(), k.CRD.Kind.V)
	doc := "validates, defaults and prunes objects of " + what + " as an API server does."
	var notes []string
	resource := w.resource(k)
	value := resource
	if goKind != nil {
		name := w.variable("crdResource"+k.Name, "validates JSON of "+what, resource)
		fields := []jen.Code{jen.Id("JSON").Op(":").Op("&").Id(name)}
		for _, f := range []struct {
			name  string
			value jen.Code
		}{{"Certain", goKind.IsValid}, {"SetDefaults", goKind.SetDefaults}} {
			if f.value != nil {
				fields = append(fields, jen.Id(f.name).Op(":").Add(f.value))
			}
		}
		encoder := []jen.Code{}
		if goKind.Parts != nil {
			encoder = append(encoder, jen.Id("Parts").Op(":").Add(goKind.Parts))
		}
		fields = append(fields, jen.Id("Encoder").Op(":").Op("&").Add(Runtime("Encoder")).Values(encoder...))
		if goKind.MayLose {
			fields = append(fields, jen.Id("MayLose").Op(":").True())
		}
		value = Runtime("Kind").Types(goKind.Type).Custom(MultiLine, fields...)
		notes = goKind.Notes
	}
	w.export(HelpersName(k.Name), strings.Join(append([]string{doc}, notes...), "\n\n"))
	w.exported = append(w.exported, jen.Var().Id(HelpersName(k.Name)).Op("=").Add(value).Line())
	w.kinds = append(w.kinds, listedKind{k, goKind != nil})
}

// A listedKind is a kind in the list of its package.
type listedKind struct {
	*Kind
	isTyped bool
}

// resource returns the description of a kind for JSON.
func (w *Writer) resource(k *Kind) *jen.Statement {
	sub := k.CRD.Versions[k.Version].Subresources
	fields := []jen.Code{
		jen.Id("Group").Op(":").Lit(k.CRD.Group.V), jen.Id("Version").Op(":").Lit(k.VersionName()),
		jen.Id("Kind").Op(":").Lit(k.CRD.Kind.V), jen.Id("Plural").Op(":").Lit(k.CRD.Plural.V),
	}
	for _, flag := range []struct {
		name  string
		isSet bool
	}{
		{"Namespaced", k.CRD.Scope.V == "Namespaced"}, {"Stored", k.CRD.Versions[k.Version].Storage},
		{"Status", k.HasStatus()}, {"Scale", sub != nil && sub.Scale != nil},
	} {
		if flag.isSet {
			fields = append(fields, jen.Id(flag.name).Op(":").True())
		}
	}
	add := func(name string, value jen.Code) { fields = append(fields, jen.Id(name).Op(":").Add(value)) }
	add("Types", jen.Op("&").Id(typesName))
	add("Root", jen.Lit(w.TypeOf(k.Schema(), RootOf(k))))
	if len(w.rules.ByPlace) > 0 {
		add("Rules", w.RulesTable())
	}
	if k.Uncounted > 0 {
		add("Uncounted", jen.Lit(int(k.Uncounted)))
		add("Counter", jen.Op("&").Id(costsName))
	}
	if sub != nil && sub.Scale != nil {
		paths := []jen.Code{jen.Id("Replicas").Op(":").Lit(sub.Scale.SpecReplicasPath.V),
			jen.Id("StatusReplicas").Op(":").Lit(sub.Scale.StatusReplicasPath.V)}
		if selector := sub.Scale.LabelSelectorPath; selector != nil {
			paths = append(paths, jen.Id("Selector").Op(":").Lit(selector.V))
		}
		add("ScalePaths", jen.Op("&").Add(Runtime("ScalePaths")).Values(paths...))
	}
	return Runtime("Resource").Custom(MultiLine, append(fields, w.words(k)...)...)
}

// words returns the fields that give errors the texts of the API server.
func (w *Writer) words(k *Kind) (fields []jen.Code) {
	list := func(name string, functions []jen.Code) {
		if len(functions) > 0 {
			fields = append(fields, jen.Id(name).Op(":").Index().Func().Params(jen.Op("*").Qual(fieldPath, "Error")).
				Values(functions...))
		}
	}
	var all, embedded, status []jen.Code
	for _, word := range support.Wordings() {
		switch {
		case !word.Of(int(w.Minor)) || word.Parts == support.Metadata:
		case word.Parts == support.EveryPart:
			all = append(all, Runtime(word.Name))
		default:
			embedded = append(embedded, Runtime(word.Name))
		}
	}
	if k.HasStatus() && !w.Minor.Has(kube.StatusPaths) {
		status = append(status, Runtime("BelowStatus"))
	}
	if w.Content(k.Schema()).Resources || k.Schema().EmbeddedResource.True() {
		list("EmbeddedWords", embedded)
	}
	list("Words", all)
	list("StatusWords", status)
	for _, flag := range []struct {
		name  string
		isSet bool
	}{
		{"IsFresh", !w.Minor.Has(kube.Ratcheting)},
		{"IsStatusFresh", k.HasStatus() && !w.Minor.Has(kube.StatusRatcheting)},
		{"RulesAfterEnums", !w.Minor.Has(kube.BlockingEnums)},
	} {
		if flag.isSet {
			fields = append(fields, jen.Id(flag.name).Op(":").True())
		}
	}
	return fields
}

// fieldPath is the package of errors.
const fieldPath = "k8s.io/apimachinery/pkg/util/validation/field"

// list writes the function that returns the kinds of the package.
func (w *Writer) list() {
	slices.SortStableFunc(w.kinds, func(a, b listedKind) int {
		return compareNames(a.CRD.Group.V, b.CRD.Group.V, a.CRD.Kind.V, b.CRD.Kind.V)
	})
	var entries []jen.Code
	for _, k := range w.kinds {
		entry := jen.Id(HelpersName(k.Name)).Dot("JSON")
		if !k.isTyped {
			entry = jen.Op("&").Id(HelpersName(k.Name))
		}
		entries = append(entries, entry)
	}
	typ := jen.Index().Op("*").Add(Runtime("Resource"))
	w.export(kindsName, "returns the helpers for JSON of all kinds of this package, sorted by group and kind. The "+
		"versions of a kind are in the order of its CRD.")
	w.exported = append(w.exported, jen.Func().Id(kindsName).Params().Add(typ).Block(
		jen.Return(jen.Add(typ).Custom(MultiLine, entries...))).Line())
}

// compareNames compares pairs of names.
func compareNames(a, b, c, d string) int {
	if order := strings.Compare(a, b); order != 0 {
		return order
	}
	return strings.Compare(c, d)
}
