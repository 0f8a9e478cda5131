package support

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Helpers are those of one kind: a *Kind or a *Resource.
type Helpers interface {
	GroupVersionKind() schema.GroupVersionKind
	// onResource returns the helpers for JSON.
	onResource() *Resource
	// goType is that of the objects, nil for JSON.
	goType() reflect.Type
	// withOptions returns the same helpers with options.
	withOptions(list []Option) Helpers
	// validateAny validates a write of an object whose type is goType.
	validateAny(w write, old, object any) (field.ErrorList, []string)
	defaultAny(object any)
}

// A write is what is done with an object.
type write int

// The writes. Those of updates have an old object.
const (
	creates write = iota
	updates
	updatesStatus
)

// GroupVersionKind returns the group, the version and the kind of the objects.
func (k *Kind[T]) GroupVersionKind() schema.GroupVersionKind { return k.JSON.GroupVersionKind() }

func (k *Kind[T]) onResource() *Resource { return k.JSON }

func (k *Kind[T]) goType() reflect.Type { return reflect.TypeFor[*T]() }

func (k *Kind[T]) withOptions(list []Option) Helpers { return k.With(list...) }

func (k *Kind[T]) validateAny(w write, old, object any) (field.ErrorList, []string) {
	before, _ := old.(*T)
	x := object.(*T)
	switch w {
	case updates:
		return k.ValidateUpdate(before, x)
	case updatesStatus:
		return k.ValidateStatusUpdate(before, x)
	}
	return k.Validate(x), nil
}

func (k *Kind[T]) defaultAny(object any) { k.Default(object.(*T)) }

func (r *Resource) onResource() *Resource { return r }

func (r *Resource) goType() reflect.Type { return nil }

func (r *Resource) withOptions(list []Option) Helpers { return r.With(list...) }

func (r *Resource) validateAny(w write, old, object any) (field.ErrorList, []string) {
	before, _ := old.(map[string]any)
	x, _ := object.(map[string]any)
	switch w {
	case updates:
		return r.ValidateUpdate(before, x)
	case updatesStatus:
		return r.ValidateStatusUpdate(before, x)
	}
	return r.Validate(x), nil
}

func (r *Resource) defaultAny(object any) { r.Default(object.(map[string]any)) }

// A Registry finds helpers by the kind and by the Go type of objects. It does not change.
type Registry struct {
	all    []Helpers
	byKind map[schema.GroupVersionKind]Helpers
	byType map[reflect.Type]Helpers
}

// NewRegistry returns a registry of kinds, which may be of several packages:
//
//	crd.NewRegistry(&v1.WidgetHelpers, &v1.GadgetHelpers)
//	crd.NewRegistry(crd.Untyped(v1.Kinds(), v2.Kinds())...)
//
// It is an error if two are of the same kind.
func NewRegistry(kinds ...Helpers) (*Registry, error) {
	r := &Registry{all: kinds, byKind: map[schema.GroupVersionKind]Helpers{}, byType: map[reflect.Type]Helpers{}}
	for _, k := range kinds {
		gvk := k.GroupVersionKind()
		if r.byKind[gvk] != nil {
			return nil, fmt.Errorf("two helpers for %s", gvk)
		}
		r.byKind[gvk] = k
		if t := k.goType(); t != nil {
			r.byType[t] = k
		}
	}
	return r, nil
}

// Untyped returns the helpers in the lists of packages for NewRegistry.
func Untyped(lists ...[]*Resource) (out []Helpers) {
	for _, list := range lists {
		for _, r := range list {
			out = append(out, r)
		}
	}
	return out
}

// Kinds returns the helpers for JSON, in the order of the registry: for fakeclient.WithKinds and
// webhook.Validating.
func (r *Registry) Kinds() (out []*Resource) {
	for _, k := range r.all {
		out = append(out, k.onResource())
	}
	return out
}

// For returns the helpers for the JSON of a kind, nil if there are none.
func (r *Registry) For(gvk schema.GroupVersionKind) *Resource {
	if k := r.byKind[gvk]; k != nil {
		return k.onResource()
	}
	return nil
}

// With returns a registry of the same helpers with options.
func (r *Registry) With(list ...Option) *Registry {
	out := &Registry{byKind: map[schema.GroupVersionKind]Helpers{}, byType: map[reflect.Type]Helpers{}}
	for _, k := range r.all {
		k = k.withOptions(list)
		out.all = append(out.all, k)
		out.byKind[k.GroupVersionKind()] = k
		if t := k.goType(); t != nil {
			out.byType[t] = k
		}
	}
	return out
}

// Validate returns the errors of a new object: of a Go type of the registry, or of one of its kinds, such as an
// unstructured object. The object is validated as a client would send it, and stays as it is. The other error says
// that the registry has no helpers for it.
func (r *Registry) Validate(obj runtime.Object) (field.ErrorList, error) {
	errs, _, err := r.validate(creates, nil, obj)
	return errs, err
}

// ValidateUpdate returns the errors and the warnings of an object that replaces old.
func (r *Registry) ValidateUpdate(old, obj runtime.Object) (field.ErrorList, []string, error) {
	return r.validate(updates, old, obj)
}

// ValidateStatusUpdate returns the errors and the warnings of an object whose status replaces that of old.
func (r *Registry) ValidateStatusUpdate(old, obj runtime.Object) (field.ErrorList, []string, error) {
	return r.validate(updatesStatus, old, obj)
}

func (r *Registry) validate(w write, old, obj runtime.Object) (field.ErrorList, []string, error) {
	if k := r.byType[reflect.TypeOf(obj)]; k != nil && (old == nil || reflect.TypeOf(old) == reflect.TypeOf(obj)) {
		errs, warnings := k.validateAny(w, old, obj)
		return errs, warnings, nil
	}
	k, err := r.find(obj)
	if err != nil {
		return nil, nil, err
	}
	var objects [2]any
	for i, x := range []runtime.Object{old, obj} {
		if x == nil {
			continue
		}
		m, err := objectOf(x)
		if err != nil {
			return nil, nil, err
		}
		k.onResource().Prune(m)
		k.onResource().Default(m)
		objects[i] = m
	}
	errs, warnings := k.onResource().validateAny(w, objects[0], objects[1])
	return errs, warnings, nil
}

// Default sets the defaults of an object. The error says that the registry has no helpers for it.
func (r *Registry) Default(obj runtime.Object) error {
	if k := r.byType[reflect.TypeOf(obj)]; k != nil {
		k.defaultAny(obj)
		return nil
	}
	k, err := r.find(obj)
	if err != nil {
		return err
	}
	u, ok := obj.(runtime.Unstructured)
	if !ok {
		const message = "the helpers for %s have no Go type, and cannot set defaults of a %T"
		return fmt.Errorf(message, k.GroupVersionKind(), obj)
	}
	k.onResource().Default(u.UnstructuredContent())
	return nil
}

// find returns the helpers for the kind that an object names.
func (r *Registry) find(obj runtime.Object) (Helpers, error) {
	gvk := obj.GetObjectKind().GroupVersionKind()
	if k := r.byKind[gvk]; k != nil {
		return k, nil
	}
	if gvk.Empty() {
		return nil, fmt.Errorf("no helpers for %T, which names no kind", obj)
	}
	return nil, fmt.Errorf("no helpers for %s", gvk)
}
