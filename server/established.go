package server

import (
	"context"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	typed "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/typed/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// settled is how long an API server delays the creation of objects after their CRD was established. In that time other
// API servers of a cluster notice the CRD; here are no others.
const settled = 2 * time.Second

// settle moves the time at which CRDs were established into the past, so that objects can be created at once.
func settle(
	ctx context.Context, informer cache.SharedIndexInformer, client typed.CustomResourceDefinitionInterface,
) error {
	move := func(obj any) {
		crd, ok := obj.(*apiext.CustomResourceDefinition)
		if !ok || isSettled(crd) || !apihelpers.IsCRDConditionTrue(crd, apiext.Established) {
			return
		}
		crd = crd.DeepCopy()
		apihelpers.FindCRDCondition(crd, apiext.Established).LastTransitionTime =
			metav1.NewTime(time.Now().Add(-2 * settled))
		go func() {
			// If the CRD has changed meanwhile, its change calls this again. Otherwise the delay remains.
			_, _ = client.UpdateStatus(ctx, crd, metav1.UpdateOptions{})
		}()
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: move, UpdateFunc: func(_, now any) { move(now) },
	})
	return err
}

// isSettled reports whether a CRD is established, and its objects can be created without a delay.
func isSettled(crd *apiext.CustomResourceDefinition) bool {
	c := apihelpers.FindCRDCondition(crd, apiext.Established)
	return c != nil && c.Status == apiext.ConditionTrue && time.Since(c.LastTransitionTime.Time) >= settled
}
