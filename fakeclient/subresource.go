package fakeclient

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
)

func (c *client) Status() crclient.SubResourceWriter { return c.SubResource("status") }

func (c *client) SubResource(name string) crclient.SubResourceClient {
	inner := c.WithWatch.SubResource(name)
	if name != "status" {
		return inner
	}
	return &statusClient{SubResourceClient: inner, client: c}
}

// A statusClient writes the status of objects.
type statusClient struct {
	crclient.SubResourceClient
	client *client
}

// call makes a call for the status of an object. The caller may send another one (crclient.WithSubResourceBody).
func (s *statusClient) call(ctx context.Context, obj, body crclient.Object, unenforced func() error,
	enforced func(*request) error) error {
	return s.client.call(ctx, obj, unenforced, func(r *request) error {
		r.status = true
		if body != nil {
			r.obj = body
		}
		return enforced(r)
	})
}

func (s *statusClient) Update(
	ctx context.Context, obj crclient.Object, opts ...crclient.SubResourceUpdateOption,
) error {
	options := (&crclient.SubResourceUpdateOptions{}).ApplyOptions(opts)
	return s.call(ctx, obj, options.SubResourceBody,
		func() error { return s.SubResourceClient.Update(ctx, obj, opts...) }, func(r *request) error {
			return r.do(func() (map[string]any, error) { return r.update(options.AsUpdateOptions()) })
		})
}

func (s *statusClient) Patch(ctx context.Context, obj crclient.Object, patch crclient.Patch,
	opts ...crclient.SubResourcePatchOption) error {
	options := (&crclient.SubResourcePatchOptions{}).ApplyOptions(opts)
	return s.call(ctx, obj, options.SubResourceBody,
		func() error { return s.SubResourceClient.Patch(ctx, obj, patch, opts...) },
		func(r *request) error { return r.doPatch(patch, options.AsPatchOptions()) })
}

func (s *statusClient) Apply(ctx context.Context, obj runtime.ApplyConfiguration,
	opts ...crclient.SubResourceApplyOption) error {
	options := (&crclient.SubResourceApplyOptions{}).ApplyOpts(opts)
	body := obj
	if options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	return s.client.apply(ctx, obj, body, true, options.AsPatchOptions(),
		func() error { return s.SubResourceClient.Apply(ctx, obj, opts...) })
}

func (c *client) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...crclient.ApplyOption) error {
	options := (&crclient.ApplyOptions{}).ApplyOptions(opts)
	return c.apply(ctx, obj, obj, false, options.AsPatchOptions(),
		func() error { return c.WithWatch.Apply(ctx, obj, opts...) })
}

// apply applies a configuration, and writes the resulting object into another one.
func (c *client) apply(ctx context.Context, result, sent runtime.ApplyConfiguration, status bool,
	options *metav1.PatchOptions, unenforced func() error) error {
	data, err := json.Marshal(sent)
	if err != nil {
		return fmt.Errorf("cannot encode the apply configuration: %w", err)
	}
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(data, &u.Object); err != nil {
		return fmt.Errorf("expected an apply configuration that is a JSON object: %w", err)
	}
	k := c.kinds[u.GroupVersionKind()]
	if k == nil {
		return unenforced()
	}
	r := &request{client: c, ctx: ctx, kind: k, obj: u, namespace: u.GetNamespace(), name: u.GetName(), status: status}
	err = r.do(func() (map[string]any, error) { return r.patch(types.ApplyPatchType, data, options) })
	if err != nil {
		return err
	}
	return fillApplied(result, u)
}

// fillApplied writes the resulting object into an apply configuration.
func fillApplied(to runtime.ApplyConfiguration, from crclient.Object) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	if u, ok := to.(interface{ SetUnstructuredContent(map[string]any) }); ok {
		u.SetUnstructuredContent(nil)
	} else if v := reflect.ValueOf(to); v.Kind() == reflect.Pointer && !v.IsNil() {
		v.Elem().SetZero()
	}
	return json.Unmarshal(data, to)
}
