package fakeclient

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

// apply merges an applied object into the stored one, and follows handlers/patch.go (applyPatcher).
func (r *request) apply(data []byte, old *entry, force bool) (map[string]any, error) {
	if old == nil && r.status {
		return nil, apierrors.NewNotFound(r.resource(), r.name)
	}
	applied := &unstructured.Unstructured{Object: map[string]any{}}
	if err := yaml.Unmarshal(data, &applied.Object); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	live := &unstructured.Unstructured{Object: map[string]any{}}
	live.SetGroupVersionKind(r.kind.GVK)
	if old != nil {
		managed, err := r.kind.settle(old)
		if err != nil {
			return nil, err
		}
		live.Object = runtime.DeepCopyJSON(old.object)
		live.SetManagedFields(managed)
	}
	manager, err := r.kind.manager(r.status)
	if err != nil {
		return nil, err
	}
	if err := r.checkDeclared(applied); err != nil {
		return nil, failure(err)
	}
	merged, err := manager.Apply(live.DeepCopy(), applied, r.manager, force)
	if err != nil {
		return nil, failure(err)
	}
	u, ok := merged.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("expected an unstructured object, got %T", merged)
	}
	if err := r.checkDuplicates(data); err != nil {
		return nil, err
	}
	r.applies = true
	if old == nil && u.GetUID() != "" {
		return nil, apierrors.NewConflict(r.resource(), r.name, fmt.Errorf("uid mismatch: the provided object "+
			"specified uid %s, and no existing object was found", u.GetUID()))
	}
	if err := r.setNamespace(u); err != nil {
		return nil, err
	}
	if err := r.checkName(u); err != nil {
		return nil, err
	}
	r.dropDuplicateOwners(u, inPatch)
	managed := u.GetManagedFields()
	if old == nil {
		if err := r.begin(u); err != nil {
			return nil, err
		}
		return r.save(u, nil, managed)
	}
	return r.replace(u, old, r.written(u))
}

// checkDuplicates returns the error for duplicate keys of an applied object, or warns of them.
func (r *request) checkDuplicates(data []byte) error {
	if r.validation == metav1.FieldValidationIgnore {
		return nil
	}
	err := yaml.UnmarshalStrict(data, &map[string]any{})
	if err != nil && r.validation == metav1.FieldValidationStrict {
		return apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", err))
	}
	if err != nil {
		r.warn(err.Error())
	}
	return nil
}

// checkDeclared returns the error for fields that the schema does not have, if the types do not know them.
func (r *request) checkDeclared(applied *unstructured.Unstructured) error {
	if _, ok := r.kind.Types.(deduced); !ok {
		return nil
	}
	unknown, err := r.kind.Prune(runtime.DeepCopyJSON(applied.Object))
	if err != nil || len(unknown) == 0 {
		return err
	}
	var errs []error
	for _, path := range unknown {
		errs = append(errs, fmt.Errorf(".%s: field not declared in schema", path))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return fmt.Errorf("failed to create typed patch object (%s/%s; %s): %w", r.namespace, r.name, r.kind.GVK,
		utilerrors.NewAggregate(errs))
}

// manager returns what merges applied objects, and manages the fields of objects or of their status.
func (k *kind) manager(status bool) (*managedfields.FieldManager, error) {
	at, subresource := 0, ""
	if status {
		at, subresource = 1, "status"
	}
	if k.managers[at] != nil {
		return k.managers[at], nil
	}
	var filters map[fieldpath.APIVersion]fieldpath.Filter
	version := fieldpath.APIVersion(k.GVK.GroupVersion().String())
	switch {
	case status:
		filters = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))})
	case k.HasStatus:
		filters = fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			version: fieldpath.NewSet(fieldpath.MakePathOrDie("status"))})
	}
	m, err := managedfields.NewDefaultCRDFieldManager(k.Types, unconverted{}, defaulter{k}, unconverted{}, k.GVK,
		k.GVK.GroupVersion(), subresource, filters)
	k.managers[at] = m
	return m, err
}

// manage notes who has written the fields of an object: written is what the client has sent. Managed fields that are
// sent count.
func (k *kind) manage(e, old *entry, written update, sent []metav1.ManagedFieldsEntry) error {
	if old != nil {
		e.managed, e.pending, written.before = old.managed, slices.Clone(old.pending), old.object
	}
	if len(sent) > 0 {
		e.managed, e.pending = sent, nil
	}
	e.pending = append(e.pending, written)
	const most = 64
	if len(e.pending) > most {
		_, err := k.settle(e)
		return err
	}
	return nil
}

// settle calculates the managed fields of an object.
func (k *kind) settle(e *entry) ([]metav1.ManagedFieldsEntry, error) {
	for _, w := range e.pending {
		manager, err := k.manager(w.status)
		if err != nil {
			return nil, err
		}
		before := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(w.before)}
		if w.before == nil {
			before.Object = map[string]any{}
			before.SetGroupVersionKind(k.GVK)
		}
		before.SetManagedFields(e.managed)
		after := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(w.after)}
		after.SetManagedFields(e.managed)
		// As on a server, what cannot be managed is not.
		if u, ok := manager.UpdateNoErrors(before, after, w.manager).(*unstructured.Unstructured); ok {
			e.managed = u.GetManagedFields()
		}
	}
	e.pending = nil
	return e.managed, nil
}

// sameManaged reports whether the managed fields are the same but for their times.
func sameManaged(a, b []metav1.ManagedFieldsEntry) bool {
	return slices.EqualFunc(a, b, func(a, b metav1.ManagedFieldsEntry) bool {
		a.Time, b.Time = nil, nil
		return a.Manager == b.Manager && a.Operation == b.Operation && a.Subresource == b.Subresource &&
			bytes.Equal(raw(a), raw(b))
	})
}

// unconverted objects exist in one version only.
type unconverted struct{}

func (unconverted) Convert(_, _, _ any) error { return errors.New("objects are not converted") }

func (unconverted) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}

func (unconverted) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (unconverted) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

// A defaulter sets defaults after a merge. It keeps nulls, which are errors there. Defaults of a schema cannot fail for
// an object that has a kind.
type defaulter struct{ *kind }

func (d defaulter) Default(obj runtime.Object) {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		before := runtime.DeepCopyJSON(u.Object)
		_ = d.kind.Default(u.Object)
		keepNulls(u.Object, before)
	}
}

// keepNulls sets fields to null that were null and that are gone.
func keepNulls(to, from any) {
	switch from := from.(type) {
	case map[string]any:
		to, ok := to.(map[string]any)
		for name, value := range from {
			if after, exists := to[name]; exists {
				keepNulls(after, value)
			} else if ok && value == nil {
				to[name] = nil
			}
		}
	case []any:
		to, _ := to.([]any)
		for i := range min(len(to), len(from)) {
			keepNulls(to[i], from[i])
		}
	}
}

// converters are several converters: the first that knows a type converts it.
type converters []managedfields.TypeConverter

// anyOf returns what converts types as any of the converters. Without any, types are deduced from values.
func anyOf(known []managedfields.TypeConverter) managedfields.TypeConverter {
	if len(known) == 0 {
		return deduced{managedfields.NewDeducedTypeConverter()}
	}
	return converters(known)
}

// deduced types do not know which fields a schema has.
type deduced struct{ managedfields.TypeConverter }

func (t converters) ObjectToTyped(
	obj runtime.Object, opts ...typed.ValidationOptions,
) (out *typed.TypedValue, err error) {
	for _, c := range t {
		if out, err = c.ObjectToTyped(obj, opts...); err == nil {
			return out, nil
		}
	}
	return nil, err
}

func (t converters) TypedToObject(v *typed.TypedValue) (out runtime.Object, err error) {
	for _, c := range t {
		if out, err = c.TypedToObject(v); err == nil {
			return out, nil
		}
	}
	return nil, err
}

func raw(e metav1.ManagedFieldsEntry) []byte {
	if e.FieldsV1 == nil {
		return nil
	}
	return e.FieldsV1.Raw
}
