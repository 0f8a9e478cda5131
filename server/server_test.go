package server

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const quickstart = "../testdata/quickstart"

// widgets returns a CRD with a default, a rule, a list that server-side apply merges, and the subresource status.
const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        description: Widget is a thing in a shop.
        type: object
        properties:
          spec:
            description: What is wanted.
            type: object
            x-kubernetes-validations:
            - rule: self.size <= 10
              message: a widget is at most 10 large
            properties:
              size: {description: Its size in inches., type: integer, default: 3}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    color: {type: string}
          status:
            type: object
            properties:
              ready: {type: boolean}
`

// write writes a file into a new directory, and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

var widgetResource = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

func widgetClient(t *testing.T, config *rest.Config) dynamic.ResourceInterface {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client.Resource(widgetResource).Namespace("default")
}

func newWidget(name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": name}, "spec": spec,
	}}
}

// TestStart is the life of a custom resource: it is defaulted, validated, merged, watched and deleted.
func TestStart(t *testing.T) {
	client := widgetClient(t, Start(t, write(t, "widgets.yaml", widgets)))
	ctx := t.Context()
	events, err := client.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()

	made, err := client.Create(ctx, newWidget("a", map[string]any{}), metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if size, _, _ := unstructured.NestedInt64(made.Object, "spec", "size"); size != 3 {
		t.Errorf("spec.size is %d, want its default 3", size)
	}
	_, err = client.Create(ctx, newWidget("b", map[string]any{"size": int64(11)}), metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "a widget is at most 10 large") {
		t.Errorf("got %v, want the message of the rule", err)
	}

	for manager, color := range map[string]string{"blue": "blue", "red": "red"} {
		part := newWidget("a", map[string]any{"parts": []any{map[string]any{"name": manager, "color": color}}})
		if made, err = client.Apply(ctx, "a", part, metav1.ApplyOptions{FieldManager: manager}); err != nil {
			t.Fatal(err)
		}
	}
	if parts, _, _ := unstructured.NestedSlice(made.Object, "spec", "parts"); len(parts) != 2 {
		t.Errorf("the parts of two managers are %v", parts)
	}

	made.Object["status"] = map[string]any{"ready": true}
	if made, err = client.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if made.Object["status"] != nil {
		t.Error("an update of the object changed the status")
	}
	if _, err = client.Patch(ctx, "a", types.MergePatchType, []byte(`{"status":{"ready":true}}`), metav1.PatchOptions{},
		"status"); err != nil {
		t.Fatal(err)
	}
	if err := client.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for event := range events.ResultChan() {
		seen = append(seen, string(event.Type))
		if event.Type == "DELETED" {
			break
		}
	}
	if got := strings.Join(seen, " "); got != "ADDED MODIFIED MODIFIED MODIFIED DELETED" {
		t.Errorf("the events are %s", got)
	}
}

// TestArguments serves the CRDs of all kinds of arguments.
func TestArguments(t *testing.T) {
	dir := filepath.Dir(write(t, "widgets.yaml", widgets))
	for name, args := range map[string][]string{
		"file":        {filepath.Join(dir, "widgets.yaml")},
		"directory":   {dir},
		"tree":        {dir + "/..."},
		"Go":          {quickstart + "/v1"},
		"import path": {"github.com/crdproof/crdproof/testdata/guide/findings/size"},
		"both":        {dir, quickstart + "/v1/..."},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := find(t.Context(), Options{CRDs: args})
			if err != nil {
				t.Fatal(err)
			}
			if want := len(args); len(list) != want {
				t.Errorf("%d CRDs, want %d", len(list), want)
			}
		})
	}
}

// TestFindings shows the errors for CRDs that cannot be served.
func TestFindings(t *testing.T) {
	for name, test := range map[string]struct {
		arg  string
		want []string
	}{
		"no file": {"config/crd/base", []string{"error: config/crd/base does not exist"}},
		"no CRD": {write(t, "cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"),
			[]string{"error: no CustomResourceDefinition found"}},
		"rejected": {write(t, "widgets.yaml", strings.Replace(widgets, "self.size <= 10", "self.syze <= 10", 1)),
			[]string{"widgets.yaml:25:26", `undefined field "syze"`, `did you mean "size"`}},
		"kind of a CRD": {write(t, "w.yaml", strings.ReplaceAll(widgets, "widgets.example.com", "gadgets.example.com")),
			[]string{"w.yaml:", "widgets.example.com"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(t.Context(), Options{CRDs: []string{test.arg}})
			var found *Findings
			if !errors.As(err, &found) {
				t.Fatalf("got %v, want findings", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in:\n%v", want, err)
				}
			}
		})
	}
}

// TestLoad replaces a CRD whose file has changed, and keeps the objects.
func TestLoad(t *testing.T) {
	file := write(t, "widgets.yaml", widgets)
	s, err := New(t.Context(), Options{CRDs: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	}()
	client := widgetClient(t, s.Config())
	if _, err := client.Create(t.Context(), newWidget("a", nil), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(widgets, "default: 3", "default: 4", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		made, err := client.Create(t.Context(), newWidget("b", map[string]any{}), metav1.CreateOptions{
			DryRun: []string{metav1.DryRunAll},
		})
		if err != nil {
			t.Fatal(err)
		}
		if size, _, _ := unstructured.NestedInt64(made.Object, "spec", "size"); size == 4 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the new default is not in effect")
		}
	}
	if _, err := client.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
}

// TestStop leaves nothing behind: no directory, and nothing listens.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := New(ctx, Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); err != nil {
		t.Error(err)
	}
	cancel()
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.dir); !os.IsNotExist(err) {
		t.Errorf("%s is not removed: %v", s.dir, err)
	}
	if _, err := client.Discovery().ServerVersion(); err == nil {
		t.Error("the server answers after it has stopped")
	}
}

// TestLeft removes what a server has left behind that was killed, and nothing that one uses.
func TestLeft(t *testing.T) {
	Start(t)
	left, err := newDirectory()
	if err != nil {
		t.Fatal(err)
	}
	if err := left.lock.Close(); err != nil { // as the end of a process does
		t.Fatal(err)
	}
	used, err := newDirectory()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left.path); !os.IsNotExist(err) {
		t.Errorf("%s remains: %v", left.path, err)
	}
	removeLeft(filepath.Dir(used.path))
	if _, err := os.Stat(used.path); err != nil {
		t.Error(err)
	}
	if err := used.remove(); err != nil {
		t.Error(err)
	}
}

// TestKubeconfig writes a file that other programs can use, and that does not replace theirs.
func TestKubeconfig(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	for range 2 { // the second server replaces the file of one that was killed
		s, err := New(t.Context(), Options{Kubeconfig: path})
		if err != nil {
			t.Fatal(err)
		}
		config, err := clientcmd.BuildConfigFromFlags("", s.Kubeconfig())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := clientOf(t, config).Discovery().ServerVersion(); err != nil {
			t.Error(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("the kubeconfig remains: %v", err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := write(t, "config", "apiVersion: v1\nkind: Config\n")
	if _, err := New(t.Context(), Options{Kubeconfig: other}); err == nil ||
		!strings.Contains(err.Error(), "exists, and was not written by this program") {
		t.Errorf("got %v", err)
	}
}

// TestAddress listens only where others cannot reach the server, and needs its token.
func TestAddress(t *testing.T) {
	if _, err := New(t.Context(), Options{Address: "0.0.0.0:0"}); err == nil ||
		!strings.Contains(err.Error(), "can be reached by others") {
		t.Errorf("got %v", err)
	}
	taken := Start(t)
	if _, err := New(t.Context(), Options{Address: strings.TrimPrefix(taken.Host, "https://")}); err == nil ||
		!strings.Contains(err.Error(), "address already in use; the port 0 is a free one") {
		t.Errorf("got %v", err)
	}
	config := rest.AnonymousClientConfig(taken)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Discovery().ServerVersion(); !apierrors.IsUnauthorized(err) {
		t.Errorf("without a token, the server answers %v", err)
	}
}

// TestCredentials shows that the token and the certificate of the configuration are each enough: suites for envtest make
// other configurations of the certificate.
func TestCredentials(t *testing.T) {
	config := Start(t)
	for _, c := range []struct {
		name   string
		change func(*rest.Config)
		ok     bool
	}{
		{"both", func(*rest.Config) {}, true},
		{"token", func(c *rest.Config) { c.CertData, c.KeyData = nil, nil }, true},
		{"certificate", func(c *rest.Config) { c.BearerToken = "" }, true},
		{"none", func(c *rest.Config) { c.CertData, c.KeyData, c.BearerToken = nil, nil, "" }, false},
	} {
		changed := rest.CopyConfig(config)
		c.change(changed)
		r, err := clientOf(t, changed).AuthenticationV1().SelfSubjectReviews().Create(t.Context(),
			&authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
		if c.ok && (err != nil || r.Status.UserInfo.Username != "admin" ||
			!slices.Contains(r.Status.UserInfo.Groups, "system:masters")) {
			t.Errorf("%s: got %v, %v", c.name, r, err)
		} else if !c.ok && !apierrors.IsUnauthorized(err) {
			t.Errorf("%s: expected Unauthorized, got %v", c.name, err)
		}
	}
}

// TestWrongPath asks for a kind that the server has at a path that it does not have. The answer is that of every API
// server, and does not say that the kind is missing.
func TestWrongPath(t *testing.T) {
	config := Start(t, write(t, "widgets.yaml", widgets))
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	err = client.Resource(widgetResource).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if !apierrors.IsNotFound(err) || strings.Contains(err.Error(), "does not have") {
		t.Errorf("got %v, want the 404 of an API server", err)
	}
	missing := widgetResource
	missing.Resource = "gadgets"
	_, err = client.Resource(missing).List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "does not have gadgets of example.com/v1") {
		t.Errorf("got %v, want a 404 that names the missing kind", err)
	}
}
