package object

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// The names of the registry in a package of helpers, and those of the packages that only the registry imports.
const (
	kindsName    = "Kinds"
	kindTypeName = "KindHelpers"
	schemaPath   = "k8s.io/apimachinery/pkg/runtime/schema"
)

// RegistryNames returns the names that the registry of a package declares or imports, besides those of the helpers.
func RegistryNames() []string { return []string{kindsName, kindTypeName, "schema"} }

// A kindField is a field of the struct that describes a kind.
type kindField struct {
	// name and doc are those of the field: the comment follows the name.
	name, doc string
	// typ is the field's type, value its value for a kind; nil leaves it out.
	typ   *jen.Statement
	value func(k *Kind) jen.Code
}

// kindFields returns the fields, in the order of the struct.
func kindFields() []kindField {
	helper := func(prefix, suffix string) func(*Kind) jen.Code {
		return func(k *Kind) jen.Code { return jen.Id(prefix + k.Name + "Object" + suffix) }
	}
	flag := func(holds func(*Kind) bool) func(*Kind) jen.Code {
		return func(k *Kind) jen.Code {
			if !holds(k) {
				return nil
			}
			return jen.True()
		}
	}
	obj := func(names ...jen.Code) *jen.Statement { return jen.List(names...).Add(Object()) }
	return []kindField{
		{"GVK", "is the group, the version and the kind of the objects", jen.Qual(schemaPath, "GroupVersionKind"),
			gvk},
		{"Resource", "is the plural name, as in URLs and in the rules of RBAC", jen.String(),
			func(k *Kind) jen.Code { return jen.Lit(k.CRD.Plural.V) }},
		{"Namespaced", "is set if the objects are in namespaces", jen.Bool(),
			flag(func(k *Kind) bool { return k.CRD.Scope.V == "Namespaced" })},
		{"Stored", "is set for the version in which objects are stored", jen.Bool(),
			flag(func(k *Kind) bool { return k.CRD.Versions[k.Version].Storage })},
		{"HasStatus", "is set if there is a status subresource", jen.Bool(), flag(func(k *Kind) bool {
			sub := k.CRD.Versions[k.Version].Subresources
			return sub != nil && sub.Status != nil
		})},
		{"HasScale", "is set if there is a scale subresource", jen.Bool(), flag(func(k *Kind) bool {
			sub := k.CRD.Versions[k.Version].Subresources
			return sub != nil && sub.Scale != nil
		})},
		{"Prune", "removes unknown fields and returns their paths",
			jen.Func().Params(obj(jen.Id("obj"))).Index().String(), helper("Prune", "")},
		{"Default", "drops nulls that are not allowed and sets defaults", jen.Func().Params(obj(jen.Id("obj"))),
			helper("Default", "")},
		{"Validate", "returns the errors of a new object", jen.Func().Params(obj(jen.Id("obj"))).Add(ErrorList()),
			helper("Validate", "")},
		{"ValidateUpdate", "returns the errors and the warnings of an object that replaces old",
			jen.Func().Params(obj(jen.Id("obj"), jen.Id("old"))).Params(ErrorList(), jen.Index().String()),
			helper("Validate", "Update")},
		{"Admit", "decodes the JSON of an object and of the one that it replaces, if there is one, and does all of " +
			"the above",
			jen.Func().Params(jen.List(jen.Id("raw"), jen.Id("old")).Index().Byte()).
				Params(obj(jen.Id("obj")), jen.Id("errs").Add(ErrorList()), jen.Id("warnings").Index().String(),
					jen.Id("err").Error()),
			func(k *Kind) jen.Code { return jen.Id("Admit" + k.Name) }},
	}
}

// gvk returns the group, version and kind.
func gvk(k *Kind) jen.Code {
	return jen.Qual(schemaPath, "GroupVersionKind").Values(
		jen.Id("Group").Op(":").Lit(k.CRD.Group.V), jen.Id("Version").Op(":").Lit(k.VersionName()),
		jen.Id("Kind").Op(":").Lit(k.CRD.Kind.V))
}

// registry writes Kinds, which returns the kinds of the package with their helpers.
func (w *Writer) registry(p *Package) {
	fields := kindFields()
	w.exported = append(w.exported, jen.Comment(kindTypeName+" are the helpers of one version of a kind."),
		jen.Type().Id(kindTypeName).StructFunc(func(g *jen.Group) {
			for _, f := range fields {
				g.Comment(f.name + " " + f.doc + ".")
				g.Id(f.name).Add(f.typ)
			}
		}).Line())
	var kinds []*Kind
	for i := range p.Kinds {
		kinds = append(kinds, &p.Kinds[i])
	}
	slices.SortStableFunc(kinds, func(a, b *Kind) int {
		order := strings.Compare(a.CRD.Group.V, b.CRD.Group.V)
		if order == 0 {
			order = strings.Compare(a.CRD.Kind.V, b.CRD.Kind.V)
		}
		return order
	})
	var entries []jen.Code
	for _, k := range kinds {
		entries = append(entries, jen.CustomFunc(multiLine, func(g *jen.Group) {
			for _, f := range fields {
				if value := f.value(k); value != nil {
					g.Id(f.name).Op(":").Add(value)
				}
			}
		}))
	}
	w.Helper(kindsName, "returns all kinds of this package with their helpers, sorted by group and kind. The versions "+
		"of a kind are in the order of its CRD.", nil, []jen.Code{jen.Index().Id(kindTypeName)},
		[]jen.Code{jen.Return(jen.Index().Id(kindTypeName).Custom(multiLine, entries...))})
}
