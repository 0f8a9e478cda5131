package fakeclient

import (
	"context"
	"fmt"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/rest"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// New builds the fake client of a builder, and returns a client that enforces the rules of the options:
//
//	c, err := fakeclient.New(fake.NewClientBuilder().WithScheme(scheme), fakeclient.WithKinds(v1.Kinds()))
//
// The builder need not name the kinds with a status subresource (WithStatusSubresource). Its objects (WithObjects) are
// those that are stored already: they are not validated, and have the defaults of the schema when they are read. To
// intercept calls, use interceptor.NewClient on the result. The builder's own interceptors see what is stored.
func New(builder *fake.ClientBuilder, options ...Option) (crclient.WithWatch, error) {
	c := &client{kinds: map[schema.GroupVersionKind]*kind{}, stored: map[key]*entry{}}
	for _, o := range options {
		if err := o(c); err != nil {
			return nil, err
		}
	}
	if len(c.kinds) == 0 {
		return nil, fmt.Errorf("nothing to enforce: name kinds with fakeclient.WithKinds(v1.Kinds()) or " +
			"crds.WithCRDs(...)")
	}
	for gvk, k := range c.kinds {
		if k.Types == nil {
			k.Types = anyOf(c.types)
		}
		if k.HasStatus {
			u := &unstructured.Unstructured{}
			u.SetGroupVersionKind(gvk)
			builder = builder.WithStatusSubresource(u)
		}
	}
	// Since 0.25. Before, an object that is created again begins with the same resource version.
	if b, ok := any(builder).(interface{ WithGlobalResourceVersionCounter() *fake.ClientBuilder }); ok {
		builder = b.WithGlobalResourceVersionCounter()
	}
	c.WithWatch = builder.Build()
	return c, nil
}

// A client enforces the rules of kinds, and leaves the others to the fake client that it embeds.
type client struct {
	crclient.WithWatch
	kinds    map[schema.GroupVersionKind]*kind
	types    []managedfields.TypeConverter
	warnings rest.WarningHandler

	// mu is held while an object is read or written, so that a write happens at once.
	mu     sync.Mutex
	stored map[key]*entry
	// showsManaged is set if the fake client returns managed fields.
	showsManaged bool
}

// A kind is a kind with what is made from it on demand.
type kind struct {
	Kind
	managers [2]*managedfields.FieldManager // of objects, and of their status
}

// report passes warnings on.
func (c *client) report(texts ...string) {
	if c.warnings == nil {
		return
	}
	for _, text := range texts {
		if text != "" {
			c.warnings.HandleWarningHeader(warningCode, "-", text)
		}
	}
}

// Unwrap returns the fake client, for fake.AddIndex.
func (c *client) Unwrap() crclient.WithWatch { return c.WithWatch }

// kindOf returns the kind of an object, nil if no rules are enforced for it.
func (c *client) kindOf(obj runtime.Object) (*kind, error) {
	gvk, err := c.GroupVersionKindFor(obj)
	if err != nil {
		if runtime.IsNotRegisteredError(err) {
			err = fmt.Errorf("%w; add it with AddToScheme of its package, and give the scheme to the builder "+
				"(WithScheme)", err)
		}
		return nil, err
	}
	return c.kinds[gvk], nil
}

func (c *client) Get(
	ctx context.Context, name crclient.ObjectKey, obj crclient.Object, opts ...crclient.GetOption,
) error {
	k, err := c.kindOf(obj)
	if err != nil {
		return err
	}
	if k == nil {
		return c.WithWatch.Get(ctx, name, obj, opts...)
	}
	c.report(k.Warning)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.WithWatch.Get(ctx, name, obj, opts...); apierrors.IsNotFound(err) {
		// The fake client guesses the name of the resource.
		return apierrors.NewNotFound(schema.GroupResource{Group: k.GVK.Group, Resource: k.Resource}, name.Name)
	} else if err != nil || isPartial(obj) {
		return err
	}
	return c.exact(k, obj)
}

func (c *client) List(ctx context.Context, list crclient.ObjectList, opts ...crclient.ListOption) error {
	gvk, err := c.GroupVersionKindFor(list)
	if err != nil {
		return c.WithWatch.List(ctx, list, opts...) // with the error of the fake client
	}
	gvk.Kind = strings.TrimSuffix(gvk.Kind, "List")
	k := c.kinds[gvk]
	if k == nil {
		return c.WithWatch.List(ctx, list, opts...)
	}
	c.report(k.Warning)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.WithWatch.List(ctx, list, opts...); err != nil {
		return err
	}
	if _, ok := list.(*metav1.PartialObjectMetadataList); ok {
		return nil
	}
	return meta.EachListItem(list, func(item runtime.Object) error {
		obj, ok := item.(crclient.Object)
		if !ok {
			return fmt.Errorf("%T is not an object", item)
		}
		return c.exact(k, obj)
	})
}

// call makes a call for an object: with its rules or, if none are enforced for its kind, with the fake client.
func (c *client) call(ctx context.Context, obj crclient.Object, unenforced func() error,
	enforced func(*request) error) error {
	k, err := c.kindOf(obj)
	switch {
	case err != nil:
		return err
	case k == nil:
		return unenforced()
	}
	return enforced(&request{client: c, ctx: ctx, kind: k, obj: obj, namespace: obj.GetNamespace(),
		name: obj.GetName()})
}

func (c *client) Create(ctx context.Context, obj crclient.Object, opts ...crclient.CreateOption) error {
	return c.call(ctx, obj, func() error { return c.WithWatch.Create(ctx, obj, opts...) }, func(r *request) error {
		options := (&crclient.CreateOptions{}).ApplyOptions(opts).AsCreateOptions()
		return r.do(func() (map[string]any, error) { return r.create(options) })
	})
}

func (c *client) Update(ctx context.Context, obj crclient.Object, opts ...crclient.UpdateOption) error {
	return c.call(ctx, obj, func() error { return c.WithWatch.Update(ctx, obj, opts...) }, func(r *request) error {
		options := (&crclient.UpdateOptions{}).ApplyOptions(opts).AsUpdateOptions()
		return r.do(func() (map[string]any, error) { return r.update(options) })
	})
}

func (c *client) Patch(
	ctx context.Context, obj crclient.Object, patch crclient.Patch, opts ...crclient.PatchOption,
) error {
	return c.call(ctx, obj, func() error { return c.WithWatch.Patch(ctx, obj, patch, opts...) },
		func(r *request) error {
			return r.doPatch(patch, (&crclient.PatchOptions{}).ApplyOptions(opts).AsPatchOptions())
		})
}

func (c *client) Delete(ctx context.Context, obj crclient.Object, opts ...crclient.DeleteOption) error {
	return c.call(ctx, obj, func() error { return c.WithWatch.Delete(ctx, obj, opts...) }, func(r *request) error {
		options := (&crclient.DeleteOptions{}).ApplyOptions(opts).AsDeleteOptions()
		r.obj = nil // an object that is deleted is not returned
		return r.do(func() (map[string]any, error) { return nil, r.delete(options) })
	})
}

func (c *client) DeleteAllOf(ctx context.Context, obj crclient.Object, opts ...crclient.DeleteAllOfOption) error {
	return c.call(ctx, obj, func() error { return c.WithWatch.DeleteAllOf(ctx, obj, opts...) },
		func(r *request) error {
			options := (&crclient.DeleteAllOfOptions{}).ApplyOptions(opts)
			r.obj, r.namespace = nil, options.Namespace
			return r.do(func() (map[string]any, error) { return nil, r.deleteAll(options) })
		})
}
