package fakeclient

import (
	"fmt"
	"maps"
	"net/http"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	crclient "sigs.k8s.io/controller-runtime/pkg/client"
)

// delete follows registry/store.go (Delete). Dependents are not collected: the propagation policy is ignored, as by the
// fake client.
func (r *request) delete(options *metav1.DeleteOptions) error {
	r.setOptions(options.DryRun, "", "")
	if err := r.address(http.MethodDelete); err != nil {
		return err
	}
	if err := badOptions("DeleteOptions", metavalidation.ValidateDeleteOptions(options)); err != nil {
		return err
	}
	old, err := r.load()
	if err != nil {
		return err
	}
	if old == nil {
		return apierrors.NewNotFound(r.resource(), r.name)
	}
	u := &unstructured.Unstructured{Object: old.object}
	if p := options.Preconditions; p != nil {
		// A server names the kind where other errors name the resource.
		kind := schema.GroupResource{Group: r.kind.GVK.Group, Resource: r.kind.GVK.Kind}
		if p.UID != nil && *p.UID != u.GetUID() {
			return apierrors.NewConflict(kind, r.name, fmt.Errorf("the UID in the precondition (%s) does not match "+
				"the UID in record (%s). The object might have been deleted and then recreated", *p.UID, u.GetUID()))
		}
		if p.ResourceVersion != nil && *p.ResourceVersion != u.GetResourceVersion() {
			return apierrors.NewConflict(kind, r.name, fmt.Errorf("the ResourceVersion in the precondition (%s) does "+
				"not match the ResourceVersion in record (%s). The object might have been modified", *p.ResourceVersion,
				u.GetResourceVersion()))
		}
	}
	if r.dryRun {
		return nil
	}
	if len(u.GetFinalizers()) == 0 {
		_, err := r.remove(u, old)
		return err
	}
	return r.markDeleted(old)
}

// markDeleted marks an object with finalizers as deleted (markAsDeleting of registry/store.go).
func (r *request) markDeleted(old *entry) error {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old.object)}
	inner, err := r.named()
	if err != nil {
		return err
	}
	if u.GetDeletionTimestamp() == nil {
		// Only a deletion may set the time in the fake client.
		if err := r.WithWatch.Delete(r.ctx, inner); err != nil {
			return err
		}
		if err := r.WithWatch.Get(r.ctx, crclient.ObjectKeyFromObject(inner), inner); err != nil {
			return err
		}
		u.SetDeletionTimestamp(inner.GetDeletionTimestamp())
		if u.GetGeneration() > 0 {
			u.SetGeneration(u.GetGeneration() + 1)
		}
		u.SetResourceVersion(inner.GetResourceVersion())
	}
	u.SetDeletionGracePeriodSeconds(new(int64))
	if isSame, err := same(u.Object, old.raw); err != nil || isSame {
		return err
	}
	marked := *old
	marked.object = u.Object
	_, err = r.save(u, &marked, old.managed)
	if e := r.stored[r.keyOf(r.kind, r.namespace, r.name)]; err == nil && e != nil {
		e.pending = old.pending
	}
	return err
}

// remove removes an object, and returns it.
func (r *request) remove(u *unstructured.Unstructured, old *entry) (map[string]any, error) {
	if r.dryRun {
		return u.Object, nil
	}
	inner, err := r.named()
	if err != nil {
		return nil, err
	}
	existing := &unstructured.Unstructured{Object: old.object}
	if len(existing.GetFinalizers()) > 0 {
		// The fake client deletes an object when it loses its last finalizer.
		if err := r.WithWatch.Get(r.ctx, crclient.ObjectKeyFromObject(inner), inner); err != nil {
			return nil, err
		}
		inner.SetFinalizers(nil)
		if err := r.WithWatch.Update(r.ctx, inner); err != nil {
			return nil, err
		}
	} else if err := r.WithWatch.Delete(r.ctx, inner); err != nil {
		return nil, err
	}
	delete(r.stored, r.keyOf(r.kind, r.namespace, r.name))
	return u.Object, nil
}

// deleteAll deletes the objects that match, each as delete does.
func (r *request) deleteAll(options *crclient.DeleteAllOfOptions) error {
	if r.kind.Namespaced && r.namespace == "" {
		return r.noAddress(http.MethodDelete, "")
	}
	r.warn(r.kind.Warning)
	single := options.AsDeleteOptions()
	if err := badOptions("DeleteOptions", metavalidation.ValidateDeleteOptions(single)); err != nil {
		return err
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(r.kind.GVK.GroupVersion().WithKind(r.kind.GVK.Kind + "List"))
	listed := options.ListOptions
	listed.Namespace = r.namespace
	if err := r.WithWatch.List(r.ctx, list, &listed); err != nil {
		return err
	}
	for i := range list.Items {
		r.name, r.namespace = list.Items[i].GetName(), list.Items[i].GetNamespace()
		if err := r.delete(single); err != nil {
			return err
		}
	}
	return nil
}

// sameContent reports whether two objects are the same but for their metadata.
func sameContent(a, b map[string]any) bool {
	left, right := maps.Clone(a), maps.Clone(b)
	delete(left, "metadata")
	delete(right, "metadata")
	return equality.Semantic.DeepEqual(left, right)
}
