package server

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// systemNamespaces exist from the beginning, as on a cluster.
func systemNamespaces() []string {
	return []string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}
}

func activateNamespace(ns *corev1.Namespace) {
	ns.Spec.Finalizers = []corev1.FinalizerName{corev1.FinalizerKubernetes}
	ns.Status.Phase = corev1.NamespaceActive
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
}

// keepFinalizers keeps those of the specification, which only the subresource finalize changes, and the label.
func keepFinalizers(ns, old *corev1.Namespace) {
	ns.Spec.Finalizers = old.Spec.Finalizers
	if ns.Labels == nil {
		ns.Labels = map[string]string{}
	}
	ns.Labels[corev1.LabelMetadataName] = ns.Name
}

// namespaces is the storage of namespaces: a deleted one is Terminating until its specification has no finalizers.
type namespaces struct{ resource }

func newNamespaces(r resource) namespaces {
	r.Store.ShouldDeleteDuringUpdate = func(
		ctx context.Context, key string, obj, existing runtime.Object,
	) bool {
		return len(obj.(*corev1.Namespace).Spec.Finalizers) == 0 &&
			registry.ShouldDeleteDuringUpdate(ctx, key, obj, existing)
	}
	return namespaces{r}
}

// Delete marks a namespace as deleted; it is gone once it is finalized.
func (n namespaces) Delete(
	ctx context.Context, name string, validate rest.ValidateObjectFunc, options *metav1.DeleteOptions,
) (runtime.Object, bool, error) {
	obj, err := n.Get(ctx, name, &metav1.GetOptions{})
	if err != nil {
		return nil, false, err
	}
	if len(obj.(*corev1.Namespace).Spec.Finalizers) == 0 {
		return n.Store.Delete(ctx, name, validate, options)
	}
	key, err := n.KeyFunc(ctx, name)
	if err != nil {
		return nil, false, err
	}
	preconditions := &storage.Preconditions{}
	if options != nil && options.Preconditions != nil {
		preconditions.UID = options.Preconditions.UID
		preconditions.ResourceVersion = options.Preconditions.ResourceVersion
	}
	mark := func(obj runtime.Object) (runtime.Object, error) {
		if validate != nil {
			if err := validate(ctx, obj); err != nil {
				return nil, err
			}
		}
		ns := obj.(*corev1.Namespace)
		if ns.DeletionTimestamp.IsZero() {
			now := metav1.Now()
			ns.DeletionTimestamp = &now
		}
		ns.Status.Phase = corev1.NamespaceTerminating
		return ns, nil
	}
	out := &corev1.Namespace{}
	err = n.Storage.GuaranteedUpdate(ctx, key, out, false, preconditions, storage.SimpleUpdate(mark),
		options != nil && slices.Contains(options.DryRun, metav1.DryRunAll), nil)
	switch {
	case storage.IsNotFound(err):
		return nil, false, apierrors.NewNotFound(corev1.Resource("namespaces"), name)
	case storage.IsConflict(err):
		return nil, false, apierrors.NewConflict(corev1.Resource("namespaces"), name, err)
	}
	return out, false, err
}

// DeleteCollection does not exist for namespaces, neither here nor on a cluster.
func (namespaces) DeleteCollection(
	context.Context, rest.ValidateObjectFunc, *metav1.DeleteOptions, runtime.Object,
) (runtime.Object, error) {
	return nil, apierrors.NewMethodNotSupported(corev1.Resource("namespaces"), "deletecollection")
}

// finalizing is the strategy of the subresource finalize.
type finalizing struct{ strategy }

func (finalizing) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	obj.(*corev1.Namespace).Status = old.(*corev1.Namespace).Status
}

func newFinalize(n namespaces) subresource {
	store := *n.Store
	store.UpdateStrategy = finalizing{n.strategy}
	return subresource{&store}
}

// emptyNamespaces deletes what is in deleted namespaces, and then the namespaces, as the namespace controller of a
// cluster does, until the context ends.
func emptyNamespaces(
	ctx context.Context, informer cache.SharedIndexInformer, client kubernetes.Interface, objects metadata.Interface,
) error {
	// A namespace that is not empty is looked at again, after growing pauses: something must remove finalizers.
	queue := workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](20*time.Millisecond, time.Second))
	add := func(obj any) {
		if ns, ok := obj.(*corev1.Namespace); ok && !ns.DeletionTimestamp.IsZero() {
			queue.Add(ns.Name)
		}
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, now any) { add(now) },
	})
	if ctx.Err() != nil {
		return nil // an informer that has stopped has no handlers, and an error of a hook ends the process
	} else if err != nil {
		return err
	}
	context.AfterFunc(ctx, queue.ShutDown)
	go func() {
		for {
			name, end := queue.Get()
			if end {
				return
			}
			// Whatever went wrong, the next attempt finds what remains.
			if done, err := emptyNamespace(ctx, client, objects, name); err != nil || !done {
				queue.AddRateLimited(name)
			} else {
				queue.Forget(name)
			}
			queue.Done(name)
		}
	}()
	return nil
}

// emptyNamespace deletes the objects in a deleted namespace. If none remain, it finalizes the namespace.
func emptyNamespace(
	ctx context.Context, client kubernetes.Interface, objects metadata.Interface, name string,
) (done bool, err error) {
	ns, err := client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) || err == nil && ns.DeletionTimestamp.IsZero() {
		return true, nil
	} else if err != nil {
		return false, err
	}
	_, lists, err := client.Discovery().ServerGroupsAndResources()
	if err != nil {
		return false, err
	}
	remain, atOnce := false, metav1.DeleteOptions{GracePeriodSeconds: new(int64)} // nothing ends the pods
	for _, list := range lists {
		version, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return false, err
		}
		for _, r := range list.APIResources {
			if !r.Namespaced || !slices.Contains(r.Verbs, "deletecollection") {
				continue
			}
			in := objects.Resource(version.WithResource(r.Name)).Namespace(name)
			found, err := in.List(ctx, metav1.ListOptions{Limit: 1})
			if err != nil {
				return false, err
			}
			if len(found.Items) == 0 {
				continue
			}
			remain = true // the next attempt sees whether finalizers keep some
			if err := in.DeleteCollection(ctx, atOnce, metav1.ListOptions{}); err != nil {
				return false, err
			}
		}
	}
	if remain {
		return false, nil
	}
	ns.Spec.Finalizers = slices.DeleteFunc(ns.Spec.Finalizers,
		func(f corev1.FinalizerName) bool { return f == corev1.FinalizerKubernetes })
	_, err = client.CoreV1().Namespaces().Finalize(ctx, ns, metav1.UpdateOptions{})
	return err == nil, err
}

// createNamespaces creates the namespaces that clusters have from the beginning.
func createNamespaces(ctx context.Context, client kubernetes.Interface) error {
	for _, name := range systemNamespaces() {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}
