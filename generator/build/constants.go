package build

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/crdproof/crdproof/generator/schema"
	"github.com/crdproof/crdproof/markers"
)

// setConstants makes an enum of the constants that are declared with a string type, sorted by value. As in
// controller-gen only constants written as a string literal count.
func (b *builder) setConstants(n *node, m *markers.Marker, on target) {
	pkg := on.decl.Pkg
	obj := pkg.Types.Scope().Lookup(on.decl.Name)
	if obj == nil {
		return
	}
	basic, ok := obj.Type().Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsString == 0 {
		b.refuse(enumOfOther(m, on.decl.Name, obj.Type().Underlying()))
		return
	}
	var values []schema.EnumValue
	pkg.EachConst(func(spec *ast.ValueSpec) {
		for i, name := range spec.Names {
			c := pkg.Info.Defs[name]
			if c == nil || c.Type() != obj.Type() || i >= len(spec.Values) {
				continue
			}
			lit, ok := spec.Values[i].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				continue
			}
			if s, err := strconv.Unquote(lit.Value); err == nil {
				values = append(values, schema.EnumValue{
					Value: schema.Value{Kind: schema.String, Text: s}, At: pkg.Span(lit),
				})
			}
		}
	})
	if len(values) == 0 {
		b.refuse(enumWithoutConstants(m, on.decl.Name))
		return
	}
	slices.SortStableFunc(values, func(a, b schema.EnumValue) int {
		return strings.Compare(jsonString(a.Value.Text), jsonString(b.Value.Text))
	})
	n.s.Type = schema.Text{V: "string", At: m.At}
	n.s.Enum = values
}
