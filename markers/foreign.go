package markers

import "strings"

// Foreign reports whether a marker name is known to belong to another tool. Such a comment is no mistake, however close
// it comes to a name of ours. The lists were taken from the tools' sources and from the API packages of published
// operators; what is on neither list and resembles no marker of ours passes as well, so they need no completeness.
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

// controllerToolsNames are read by the other generators of controller-tools (pkg/deepcopy, pkg/rbac, pkg/webhook,
// pkg/applyconfiguration, cmd/helpgen) and by kubebuilder itself. A name that ends with * stands for all that begin so.
func controllerToolsNames() []string {
	return []string{
		"kubebuilder:object:*",
		"kubebuilder:rbac*",
		"kubebuilder:webhook*",
		"kubebuilder:ac:*",
		"kubebuilder:scaffold*",
		"kubebuilder:docs-gen*",
		"controllertools:*",

		// Read by kubebuilder 1, and left standing in older repositories.
		"kubebuilder:informers*",
		"kubebuilder:controller*",
		"kubebuilder:doc:*",
	}
}

// kubernetesNames are read by the generators of Kubernetes itself (k8s.io/code-generator, k8s.io/gengo,
// k8s.io/kube-openapi); the tags of validation-gen are markers of ours.
func kubernetesNames() []string {
	return []string{
		"genclient*",
		"groupGoName",
		"resourceName",
		"k8s:deepcopy-gen*", "k8s:defaulter-gen*", "k8s:conversion-gen*", "k8s:conversion-fn*",
		"k8s:openapi-gen*", "k8s:openapi-model-package*", "k8s:protobuf-gen*", "k8s:register-gen*",
		"k8s:prerelease-lifecycle-gen*", "k8s:validation-gen*", "k8s:client-gen*", "k8s:informer-gen*",
		"k8s:lister-gen*", "k8s:applyconfiguration-gen*",
		"k8s.io/*", "k8s.io:*",

		"k8s:deprecated", "k8s:isSubresource", "k8s:pattern", "k8s:supportsSubresource", "k8s:validation:*",

		"enum", "featureGate", "patchStrategy", "patchMergeKey", "oneOf", "zeroOrOneOf",
		"unionMember", "unionDeprecated", "listKey", "extensions*",
		"protobuf*", "gogoproto*",
	}
}

// otherNames are read by other tools around Kubernetes, by Go itself (+build), or by people.
func otherNames() []string {
	return []string{
		"build", "godefs", "gencrdrefdocs:*", "deepequal-gen*", "skip_license_check", "deprecated", "immutable",
		"gateway:*", "openshift:*", "kcp:*", "operator-sdk:*", "crd-ref-docs:*", "vtgen*", "metrics:*", "e2e-deps:*",
		"notImplementedHide", "checkatomic", "knative:*", "crossplane:*", "optionalOneOf", "submarinerio:*",
		"cue-gen:*",
		"validate*", "default-gen*", "lint*", "api-linter:*", "kal:*", "nolint*",
	}
}
