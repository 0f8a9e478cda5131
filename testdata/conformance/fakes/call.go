package fakes

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdproof/crdproof/testdata/conformance/objects"
)

// A call is one call of both clients.
type call struct {
	*rand.Rand
	kind    *kind
	case_   objects.Case
	isTyped bool
	// keepsKind says that patches do not change the kind.
	keepsKind bool
	verb      string
	// on is what the call is about, as each side has it.
	on pair
	// patch is the body of a patch, for both sides.
	as     types.PatchType
	patch  func(on map[string]any) ([]byte, error)
	status bool
	force  bool
	// owner and validation are options.
	owner, validation string
	uid, locks        bool
	// dryRun stores nothing.
	dryRun []string
	// everywhere lists the objects of all namespaces.
	everywhere bool
	text       string
}

// names are few, so that objects meet. Those of an earlier round differ after a finding.
func (k *kind) names() []string { return []string{fmt.Sprint("a", k.round), fmt.Sprint("b", k.round)} }

// generated is how generated names begin.
const generated = "generated-"

func (k *kind) generated() string { return fmt.Sprint(generated, k.round, "-") }

// hasName reports whether a name is one of the round.
func (k *kind) hasName(name string) bool {
	return slices.Contains(k.names(), name) || strings.HasPrefix(name, k.generated())
}

// choose chooses what to do.
func (c *call) choose() {
	c.owner = []string{"one", "two"}[c.IntN(2)]
	c.validation = []string{"", "", "", "Warn", "Ignore", "Strict"}[c.IntN(6)]
	c.verb = []string{"create", "create", "update", "update", "update", "status update", "status update", "merge patch",
		"merge patch", "JSON patch", "status patch", "apply", "apply", "status apply", "delete", "delete all", "get",
		"strategic patch", "list"}[c.IntN(19)]
	if c.IntN(8) == 0 {
		c.dryRun = []string{metav1.DryRunAll}
	}
	c.everywhere = c.IntN(3) == 0
	c.status = len(c.verb) > 6 && c.verb[:6] == "status"
	if c.status && !c.kind.hasStatus && c.IntN(10) > 0 {
		c.verb, c.status = "update", false
	}
	if len(c.kind.pairs) > 0 {
		// The newest are most often those that are stored.
		last := len(c.kind.pairs) - 1
		c.on = c.kind.pairs[max(0, last-min(c.IntN(6), c.IntN(12)))]
	}
	made := c.case_.Object
	switch {
	case c.on.real == nil || c.verb == "create":
		fresh := c.identify(made)
		c.on = pair{fresh, runtime.DeepCopyJSON(fresh)}
	case c.verb == "update", c.verb == "status update":
		c.on = pair{c.with(c.on.real, made), c.with(c.on.fake, made)}
		c.odd(c.on.real, c.on.fake)
	}
	c.uid, c.locks = c.IntN(4) == 0, c.IntN(6) == 0
	c.force = c.IntN(2) == 0
	c.choosePatch(made)
}

// identify gives an object a name, a namespace, and perhaps odd metadata.
func (c *call) identify(object map[string]any) map[string]any {
	out := runtime.DeepCopyJSON(object)
	fields := map[string]any{"name": c.kind.names()[c.IntN(2)]}
	if c.kind.namespaced {
		fields["namespace"] = "default"
	}
	out["apiVersion"], out["kind"] = c.kind.gvk.GroupVersion().String(), c.kind.gvk.Kind
	out["metadata"] = fields
	c.odd(out)
	if c.verb == "create" && c.IntN(8) == 0 {
		fields["generateName"] = c.kind.generated()
		if c.IntN(4) > 0 {
			delete(fields, "name")
		}
	}
	return out
}

// odd changes the metadata of objects in the same way.
func (c *call) odd(objects ...map[string]any) {
	set := func(name string, value any) {
		for _, o := range objects {
			if fields, ok := o["metadata"].(map[string]any); ok {
				fields[name] = runtime.DeepCopyJSONValue(value)
			}
		}
	}
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
	switch c.IntN(24) {
	case 0:
		set("labels", map[string]any{"a": "b"})
	case 1:
		set("labels", map[string]any{"-": "a b"})
	case 2, 3:
		set("finalizers", []any{"example.com/wait"})
	case 4:
		set("finalizers", []any{"wait", "a.b", "a/b/c"})
	case 5, 6, 7:
		set("finalizers", nil)
	case 8:
		set("ownerReferences", []any{owner, owner})
	case 9:
		set("name", "Not A DNS")
	case 10:
		set("resourceVersion", "987654321")
	case 11:
		set("resourceVersion", "")
	case 12:
		set("uid", "other")
	case 13:
		set("generation", int64(9))
	case 14:
		set("deletionTimestamp", "2020-01-01T00:00:00Z")
	case 15:
		set("creationTimestamp", "2020-01-01T00:00:00Z")
	case 16:
		set("unknown", "x")
	}
}

// with is an object with the content of another one.
func (c *call) with(object, content map[string]any) map[string]any {
	out := runtime.DeepCopyJSON(content)
	out["apiVersion"], out["kind"] = object["apiVersion"], object["kind"]
	out["metadata"] = runtime.DeepCopyJSONValue(object["metadata"])
	return out
}

// choosePatch makes the body of a patch.
func (c *call) choosePatch(made map[string]any) {
	encoded := func(v any) func(map[string]any) ([]byte, error) {
		return func(map[string]any) ([]byte, error) { return json.Marshal(v) }
	}
	content := maps.Clone(made)
	delete(content, "metadata")
	if c.keepsKind {
		content["apiVersion"], content["kind"] = c.kind.gvk.GroupVersion().String(), c.kind.gvk.Kind
	}
	switch c.verb {
	case "merge patch", "status patch":
		c.as = types.MergePatchType
		switch c.IntN(4) {
		case 0:
			c.patch = encoded(content)
		case 1:
			body := map[string]any{}
			for _, name := range []string{"spec", "status"} {
				if v, ok := content[name]; ok {
					body[name] = v
				}
			}
			fields := map[string]any{"metadata": map[string]any{"name": "a"}}
			c.odd(fields)
			delete(fields["metadata"].(map[string]any), "name")
			body["metadata"] = fields["metadata"]
			c.patch = encoded(body)
		default:
			c.patch = func(on map[string]any) ([]byte, error) {
				before, err := json.Marshal(on)
				if err != nil {
					return nil, err
				}
				after, err := json.Marshal(c.with(on, made))
				if err != nil {
					return nil, err
				}
				return jsonpatch.CreateMergePatch(before, after)
			}
		}
	case "JSON patch":
		c.as = types.JSONPatchType
		spec := content["spec"]
		operations := [][]map[string]any{
			{{"op": "add", "path": "/spec", "value": spec}}, {{"op": "replace", "path": "/status", "value": content["status"]}},
			{{"op": "remove", "path": "/spec"}}, {{"op": "test", "path": "/kind", "value": "x"}},
			{{"op": "add", "path": "/metadata/labels", "value": map[string]any{"a": "c"}}},
			{{"op": "add", "path": "/spec/unknown", "value": 1, "more": 2}}, {{"op": "add", "path": "/spec/a/b/c", "value": 1}},
			{{"op": "remove", "path": "/metadata/finalizers"}}, {{"op": "replace", "path": "/metadata/name", "value": "z"}},
		}
		c.patch = encoded(operations[c.IntN(len(operations))])
	case "apply", "status apply":
		c.as = types.ApplyPatchType
		applied := c.identify(made)
		if !c.status {
			delete(applied, "status")
		}
		// Nobody applies nulls or what a server sets. A server notes who has, and counts that as a change: of a null that
		// it has dropped with the next write.
		dropNulls(applied)
		for _, name := range []string{"creationTimestamp", "deletionTimestamp", "generation"} {
			delete(applied["metadata"].(map[string]any), name)
		}
		c.on = pair{applied, runtime.DeepCopyJSON(applied)}
		c.patch = encoded(applied)
	case "strategic patch":
		c.as = types.StrategicMergePatchType
		c.patch = encoded(map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": "d"}}})
	}
}

// dropNulls drops all nulls but those in lists.
func dropNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(_ string, v any) bool { return v == nil })
		for _, v := range value {
			dropNulls(v)
		}
	case []any:
		for _, v := range value {
			dropNulls(v)
		}
	}
}

// object is the Go value for an object of a side.
func (c *call) object(s *runtime.Scheme, content map[string]any) (client.Object, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	if c.isTyped {
		typed, err := s.New(c.kind.gvk)
		if err != nil {
			return nil, err
		}
		obj, ok := typed.(client.Object)
		if ok && json.Unmarshal(data, obj) == nil {
			obj.GetObjectKind().SetGroupVersionKind(c.kind.gvk)
			return obj, nil
		}
		c.isTyped = false // the Go type cannot have it
	}
	u := &unstructured.Unstructured{}
	err = utiljson.Unmarshal(data, &u.Object)
	return u, err
}

// make makes the call on both sides, and compares.
func (c *call) make(ctx context.Context, r *Report, real, ours side) error {
	theirs, err := c.object(real.Scheme(), c.on.real)
	if err != nil {
		return err
	}
	obj, err := c.object(real.Scheme(), c.on.fake)
	if err != nil {
		return err
	}
	if reflect.TypeOf(theirs) != reflect.TypeOf(obj) {
		return fmt.Errorf("the sides have different types: %T and %T", theirs, obj)
	}
	sent, _ := json.Marshal(c.on.real)
	want, got := c.do(ctx, real, theirs, c.on.real), c.do(ctx, ours, obj, c.on.fake)
	if got.err != nil && strings.Contains(got.err.Error(), "the object does not fit into *") {
		// Typed clients could not read it either.
		r.Unreadable++
		c.kind.pairs, c.kind.said = nil, nil
		c.kind.round++
		return nil
	}
	r.Calls[c.verb]++
	if c.isTyped {
		r.Typed++
	}
	r.Answers[want.reason()]++
	if len(want.warnings) > 0 {
		r.Warned++
	}
	said := fmt.Sprintf("%s of %s, typed %t, dry run %q, validation %q, owner %s, force %t: %s\n%s", c.verb, c.kind.gvk.Kind,
		c.isTyped, c.dryRun, c.validation, c.owner, c.force, sent, c.text)
	c.kind.said = append(c.kind.said[max(0, len(c.kind.said)-5):], said+"\n  "+strings.Join(want.render(), "\n  "))
	if d := differences(want, got); d != "" {
		r.Findings = append(r.Findings, strings.Join(c.kind.said, "\n")+"\n"+d)
		// Both begin anew with other names: a difference leads to others.
		c.kind.pairs, c.kind.said = nil, nil
		c.kind.round++
		return nil
	}
	if want.err == nil && want.object != nil && c.verb != "list" && c.dryRun == nil {
		c.kind.pairs = append(c.kind.pairs, pair{want.object, got.object})
		if len(c.kind.pairs) > 24 {
			c.kind.pairs = c.kind.pairs[12:]
		}
	}
	return nil
}

// do makes the call on one side.
func (c *call) do(ctx context.Context, s side, obj client.Object, on map[string]any) answer {
	options := callOptions{FieldValidation: client.FieldValidation(c.validation), FieldOwner: client.FieldOwner(c.owner),
		dryRun: c.dryRun != nil}
	var err error
	switch c.verb {
	case "create":
		err = s.Create(ctx, obj, options)
	case "update":
		err = s.Update(ctx, obj, options)
	case "status update":
		err = s.Status().Update(ctx, obj, options)
	case "get":
		err = s.Get(ctx, client.ObjectKeyFromObject(obj), obj)
	case "list":
		a := c.list(ctx, s)
		a.warnings = s.said.take()
		return a
	case "delete":
		single := &client.DeleteOptions{DryRun: c.dryRun}
		if uid := obj.GetUID(); c.uid {
			client.Preconditions{UID: &uid}.ApplyToDelete(single)
		}
		if version := obj.GetResourceVersion(); c.locks {
			single.Preconditions = &metav1.Preconditions{ResourceVersion: &version}
		}
		err = s.Delete(ctx, obj, single)
	case "delete all":
		all := &client.DeleteAllOfOptions{DeleteOptions: client.DeleteOptions{DryRun: c.dryRun}}
		if !c.everywhere {
			client.MatchingLabels{"a": "b"}.ApplyToDeleteAllOf(all)
		}
		if c.kind.namespaced && !c.locks {
			all.Namespace = "default"
		}
		err = s.DeleteAllOf(ctx, obj, all)
	default:
		data, e := c.patch(on)
		if e != nil {
			return answer{err: e}
		}
		c.text = string(data)
		err = c.send(ctx, s, obj, data, options)
	}
	a := answer{err: err, warnings: s.said.take()}
	if err == nil && c.verb != "delete" && c.verb != "delete all" {
		a.read(obj)
		if c.isTyped { // clients differ in whether they keep the kind
			a.object["apiVersion"], a.object["kind"] = c.kind.gvk.GroupVersion().String(), c.kind.gvk.Kind
		}
		at := c.kind.gvk.String() + " " + obj.GetName()
		a.hasVersion, a.isNew = obj.GetResourceVersion() != "", s.versions[at] != obj.GetResourceVersion()
		if c.dryRun == nil || c.verb == "get" {
			s.versions[at] = obj.GetResourceVersion()
		}
	}
	return a
}

// list lists what is stored.
func (c *call) list(ctx context.Context, s side) (a answer) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(c.kind.gvk.GroupVersion().WithKind(c.kind.gvk.Kind + "List"))
	options := &client.ListOptions{}
	if c.kind.namespaced && !c.everywhere {
		options.Namespace = "default"
	}
	if c.locks {
		client.MatchingLabels{"a": "b"}.ApplyToList(options)
	}
	if a.err = s.List(ctx, list, options); a.err != nil {
		return a
	}
	a.object = map[string]any{"apiVersion": list.GetAPIVersion(), "kind": list.GetKind()}
	var items []string
	for i := range list.Items {
		if item := &list.Items[i]; c.kind.hasName(item.GetName()) {
			one := answer{object: item.Object}
			items = append(items, one.text())
		}
	}
	slices.Sort(items) // generated names differ
	a.object["items"] = items
	return a
}

// callOptions are those of all writes.
type callOptions struct {
	client.FieldValidation
	client.FieldOwner
	dryRun bool
}

func (o callOptions) ApplyToCreate(to *client.CreateOptions) {
	o.FieldValidation.ApplyToCreate(to)
	o.FieldOwner.ApplyToCreate(to)
	if o.dryRun {
		client.DryRunAll.ApplyToCreate(to)
	}
}

func (o callOptions) ApplyToUpdate(to *client.UpdateOptions) {
	o.FieldValidation.ApplyToUpdate(to)
	o.FieldOwner.ApplyToUpdate(to)
	if o.dryRun {
		client.DryRunAll.ApplyToUpdate(to)
	}
}

func (o callOptions) ApplyToPatch(to *client.PatchOptions) {
	o.FieldValidation.ApplyToPatch(to)
	o.FieldOwner.ApplyToPatch(to)
	if o.dryRun {
		client.DryRunAll.ApplyToPatch(to)
	}
}

func (o callOptions) ApplyToSubResourceUpdate(to *client.SubResourceUpdateOptions) {
	o.ApplyToUpdate(&to.UpdateOptions)
}

func (o callOptions) ApplyToSubResourcePatch(to *client.SubResourcePatchOptions) {
	o.ApplyToPatch(&to.PatchOptions)
}

// send sends a patch.
func (c *call) send(ctx context.Context, s side, obj client.Object, data []byte, options callOptions) error {
	patch, force := client.RawPatch(c.as, data), c.as == types.ApplyPatchType && c.force
	if c.status {
		all := []client.SubResourcePatchOption{options}
		if force {
			all = append(all, client.ForceOwnership)
		}
		return s.Status().Patch(ctx, obj, patch, all...)
	}
	all := []client.PatchOption{options}
	if force {
		all = append(all, client.ForceOwnership)
	}
	return s.Patch(ctx, obj, patch, all...)
}
