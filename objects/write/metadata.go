package write

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"
)

// Values that a server generates.
const (
	// UID is the uid of all objects.
	UID = "00000000-0000-0000-0000-000000000000"
	// Suffix is the suffix of all generated names.
	Suffix = "xxxxx"
)

// Created returns the time of creation of all objects.
func Created() time.Time { return time.Unix(0, 0).UTC() }

// fillSystemFields follows FillObjectMetaSystemFields of k8s.io/apiserver/pkg/registry/rest/meta.go.
func fillSystemFields(object *unstructured.Unstructured) {
	object.SetCreationTimestamp(metav1.NewTime(Created()))
	object.SetUID(UID)
}

// GenerateName follows that of k8s.io/apiserver/pkg/storage/names, except for the random suffix.
func (*strategy) GenerateName(base string) string {
	if len(base) > names.MaxGeneratedNameLength {
		base = base[:names.MaxGeneratedNameLength]
	}
	return base + Suffix
}

// dedupOwners drops duplicate owner references (k8s.io/apiserver/pkg/endpoints/handlers/rest.go).
func dedupOwners(ctx context.Context, object *unstructured.Unstructured) {
	var kept []metav1.OwnerReference
	var dropped []string
	for _, ref := range object.GetOwnerReferences() {
		if slices.ContainsFunc(kept,
			func(other metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(ref, other) }) {
			dropped = append(dropped, string(ref.UID))
			continue
		}
		kept = append(kept, ref)
	}
	if len(dropped) > 0 {
		warning.AddWarning(ctx, "", fmt.Sprintf(duplicateOwners, strings.Join(dropped, ", ")))
		object.SetOwnerReferences(kept)
	}
}
