package gojson

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// A Field is a key of the object that encoding/json writes for a struct.
type Field struct {
	// Name is the key.
	Name string
	// Path leads to the field through embedded structs; its last element is the field itself.
	Path []*types.Var
	// OmitEmpty, OmitZero and Quoted are the options omitempty, omitzero and string; the last one only for types that
	// it applies to.
	OmitEmpty, OmitZero, Quoted bool

	tagged bool
}

// Type returns the field's type.
func (f *Field) Type() types.Type { return f.Path[len(f.Path)-1].Type() }

// Fields returns the keys of a struct in the order of encoding/json (typeFields): of several fields with one key the
// shallowest counts, then the one that is named by its tag; otherwise there is no such key.
func Fields(typ *types.Struct) (out []Field) {
	type level struct {
		typ  *types.Struct
		path []*types.Var
	}
	visited := map[types.Type]bool{}
	var all []Field
	for next := []level{{typ: typ}}; len(next) > 0; {
		current := next
		next = nil
		times := map[types.Type]int{}
		for _, l := range current {
			for i := range l.typ.NumFields() {
				path := append(slices.Clip(l.path), l.typ.Field(i))
				f, embedded := field(path, l.typ.Tag(i))
				switch {
				case embedded != nil && !visited[embedded]:
					if times[embedded]++; times[embedded] <= 2 { // two of them hide each other
						next = append(next, level{embedded.Underlying().(*types.Struct), path})
					}
				case embedded == nil && f.Name != "":
					all = append(all, f)
				}
			}
		}
		for t := range times {
			visited[t] = true
		}
	}
	for i, f := range all {
		beats := func(o Field) bool {
			return o.Name == f.Name && (len(o.Path) < len(f.Path) || len(o.Path) == len(f.Path) &&
				(o.tagged || !f.tagged))
		}
		others := slices.Delete(slices.Clone(all), i, i+1)
		if !slices.ContainsFunc(others, beats) {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Field) int { return compareIndex(typ, a, b) })
	return out
}

// field reads a field and its tag. The result is an embedded struct whose fields are promoted, a field, or neither.
func field(path []*types.Var, tag string) (f Field, embedded types.Type) {
	v := path[len(path)-1]
	t := Deref(v.Type())
	_, isStruct := t.Underlying().(*types.Struct)
	if !v.Exported() && (!v.Embedded() || !isStruct) {
		return Field{}, nil
	}
	text := reflect.StructTag(tag).Get("json")
	if text == "-" {
		return Field{}, nil
	}
	name, options, _ := strings.Cut(text, ",")
	if !IsName(name) {
		name = ""
	}
	if name == "" && v.Embedded() && isStruct {
		return Field{}, types.Unalias(t)
	}
	has := func(option string) bool { return slices.Contains(strings.Split(options, ","), option) }
	return Field{
		Name: cmp.Or(name, v.Name()), Path: path, tagged: name != "",
		OmitEmpty: has("omitempty"), OmitZero: has("omitzero"), Quoted: has("string") && isQuotable(t),
	}, nil
}

// isQuotable reports whether the option string applies to a type.
func isQuotable(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
}

// compareIndex returns the order of two fields in a struct.
func compareIndex(typ *types.Struct, a, b Field) int {
	for i := range min(len(a.Path), len(b.Path)) {
		if a.Path[i] == b.Path[i] {
			typ, _ = Deref(a.Path[i].Type()).Underlying().(*types.Struct)
			continue
		}
		for j := range typ.NumFields() {
			switch typ.Field(j) {
			case a.Path[i]:
				return -1
			case b.Path[i]:
				return 1
			}
		}
	}
	return len(a.Path) - len(b.Path)
}
