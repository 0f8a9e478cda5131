package diff

import (
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdproof/crdproof/objects/crds"
)

// IsFromCluster reports whether a client has read a CRD from a cluster: only API servers set the uid.
func IsFromCluster(crd crds.CRD) bool { return crd.Object.UID != "" }

// asWritten returns a CRD without what API servers fill in, which they do not accept from clients.
func asWritten(crd crds.CRD) crds.CRD {
	object := *crd.Object
	meta := &object.ObjectMeta
	meta.UID, meta.ResourceVersion, meta.Generation = "", "", 0
	meta.CreationTimestamp, meta.DeletionTimestamp, meta.DeletionGracePeriodSeconds = metav1.Time{}, nil, nil
	meta.ManagedFields = nil
	object.Status = apiext.CustomResourceDefinitionStatus{}
	crd.Object = &object
	return crd
}
