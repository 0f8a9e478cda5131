package fakeclient

import (
	"bytes"
	"maps"
	"math"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
)

// A key is where an object is stored. The fake client keeps the versions of a kind apart, too.
type key struct {
	kind schema.GroupVersionKind
	crclient.ObjectKey
}

// An entry is an object as a server has it. The fake client has it as a Go value, which lacks what the Go type does not
// have, such as an empty string in a field with omitempty.
type entry struct {
	// object is what a client reads, without managed fields. It is never changed.
	object map[string]any
	// raw is what is stored: it lacks the defaults of a status that is dropped when an object is created, and those of
	// a status that is patched together with the kind.
	raw map[string]any
	// managed are the managed fields before the last few writes, which are pending: calculating them takes longer than
	// everything else, and few tests need them.
	managed []metav1.ManagedFieldsEntry
	pending []update
}

// An update changed an object, and with it who manages its fields.
type update struct {
	before, after map[string]any
	manager       string
	status        bool
	at            time.Time
}

func (e *entry) version() string {
	u := unstructured.Unstructured{Object: e.object}
	return u.GetResourceVersion()
}

func (c *client) keyOf(k *kind, namespace, name string) key {
	return key{k.GVK, crclient.ObjectKey{Namespace: namespace, Name: name}}
}

// load returns the stored object, nil if it does not exist.
func (r *request) load() (*entry, error) { return r.client.load(r, r.kind, r.namespace, r.name) }

func (c *client) load(r *request, k *kind, namespace, name string) (*entry, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(k.GVK)
	at := c.keyOf(k, namespace, name)
	if err := c.WithWatch.Get(r.ctx, at.ObjectKey, u); apierrors.IsNotFound(err) {
		delete(c.stored, at)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return c.entryOf(k, u)
}

// entryOf returns the entry of an object that the fake client has returned. The object may be one of those with which
// the client was built, or that were written around it: then it is read as a server reads what is stored.
func (c *client) entryOf(k *kind, obj crclient.Object) (*entry, error) {
	at := c.keyOf(k, obj.GetNamespace(), obj.GetName())
	if len(obj.GetManagedFields()) > 0 {
		c.showsManaged = true
	}
	if e := c.stored[at]; e != nil && e.version() == obj.GetResourceVersion() {
		return e, nil
	}
	object, err := content(obj)
	if err != nil {
		return nil, err
	}
	object["apiVersion"], object["kind"] = k.GVK.GroupVersion().String(), k.GVK.Kind
	if _, err := k.Prune(object); err != nil {
		return nil, err
	}
	if err := k.Default(object); err != nil {
		return nil, err
	}
	u := unstructured.Unstructured{Object: object}
	e := &entry{object: object, raw: object, managed: u.GetManagedFields()}
	u.SetManagedFields(nil)
	c.stored[at] = e
	return e, nil
}

// exact replaces an object that the fake client has returned by what a server would return.
func (c *client) exact(k *kind, obj crclient.Object) error {
	e, err := c.entryOf(k, obj)
	if err != nil {
		return err
	}
	var managed []metav1.ManagedFieldsEntry
	if c.showsManaged {
		if managed, err = k.settle(e); err != nil {
			return err
		}
	}
	if err := fill(obj, e.object); err != nil {
		return err
	}
	obj.SetManagedFields(managed)
	return nil
}

// shape gives an object the form in which it comes back from a store. What a client has sent has it already but for
// its numbers, the result of an apply has not.
func (r *request) shape(u *unstructured.Unstructured) error {
	u.Object, _ = integers(u.Object).(map[string]any)
	if !r.applies {
		return nil
	}
	_, err := r.prune(u.Object)
	return failure(err)
}

// written returns a copy of an object as it is now, which does not change when fields of it or of its metadata are
// set.
func (r *request) written(u *unstructured.Unstructured) update {
	object := maps.Clone(u.Object)
	if fields, ok := object["metadata"].(map[string]any); ok {
		object["metadata"] = maps.Clone(fields)
	}
	after := unstructured.Unstructured{Object: object}
	after.SetManagedFields(nil)
	return update{after: object, manager: r.manager, status: r.status, at: time.Now()}
}

// save stores an object with its managed fields, and returns it. Without old it is a new one.
func (r *request) save(u *unstructured.Unstructured, old *entry, managed []metav1.ManagedFieldsEntry) (map[string]any,
	error) {
	u.SetManagedFields(nil)
	if err := r.shape(u); err != nil {
		return nil, err
	}
	if old != nil {
		u.SetResourceVersion(old.version())
	} else if !r.dryRun {
		u.SetResourceVersion("")
	}
	raw := u.Object
	// What is read from the store gets the defaults that a request has not set, and loses nulls.
	switch {
	case r.isForeign || r.applies:
		u.Object = runtime.DeepCopyJSON(raw)
		if _, err := r.coerce(u.Object); err != nil {
			return nil, failure(err)
		}
	case old == nil && r.kind.HasStatus:
		u.Object = maps.Clone(raw) // only the status was removed
		if err := r.kind.Default(u.Object); err != nil {
			return nil, failure(err)
		}
	}
	if r.dryRun {
		return u.Object, nil
	}
	inner, err := r.inner()
	if err != nil {
		return nil, err
	}
	if err := fill(inner, u.Object); err != nil {
		return nil, err
	}
	if r.obj != nil && reflect.TypeOf(inner) == reflect.TypeOf(r.obj) {
		r.filled, _ = inner.DeepCopyObject().(crclient.Object)
	}
	switch {
	case old == nil:
		err = r.WithWatch.Create(r.ctx, inner, crclient.FieldOwner(r.manager))
	case r.status:
		err = r.WithWatch.Status().Update(r.ctx, inner, crclient.FieldOwner(r.manager))
	default:
		err = r.WithWatch.Update(r.ctx, inner, crclient.FieldOwner(r.manager))
	}
	if err != nil {
		return nil, err
	}
	for _, stored := range []unstructured.Unstructured{*u, {Object: raw}} {
		stored.SetResourceVersion(inner.GetResourceVersion())
	}
	if r.filled != nil {
		r.filled.SetResourceVersion(inner.GetResourceVersion())
	}
	e := &entry{object: u.Object, raw: raw, managed: managed}
	r.stored[r.keyOf(r.kind, u.GetNamespace(), u.GetName())] = e
	return e.object, nil
}

// inner returns an empty object as the fake client stores it: of the Go type of the scheme, if there is one.
func (r *request) inner() (crclient.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(r.kind.GVK)
	if !r.Scheme().Recognizes(r.kind.GVK) {
		return u, nil
	}
	made, err := r.Scheme().New(r.kind.GVK)
	if err != nil {
		return nil, err
	}
	if obj, ok := made.(crclient.Object); ok && !isPartial(obj) {
		obj.GetObjectKind().SetGroupVersionKind(r.kind.GVK)
		return obj, nil
	}
	return u, nil
}

// named is inner with the address of the request.
func (r *request) named() (crclient.Object, error) {
	obj, err := r.inner()
	if err == nil {
		obj.SetNamespace(r.namespace)
		obj.SetName(r.name)
	}
	return obj, err
}

// integers replaces numbers such as 2.0, which come back from a store as 2.
func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = integers(value)
		}
	case []any:
		for i, value := range v {
			v[i] = integers(value)
		}
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 && math.Abs(v) < 1e21 {
			return int64(v)
		}
	}
	return v
}

// mentionsManaged reports whether a patch may be about managed fields.
func mentionsManaged(patch []byte) bool { return bytes.Contains(patch, []byte("managedFields")) }
