package fakeclient

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

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

func (s *statusClient) Update(
	ctx context.Context, obj crclient.Object, opts ...crclient.SubResourceUpdateOption,
) error {
	k, err := s.client.kindOf(obj)
	if err != nil {
		return err
	}
	if k == nil {
		return s.SubResourceClient.Update(ctx, obj, opts...)
	}
	options := &crclient.SubResourceUpdateOptions{}
	options.ApplyOptions(opts)
	raw := options.AsUpdateOptions()
	body := obj
	if options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	r := s.client.request(ctx, k, body, raw.DryRun, raw.FieldManager, raw.FieldValidation)
	r.status, r.namespace, r.name = true, obj.GetNamespace(), obj.GetName()
	return r.do(func() (map[string]any, error) { return r.update(raw) })
}

func (s *statusClient) Patch(ctx context.Context, obj crclient.Object, patch crclient.Patch,
	opts ...crclient.SubResourcePatchOption) error {
	k, err := s.client.kindOf(obj)
	if err != nil {
		return err
	}
	if k == nil {
		return s.SubResourceClient.Patch(ctx, obj, patch, opts...)
	}
	options := &crclient.SubResourcePatchOptions{}
	options.ApplyOptions(opts)
	raw := options.AsPatchOptions()
	body := obj
	if options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	data, err := patch.Data(body)
	if err != nil {
		return err
	}
	r := s.client.request(ctx, k, body, raw.DryRun, raw.FieldManager, raw.FieldValidation)
	r.status, r.namespace, r.name = true, obj.GetNamespace(), obj.GetName()
	return r.do(func() (map[string]any, error) { return r.patch(patch.Type(), data, raw) })
}

func (s *statusClient) Apply(ctx context.Context, obj runtime.ApplyConfiguration,
	opts ...crclient.SubResourceApplyOption) error {
	options := &crclient.SubResourceApplyOptions{}
	options.ApplyOpts(opts)
	body := obj
	if options.SubResourceBody != nil {
		body = options.SubResourceBody
	}
	r, data, err := s.client.applying(ctx, body)
	if err != nil {
		return err
	}
	if r == nil {
		return s.SubResourceClient.Apply(ctx, obj, opts...)
	}
	raw := options.AsPatchOptions()
	r.setOptions(raw.DryRun, raw.FieldManager, raw.FieldValidation)
	r.status = true
	if err := r.do(func() (map[string]any, error) { return r.patch(types.ApplyPatchType, data, raw) }); err != nil {
		return err
	}
	return fillApplied(obj, r.obj)
}

func (c *client) Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...crclient.ApplyOption) error {
	r, data, err := c.applying(ctx, obj)
	if err != nil {
		return err
	}
	if r == nil {
		return c.WithWatch.Apply(ctx, obj, opts...)
	}
	options := &crclient.ApplyOptions{}
	options.ApplyOptions(opts)
	raw := options.AsPatchOptions()
	r.setOptions(raw.DryRun, raw.FieldManager, raw.FieldValidation)
	if err := r.do(func() (map[string]any, error) { return r.patch(types.ApplyPatchType, data, raw) }); err != nil {
		return err
	}
	return fillApplied(obj, r.obj)
}

// applying is the request for an apply configuration, with its JSON. The request is nil if no rules are enforced for
// the kind.
func (c *client) applying(ctx context.Context, obj runtime.ApplyConfiguration) (*request, []byte, error) {
	data, err := json.Marshal(obj)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot encode the apply configuration: %w", err)
	}
	u := &unstructured.Unstructured{}
	if err := json.Unmarshal(data, &u.Object); err != nil {
		return nil, nil, fmt.Errorf("expected an apply configuration that is a JSON object: %w", err)
	}
	k := c.kinds[u.GroupVersionKind()]
	if k == nil {
		return nil, nil, nil
	}
	return c.request(ctx, k, u, nil, "", ""), data, nil
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
