package server

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

// What a server makes up.
const (
	// UID is that of all objects.
	UID = "00000000-0000-0000-0000-000000000000"
	// Suffix is the end of all names that are made up.
	Suffix = "xxxxx"
)

// Created is when all objects were created.
func Created() time.Time { return time.Unix(0, 0).UTC() }

// fillSystemFields is FillObjectMetaSystemFields of k8s.io/apiserver/pkg/registry/rest/meta.go.
func fillSystemFields(object *unstructured.Unstructured) {
	object.SetCreationTimestamp(metav1.NewTime(Created()))
	object.SetUID(UID)
}

// GenerateName is that of k8s.io/apiserver/pkg/storage/names, but for the random end.
func (*strategy) GenerateName(base string) string {
	if len(base) > names.MaxGeneratedNameLength {
		base = base[:names.MaxGeneratedNameLength]
	}
	return base + Suffix
}

// dedupOwners drops owner references that are twice there (k8s.io/apiserver/pkg/endpoints/handlers/rest.go).
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
