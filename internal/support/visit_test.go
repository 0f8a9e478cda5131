package support

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestCheck validates random values with random structures, and compares the errors with the library's.
func TestCheck(t *testing.T) {
	random := checking{rand.New(rand.NewPCG(9, 10))}
	valid, invalid := 0, 0
	for range 20000 {
		s, typ := random.schema(3)
		value := random.value(4)
		if random.IntN(2) == 0 {
			value = random.near(typ)
		}
		got, want := checked(func(v *Validation, value any) { v.Check(value, typ) }, value), judged(s, value)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\nof %s\ngot  %q\nwant %q", text(value), text(s), got, want)
		}
		if len(want) == 0 {
			valid++
		} else {
			invalid++
		}
	}
	if valid < 1000 || invalid < 1000 {
		t.Errorf("%d valid values and %d others", valid, invalid)
	}
}

// TestRequired has required fields that are not sorted, or not described.
func TestRequired(t *testing.T) {
	typ := &Type{Fields: []TypeField{{"a", &Type{}}, {"b", &Type{}}}, Needs: []string{"b", "a", "c"}}
	for object, want := range map[string]int{"": 3, "a": 2, "b": 2, "ab": 1, "abc": 0} {
		value := map[string]any{}
		for _, name := range object {
			value[string(name)] = "x"
		}
		var v Validation
		if v.Check(value, typ); len(v.errs) != want {
			t.Errorf("%q: %v", object, v.errs)
		}
	}
}

// TestInside compares what is found in lists and resources anywhere in random objects with what the library finds.
func TestInside(t *testing.T) {
	random := processing{rand.New(rand.NewPCG(11, 12))}
	lists, resources := 0, 0
	for range 6000 {
		s := random.schema(3)
		random.lists(s)
		typ, object := typeFor(s), random.object(5)
		marked(typ)
		var v Validation
		v.CheckLists(object, typ)
		want := sentences(listtype.ValidateListSetsAndMaps(nil, s, object))
		got := sentences(v.errs)
		slices.Sort(got)
		slices.Sort(want)
		if lists += len(want); !slices.Equal(got, want) {
			t.Fatalf("%s\nof %s\ngot  %q\nwant %q", text(object), text(s), got, want)
		}
		v = Validation{}
		v.CheckResource(object, typ)
		want = sentences(objectmeta.Validate(t.Context(), nil, object, s, false))
		got = sentences(v.errs)
		slices.Sort(got)
		slices.Sort(want)
		if resources += len(want); !slices.Equal(got, want) {
			t.Fatalf("%s\nof %s\ngot  %q\nwant %q", text(object), text(s), got, want)
		}
	}
	if lists < 20 || resources < 1000 {
		t.Errorf("%d errors of lists, %d of resources", lists, resources)
	}
}

// lists makes some lists of a schema sets, and others maps. An object has either properties or values, as in CRDs.
func (r processing) lists(s *schema.Structural) {
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	if s.Items != nil {
		s.XListType = []*string{nil, new(string), new(string), new(string)}[r.IntN(4)]
		if s.XListType != nil {
			if *s.XListType = "set"; r.IntN(2) == 0 {
				*s.XListType, s.XListMapKeys = "map", []string{"a"}
			}
		}
		r.lists(s.Items)
	}
	for name, p := range s.Properties {
		r.lists(&p)
		s.Properties[name] = p
	}
	if a := s.AdditionalProperties; a != nil && a.Structural != nil {
		r.lists(a.Structural)
	}
}

// marked sets what is in values.
func marked(t *Type) {
	if t.ListType != "" {
		t.Has |= Lists
	}
	if t.Embedded {
		t.Has |= Resources
	}
	below := []*Type{t.Items, t.Values}
	for _, f := range t.Fields {
		below = append(below, f.Type)
	}
	for _, part := range below {
		if part != nil {
			marked(part)
			t.Has |= part.Has
		}
	}
}

// TestCheckAllocations validates an object, without allocations since it is valid.
func TestCheckAllocations(t *testing.T) {
	scalar := &Type{Name: "string", Only: []string{"x", "y"}, MinLength: 1, MaxLength: 4}
	resource := &Type{Embedded: true, Values: scalar}
	list := &Type{Name: "array", Items: resource, MinItems: 1, MaxItems: 3, ListType: "set"}
	typ := &Type{Name: "object", Fields: []TypeField{{"a", scalar}, {"b", list}, {"c", scalar}},
		Needs: []string{"a", "b"}}
	marked(typ)
	object := map[string]any{"a": "x", "b": []any{map[string]any{"apiVersion": "y", "kind": "x"}}}
	v := &Validation{path: make(valuePath, 0, 16)}
	if n := testing.AllocsPerRun(100, func() {
		v.Check(object, typ)
		v.CheckLists(object, typ)
		v.CheckResource(object, typ)
	}); n > 0 || len(v.errs) > 0 {
		t.Errorf("%v allocations, %v", n, v.errs)
	}
}

// checking makes schemas with constraints that are in structures, and values.
type checking struct{ *rand.Rand }

func (r checking) schema(levels int) (*spec.Schema, *Type) {
	s, t := &spec.Schema{}, &Type{}
	limit := func(into *int) *int64 {
		if r.IntN(3) > 0 {
			return nil
		}
		*into = 1 + r.IntN(3)
		n := int64(*into)
		return &n
	}
	kind := r.IntN(8)
	if kind < 6 {
		t.Name = []string{"string", "boolean", "number", "array", "object", "object"}[kind]
		s.Type = spec.StringOrArray{t.Name}
	} else if t.IntOrString = kind == 6; t.IntOrString {
		s.Type = spec.StringOrArray{"integer", "string"}
	}
	t.Nullable = r.IntN(3) == 0
	s.Nullable = t.Nullable
	s.MinLength, s.MaxLength = limit(&t.MinLength), limit(&t.MaxLength)
	s.MinItems, s.MaxItems = limit(&t.MinItems), limit(&t.MaxItems)
	if r.IntN(8) == 0 {
		t.Only, s.Enum = []string{"a", "text"}, []any{"a", "text"}
	}
	if levels == 0 {
		return s, t
	}
	switch {
	case kind == 3:
		items, typ := r.schema(levels - 1)
		s.Items, t.Items = &spec.SchemaOrArray{Schema: items}, typ
	case kind == 4:
		values, typ := r.schema(levels - 1)
		s.AdditionalProperties, t.Values = &spec.SchemaOrBool{Schema: values, Allows: true}, typ
	case kind > 4:
		s.Properties = map[string]spec.Schema{}
		for i := range r.IntN(5) {
			name := string(rune('a' + i))
			p, typ := r.schema(levels - 1)
			s.Properties[name], t.Fields = *p, append(t.Fields, TypeField{name, typ})
		}
		for i := range 4 {
			if r.IntN(3) == 0 {
				t.Needs = append(t.Needs, string(rune('a'+i)))
			}
		}
		s.Required = t.Needs
	}
	return s, t
}

func (r checking) value(levels int) any {
	scalars := []any{nil, "", "a", "text", "äöüß", true, int64(97), int64(1), 1.0, 2.5}
	switch n := r.IntN(6); {
	case levels == 0 || n < 2:
		return scalars[r.IntN(len(scalars))]
	case n < 4:
		list := []any{}
		for range r.IntN(5) {
			list = append(list, r.value(levels-1))
		}
		return list
	}
	object := map[string]any{}
	for i := range 5 {
		if r.IntN(2) == 0 {
			object[fmt.Sprintf("%c", 'a'+i)] = r.value(levels - 1)
		}
	}
	return object
}

// near is a value that has the type, more or less.
func (r checking) near(t *Type) any {
	if r.IntN(20) == 0 {
		return r.value(2)
	}
	switch t.Name {
	case "boolean":
		return true
	case "number":
		return []any{int64(1), 1.5}[r.IntN(2)]
	case "array":
		list := []any{}
		for range r.IntN(4) {
			if t.Items == nil {
				return []any{"a", "b"}
			}
			list = append(list, r.near(t.Items))
		}
		return list
	case "object":
		object := map[string]any{}
		for _, f := range t.Fields {
			if slices.Contains(t.Needs, f.Name) || r.IntN(2) == 0 {
				object[f.Name] = r.near(f.Type)
			}
		}
		for _, name := range t.Needs {
			if _, ok := object[name]; !ok {
				object[name] = int64(1)
			}
		}
		if t.Values != nil {
			object = map[string]any{"a": r.near(t.Values), "f": r.near(t.Values)}
		}
		return object
	}
	return []any{"a", "text", "xyz"}[r.IntN(3)]
}
