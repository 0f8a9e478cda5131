package server

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// taintNewNode gives a new node the taint that it has on a cluster until its kubelet reports that it is ready.
func taintNewNode(n *corev1.Node) {
	taint := corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule}
	if !slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.MatchTaint(&taint) }) {
		n.Spec.Taints = append(n.Spec.Taints, taint)
	}
}

// podGrace returns the time in which the node of a pod ends it. Without a node, nothing has to end.
func podGrace(obj runtime.Object, chosen *int64) int64 {
	p := obj.(*corev1.Pod)
	if p.Spec.NodeName == "" || isOver(p) {
		return 0
	}
	if chosen == nil {
		chosen = p.Spec.TerminationGracePeriodSeconds // which has a default
	}
	if *chosen < 0 {
		return 1
	}
	return *chosen
}

func isOver(p *corev1.Pod) bool {
	return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
}

// A whole strategy updates all of an object: the spec and the status.
type whole struct{ strategy }

func (whole) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}

func newWhole(r resource) *registry.Store {
	store := *r.Store
	store.UpdateStrategy = whole{r.strategy}
	return &store
}

// change updates an object that is stored.
func change[T runtime.Object](
	ctx context.Context, store *registry.Store, name string, dryRun []string, how func(T) error,
) error {
	info := rest.DefaultUpdatedObjectInfo(nil,
		func(_ context.Context, _, stored runtime.Object) (runtime.Object, error) {
			obj := stored.DeepCopyObject().(T)
			return obj, how(obj)
		})
	_, _, err := store.Update(ctx, name, info, rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false,
		&metav1.UpdateOptions{DryRun: dryRun})
	return err
}

// setCondition sets a condition of a pod to true.
func setCondition(p *corev1.Pod, c corev1.PodCondition) {
	c.Status, c.LastTransitionTime = corev1.ConditionTrue, metav1.Now()
	p.Status.Conditions = append(slices.DeleteFunc(p.Status.Conditions,
		func(old corev1.PodCondition) bool { return old.Type == c.Type }), c)
}

// binder is the subresource binding of pods, with which a scheduler assigns them to nodes.
type binder struct{ pods *registry.Store }

func newBindings(pods resource) binder { return binder{newWhole(pods)} }

func (binder) New() runtime.Object { return &corev1.Binding{} }
func (binder) Destroy()            {} // the resource destroys the store

func (b binder) Create(
	ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc,
	options *metav1.CreateOptions,
) (runtime.Object, error) {
	binding, ok := obj.(*corev1.Binding)
	if !ok || binding.Name != "" && binding.Name != name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("expected a Binding named %q", name))
	}
	if binding.Target.Name == "" {
		return nil, apierrors.NewInvalid(gvk(binding).GroupKind(), name,
			field.ErrorList{field.Required(field.NewPath("target", "name"), "")})
	}
	if validate != nil {
		if err := validate(ctx, obj.DeepCopyObject()); err != nil {
			return nil, err
		}
	}
	err := change(ctx, b.pods, name, options.DryRun, func(p *corev1.Pod) error {
		conflict := func(format string, args ...any) error {
			return apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, name,
				fmt.Errorf(format, args...))
		}
		switch {
		case p.DeletionTimestamp != nil:
			return conflict("pod %s is being deleted, cannot be assigned to a host", name)
		case p.Spec.NodeName != "":
			return conflict("pod %s is already assigned to node %q", name, p.Spec.NodeName)
		}
		p.Spec.NodeName = binding.Target.Name
		for key, value := range binding.Annotations {
			metav1.SetMetaDataAnnotation(&p.ObjectMeta, key, value)
		}
		setCondition(p, corev1.PodCondition{Type: corev1.PodScheduled})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// bindings is the resource with which older schedulers do the same.
type bindings struct{ binder }

func (bindings) NamespaceScoped() bool   { return true }
func (bindings) GetSingularName() string { return "binding" }

func (b bindings) Create(
	ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions,
) (runtime.Object, error) {
	binding, ok := obj.(*corev1.Binding)
	if !ok {
		return nil, apierrors.NewBadRequest("expected a Binding")
	}
	return b.binder.Create(ctx, binding.Name, obj, validate, options)
}

// evictions is the subresource eviction of pods, which deletes a pod if its disruption budget allows it.
type evictions struct{ pods, budgets *registry.Store }

func newEvictions(pods, budgets resource) evictions {
	return evictions{newWhole(pods), newWhole(budgets)}
}

func (evictions) New() runtime.Object { return &policyv1.Eviction{} }
func (evictions) Destroy()            {} // the resources destroy the stores

// GroupVersionKind returns the kind of the subresource, whose group is not that of the resource.
func (evictions) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return gvk(&policyv1.Eviction{})
}

func (e evictions) Create(
	ctx context.Context, name string, obj runtime.Object, validate rest.ValidateObjectFunc,
	options *metav1.CreateOptions,
) (runtime.Object, error) {
	eviction, ok := obj.(*policyv1.Eviction)
	if !ok || eviction.Name != "" && eviction.Name != name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("expected an Eviction named %q", name))
	}
	stored, err := e.pods.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	if validate != nil {
		if err := validate(ctx, obj.DeepCopyObject()); err != nil {
			return nil, err
		}
	}
	deletion := eviction.DeleteOptions.DeepCopy()
	if deletion == nil {
		deletion = &metav1.DeleteOptions{}
	}
	deletion.DryRun = append(deletion.DryRun, options.DryRun...)
	pod := stored.(*corev1.Pod)
	// A pod that does not run may always be deleted.
	if !isOver(pod) && pod.Status.Phase != corev1.PodPending && pod.DeletionTimestamp == nil {
		if err := e.spend(ctx, pod, deletion.DryRun); err != nil {
			return nil, err
		}
		err := change(ctx, e.pods, name, deletion.DryRun, func(p *corev1.Pod) error {
			setCondition(p, corev1.PodCondition{
				Type: corev1.DisruptionTarget, Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting",
			})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if _, _, err := e.pods.Delete(ctx, name, rest.ValidateAllObjectFunc, deletion); err != nil {
		return nil, err
	}
	return &metav1.Status{Status: metav1.StatusSuccess}, nil
}

// spend takes a disruption from the budget of a running pod. Nothing here fills budgets: their status is as clients
// write it.
func (e evictions) spend(ctx context.Context, pod *corev1.Pod, dryRun []string) error {
	budget, err := e.budgetOf(ctx, pod)
	if budget == nil || err != nil || mayIgnore(budget, pod) {
		return err
	}
	return change(ctx, e.budgets, budget.Name, dryRun, func(b *policyv1.PodDisruptionBudget) error {
		status := &b.Status
		if status.ObservedGeneration < b.Generation {
			return tooMany(10, "Cannot evict pod as it would violate the pod's disruption budget.",
				"The disruption budget "+b.Name+" is still being processed by the server.")
		}
		if status.DisruptionsAllowed < 1 {
			return tooMany(0, "Cannot evict pod as it would violate the pod's disruption budget.",
				fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", b.Name,
					status.DesiredHealthy, status.CurrentHealthy))
		}
		status.DisruptionsAllowed--
		if status.DisruptedPods == nil {
			status.DisruptedPods = map[string]metav1.Time{}
		}
		status.DisruptedPods[pod.Name] = metav1.Now()
		return nil
	})
}

// budgetOf returns the disruption budget of a pod, or nil if it has none.
func (e evictions) budgetOf(ctx context.Context, pod *corev1.Pod) (out *policyv1.PodDisruptionBudget, err error) {
	all, err := e.budgets.List(ctx, nil)
	if err != nil {
		return nil, err
	}
	list := all.(*policyv1.PodDisruptionBudgetList)
	for i := range list.Items {
		selector, err := metav1.LabelSelectorAsSelector(list.Items[i].Spec.Selector)
		if err != nil || !selector.Matches(labels.Set(pod.Labels)) {
			continue // an invalid selector selects nothing
		}
		if out != nil {
			return nil, &apierrors.StatusError{ErrStatus: metav1.Status{
				Status: metav1.StatusFailure, Code: http.StatusInternalServerError,
				Message: "This pod has more than one PodDisruptionBudget, " +
					"which the eviction subresource does not support.",
			}}
		}
		out = &list.Items[i]
	}
	return out, nil
}

// mayIgnore reports whether a pod that is not ready may be evicted whatever its budget has left.
func mayIgnore(b *policyv1.PodDisruptionBudget, pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
			return false
		}
	}
	if policy := b.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == policyv1.AlwaysAllow {
		return true
	}
	return b.Status.CurrentHealthy >= b.Status.DesiredHealthy && b.Status.DesiredHealthy > 0
}

// tooMany returns the answer for an eviction that is not possible now.
func tooMany(seconds int, message, cause string) error {
	err := apierrors.NewTooManyRequests(message, seconds)
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes,
		metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: cause})
	return err
}
