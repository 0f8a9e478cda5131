package server

import (
	"context"
	"reflect"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/names"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A strategy is what the generic store asks about a kind. The store validates metadata; nothing validates the rest of
// an object.
type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
	kind
	// status is set for the subresource status.
	status bool
}

func (s strategy) NamespaceScoped() bool                       { return !s.cluster }
func (strategy) AllowCreateOnUpdate(context.Context) bool      { return false }
func (strategy) AllowUnconditionalUpdate(context.Context) bool { return true }
func (strategy) Canonicalize(runtime.Object)                   {}

func (strategy) Validate(context.Context, runtime.Object) field.ErrorList              { return nil }
func (strategy) ValidateUpdate(_ context.Context, _, _ runtime.Object) field.ErrorList { return nil }
func (strategy) WarningsOnCreate(context.Context, runtime.Object) []string             { return nil }
func (strategy) WarningsOnUpdate(_ context.Context, _, _ runtime.Object) []string      { return nil }

// PrepareForCreate drops the status, which is written by itself, and sets what an API server chooses.
func (s strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	if s.hasStatus() {
		reflect.ValueOf(obj).Elem().FieldByName("Status").SetZero()
	}
	if s.generation {
		obj.(metav1.Object).SetGeneration(1)
	}
	if s.allocate != nil {
		s.allocate(obj)
	}
}

// PrepareForUpdate keeps what the request must not change: the status, or everything but the status.
func (s strategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	now, before := reflect.ValueOf(obj).Elem(), reflect.ValueOf(old).Elem()
	for i := range now.NumField() {
		if name := now.Type().Field(i).Name; !isMeta(name) && (name == "Status") != s.status {
			now.Field(i).Set(before.Field(i))
		}
	}
	if s.status {
		metav1.ResetObjectMetaForStatus(obj.(metav1.Object), old.(metav1.Object))
	} else if s.keep != nil {
		s.keep(obj, old)
	}
	if !s.generation {
		return
	}
	generation := old.(metav1.Object).GetGeneration()
	for i := range now.NumField() {
		if name := now.Type().Field(i).Name; !isMeta(name) && name != "Status" &&
			!equality.Semantic.DeepEqual(now.Field(i).Interface(), before.Field(i).Interface()) {
			generation++
			break
		}
	}
	obj.(metav1.Object).SetGeneration(generation)
}

// CheckGracefulDelete says how long a deleted object remains, and reports whether its kind has such a time.
func (s strategy) CheckGracefulDelete(_ context.Context, obj runtime.Object, options *metav1.DeleteOptions) bool {
	if s.grace == nil {
		return false
	}
	seconds := s.grace(obj, options.GracePeriodSeconds)
	options.GracePeriodSeconds = &seconds
	return true
}

func isMeta(field string) bool { return field == "TypeMeta" || field == "ObjectMeta" }

// GetResetFields returns the fields that a request cannot set, which therefore have no managers from it.
func (s strategy) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	if !s.hasStatus() {
		return nil
	}
	name := "status"
	if s.status {
		name = "spec"
	}
	version := fieldpath.APIVersion(gvk(s.sample).GroupVersion().String())
	return map[fieldpath.APIVersion]*fieldpath.Set{version: fieldpath.NewSet(fieldpath.MakePathOrDie(name))}
}

// attributes returns the labels and fields that selectors may name.
func (s strategy) attributes(obj runtime.Object) (labels.Set, fields.Set, error) {
	m := obj.(metav1.Object)
	set := fields.Set{"metadata.name": m.GetName()}
	if !s.cluster {
		set["metadata.namespace"] = m.GetNamespace()
	}
	if s.fields != nil {
		for name, value := range s.fields(obj) {
			set[name] = value
		}
	}
	return m.GetLabels(), set, nil
}

// A resource is the storage of a kind.
type resource struct {
	*registry.Store
	strategy
}

// The store and the strategy both have these methods.

func (r resource) New() runtime.Object     { return r.Store.New() }
func (r resource) NamespaceScoped() bool   { return r.strategy.NamespaceScoped() }
func (r resource) ShortNames() []string    { return r.short }
func (r resource) Categories() []string    { return r.categories }
func (r resource) GetSingularName() string { return r.singular }
func (r resource) Destroy()                { r.Store.Destroy() }

// newResource returns the storage of a kind in etcd.
func newResource(k kind, scheme *runtime.Scheme, options generic.RESTOptionsGetter) (resource, error) {
	s := strategy{ObjectTyper: scheme, NameGenerator: names.SimpleNameGenerator, kind: k}
	group := gvk(k.sample).Group
	store := &registry.Store{
		NewFunc:                   func() runtime.Object { return k.sample.DeepCopyObject() },
		NewListFunc:               k.list,
		DefaultQualifiedResource:  schema.GroupResource{Group: group, Resource: k.resource},
		SingularQualifiedResource: schema.GroupResource{Group: group, Resource: k.singular},
		CreateStrategy:            s,
		UpdateStrategy:            s,
		DeleteStrategy:            s,
		ResetFieldsStrategy:       s,
		PredicateFunc: func(label labels.Selector, field fields.Selector) storage.SelectionPredicate {
			return storage.SelectionPredicate{Label: label, Field: field, GetAttrs: s.attributes}
		},
	}
	store.TableConvertor = rest.NewDefaultTableConvertor(store.DefaultQualifiedResource)
	err := store.CompleteWithOptions(&generic.StoreOptions{RESTOptions: options, AttrFunc: s.attributes})
	return resource{store, s}, err
}

// A subresource reads and updates a part of a kind. It has no list and is neither created nor deleted.
type subresource struct{ store *registry.Store }

// newStatus returns the subresource status of a resource.
func newStatus(r resource) subresource {
	s := r.strategy
	s.status = true
	store := *r.Store
	store.UpdateStrategy, store.ResetFieldsStrategy = s, s
	return subresource{&store}
}

func (s subresource) New() runtime.Object { return s.store.New() }
func (subresource) Destroy()              {} // the resource destroys the store

func (s subresource) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	return s.store.Get(ctx, name, options)
}

func (s subresource) Update(
	ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	return s.store.Update(ctx, name, info, create, update, false, options)
}

func (s subresource) GetResetFields() map[fieldpath.APIVersion]*fieldpath.Set {
	return s.store.GetResetFields()
}

func (s subresource) ConvertToTable(
	ctx context.Context, obj runtime.Object, options runtime.Object,
) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, options)
}

// scale is the subresource scale of a kind with Spec.Replicas, Spec.Selector and Status.Replicas.
type scale struct{ store *registry.Store }

func (scale) New() runtime.Object { return &autoscalingv1.Scale{} }
func (scale) Destroy()            {} // the resource destroys the store

// GroupVersionKind returns the kind of the subresource, whose group is not that of the resource.
func (scale) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return gvk(&autoscalingv1.Scale{})
}

func (s scale) Get(ctx context.Context, name string, options *metav1.GetOptions) (runtime.Object, error) {
	obj, err := s.store.Get(ctx, name, options)
	if err != nil {
		return nil, err
	}
	return scaleOf(obj)
}

func (s scale) Update(
	ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, _ bool, options *metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	change := func(ctx context.Context, _, stored runtime.Object) (runtime.Object, error) {
		obj := stored.DeepCopyObject()
		old, err := scaleOf(obj)
		if err != nil {
			return nil, err
		}
		wanted, err := info.UpdatedObject(ctx, old)
		if err != nil {
			return nil, err
		}
		now, ok := wanted.(*autoscalingv1.Scale)
		if !ok {
			return nil, apierrors.NewBadRequest("expected a Scale")
		}
		if update != nil {
			if err := update(ctx, now, old); err != nil {
				return nil, err
			}
		}
		specOf(obj).FieldByName("Replicas").Set(reflect.ValueOf(&now.Spec.Replicas))
		obj.(metav1.Object).SetResourceVersion(now.ResourceVersion)
		return obj, nil
	}
	obj, _, err := s.store.Update(ctx, name, rest.DefaultUpdatedObjectInfo(nil, change), create,
		rest.ValidateAllObjectUpdateFunc, false, options)
	if err != nil {
		return nil, false, err
	}
	out, err := scaleOf(obj)
	return out, false, err
}

func (s scale) ConvertToTable(
	ctx context.Context, obj runtime.Object, options runtime.Object,
) (*metav1.Table, error) {
	return s.store.ConvertToTable(ctx, obj, options)
}

func specOf(obj runtime.Object) reflect.Value { return reflect.ValueOf(obj).Elem().FieldByName("Spec") }

func scaleOf(obj runtime.Object) (*autoscalingv1.Scale, error) {
	m := obj.(metav1.Object)
	out := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{
		Name: m.GetName(), Namespace: m.GetNamespace(), UID: m.GetUID(), ResourceVersion: m.GetResourceVersion(),
		CreationTimestamp: m.GetCreationTimestamp(),
	}}
	if replicas := specOf(obj).FieldByName("Replicas"); !replicas.IsNil() {
		out.Spec.Replicas = int32(replicas.Elem().Int())
	}
	out.Status.Replicas = int32(reflect.ValueOf(obj).Elem().FieldByName("Status").FieldByName("Replicas").Int())
	pods := specOf(obj).FieldByName("Selector").Interface().(*metav1.LabelSelector)
	selector, err := metav1.LabelSelectorAsSelector(pods)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	out.Status.Selector = selector.String()
	return out, nil
}

// hasScale reports whether a kind has the subresource scale.
func (k kind) hasScale() bool {
	of := gvk(k.sample)
	return of.Group == "apps" && (of.Kind == "Deployment" || of.Kind == "ReplicaSet" || of.Kind == "StatefulSet")
}
