package markers

import (
	"slices"
	"strings"

	"github.com/crdproof/crdproof/diag"
)

// Foreign reports whether a marker name is known to belong to another tool. Such a comment is not reported, however
// close it is to a known name. The lists were taken from the tools' sources and from the API packages of published
// operators. They need not be complete: a name on none of them is reported only if it is close to a known one.
func Foreign(name string) bool {
	name, _, _ = strings.Cut(name, "(")
	for _, list := range [][]string{controllerToolsNames(), kubernetesNames(), otherNames()} {
		for _, f := range list {
			prefix, open := strings.CutSuffix(f, "*")
			if name == prefix || open && strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

// otherGenerators returns the markers of the other generators of controller-tools (pkg/deepcopy, pkg/rbac, pkg/webhook,
// pkg/applyconfiguration).
func otherGenerators() []string {
	return []string{
		"kubebuilder:object:generate", "kubebuilder:object:root", "kubebuilder:rbac", "kubebuilder:webhook",
		"kubebuilder:webhookconfiguration", "kubebuilder:ac:generate", "kubebuilder:ac:output:package",
	}
}

// nearForeign returns the marker of another generator that a name is close to, and the length of what it was meant to
// replace; "" if the name is exact, or close to none. The part behind a marker's name are its arguments.
func nearForeign(whole string) (near string, length int) {
	name := strings.TrimRight(whole, " \t")
	if strings.ContainsAny(name, " \t(") || !ours(name) {
		return "", 0
	}
	segments := strings.Split(name, ":")
	for n := len(segments); n >= 2; n-- {
		head := strings.Join(segments[:n], ":")
		for _, known := range otherGenerators() {
			if strings.Count(known, ":") != n-1 {
				continue
			}
			if head == known {
				return "", 0
			}
		}
	}
	for n := len(segments); n >= 2; n-- {
		head := strings.Join(segments[:n], ":")
		for _, known := range otherGenerators() {
			if strings.Count(known, ":") == n-1 && isNear(segments[:n], strings.Split(known, ":")) {
				return known, len(head)
			}
		}
	}
	return "", 0
}

// isNear reports whether each segment of a name is close to that of another.
func isNear(name, known []string) bool {
	return slices.EqualFunc(name, known, func(a, b string) bool {
		return a == b || diag.Near(a, []string{b}) != "" && min(len(a), len(b)) >= 3
	})
}

// controllerToolsNames returns the names that the other generators of controller-tools read (pkg/deepcopy, pkg/rbac,
// pkg/webhook, pkg/applyconfiguration, cmd/helpgen), and kubebuilder itself. A name that ends with * is a prefix.
func controllerToolsNames() []string {
	return []string{
		"kubebuilder:object:*",
		"kubebuilder:rbac*",
		"kubebuilder:webhook*",
		"kubebuilder:ac:*",
		"kubebuilder:scaffold*",
		"kubebuilder:docs-gen*",
		"controllertools:*",

		// Read by kubebuilder 1, and still present in older repositories.
		"kubebuilder:informers*",
		"kubebuilder:controller*",
		"kubebuilder:doc:*",
	}
}

// kubernetesNames returns the names that the generators of Kubernetes itself read (k8s.io/code-generator, k8s.io/gengo,
// k8s.io/kube-openapi). The tags of validation-gen are in the table.
func kubernetesNames() []string {
	return []string{
		"genclient", "genclient:nonNamespaced", "genclient:noStatus", "genclient:noVerbs", "genclient:onlyVerbs",
		"genclient:skipVerbs", "genclient:readonly", "genclient:method",
		"groupGoName",
		"resourceName",
		"k8s:deepcopy-gen", "k8s:deepcopy-gen:interfaces", "k8s:deepcopy-gen:nonpointer-interfaces",
		"k8s:defaulter-gen*", "k8s:conversion-gen*", "k8s:conversion-fn*",
		"k8s:openapi-gen*", "k8s:openapi-model-package*", "k8s:protobuf-gen*", "k8s:register-gen*",
		"k8s:prerelease-lifecycle-gen*", "k8s:validation-gen*", "k8s:client-gen*", "k8s:informer-gen*",
		"k8s:lister-gen*", "k8s:applyconfiguration-gen*",
		"k8s.io/*", "k8s.io:*",

		"k8s:deprecated", "k8s:isSubresource", "k8s:pattern", "k8s:supportsSubresource", "k8s:validation:*",

		"enum", "featureGate", "patchStrategy", "patchMergeKey", "oneOf", "zeroOrOneOf",
		"unionMember", "unionDeprecated", "listKey", "extensions*",
		"protobuf", "protobuf.*", "gogoproto*",
	}
}

// otherPrefixes returns those of markers of other tools that a misspelled name is compared with.
func otherPrefixes() []string {
	return slices.DeleteFunc(otherNames(), func(name string) bool { return !strings.HasSuffix(name, ":*") })
}

// otherNames returns the names that other tools around Kubernetes, Go itself (+build), or people read.
func otherNames() []string {
	return []string{
		"build", "godefs", "gencrdrefdocs:*", "deepequal-gen*", "skip_license_check", "deprecated", "immutable",
		"gateway:*", "openshift:*", "kcp:*", "operator-sdk:*", "crd-ref-docs:*", "vtgen*", "metrics:*", "e2e-deps:*",
		"notImplementedHide", "checkatomic", "knative:*", "crossplane:*", "optionalOneOf", "submarinerio:*",
		"cue-gen:*",
		"validate*", "default-gen*", "lint*", "api-linter:*", "kal:*", "nolint*",
	}
}
