package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applyautoscaling "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func clientOf(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// eventually calls a function until it succeeds.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after 20 seconds: %s", what)
		}
	}
}

// TestBuiltIn shows how the built-in kinds behave.
func TestBuiltIn(t *testing.T) {
	config := Start(t)
	client := clientOf(t, config)
	ctx := t.Context()

	t.Run("every kind", func(t *testing.T) {
		objects, err := dynamic.NewForConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kinds() {
			of := gvk(k.sample)
			var in dynamic.ResourceInterface = objects.Resource(of.GroupVersion().WithResource(k.resource))
			if !k.cluster {
				in = objects.Resource(of.GroupVersion().WithResource(k.resource)).Namespace("default")
			}
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(k.sample.DeepCopyObject())
			if err != nil {
				t.Fatal(err)
			}
			obj := &unstructured.Unstructured{Object: content}
			obj.SetGroupVersionKind(of)
			obj.SetName("a")
			obj, err = in.Create(ctx, obj, metav1.CreateOptions{})
			if err != nil {
				t.Errorf("%s: create: %v", of.Kind, err)
				continue
			}
			if k.generation != (obj.GetGeneration() == 1) {
				t.Errorf("%s: generation %d", of.Kind, obj.GetGeneration())
			}
			obj.SetLabels(map[string]string{"a": "b"})
			if _, err = in.Update(ctx, obj, metav1.UpdateOptions{}); err != nil {
				t.Errorf("%s: update: %v", of.Kind, err)
			}
			part := &unstructured.Unstructured{Object: map[string]any{}}
			part.SetGroupVersionKind(of)
			part.SetName("a")
			part.SetAnnotations(map[string]string{"c": "d"})
			obj, err = in.Apply(ctx, "a", part, metav1.ApplyOptions{FieldManager: "test"})
			if err != nil {
				t.Errorf("%s: apply: %v", of.Kind, err)
			} else if obj.GetLabels()["a"] != "b" || obj.GetAnnotations()["c"] != "d" {
				t.Errorf("%s: after apply, metadata are %v", of.Kind, obj.Object["metadata"])
			}
			if k.hasStatus() {
				if _, err := in.UpdateStatus(ctx, obj, metav1.UpdateOptions{}); err != nil {
					t.Errorf("%s: status: %v", of.Kind, err)
				}
			}
			if err := in.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
				t.Errorf("%s: delete: %v", of.Kind, err)
			}
		}
	})

	t.Run("secret", func(t *testing.T) {
		s, err := client.CoreV1().Secrets("default").Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}, StringData: map[string]string{"a": "b"},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if string(s.Data["a"]) != "b" || len(s.StringData) > 0 || s.Type != corev1.SecretTypeOpaque ||
			!strings.HasPrefix(s.Name, "s-") {
			t.Errorf("got %v", s)
		}
		list, err := client.CoreV1().Secrets("").List(ctx, metav1.ListOptions{FieldSelector: "type=Opaque"})
		if err != nil || len(list.Items) != 1 {
			t.Errorf("the selector finds %v, %v", list, err)
		}
		_, err = client.CoreV1().Secrets("").List(ctx, metav1.ListOptions{FieldSelector: "size=1"})
		if !apierrors.IsBadRequest(err) {
			t.Errorf("an unknown field selector: %v", err)
		}
	})

	t.Run("service", func(t *testing.T) {
		services := client.CoreV1().Services("default")
		s, err := services.Create(ctx, &corev1.Service{
			ObjectMeta: metav1.ObjectMeta{Name: "a"},
			Spec:       corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		address := s.Spec.ClusterIP
		if address == "" || s.Spec.Type != corev1.ServiceTypeClusterIP || s.Spec.Ports[0].TargetPort.IntVal != 80 {
			t.Errorf("got %v", s.Spec)
		}
		s.Spec.ClusterIP, s.Spec.ClusterIPs = "", nil
		if s, err = services.Update(ctx, s, metav1.UpdateOptions{}); err != nil || s.Spec.ClusterIP != address {
			t.Errorf("an update changes the address %s to %s: %v", address, s.Spec.ClusterIP, err)
		}
	})

	t.Run("deployment", func(t *testing.T) {
		deployments := client.AppsV1().Deployments("default")
		labels := map[string]string{"app": "a"}
		apply := func(manager, container string) *appsv1.Deployment {
			d, err := deployments.Apply(ctx, applyapps.Deployment("a", "default").WithSpec(applyapps.DeploymentSpec().
				WithSelector(applymeta.LabelSelector().WithMatchLabels(labels)).
				WithTemplate(applycore.PodTemplateSpec().WithLabels(labels).WithSpec(applycore.PodSpec().
					WithContainers(applycore.Container().WithName(container).WithImage(container+":1").
						WithPorts(applycore.ContainerPort().WithContainerPort(80)))))),
				metav1.ApplyOptions{FieldManager: manager})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		apply("one", "web")
		d := apply("two", "proxy")
		if len(d.Spec.Template.Spec.Containers) != 2 || *d.Spec.Replicas != 1 || d.Generation != 2 ||
			d.Spec.Template.Spec.Containers[0].ImagePullPolicy != corev1.PullIfNotPresent {
			t.Errorf("got generation %d, %v", d.Generation, d.Spec)
		}
		s, err := deployments.GetScale(ctx, "a", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.Spec.Replicas = 3
		if s, err = deployments.UpdateScale(ctx, "a", s, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if s.Spec.Replicas != 3 || s.Status.Selector != "app=a" {
			t.Errorf("got %v", s)
		}
		if _, err = deployments.ApplyScale(ctx, "a", scaleTo(4), metav1.ApplyOptions{
			FieldManager: "s", Force: true}); err != nil {
			t.Error(err)
		}
		d.Status.ReadyReplicas, *d.Spec.Replicas = 1, 9
		d.ResourceVersion = ""
		if d, err = deployments.UpdateStatus(ctx, d, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if d.Status.ReadyReplicas != 1 || *d.Spec.Replicas != 4 {
			t.Errorf("an update of the status leaves %d replicas, %d ready", *d.Spec.Replicas, d.Status.ReadyReplicas)
		}
		d, err = deployments.Patch(ctx, "a", types.StrategicMergePatchType, []byte(
			`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:2"}]}}}}`), metav1.PatchOptions{})
		if err != nil || len(d.Spec.Template.Spec.Containers) != 2 {
			t.Errorf("a strategic merge patch leaves %v, %v", d.Spec.Template.Spec.Containers, err)
		}
	})

	t.Run("events of both groups", func(t *testing.T) {
		_, err := client.EventsV1().Events("default").Create(ctx, &eventsv1.Event{
			ObjectMeta: metav1.ObjectMeta{Name: "e"}, Note: "hello", Reason: "Said",
			Regarding: corev1.ObjectReference{Kind: "Pod", Name: "p"}, EventTime: metav1.NowMicro(),
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list, err := client.CoreV1().Events("default").List(ctx, metav1.ListOptions{
			FieldSelector: "involvedObject.name=p"})
		if err != nil || len(list.Items) != 1 || list.Items[0].Message != "hello" {
			t.Errorf("got %v, %v", list, err)
		}
		same, err := client.EventsV1().Events("default").List(ctx, metav1.ListOptions{
			FieldSelector: "regarding.name=p"})
		if err != nil || len(same.Items) != 1 || same.Items[0].Note != "hello" {
			t.Errorf("got %v, %v", same, err)
		}
	})

	t.Run("who may do what", func(t *testing.T) {
		me, err := client.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{},
			metav1.CreateOptions{})
		if err != nil || me.Status.UserInfo.Username != "admin" {
			t.Errorf("got %v, %v", me, err)
		}
		for token, ok := range map[string]bool{config.BearerToken: true, "x": false} {
			r, err := client.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
				Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
			if err != nil || r.Status.Authenticated != ok {
				t.Errorf("got %v, %v, want %v", r, err, ok)
			}
		}
		for group, ok := range map[string]bool{"system:masters": true, "system:authenticated": false} {
			r, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{User: "u", Groups: []string{group}},
			}, metav1.CreateOptions{})
			if err != nil || r.Status.Allowed != ok {
				t.Errorf("got %v, %v, want %v", r, err, ok)
			}
		}
	})

	t.Run("what is missing", func(t *testing.T) {
		for path, want := range map[string]string{
			"/api/v1/namespaces/default/pods/p/log":             "does not have pods/log of v1",
			"/api/v1/namespaces/default/replicationcontrollers": "does not have replicationcontrollers of v1",
			"/apis/apps/v1beta1/deployments":                    "does not have deployments of apps/v1beta1",
			"/apis/metrics.k8s.io/v1beta1/nodes":                "does not have nodes of metrics.k8s.io/v1beta1",
		} {
			err := client.CoreV1().RESTClient().Get().AbsPath(path).Do(ctx).Error()
			if !apierrors.IsNotFound(err) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %s", path, err, want)
			}
		}
	})

	t.Run("groups for old clients", func(t *testing.T) {
		var groups metav1.APIGroupList
		data, err := client.CoreV1().RESTClient().Get().AbsPath("/apis").SetHeader("Accept", "application/json").
			DoRaw(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &groups); err != nil {
			t.Fatal(err)
		}
		if len(groups.Groups) < 10 || groups.Groups[0].PreferredVersion.Version == "" {
			t.Errorf("got %v", groups)
		}
	})
}

// TestNamespaces deletes a namespace with its content, and waits for finalizers.
func TestNamespaces(t *testing.T) {
	config := Start(t, write(t, "widgets.yaml", widgets))
	client, ctx := clientOf(t, config), t.Context()
	namespaces := client.CoreV1().Namespaces()
	if _, err := namespaces.Get(ctx, "default", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	maps := client.CoreV1().ConfigMaps("a")
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m", Finalizers: []string{"example.com/f"}}}
	if _, err := maps.Create(ctx, m, metav1.CreateOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("in a namespace that does not exist: %v", err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	ns, err := namespaces.Create(ctx, ns, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if ns.Labels["kubernetes.io/metadata.name"] != "a" || ns.Status.Phase != corev1.NamespaceActive {
		t.Errorf("got %v", ns)
	}
	if _, err := maps.Create(ctx, m, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	inside := objects.Resource(widgetResource).Namespace("a")
	if _, err := inside.Create(ctx, newWidget("w", map[string]any{}), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := namespaces.Delete(ctx, "a", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the widget is still there", func() bool {
		_, err := inside.Get(ctx, "w", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	ns, err = namespaces.Get(ctx, "a", metav1.GetOptions{})
	if err != nil || ns.Status.Phase != corev1.NamespaceTerminating {
		t.Errorf("while a finalizer remains: %v, %v", ns, err)
	}
	other := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	if _, err := maps.Create(ctx, other, metav1.CreateOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("in a namespace that is terminating: %v", err)
	}
	if _, err := maps.Patch(ctx, "m", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`),
		metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace is still there", func() bool {
		_, err := namespaces.Get(context.WithoutCancel(ctx), "a", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func scaleTo(replicas int32) *applyautoscaling.ScaleApplyConfiguration {
	return applyautoscaling.Scale().WithSpec(applyautoscaling.ScaleSpec().WithReplicas(replicas))
}
