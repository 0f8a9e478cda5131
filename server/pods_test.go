package server

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestPods shows the life of pods whose node is only an object: they are bound, evicted and deleted, but never end.
func TestPods(t *testing.T) {
	client, ctx := clientOf(t, Start(t)), t.Context()
	pods := client.CoreV1().Pods("default")
	create := func(t *testing.T, name string) {
		t.Helper()
		_, err := pods.Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "web"}},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
	}
	bind := func(name, node string) error {
		return pods.Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{"by": "me"}},
			Target:     corev1.ObjectReference{Kind: "Node", Name: node},
		}, metav1.CreateOptions{})
	}
	get := func(t *testing.T, name string) *corev1.Pod {
		t.Helper()
		p, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	runs := func(t *testing.T, name string) {
		t.Helper()
		p := get(t, name)
		p.Status.Phase = corev1.PodRunning
		p.Status.Conditions = append(p.Status.Conditions,
			corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue})
		if _, err := pods.UpdateStatus(ctx, p, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}

	t.Run("a new node is not ready", func(t *testing.T) {
		n, err := client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}},
			metav1.CreateOptions{})
		if err != nil || len(n.Spec.Taints) != 1 || n.Spec.Taints[0].Key != corev1.TaintNodeNotReady {
			t.Fatalf("got %v, %v", n, err)
		}
		n.Spec.Taints = nil
		if n, err = client.CoreV1().Nodes().Update(ctx, n, metav1.UpdateOptions{}); err != nil || n.Spec.Taints != nil {
			t.Errorf("without the taint: %v, %v", n, err)
		}
	})

	t.Run("a kind without a status", func(t *testing.T) {
		_, err := client.CoreV1().ConfigMaps("default").Patch(ctx, "m", types.MergePatchType, []byte("{}"),
			metav1.PatchOptions{}, "status")
		if !apierrors.IsNotFound(err) || err.Error() != "the server could not find the requested resource" {
			t.Errorf("expected the answer of all API servers, got %v", err)
		}
	})

	t.Run("bind", func(t *testing.T) {
		create(t, "a")
		if err := bind("a", ""); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "target.name") {
			t.Errorf("without a node: %v", err)
		}
		if err := bind("a", "n"); err != nil {
			t.Fatal(err)
		}
		p := get(t, "a")
		if p.Spec.NodeName != "n" || p.Annotations["by"] != "me" || len(p.Status.Conditions) != 1 ||
			p.Status.Conditions[0].Type != corev1.PodScheduled {
			t.Errorf("got %v", p)
		}
		if err := bind("a", "m"); !apierrors.IsConflict(err) {
			t.Errorf("twice: %v", err)
		}
		if err := bind("none", "n"); !apierrors.IsNotFound(err) {
			t.Errorf("a missing pod: %v", err)
		}
		create(t, "b")
		err := client.CoreV1().RESTClient().Post().Namespace("default").Resource("bindings").Body(&corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: "b"}, Target: corev1.ObjectReference{Name: "n"},
		}).Do(ctx).Error()
		if p := get(t, "b"); err != nil || p.Spec.NodeName != "n" {
			t.Errorf("with a Binding: %v, %v", p, err)
		}
	})

	t.Run("delete", func(t *testing.T) {
		create(t, "c")
		if err := pods.Delete(ctx, "c", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := pods.Get(ctx, "c", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("a pod without a node remains: %v", err)
		}
		// A deletion begins with what the server's cache has, and without a node there is no grace period.
		eventually(t, "the cache does not show that the pod is bound", func() bool {
			list, err := pods.List(ctx, metav1.ListOptions{ResourceVersion: "0", FieldSelector: "spec.nodeName=n"})
			return err == nil && len(list.Items) == 2
		})
		if err := pods.Delete(ctx, "b", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		if p := get(t, "b"); p.DeletionTimestamp == nil || *p.DeletionGracePeriodSeconds != 30 {
			t.Errorf("a pod on a node: %v", p)
		}
		if err := pods.Delete(ctx, "b", *metav1.NewDeleteOptions(0)); err != nil {
			t.Fatal(err)
		}
		if _, err := pods.Get(ctx, "b", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			t.Errorf("deleted at once: %v", err)
		}
	})

	t.Run("evict", func(t *testing.T) {
		budgets := client.PolicyV1().PodDisruptionBudgets("default")
		b, err := budgets.Create(ctx, &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Name: "web"},
			Spec: policyv1.PodDisruptionBudgetSpec{
				Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		evict := func() error { // without the retries of clients, which wait as long as the answer says
			return client.CoreV1().RESTClient().Post().Namespace("default").Resource("pods").Name("a").
				SubResource("eviction").Body(&policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "a"}}).
				MaxRetries(0).Do(ctx).Error()
		}
		runs(t, "a")
		err = evict()
		if !apierrors.IsTooManyRequests(err) || !apierrors.HasStatusCause(err, policyv1.DisruptionBudgetCause) {
			t.Errorf("a budget that no controller has seen: %v", err)
		}
		b.Status.ObservedGeneration = b.Generation
		if b, err = budgets.UpdateStatus(ctx, b, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := evict(); !apierrors.IsTooManyRequests(err) {
			t.Errorf("an empty budget: %v", err)
		}
		b.Status.DisruptionsAllowed = 1
		if _, err = budgets.UpdateStatus(ctx, b, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := evict(); err != nil {
			t.Fatal(err)
		}
		p := get(t, "a")
		if p.DeletionTimestamp == nil || p.Status.Conditions[len(p.Status.Conditions)-1].Type != corev1.DisruptionTarget {
			t.Errorf("got %v", p)
		}
		b, err = budgets.Get(ctx, "web", metav1.GetOptions{})
		if _, ok := b.Status.DisruptedPods["a"]; err != nil || !ok || b.Status.DisruptionsAllowed != 0 {
			t.Errorf("the budget is %v, %v", b, err)
		}
	})

	t.Run("a namespace does not wait for its pods", func(t *testing.T) {
		_, err := client.CoreV1().Namespaces().Create(ctx,
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "short"}}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = client.CoreV1().Pods("short").Create(ctx, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: corev1.PodSpec{NodeName: "n"},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := client.CoreV1().Namespaces().Delete(ctx, "short", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the namespace remains", func() bool {
			_, err := client.CoreV1().Namespaces().Get(ctx, "short", metav1.GetOptions{})
			return apierrors.IsNotFound(err)
		})
	})
}
