package fakeclient

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

// readMetadata removes unknown fields from the metadata of an object, and returns their paths. The error says that a
// field has the wrong type (pkg/apiserver/schema/objectmeta/coerce.go of apiextensions-apiserver).
func readMetadata(object map[string]any) (unknown []string, err error) {
	raw, ok := object["metadata"]
	if !ok {
		return nil, nil
	}
	data, err := utiljson.Marshal(raw)
	if err != nil {
		return nil, err
	}
	meta := &metav1.ObjectMeta{}
	strict, err := kjson.UnmarshalStrict(data, meta)
	if err != nil {
		return nil, err
	}
	for _, e := range strict {
		if at, ok := e.(kjson.FieldError); ok {
			unknown = append(unknown, "metadata."+at.FieldPath())
		}
	}
	object["metadata"], err = runtime.DefaultUnstructuredConverter.ToUnstructured(meta)
	return unknown, err
}

// objectMeta returns the metadata of an object whose metadata have been read.
func objectMeta(u *unstructured.Unstructured) (*metav1.ObjectMeta, error) {
	out := &metav1.ObjectMeta{}
	fields, ok := u.Object["metadata"].(map[string]any)
	if !ok {
		return out, nil
	}
	return out, runtime.DefaultUnstructuredConverter.FromUnstructured(fields, out)
}

// duplicateOwners is the warning about owner references that are listed twice, with when they are
// (k8s.io/apiserver/pkg/endpoints/handlers/rest.go).
const duplicateOwners = ".metadata.ownerReferences contains duplicate entries%s; API server dedups owner references " +
	"in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: %s"

// inPatch says that a patch leads to duplicates.
const inPatch = " after mutating admission happens"

// dropDuplicateOwners drops owner references that are listed twice.
func (r *request) dropDuplicateOwners(u *unstructured.Unstructured, when string) {
	var kept []metav1.OwnerReference
	var dropped []string
	for _, ref := range u.GetOwnerReferences() {
		isSame := func(other metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(ref, other) }
		if slices.ContainsFunc(kept, isSame) {
			dropped = append(dropped, string(ref.UID))
			continue
		}
		kept = append(kept, ref)
	}
	if len(dropped) > 0 {
		r.warn(fmt.Sprintf(duplicateOwners, when, strings.Join(dropped, ", ")))
		u.SetOwnerReferences(kept)
	}
}

// warnOfFinalizers warns of new finalizers with unusual names (registry/customresource/strategy.go of
// apiextensions-apiserver).
func (r *request) warnOfFinalizers(finalizers, old []string) {
	path := field.NewPath("metadata", "finalizers")
	standard := sets.New(metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
		string(corev1.FinalizerKubernetes))
	for _, name := range sets.List(sets.New(finalizers...).Delete(old...)) {
		for _, reason := range validation.IsQualifiedName(name) {
			r.warn(fmt.Sprintf("%s: %q: %s", path, name, reason))
		}
		if strings.Contains(name, "/") || standard.Has(name) {
			continue
		}
		form := ""
		if strings.Contains(name, ".") {
			form = "including a path (/) "
		}
		r.warn(fmt.Sprintf("%s: %q: prefer a domain-qualified finalizer name %sto avoid accidental conflicts with "+
			"other finalizer writers", path, name, form))
	}
}
