package support

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
)

// TestProcessing prunes and defaults random objects with random structures, as the API server's library does.
func TestProcessing(t *testing.T) {
	random := processing{rand.New(rand.NewPCG(5, 6))}
	pruned, defaulted := 0, 0
	for range 4000 {
		s := random.schema(3)
		s.XEmbeddedResource = true
		typ, object := typeFor(s), random.object(5)
		object["a"] = random.value(5)
		want := runtime.DeepCopyJSON(object)
		if random.IntN(2) == 0 {
			paths := pruning.PruneWithOptions(want, s, true,
				schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
			got := prune(object, typ)
			if !slices.Equal(got, paths) || !reflect.DeepEqual(object, want) {
				t.Fatalf("pruned %q\nwant   %q\nof %s\nleft %s\nwant %s", got, paths, text(s), text(object),
					text(want))
			}
			pruned += len(got)
			continue
		}
		before := text(object)
		defaulting.PruneNonNullableNullsWithoutDefaults(want, s)
		defaulting.Default(want, s)
		if typ.setDefaults(object); !reflect.DeepEqual(object, want) {
			t.Fatalf("%s\ngot  %s\nwant %s\nof %s", before, text(object), text(want), text(s))
		}
		if text(object) != before {
			defaulted++
		}
	}
	if pruned < 2000 || defaulted < 500 {
		t.Errorf("%d fields were pruned, and %d objects defaulted", pruned, defaulted)
	}
}

// TestNewDefaults shows that two objects share no default, and that a nil map takes none.
func TestNewDefaults(t *testing.T) {
	typ := &Type{Fields: []TypeField{{"a", &Type{}}},
		Defaults: []Default{{"a", []any{"x"}}}}
	one, other := map[string]any{}, map[string]any{}
	typ.setDefaults(one)
	typ.setDefaults(other)
	one["a"].([]any)[0] = "y"
	if !reflect.DeepEqual(other, map[string]any{"a": []any{"x"}}) {
		t.Error(other)
	}
	typ.setDefaults(map[string]any(nil))
}

// TestNothingToDo makes no allocations for an object without unknown fields, nulls and missing defaults.
func TestNothingToDo(t *testing.T) {
	scalar := &Type{Name: "string"}
	item := &Type{Fields: []TypeField{{"a", scalar}, {"b", scalar}}}
	list := &Type{Items: item, ItemDefault: map[string]any{}}
	typ := &Type{Embedded: true, Fields: []TypeField{{"list", list}, {"map", &Type{Values: list}}},
		Defaults: []Default{{"map", map[string]any{}}}}
	object := map[string]any{"kind": "a", "list": []any{map[string]any{"a": "x"}, map[string]any{"a": "x", "b": "y"}},
		"map": map[string]any{"a": []any{map[string]any{}}}}
	if n := testing.AllocsPerRun(100, func() {
		if prune(object, typ) != nil {
			t.Error("a field was pruned")
		}
		typ.setDefaults(object)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHolds(t *testing.T) {
	for _, test := range []struct {
		value any
		want  bool
	}{{nil, false}, {"text", false}, {1.5, false}, {[]any{}, true}, {map[string]any{}, true}} {
		if got := holdsParts(test.value); got != test.want {
			t.Errorf("%v holds others: %v, want %v", test.value, got, test.want)
		}
	}
}

func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// typeFor is the structure of a schema.
func typeFor(s *schema.Structural) *Type {
	t := &Type{Name: s.Type, Nullable: s.Nullable, Preserve: s.XPreserveUnknownFields, Embedded: s.XEmbeddedResource}
	defaultOf := func(s *schema.Structural) any { return s.Default.Object }
	for name, p := range s.Properties {
		t.Fields = append(t.Fields, TypeField{name, typeFor(&p)})
		if value := defaultOf(&p); value != nil {
			t.Defaults = append(t.Defaults, Default{name, value})
		}
	}
	slices.SortFunc(t.Fields, func(a, b TypeField) int { return strings.Compare(a.Name, b.Name) })
	if s.XListType != nil {
		t.ListType, t.ListKeys = *s.XListType, s.XListMapKeys
	}
	if s.Items != nil {
		t.Items, t.ItemDefault = typeFor(s.Items), defaultOf(s.Items)
	}
	if a := s.AdditionalProperties; a != nil && a.Structural != nil {
		t.Values, t.ValueDefault = typeFor(a.Structural), defaultOf(a.Structural)
	} else if a != nil {
		t.Open = true
	}
	return t
}

// processing makes schemas and objects.
type processing struct{ *rand.Rand }

// schema makes a schema of an object, or of anything below one, with complete defaults.
func (r processing) schema(levels int) *schema.Structural {
	s := &schema.Structural{Generic: schema.Generic{Nullable: r.IntN(4) == 0}}
	s.XPreserveUnknownFields, s.XEmbeddedResource = r.IntN(5) == 0, r.IntN(10) == 0
	if levels > 0 {
		switch r.IntN(5) {
		case 0:
			s.Items = r.schema(levels - 1)
		case 1:
			s.AdditionalProperties = &schema.StructuralOrBool{Bool: true}
		case 2:
			s.AdditionalProperties = &schema.StructuralOrBool{Structural: r.schema(levels - 1)}
			fallthrough
		default:
			s.Properties = map[string]schema.Structural{}
			for i := range r.IntN(12) {
				s.Properties[r.name(i)] = *r.schema(levels - 1)
			}
		}
	}
	if r.IntN(6) == 0 {
		s.Default.Object = r.value(2)
		defaulting.Default(s.Default.Object, s)
	}
	return s
}

// name is one of a few, some of which many objects have.
func (r processing) name(i int) string {
	if i > 4 {
		return fmt.Sprint("x", i)
	}
	return []string{"a", "b", "kind", "metadata", "c"}[i]
}

func (r processing) object(levels int) map[string]any {
	object := map[string]any{}
	for range r.IntN(7) {
		object[r.name(r.IntN(14))] = r.value(levels - 1)
	}
	return object
}

func (r processing) value(levels int) any {
	switch n := r.IntN(8); {
	case n == 0:
		return nil
	case n == 1 || levels <= 0:
		return "text"
	case n < 4:
		list := []any{}
		for range r.IntN(3) {
			list = append(list, r.value(levels-1))
		}
		return list
	}
	return r.object(levels)
}
