package write

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A recorder collects warnings as k8s.io/apiserver/pkg/endpoints/filters/warning.go does: each once, truncated if there
// are too many, and only those that fit in a header.
type recorder struct {
	all []string
	// sent are the warnings that a client gets, and sentRunes is their total length.
	sent       []string
	sentRunes  int
	shortening bool
}

// The limits in runes: of all warnings together, and of each warning once the first limit is exceeded.
const (
	maxWarnings = 4 * 1024
	maxWarning  = 256
)

// Sent returns the warnings that a client gets.
func Sent(warnings []string) []string {
	var r recorder
	for _, text := range warnings {
		r.AddWarning("", text)
	}
	return r.sent
}

// warningCode is the code of all warnings of API servers.
const warningCode = 299

// AddWarning adds a warning.
func (r *recorder) AddWarning(_, text string) {
	if text == "" || r.shortening && r.sentRunes >= maxWarnings || slices.Contains(r.all, text) {
		return
	}
	r.all = append(r.all, text)
	if _, err := utilnet.NewWarningHeader(warningCode, "", text); err == nil && !r.shortening {
		if r.shortening = r.sentRunes+utf8.RuneCountInString(text) > maxWarnings; r.shortening {
			r.sent, r.sentRunes = nil, 0
			for _, text := range r.all {
				r.send(text)
			}
			return
		}
	}
	r.send(text)
}

func (r *recorder) send(text string) {
	if runes := []rune(text); r.shortening && len(runes) > maxWarning {
		text = string(runes[:maxWarning])
	}
	if _, err := utilnet.NewWarningHeader(warningCode, "", text); err == nil {
		r.sent = append(r.sent, text)
		r.sentRunes += utf8.RuneCountInString(text)
	}
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
