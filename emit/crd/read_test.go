package crd

import (
	"cmp"
	"reflect"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

// TestReadBack writes CRDs and reads them again: what comes back is what was written, but for positions.
func TestReadBack(t *testing.T) {
	mustReadBack(t, everyField())
	for seed := range uint64(300) {
		c, _ := randomCRD(seed, tame)
		mustReadBack(t, c)
	}
}

func mustReadBack(t *testing.T, c *schema.CRD) {
	t.Helper()
	data := Encode(c, Options{})
	docs, found := read.Documents(&diag.Source{Path: "crd.yaml", Data: data})
	if len(docs) != 1 || len(found) > 0 {
		t.Fatalf("%d CRDs are read; %v\n%s", len(docs), found, data)
	}
	got, want := docs[0].CRD, clone(reflect.ValueOf(c)).Interface().(*schema.CRD)
	want.Name.V = c.ObjectName()
	for _, crd := range []*schema.CRD{got, want} {
		canonical(reflect.ValueOf(crd))
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("what is read is not what was written:\n%s\n%s", data, difference(indented(t, got), indented(t, want)))
	}
}

// clone copies everything below a pointer, since nodes of the IR may be shared.
func clone(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(clone(v.Elem()))
		}
	case reflect.Slice:
		for i := range v.Len() {
			out = reflect.Append(out, clone(v.Index(i)))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			break
		}
		for i := range v.NumField() {
			out.Field(i).Set(clone(v.Field(i)))
		}
	default:
		out.Set(v)
	}
	return out
}

// canonical removes from the IR what a file does not contain: positions, the order of keys, flags without a meaning,
// the marker of a rule, and the spelling of numbers.
func canonical(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if f, ok := v.Interface().(*schema.Flag); ok && f != nil && !f.V {
			v.SetZero() // whether false is written depends on the field; TestEmittedIsValidated sees to it
		}
		if l, ok := v.Interface().(*schema.Value); ok && l != nil && l.Kind == schema.Null {
			v.SetZero()
		}
		if !v.IsNil() {
			canonical(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			canonical(v.Index(i))
		}
		switch list := v.Interface().(type) {
		case []schema.Property:
			slices.SortFunc(list, func(a, b schema.Property) int { return cmp.Compare(a.Name, b.Name) })
		case []schema.Member:
			slices.SortFunc(list, func(a, b schema.Member) int { return cmp.Compare(a.Key, b.Key) })
		case []schema.Verbatim:
			slices.SortFunc(list, func(a, b schema.Verbatim) int { return cmp.Compare(a.Name, b.Name) })
		}
	case reflect.Struct:
		switch s := v.Addr().Interface().(type) {
		case *diag.Span:
			*s = diag.Span{}
			return
		case *schema.Schema:
			s.AdditionalAllowed = s.AdditionalAllowed && s.AdditionalProperties == nil
		case *schema.Rule:
			s.Group, s.Made = nil, false
		case *schema.Version:
			s.Package = nil
		case *schema.Number:
			s.V = schema.RoundedNumber(s.V)
		case *schema.Value:
			if s.Kind == schema.NumberKind {
				s.Text = schema.RoundedNumber(s.Text)
			}
		}
		for i := range v.NumField() {
			canonical(v.Field(i))
		}
	}
}
