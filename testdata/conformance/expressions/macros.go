package expressions

import (
	"fmt"

	"github.com/google/cel-go/common/types"
)

// macro makes something that returns the type with a macro.
func (g *generator) macro(t *types.Type, depth int) string {
	switch {
	case t.Kind() == types.BoolKind:
		return g.test(depth)
	case t.Kind() == types.ListKind:
		return g.list(t, depth)
	case t.Kind() == types.MapKind:
		return g.transformMap(t, depth)
	case t.Kind() == types.OpaqueKind && t.TypeName() == "optional_type":
		return g.optional(t, depth)
	}
	return ""
}

// collection makes a list or a map to go through, and returns the types of what one variable is, and of two.
func (g *generator) collection(depth int) (text string, one *types.Type, two [2]*types.Type) {
	t := types.NewListType(g.basicType(0))
	for range 4 {
		if v := g.anyType(); v.Kind() == types.ListKind || v.Kind() == types.MapKind || v.Kind() == types.DynKind &&
			g.one(2) {
			t = v
			break
		}
	}
	text = g.expression(t, "", depth-1)
	switch t.Kind() {
	case types.ListKind:
		item := t.Parameters()[0]
		return text, item, [2]*types.Type{types.IntType, item}
	case types.MapKind:
		return text, t.Parameters()[0], [2]*types.Type{t.Parameters()[0], t.Parameters()[1]}
	}
	return text, types.DynType, [2]*types.Type{types.DynType, types.DynType}
}

// test asks about a field, or about what is in a list or a map.
func (g *generator) test(depth int) string {
	if g.one(4) {
		var fields []string
		for _, v := range g.scope {
			if v.field {
				fields = append(fields, v.text)
			}
			if v.typ.Kind() == types.MapKind && v.typ.Parameters()[0].Kind() == types.StringKind {
				fields = append(fields, v.text+"."+pick(g.maker, "a", "b", "app"))
			}
		}
		if len(fields) > 0 {
			return wrap("has", pick(g.maker, fields...))
		}
	}
	text, one, two := g.collection(depth)
	if text == "" {
		return ""
	}
	if g.one(3) {
		return g.within(func(v []string) string {
			return g.write("%s.%s(%s, %s, %s)", text, pick(g.maker, "all", "exists", "existsOne"), v[0], v[1],
				g.expression(types.BoolType, "", depth-1))
		}, two[0], two[1])
	}
	return g.within(func(v []string) string {
		return g.write("%s.%s(%s, %s)", text, pick(g.maker, "all", "exists", "exists_one"), v[0],
			g.expression(types.BoolType, "", depth-1))
	}, one)
}

// list makes a list of another, or of a map.
func (g *generator) list(t *types.Type, depth int) string {
	item := t.Parameters()[0]
	switch g.IntN(6) {
	case 0:
		if text := g.expression(t, "", depth-1); text != "" {
			return g.within(func(v []string) string {
				return g.write("%s.filter(%s, %s)", text, v[0], g.expression(types.BoolType, "", depth-1))
			}, item)
		}
	case 1:
		if text := g.expression(t, "", depth-1); text != "" {
			by := pick(g.maker, types.StringType, types.IntType, types.DoubleType, types.BoolType, types.TimestampType)
			return g.within(func(v []string) string {
				return g.write("%s.sortBy(%s, %s)", text, v[0], g.expression(by, "", depth-1))
			}, item)
		}
	case 2, 3:
		text, one, _ := g.collection(depth)
		return g.within(func(v []string) string {
			if g.one(2) {
				return g.write("%s.map(%s, %s, %s)", text, v[0], g.expression(types.BoolType, "", depth-1),
					g.expression(item, "", depth-1))
			}
			return g.write("%s.map(%s, %s)", text, v[0], g.expression(item, "", depth-1))
		}, one)
	default:
		text, _, two := g.collection(depth)
		return g.within(func(v []string) string {
			if g.one(2) {
				return g.write("%s.transformList(%s, %s, %s, %s)", text, v[0], v[1],
					g.expression(types.BoolType, "", depth-1), g.expression(item, "", depth-1))
			}
			return g.write("%s.transformList(%s, %s, %s)", text, v[0], v[1], g.expression(item, "", depth-1))
		}, two[0], two[1])
	}
	return ""
}

// transformMap makes a map of another: its keys stay, unless entries are made.
func (g *generator) transformMap(t *types.Type, depth int) string {
	key, value := t.Parameters()[0], t.Parameters()[1]
	from := types.NewMapType(key, g.basicType(0))
	two := [2]*types.Type{key, from.Parameters()[1]}
	if key.Kind() == types.IntKind && g.one(2) {
		from = types.NewListType(two[1])
	}
	text := g.expression(from, "", depth-1)
	entry := g.one(3)
	return g.within(func(v []string) string {
		made := g.expression(value, "", depth-1)
		function := "transformMap"
		if entry {
			function = "transformMapEntry"
			k := g.expression(key, "", depth-1)
			if k == "" || made == "" {
				return ""
			}
			made = "{" + k + ": " + made + "}"
		}
		if g.one(2) {
			return g.write("%s.%s(%s, %s, %s, %s)", text, function, v[0], v[1],
				g.expression(types.BoolType, "", depth-1), made)
		}
		return g.write("%s.%s(%s, %s, %s)", text, function, v[0], v[1], made)
	}, two[0], two[1])
}

// optional makes an optional value of another.
func (g *generator) optional(t *types.Type, depth int) string {
	from := g.anyType()
	text := g.expression(types.NewOptionalType(from), "", depth-1)
	return g.within(func(v []string) string {
		if g.one(2) {
			return g.write("%s.optMap(%s, %s)", text, v[0], g.expression(t.Parameters()[0], "", depth-1))
		}
		return g.write("%s.optFlatMap(%s, %s)", text, v[0], g.expression(t, "", depth-1))
	}, from)
}

// write joins parts, "" where one is missing.
func (g *generator) write(format string, parts ...string) string {
	var args []any
	for _, p := range parts {
		if p == "" {
			return ""
		}
		args = append(args, p)
	}
	return fmt.Sprintf(format, args...)
}
