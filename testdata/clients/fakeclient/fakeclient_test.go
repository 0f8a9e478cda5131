package fakeclient_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	corev1 "k8s.io/api/core/v1"

	"github.com/crdproof/crdproof/fakeclient"
	v1 "github.com/crdproof/crdproof/testdata/clients/v1"
)

// warnings keeps the warnings of a client.
type warnings []string

func (w *warnings) HandleWarningHeader(_ int, _, text string) { *w = append(*w, text) }

func newScheme(t testing.TB) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	if err := errors.Join(v1.AddToScheme(s), clientgoscheme.AddToScheme(s)); err != nil {
		t.Fatal(err)
	}
	return s
}

func newClient(t testing.TB, options ...fakeclient.Option) client.WithWatch {
	t.Helper()
	c, err := fakeclient.New(fake.NewClientBuilder().WithScheme(newScheme(t)),
		append(options, fakeclient.WithKinds(v1.Kinds()))...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func garden(name string) *v1.Garden {
	return &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "a"}}
}

func wants(t *testing.T, err error, text string) {
	t.Helper()
	if got := ""; err == nil && text != "" || err != nil && !strings.Contains(err.Error(), text) || err != nil && text == "" {
		if err != nil {
			got = err.Error()
		}
		t.Errorf("got  %s\nwant %s", got, text)
	}
}

// TestCreate creates objects as a controller does.
func TestCreate(t *testing.T) {
	c := newClient(t)
	g := garden("g")
	g.Spec.Beds = []v1.Bed{{Name: "a"}}
	g.Status.Flowers = 3
	wants(t, c.Create(t.Context(), g), "")
	if g.Spec.Size == nil || *g.Spec.Size != 2 || g.Spec.Beds[0].Plant != "grass" {
		t.Errorf("there are no defaults: %v", g.Spec)
	}
	if g.Status.Flowers != 0 || g.Generation != 1 || g.UID == "" || g.CreationTimestamp.IsZero() || g.ResourceVersion == "" {
		t.Errorf("the status is kept, or the metadata are incomplete: %+v", g)
	}
	wants(t, c.Create(t.Context(), garden("g")), `gardens.example.com "g" already exists`)
	wrong := garden("h")
	wrong.Spec.Owner = "Me"
	err := c.Create(t.Context(), wrong)
	wants(t, err, `Garden.example.com "h" is invalid: spec.owner: Invalid value: "Me": spec.owner in body should match '^[a-z]*$'`)
	if causes := err.(apierrors.APIStatus).Status().Details.Causes; len(causes) != 1 || causes[0].Field != "spec.owner" {
		t.Errorf("%v", causes)
	}
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(wrong), wrong), "not found")
	wants(t, c.Create(t.Context(), &v1.Garden{ObjectMeta: metav1.ObjectMeta{Name: "x"}}), "an empty namespace may not be set during creation")
	wants(t, c.Create(t.Context(), garden("Not A DNS")), `metadata.name: Invalid value: "Not A DNS"`)
	generated := garden("")
	generated.GenerateName = "bed-"
	wants(t, c.Create(t.Context(), generated), "")
	if !strings.HasPrefix(generated.Name, "bed-") || len(generated.Name) != 9 {
		t.Errorf("name %q", generated.Name)
	}
	wants(t, c.Create(t.Context(), garden("dry"), client.DryRunAll), "")
	wants(t, c.Get(t.Context(), client.ObjectKey{Namespace: "a", Name: "dry"}, garden("")), "not found")
	// Other kinds are as before.
	wants(t, c.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "Not A DNS"}}), "")
}

// TestUnknownFields writes a field that the schema does not have.
func TestUnknownFields(t *testing.T) {
	var said warnings
	c := newClient(t, fakeclient.WithWarningHandler(&said))
	object := func(name string) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Garden",
			"metadata": map[string]any{"name": name, "namespace": "a"},
			"spec":     map[string]any{"length": int64(1), "owner": ""}}}
	}
	u := object("warn")
	wants(t, c.Create(t.Context(), u), "")
	want := map[string]any{"size": int64(2), "owner": ""}
	if got := u.Object["spec"]; !equal(got, want) || len(said) != 1 || said[0] != `unknown field "spec.length"` {
		t.Errorf("%v, %q", got, said)
	}
	// What a Go type does not have is stored all the same.
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(u), u), "")
	if got := u.Object["spec"]; !equal(got, want) {
		t.Errorf("%v", got)
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(v1.GroupVersion.WithKind("GardenList"))
	wants(t, c.List(t.Context(), list, client.InNamespace("a")), "")
	if len(list.Items) != 1 || !equal(list.Items[0].Object["spec"], want) {
		t.Errorf("%v", list)
	}
	wants(t, c.Create(t.Context(), object("strict"), client.FieldValidation("Strict")),
		`Garden in version "v1" cannot be handled as a Garden: strict decoding error: unknown field "spec.length"`)
	wants(t, client.WithFieldValidation(c, "Strict").Create(t.Context(), object("strict")), `strict decoding error`)
	said = nil
	wants(t, c.Create(t.Context(), object("ignore"), client.FieldValidation("Ignore")), "")
	if len(said) > 0 {
		t.Errorf("%q", said)
	}
}

func equal(a, b any) bool {
	left, _ := json.Marshal(a)
	right, _ := json.Marshal(b)
	return string(left) == string(right)
}

// TestUpdate changes objects and their status.
func TestUpdate(t *testing.T) {
	var said warnings
	c := newClient(t, fakeclient.WithWarningHandler(&said))
	g := garden("g")
	g.Spec.Soil = "clay"
	wants(t, c.Create(t.Context(), g), "")
	stale := g.DeepCopy()
	version := g.ResourceVersion
	wants(t, c.Update(t.Context(), g), "")
	if g.ResourceVersion != version {
		t.Error("an update that changes nothing changes the resource version")
	}
	g.Spec.Soil = "sand"
	wants(t, c.Update(t.Context(), g), `spec.soil: Invalid value: "sand": the soil cannot be changed`)
	g.Spec.Soil, g.Spec.Owner, g.Status.Flowers = "clay", "me", 7
	wants(t, c.Update(t.Context(), g), "")
	if g.Generation != 2 || g.Status.Flowers != 0 || g.ResourceVersion == version {
		t.Errorf("%+v", g)
	}
	wants(t, c.Update(t.Context(), stale), `Operation cannot be fulfilled on gardens.example.com "g": the object has been modified`)
	g.Status.Flowers, g.Spec.Owner = 7, "you"
	wants(t, c.Status().Update(t.Context(), g), "")
	if g.Status.Flowers != 7 || g.Spec.Owner != "me" || g.Generation != 2 {
		t.Errorf("%+v", g)
	}
	g.Status.Flowers = -1
	wants(t, c.Status().Update(t.Context(), g), "status.flowers")
	wants(t, c.Status().Patch(t.Context(), g, client.RawPatch(types.MergePatchType, []byte(`{"status":{"flowers":8},"spec":null}`))), "")
	if g.Status.Flowers != 8 || g.Spec.Owner != "me" {
		t.Errorf("%+v", g)
	}
	g.UID = "other"
	wants(t, c.Update(t.Context(), g), "Precondition failed: UID in precondition: other")
	wants(t, c.Update(t.Context(), garden("none")), `gardens.example.com "none" not found`)
	g = garden("g")
	wants(t, c.Update(t.Context(), g), "metadata.resourceVersion: Invalid value: 0: must be specified for an update")
	r := &v1.Region{ObjectMeta: metav1.ObjectMeta{Name: "r"}, Climate: "dry", Status: "old"}
	wants(t, c.Create(t.Context(), r), "")
	r.Status = "new"
	wants(t, c.Status().Update(t.Context(), r), `regions.example.com "r" not found`)
	wants(t, c.Update(t.Context(), r), "")
	if r.Status != "new" {
		t.Errorf("a status without a subresource is not kept: %v", r)
	}
}

// TestPatch patches objects in each way.
func TestPatch(t *testing.T) {
	c := newClient(t)
	g := garden("g")
	wants(t, c.Create(t.Context(), g), "")
	before := g.DeepCopy()
	g.Spec.Beds = []v1.Bed{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	wants(t, c.Patch(t.Context(), g.DeepCopy(), client.MergeFrom(before)), "there is no room for the beds")
	g.Spec.Beds = g.Spec.Beds[:2]
	wants(t, c.Patch(t.Context(), g, client.MergeFrom(before)), "")
	if g.Spec.Beds[1].Plant != "grass" || g.Generation != 2 {
		t.Errorf("%+v", g)
	}
	wants(t, c.Patch(t.Context(), g, client.RawPatch(types.JSONPatchType, []byte(`[{"op":"add","path":"/spec/beds/-","value":{"name":"b"}}]`))),
		`spec.beds[2]: Duplicate value: {"name":"b"}`)
	wants(t, c.Patch(t.Context(), g, client.RawPatch(types.JSONPatchType, []byte(`[{"op":"test","path":"/spec/size","value":9}]`))),
		"the server rejected our request due to an error in our request")
	wants(t, c.Patch(t.Context(), g, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"length":1}}`)), client.FieldValidation("Strict")),
		`strict decoding error: unknown field "spec.length"`)
	wants(t, c.Patch(t.Context(), g, client.StrategicMergeFrom(before)), "the body of the request was in an unknown format")
	wants(t, c.Patch(t.Context(), garden("none"), client.RawPatch(types.MergePatchType, []byte(`{}`))), "not found")
	optimistic := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	wants(t, c.Patch(t.Context(), g.DeepCopy(), optimistic), "the object has been modified")
}

// TestApply applies objects of two managers.
func TestApply(t *testing.T) {
	c := newClient(t)
	apply := func(owner, spec string, opts ...client.ApplyOption) error {
		u := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(`{"apiVersion":"example.com/v1","kind":"Garden","metadata":{"name":"g","namespace":"a"},"spec":`+spec+`}`), u); err != nil {
			t.Fatal(err)
		}
		return c.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(u), append(opts, client.FieldOwner(owner))...)
	}
	wants(t, apply("me", `{"owner":"me","size":4}`), "")
	wants(t, apply("you", `{"size":5}`), `Apply failed with 1 conflict: conflict with "me": .spec.size`)
	wants(t, apply("you", `{"size":-5}`, client.ForceOwnership), "spec.size: Invalid value: -5")
	wants(t, apply("you", `{"size":5}`, client.ForceOwnership), "")
	wants(t, apply("me", `{}`), "")
	g := garden("g")
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(g), g), "")
	if g.Spec.Owner != "" || *g.Spec.Size != 5 || g.Generation != 3 {
		t.Errorf("%+v", g)
	}
	wants(t, apply("you", `{"length":5}`), "field not declared in schema")
	wants(t, apply("", `{}`), "fieldManager: Required value: is required for apply patch")
	// An update takes fields over.
	g.Spec.Size = new(int32)
	wants(t, c.Update(t.Context(), g, client.FieldOwner("they")), "")
	wants(t, apply("you", `{"size":5}`), `conflict with "they"`)
}

// TestDelete deletes objects with and without finalizers.
func TestDelete(t *testing.T) {
	c := newClient(t)
	g := garden("g")
	g.Finalizers = []string{"example.com/wait"}
	wants(t, c.Create(t.Context(), g), "")
	wants(t, c.Delete(t.Context(), g, client.Preconditions{UID: new(types.UID)}), "does not match the UID in record")
	wants(t, c.Delete(t.Context(), g), "")
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(g), g), "")
	if g.DeletionTimestamp == nil || g.Generation != 2 || g.DeletionGracePeriodSeconds == nil {
		t.Errorf("%+v", g)
	}
	g.Finalizers = append(g.Finalizers, "example.com/more")
	wants(t, c.Update(t.Context(), g), "no new finalizers can be added if the object is being deleted")
	g.Finalizers = nil
	wants(t, c.Update(t.Context(), g), "")
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(g), g), "not found")
	wants(t, c.Delete(t.Context(), garden("g")), "not found")
	for _, name := range []string{"x", "y"} {
		g := garden(name)
		g.Labels = map[string]string{"name": name}
		wants(t, c.Create(t.Context(), g), "")
	}
	wants(t, c.DeleteAllOf(t.Context(), &v1.Garden{}), "the server could not find the requested resource")
	wants(t, c.DeleteAllOf(t.Context(), &v1.Garden{}, client.InNamespace("a"), client.MatchingLabels{"name": "x"}), "")
	var list v1.GardenList
	wants(t, c.List(t.Context(), &list), "")
	if n := meta.LenList(&list); n != 1 || list.Items[0].Name != "y" {
		t.Errorf("%d objects", n)
	}
}

// TestMistakes makes the mistakes of somebody who uses the client for the first time.
func TestMistakes(t *testing.T) {
	_, err := fakeclient.New(fake.NewClientBuilder())
	wants(t, err, "nothing to enforce: name kinds with fakeclient.WithKinds(v1.Kinds()) or crds.WithCRDs(...)")
	_, err = fakeclient.New(fake.NewClientBuilder(), fakeclient.WithKinds(v1.Kinds()[:0]))
	wants(t, err, "no kinds to enforce")
	_, err = fakeclient.New(fake.NewClientBuilder(), fakeclient.WithKinds(v1.Kinds()), fakeclient.WithKinds(v1.Kinds()))
	wants(t, err, "the rules of example.com/v1, kind Garden, are given twice")
	c, err := fakeclient.New(fake.NewClientBuilder().WithScheme(runtime.NewScheme()), fakeclient.WithKinds(v1.Kinds()))
	wants(t, err, "")
	wants(t, c.Create(t.Context(), garden("g")), "add it with AddToScheme of its package")
}

// TestInitial reads objects that are there from the start, with defaults and without an error.
func TestInitial(t *testing.T) {
	g := garden("g")
	g.Spec.Owner, g.Status.Flowers = "Me", 3
	c, err := fakeclient.New(fake.NewClientBuilder().WithScheme(newScheme(t)).WithObjects(g),
		fakeclient.WithKinds(v1.Kinds()))
	wants(t, err, "")
	wants(t, c.Get(t.Context(), client.ObjectKeyFromObject(g), g), "")
	if *g.Spec.Size != 2 || g.Status.Flowers != 3 {
		t.Errorf("%+v", g)
	}
	// What is invalid already may stay so.
	g.Spec.Size = new(int32)
	wants(t, c.Update(t.Context(), g), "")
	g.Spec.Owner = "You"
	wants(t, c.Update(t.Context(), g), "spec.owner")
}
