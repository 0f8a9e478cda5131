package support

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A box is an object with helpers as crdproof generates them.
type box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              boxSpec `json:"spec"`
}

type boxSpec struct {
	Color string   `json:"color,omitempty"`
	Sides []string `json:"sides,omitempty"`
	Size  int64    `json:"size"`
}

func (b *box) DeepCopyObject() runtime.Object { c := *b; return &c }

// boxes returns the helpers of boxes: colors are short, sides are few and unlike, and boxes are larger than their name.
func boxes() *Kind[box] {
	types := &Types{Data: `
Box {"type":"object","root":true,"properties":{"metadata":{"type":"object"},"spec":"BoxSpec"},"rules":[{"check":1,"text":"self.spec.size > 0"}]}
BoxSpec {"type":"object","properties":{"color":{"type":"string","maxLength":3},"sides":{"type":"array","listType":"set","maxItems":3,"items":{"type":"string","maxLength":2}},"size":{"type":"integer"}},"rules":[{"check":2,"message":"always"},{"check":2,"message":"always"},{"check":3,"message":"too large"}]}
`}
	rules := &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{
		func(self, _ any) Result[bool] {
			size, _ := nestedInt(self, "spec", "size")
			return Result[bool]{val: size > 0}
		},
		func(any, any) Result[bool] { return Result[bool]{val: true} },
		func(self, _ any) Result[bool] {
			size, _ := nestedInt(self, "size")
			return Result[bool]{val: size < 9}
		},
	}}
	return &Kind[box]{
		JSON: &Resource{Group: "example.com", Version: "v1", Kind: "Box", Plural: "boxes", Types: types, Root: "Box",
			Rules: rules},
		Certain: func(x, _, _ *box) bool { return x.Spec.Color == "" && x.Spec.Size == 1 && x.Spec.Sides == nil },
	}
}

// replaceRules lets one function be all rules.
func replaceRules(k *Kind[box], check func() bool) {
	rule := func(any, any) Result[bool] { return Result[bool]{val: check()} }
	k.JSON.Rules = &RuleSet{Checks: []func(self, oldSelf any) Result[bool]{rule, rule, rule}}
}

func nestedInt(value any, fields ...string) (int64, bool) {
	for _, name := range fields {
		value = oldField(value, name)
	}
	n, ok := value.(int64)
	return n, ok
}

// texts are the errors with their origins, and the warnings.
func texts(errs field.ErrorList, warnings []string) (out []string) {
	for _, e := range errs {
		out = append(out, fmt.Sprintf("%v (%s)", e, e.Origin))
	}
	for _, w := range warnings {
		out = append(out, "warning: "+w)
	}
	return out
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func wrongBox() *box { return &box{Spec: boxSpec{Color: "blue", Sides: []string{"a", "a"}, Size: 10}} }

// TestOrigin names the keyword or the rule of each error.
func TestOrigin(t *testing.T) {
	b := wrongBox()
	expect(t, texts(boxes().Validate(b), nil),
		`spec.color: Too long: may not be more than 3 bytes (maxLength)`,
		`spec.sides[1]: Duplicate value: "a" (x-kubernetes-list-type)`,
		`<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; `+
			`correct the existing errors to complete validation ()`)
	b.Spec.Color = "red"
	errs := boxes().Validate(b)
	expect(t, texts(errs, nil),
		`spec.sides[1]: Duplicate value: "a" (x-kubernetes-list-type)`,
		`spec: Invalid value: too large (x-kubernetes-validations[2])`)
	for i, want := range []string{"support.boxSpec.Sides", "support.box.Spec"} {
		if got := boxes().Declaration(errs[i]); got != want {
			t.Errorf("%v is declared at %s, want %s", errs[i], got, want)
		}
	}
	for path, want := range map[string]string{"metadata.name": "v1.ObjectMeta.Name", "kind": "v1.TypeMeta.Kind",
		"<nil>": "support.box", "metadata.labels[a.b/c]": "v1.ObjectMeta.Labels", "none": "support.box"} {
		if got := boxes().Declaration(&field.Error{Field: path}); got != want {
			t.Errorf("%s is declared at %s, want %s", path, got, want)
		}
	}
}

// TestBelow reports errors below a path.
func TestBelow(t *testing.T) {
	below := boxes().With(Below(field.NewPath("spec", "boxes").Index(1)))
	expect(t, texts(below.Validate(wrongBox()), nil),
		`spec.boxes[1].spec.color: Too long: may not be more than 3 bytes (maxLength)`,
		`spec.boxes[1].spec.sides[1]: Duplicate value: "a" (x-kubernetes-list-type)`,
		`spec.boxes[1]: Invalid value: null: some validation rules were not checked because the object was invalid; `+
			`correct the existing errors to complete validation ()`)
	if got := below.Declaration(below.Validate(wrongBox())[0]); got != "support.boxSpec.Color" {
		t.Error(got)
	}
	expect(t, texts(below.JSON.Validate(map[string]any{"spec": map[string]any{"size": "a"}}), nil),
		`spec.boxes[1].spec.size: Invalid value: "string": spec.boxes[1].spec.size in body must be of type integer: `+
			`"string" (type)`,
		`spec.boxes[1]: Invalid value: null: some validation rules were not checked because the object was invalid; `+
			`correct the existing errors to complete validation ()`)
	old := &box{Spec: boxSpec{Size: 10}}
	expect(t, texts(below.ValidateUpdate(old, old)), `warning: spec.boxes[1].spec: Invalid value: too large`)
}

// TestStopAtFirst reports one error, and evaluates no rules after it.
func TestStopAtFirst(t *testing.T) {
	k := boxes().With(StopAtFirst())
	expect(t, texts(k.Validate(wrongBox()), nil), `spec.color: Too long: may not be more than 3 bytes (maxLength)`)
	replaceRules(k, func() bool { t.Error("rules are checked after an error"); return true })
	k.JSON.Validate(map[string]any{"spec": map[string]any{"sides": []any{"a", "a"}}})
}

// TestContext ends validation when the context does, of valid objects too.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	k := boxes().With(Context(ctx))
	valid := &box{Spec: boxSpec{Size: 1}}
	expect(t, texts(k.Validate(valid), nil))
	replaceRules(k, func() bool {
		if ctx.Err() != nil {
			t.Error("rules are checked after the end")
		}
		cancel()
		return true
	})
	expect(t, texts(k.Validate(&box{Spec: boxSpec{Size: 2}}), nil),
		`<nil>: Internal error: the validation was stopped: context canceled ()`)
	expect(t, texts(k.Validate(valid), nil), `<nil>: Internal error: the validation was stopped: context canceled ()`)
}

// TestPart validates specs alone, without the rule of the object.
func TestPart(t *testing.T) {
	part := Part[boxSpec](boxes().JSON, "spec")
	expect(t, texts(part.Validate(&boxSpec{}), nil))
	expect(t, texts(part.Validate(&boxSpec{Size: 10, Sides: []string{"a", "a"}}), nil),
		`sides[1]: Duplicate value: "a" (x-kubernetes-list-type)`,
		`<nil>: Invalid value: too large (x-kubernetes-validations[2])`)
	below := part.With(Below(field.NewPath("template")))
	expect(t, texts(below.Validate(&boxSpec{Color: "blue", Size: 10}), nil),
		`template.color: Too long: may not be more than 3 bytes (maxLength)`,
		`template: Invalid value: null: some validation rules were not checked because the object was invalid; `+
			`correct the existing errors to complete validation ()`)
	old := &boxSpec{Color: "blue", Size: 10}
	expect(t, texts(part.ValidateUpdate(old, &boxSpec{Color: "blue", Size: 11})),
		`<nil>: Invalid value: too large (x-kubernetes-validations[2])`)
	expect(t, texts(part.ValidateUpdate(old, old)), `warning: <nil>: Invalid value: too large`)
	expect(t, texts(Part[int](boxes().JSON, "spec", "no").Validate(new(int)), nil),
		`<nil>: Internal error: the schema of Box has no field spec.no ()`)
}

// TestWithCheck adds checks of users, with ratcheting: what the old object had too, and has not changed, is a warning.
func TestWithCheck(t *testing.T) {
	k := boxes().WithCheck(func(old, b *box) (errs field.ErrorList) {
		if b.Spec.Color == "odd" {
			errs = append(errs, field.Forbidden(field.NewPath("spec", "color"), "not odd"))
		}
		if len(b.Spec.Sides) > int(b.Spec.Size) {
			errs = append(errs, field.Forbidden(field.NewPath("spec", "sides"), "too many for the size"))
		}
		if old != nil && old.Spec.Size > b.Spec.Size {
			errs = append(errs, field.Forbidden(field.NewPath("spec", "size"), "must grow"))
		}
		return errs
	})
	odd := &box{Spec: boxSpec{Color: "odd", Size: 1}}
	one := &box{Spec: boxSpec{Sides: []string{"a", "b"}, Size: 2}}
	two := &box{Spec: boxSpec{Sides: []string{"a", "b"}, Size: 1}}
	expect(t, texts(k.Validate(one), nil))
	expect(t, texts(k.Validate(odd), nil), `spec.color: Forbidden: not odd ()`)
	expect(t, texts(k.ValidateUpdate(odd, odd)), `warning: spec.color: Forbidden: not odd`)
	expect(t, texts(k.ValidateUpdate(&box{Spec: boxSpec{Color: "red", Size: 1}}, odd)), `spec.color: Forbidden: not odd ()`)
	// The sides have not changed, but the size has, so that the error is new.
	expect(t, texts(k.ValidateUpdate(one, two)), `spec.sides: Forbidden: too many for the size ()`,
		`spec.size: Forbidden: must grow ()`)
	expect(t, texts(k.JSON.Validate(map[string]any{"spec": map[string]any{"color": "odd", "size": int64(1)}}), nil),
		`spec.color: Forbidden: not odd ()`)
	expect(t, texts(k.JSON.Validate(map[string]any{"spec": map[string]any{"color": int64(1), "size": int64(1)}}), nil),
		`spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer" (type)`,
		`<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; `+
			`correct the existing errors to complete validation ()`)
	_, errs, _, err := k.JSON.Admit("CREATE", "", []byte(`{"apiVersion":"example.com/v1","kind":"Box",`+
		`"spec":{"color":"odd","size":1}}`), nil)
	if err != nil {
		t.Error(err)
	}
	expect(t, texts(errs, nil), `spec.color: Forbidden: not odd ()`)
	expect(t, texts(boxes().Validate(odd), nil)) // the original has no check
}

// TestRegistry finds helpers by the type and by the kind of objects.
func TestRegistry(t *testing.T) {
	gvk := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Box"}
	typed, err := NewRegistry(boxes())
	if err != nil {
		t.Fatal(err)
	}
	untyped, err := NewRegistry(Untyped(typed.Kinds())...)
	if err != nil {
		t.Fatal(err)
	}
	object := func(spec map[string]any) *unstructured.Unstructured {
		u := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
		u.SetGroupVersionKind(gvk)
		return u
	}
	large := &box{Spec: boxSpec{Size: 10}}
	for name, r := range map[string]*Registry{"typed": typed, "untyped": untyped} {
		if r.For(gvk) == nil || r.For(gvk.GroupVersion().WithKind("Bag")) != nil {
			t.Errorf("%s: wrong helpers", name)
		}
		b := *large
		b.SetGroupVersionKind(gvk)
		for _, obj := range []runtime.Object{&b, object(map[string]any{"size": int64(10), "more": true})} {
			errs, err := r.With(Below(field.NewPath("a"))).Validate(obj)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, texts(errs, nil), `a.spec: Invalid value: too large (x-kubernetes-validations[2])`)
			errs, warnings, err := r.ValidateUpdate(obj, obj)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, texts(errs, warnings), `warning: spec: Invalid value: too large`)
		}
	}
	if _, err := typed.Validate(large); err != nil {
		t.Error(err) // the type is enough
	}
	if _, err := untyped.Validate(large); err == nil || err.Error() != "no helpers for *support.box, which names no kind" {
		t.Error(err)
	}
	if _, err := NewRegistry(boxes(), boxes().JSON); err == nil || err.Error() != "two helpers for "+gvk.String() {
		t.Error(err)
	}
	if err := typed.Default(large); err != nil {
		t.Error(err)
	}
	if err := untyped.Default(object(nil)); err != nil {
		t.Error(err)
	}
}
