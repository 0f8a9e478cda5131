package write

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdproof/crdproof/internal/support"
)

// Sent returns the warnings that a client gets.
func Sent(warnings []string) []string {
	var r support.WarningRecorder
	for _, text := range warnings {
		r.AddWarning("", text)
	}
	return r.Sent()
}

// finalizerWarnings returns the warnings about new finalizers (registry/customresource/strategy.go,
// generateWarningsFromObj, and validator.go, validateKubeFinalizerName).
func finalizerWarnings(finalizers, old []string) (out []string) {
	path := field.NewPath("metadata", "finalizers")
	standard := sets.New(metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents,
		string(corev1.FinalizerKubernetes))
	for _, name := range sets.List(sets.New(finalizers...).Delete(old...)) {
		for _, reason := range validation.IsQualifiedName(name) {
			out = append(out, fmt.Sprintf("%s: %q: %s", path, name, reason))
		}
		if strings.Contains(name, "/") || standard.Has(name) {
			continue
		}
		form := ""
		if strings.Contains(name, ".") {
			form = "including a path (/) "
		}
		out = append(out, fmt.Sprintf("%s: %q: prefer a domain-qualified finalizer name %sto avoid accidental "+
			"conflicts with other finalizer writers", path, name, form))
	}
	return out
}
