package fakes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crdproof/crdproof/fakeclient"
	"github.com/crdproof/crdproof/fakeclient/crds"
	"github.com/crdproof/crdproof/objects/write"
)

// RunModel makes random calls of the fake client, and compares its answers to writes with those of objects/write. No
// server takes part. objects/write has no store: the object before a call is what the fake client has.
func RunModel(ctx context.Context, cfg Config) (*Report, error) {
	r := &Report{Calls: map[string]int{}, Answers: map[string]int{}}
	kinds, files, err := kindsOf(cfg)
	if err != nil {
		return r, err
	}
	ours := side{said: &warnings{}, versions: map[string]string{}}
	ours.Client, err = fakeclient.New(fake.NewClientBuilder().WithScheme(cfg.Scheme).WithReturnManagedFields(),
		crds.WithCRDs(files), fakeclient.WithWarningHandler(ours.said))
	if err != nil {
		return r, err
	}
	var models []*model
	for _, k := range kinds {
		m, err := newModel(ctx, k)
		if err != nil {
			return r, err
		}
		models = append(models, m)
	}
	random := rand.New(rand.NewPCG(cfg.Seed, 0))
	for number := range cfg.Calls {
		m := models[random.IntN(len(models))]
		c := &call{Rand: random, kind: m.kind, case_: m.kind.maker.Make(cfg.Seed, uint64(number)), keepsKind: true}
		c.choose()
		c.dryRun = nil // objects/write has none
		if err := m.compare(ctx, r, c, ours); err != nil {
			return r, fmt.Errorf("call %d, %s of %s: %w", number, c.verb, m.gvk.Kind, err)
		}
	}
	return r, nil
}

// A model answers calls for objects of a kind with objects/write.
type model struct {
	*kind
	resource *write.Resource
	// appliers merge what is applied into objects and into their status.
	appliers map[bool]*managedfields.FieldManager
}

func newModel(ctx context.Context, k *kind) (*model, error) {
	resource, err := write.New(ctx, k.crd)
	if err != nil {
		return nil, err
	}
	models, err := builder.BuildOpenAPIV3(k.crd, k.gvk.Version, builder.Options{})
	if err != nil {
		return nil, err
	}
	lists, err := managedfields.NewTypeConverter(models.Components.Schemas, k.crd.Spec.PreserveUnknownFields)
	if err != nil {
		return nil, err
	}
	m := &model{kind: k, resource: resource, appliers: map[bool]*managedfields.FieldManager{}}
	for _, status := range []bool{false, true} {
		subresource, foreign := "", fieldpath.NewSet()
		switch {
		case status:
			subresource = "status"
			foreign = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata"), fieldpath.MakePathOrDie("spec"))
		case k.hasStatus:
			foreign = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
		}
		filters := fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{
			fieldpath.APIVersion(k.gvk.GroupVersion().String()): foreign})
		if m.appliers[status], err = managedfields.NewDefaultCRDFieldManager(lists, oneVersion{}, oneVersion{},
			oneVersion{}, k.gvk, k.gvk.GroupVersion(), subresource, filters); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// oneVersion leaves objects as they are: they exist in one version, and objects/write sets the defaults.
type oneVersion struct{}

func (oneVersion) Default(runtime.Object) {}

func (oneVersion) Convert(_, _, _ any) error { return errors.New("objects are not converted") }

func (oneVersion) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}

func (oneVersion) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (oneVersion) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

// tries is how often objects/write is asked if it answers otherwise: both go through maps, and which error is found first
// is random.
const tries = 8

// compare makes a call, and compares the answer with that of objects/write.
func (m *model) compare(ctx context.Context, r *Report, c *call, ours side) error {
	obj, err := c.object(ours.Scheme(), c.on.fake)
	if err != nil {
		return err
	}
	live := &unstructured.Unstructured{}
	live.SetGroupVersionKind(m.gvk)
	if err := ours.Get(ctx, client.ObjectKeyFromObject(obj), live); err != nil {
		live = nil
	}
	ours.said.take()
	sent, _ := json.Marshal(c.on.fake)
	got := c.do(ctx, ours, obj, c.on.fake)
	want, isKnown, err := m.answer(ctx, c, live)
	for range tries {
		if err == nil && isKnown && differences(want, got.withoutVersion()) != "" {
			want, isKnown, err = m.answer(ctx, c, live)
		}
	}
	if err != nil {
		return err
	}
	if isKnown {
		r.Calls[c.verb]++
		r.Answers[want.reason()]++
		if len(want.warnings) > 0 {
			r.Warned++
		}
		if d := differences(want, got.withoutVersion()); d != "" {
			was, _ := json.Marshal(live)
			r.Findings = append(r.Findings, fmt.Sprintf("%s of %s, validation %q, owner %s, force %t: %s\n%s\nto %s\n%s",
				c.verb, m.gvk.Kind, c.validation, c.owner, c.force, sent, c.text, was, d))
		}
	}
	if got.err == nil && got.object != nil && c.verb != "list" {
		m.pairs = append(m.pairs[max(0, len(m.pairs)-24):], pair{got.object, got.object})
	}
	return nil
}

// withoutVersion is an answer without what objects/write does not know: whether managed fields change, and with them
// the resource version.
func (a answer) withoutVersion() answer {
	a.hasVersion, a.isNew = false, false
	return a
}

// answer returns what objects/write answers to a call. Nothing is known of calls that do not write, of patches that
// cannot be applied, of objects that do not exist, and of updates without a resource version, which get one there.
func (m *model) answer(ctx context.Context, c *call, live *unstructured.Unstructured) (a answer, isKnown bool, err error) {
	request := write.Request{Version: m.gvk.Version, Status: c.status, Validation: c.validation}
	if live != nil {
		request.Old = runtime.DeepCopyJSON(live.Object)
		(&unstructured.Unstructured{Object: request.Old}).SetManagedFields(nil)
	}
	isPatch := c.patch != nil
	switch {
	case c.verb == "create":
		request.Old = nil
		request.Object, err = json.Marshal(c.on.fake)
	case live == nil && c.as != types.ApplyPatchType || live == nil && c.status:
		return answer{}, false, nil
	case c.verb == "update", c.verb == "status update":
		request.Object, err = json.Marshal(c.on.fake)
	case c.as == types.ApplyPatchType:
		request.Validation = "Ignore" // the schema has all fields of what is merged
		request.Object, err = m.applied(c, live)
	case c.as == types.MergePatchType, c.as == types.JSONPatchType:
		request.Object, err = m.patched(c, request.Old)
	default:
		return answer{}, false, nil
	}
	if err != nil || request.Old != nil && !isAbout(request.Object, request.Old, isPatch) {
		return answer{}, false, nil
	}
	said, err := m.resource.Write(ctx, request)
	if err != nil {
		return answer{}, false, err
	}
	a = answer{object: said.Object, warnings: said.Warnings}
	switch {
	case said.Rejection != nil:
		a.err = said.Rejection
	case c.verb == "create" && live != nil:
		a = answer{err: m.exists(c, live), warnings: said.Warnings}
	}
	if isPatch {
		for i, text := range a.warnings {
			a.warnings[i] = strings.Replace(text, "duplicate entries;",
				"duplicate entries after mutating admission happens;", 1)
		}
	}
	// A patch is decoded otherwise than an object: the errors say so.
	return a, !isPatch || !apierrors.IsBadRequest(a.err), nil
}

// isAbout reports whether an object names the version of the stored one, without which a server rejects an update. The
// uid is a precondition of updates, but not of patches.
func isAbout(data []byte, stored map[string]any, isPatch bool) bool {
	u, old := unstructured.Unstructured{}, unstructured.Unstructured{Object: stored}
	return json.Unmarshal(data, &u.Object) == nil && u.GetResourceVersion() != "" &&
		(!isPatch || u.GetUID() == "" || u.GetUID() == old.GetUID())
}

// exists is the error for a new object that exists.
func (m *model) exists(c *call, live *unstructured.Unstructured) error {
	resource := schema.GroupResource{Group: m.gvk.Group, Resource: m.crd.Spec.Names.Plural}
	err := apierrors.NewAlreadyExists(resource, live.GetName())
	if sent := (unstructured.Unstructured{Object: c.on.fake}); sent.GetGenerateName() != "" {
		err = apierrors.NewGenerateNameConflict(resource, live.GetName(), 1)
	}
	if live.GetDeletionTimestamp() != nil {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// patched returns an object after a patch whose operations have no unknown fields.
func (m *model) patched(c *call, object map[string]any) ([]byte, error) {
	patch, err := c.patch(c.on.fake)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(object)
	switch {
	case err != nil:
		return nil, err
	case c.as == types.MergePatchType:
		return jsonpatch.MergePatch(before, patch)
	case bytes.Contains(patch, []byte(`"more":`)):
		return nil, errors.New("an operation has an unknown field")
	}
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, err
	}
	return operations.Apply(before)
}

// applied returns an object after an apply. A server does not read it again: it keeps nulls, and allows a new object to
// have a resource version.
func (m *model) applied(c *call, live *unstructured.Unstructured) ([]byte, error) {
	patch, err := c.patch(c.on.fake)
	if err != nil {
		return nil, err
	}
	applied := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(patch, &applied.Object); err != nil {
		return nil, err
	}
	if live == nil {
		live = &unstructured.Unstructured{Object: map[string]any{}}
		live.SetGroupVersionKind(m.gvk)
	}
	merged, err := m.appliers[c.status].Apply(live.DeepCopy(), applied, c.owner, c.force)
	if err != nil {
		return nil, err
	}
	u := merged.(*unstructured.Unstructured)
	u.SetManagedFields(nil)
	if live.GetUID() == "" {
		if u.GetUID() != "" {
			return nil, errors.New("there is no such object")
		}
		u.SetResourceVersion("")
	}
	data, err := json.Marshal(u.Object)
	if bytes.Contains(data, []byte("null")) {
		return nil, errors.New("the object has nulls")
	}
	return data, err
}
