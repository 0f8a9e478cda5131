package server

import (
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// settled is how long an API server delays the creation of objects after their CRD was established. In that time other
// API servers of a cluster notice the CRD; here are no others.
const settled = 2 * time.Second

// settle moves the time at which a CRD was established into the past, so that objects can be created at once. It is the
// transformation of the informer whose CRDs the server serves: what is stored keeps its time.
func settle(obj any) (any, error) {
	if crd, ok := obj.(*apiext.CustomResourceDefinition); ok && isEstablished(crd) {
		at := &apihelpers.FindCRDCondition(crd, apiext.Established).LastTransitionTime
		if time.Since(at.Time) < settled {
			at.Time = at.Add(-settled)
		}
	}
	return obj, nil
}

// isEstablished reports whether objects of a CRD can be created.
func isEstablished(crd *apiext.CustomResourceDefinition) bool {
	return apihelpers.IsCRDConditionTrue(crd, apiext.Established)
}
