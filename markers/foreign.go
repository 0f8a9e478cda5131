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
// k8s.io/kube-openapi). Those of validation-gen are listed one by one, lest a misspelt marker of ours hide among them.
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

		"k8s:alpha", "k8s:beta", "k8s:customUnique", "k8s:customValidation", "k8s:dependentForbidden",
		"k8s:dependentRequired", "k8s:deprecated", "k8s:eachKey", "k8s:eachVal", "k8s:enumExclude", "k8s:forbidden",
		"k8s:format", "k8s:ifDisabled", "k8s:ifEnabled", "k8s:ifMode", "k8s:isSubresource", "k8s:item", "k8s:maxBytes",
		"k8s:maxLength", "k8s:maxProperties", "k8s:minItems", "k8s:minLength", "k8s:minProperties", "k8s:modeDiscriminator",
		"k8s:monotonic", "k8s:neq", "k8s:opaqueType", "k8s:pattern", "k8s:subfield", "k8s:supportsSubresource",
		"k8s:unionDiscriminator", "k8s:unionMember", "k8s:unique", "k8s:update", "k8s:validate*", "k8s:validation:*",
		"k8s:zeroOrOneOfMember",

		"enum", "featureGate", "patchStrategy", "patchMergeKey", "oneOf", "zeroOrOneOf",
		"union", "unionDiscriminator", "unionMember", "unionDeprecated", "listKey", "extensions*",
		"protobuf*", "gogoproto*",
	}
}

// otherNames are read by other tools around Kubernetes, by Go itself (+build), or by people.
func otherNames() []string {
	return []string{
		"build", "godefs", "gencrdrefdocs:*", "deepequal-gen*", "skip_license_check", "deprecated", "immutable",
		"gateway:*", "openshift:*", "kcp:*", "operator-sdk:*", "crd-ref-docs:*", "vtgen*", "metrics:*", "e2e-deps:*",
		"notImplementedHide", "checkatomic", "knative:*", "crossplane:*", "optionalOneOf", "submarinerio:*", "cue-gen:*",
		"validate*", "default-gen*", "lint*", "api-linter:*", "kal:*", "nolint*",
	}
}
