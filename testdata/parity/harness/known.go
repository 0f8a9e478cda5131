package harness

import (
	"slices"
	"strings"
)

// A Mistake is one that a module's authors made and that crdproof has to find: neither a false alarm, nor a reason to
// fail. That it is no longer found is one.
type Mistake struct {
	// At is the end of the file's path, with line and column.
	At string
	// Rule is the id of the check.
	Rule string
	// Why says in what way it is a mistake.
	Why string
}

// Matches reports whether the first line of a diagnostic is about the mistake.
func (m Mistake) Matches(line string) bool {
	return strings.Contains(line, "/"+m.At+": ") && strings.Contains(line, "["+m.Rule+"]")
}

// KnownMistakes returns what is wrong in a module at its pinned version; dir is that of a Case.
func KnownMistakes(dir string) []Mistake {
	const (
		oneOf     = "there is no such marker: the intended constraint is in no schema"
		period    = "the full stop makes it another name: the field is required"
		plus      = "the + is missing: the pattern is in no schema"
		pattern   = "the name begins with a capital letter: the pattern is in no schema"
		onList    = "it stands on the list type, where nothing reads it: all that counts is the kind's"
		onType    = "it stands on a type, where nothing reads it: it belongs on the fields of that type"
		kept      = "the marker that keeps its content is missing, or on the list instead of its items"
		marshaler = "it has MarshalJSON, and nothing says what that writes"
		half      = "the pattern rejects 0 and -1, but API servers accept them as integers"
		approval  = "the annotation that a group of Kubernetes needs is added by other means: the API server rejects " +
			"the CRDs without"
		commented = "the field below it is commented out: it is on the next one, which has its own"
		storage   = "both versions say that they are stored: the API server rejects the CRD"
	)
	switch dir {
	case "gateway-api":
		return []Mistake{
			{At: "apis/v1/doc.go:22:15", Rule: "api-approved", Why: approval},
		}
	case "prometheus-operator":
		return []Mistake{
			{At: "v1/prometheusrule_types.go:123:5", Rule: "marker-unknown", Why: oneOf},
			{At: "v1/types.go:688:6", Rule: "marker-unknown", Why: period},
			{At: "v1beta1/alertmanager_config_types.go:667:5", Rule: "marker-unknown", Why: oneOf},
		}
	case "envoy-gateway":
		return []Mistake{
			{At: "v1alpha1/envoyproxy_types.go:708:5", Rule: "marker-contradiction",
				Why: "the field above says both required and optional"},
			{At: "v1alpha1/wasm_types.go:81:45", Rule: "enum-outside",
				Why: "the field allows ConfigMap, its type does not: no object can have it"},
			{At: "v1alpha1/envoyproxy_types.go:318:4", Rule: "enum-constants",
				Why: "the constant EnvoyFilterRouter is not among the values, and nothing says whether that is meant"},
			{At: "v1alpha1/wasm_types.go:130:2", Rule: "marker-unknown", Why: plus},
			{At: "v1alpha1/wasm_types.go:151:2", Rule: "marker-unknown", Why: plus},
			{At: "v1alpha1/backendtrafficpolicy_types.go:215:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/bandwidthlimit_types.go:50:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/compression_types.go:69:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:26:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:35:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:59:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:69:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/shared_types.go:721:37", Rule: "keyword-half", Why: half},
			{At: "v1alpha1/shared_types.go:729:37", Rule: "keyword-half", Why: half},
		}
	case "eck":
		return []Mistake{
			{At: "v1beta1/elasticsearch_types.go:64:2", Rule: "type-empty", Why: kept},
		}
	case "cilium":
		return []Mistake{
			{At: "v2/types.go:106:2", Rule: "type-marshaler", Why: marshaler},
			{At: "v2/clrp_types.go:74:6", Rule: "marker-unknown", Why: oneOf},
			{At: "v2/clrp_types.go:80:6", Rule: "marker-unknown", Why: oneOf},
		}
	case "capa":
		return []Mistake{
			{At: "v1beta1/types.go:282:6", Rule: "marker-unknown", Why: pattern},
			{At: "v1beta2/types.go:566:6", Rule: "marker-unknown", Why: pattern},
			{At: "v1beta1/awscluster_types.go:247:4", Rule: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:87:4", Rule: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:122:4", Rule: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:167:4", Rule: "marker-target", Why: onList},
			{At: "v1beta1/awsmachine_types.go:289:4", Rule: "marker-target", Why: onList},
			{At: "v1beta1/awsmachinetemplate_types.go:54:4", Rule: "marker-target", Why: onList},
		}
	case "keda":
		return []Mistake{
			{At: "eventing/v1alpha1/cloudeventsource_types.go:94:5", Rule: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:88:5", Rule: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:115:5", Rule: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:132:5", Rule: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledobject_types.go:187:5", Rule: "marker-target", Why: onType},
		}
	case "velero":
		return []Mistake{
			{At: "v1/backupstoragelocation_types.go:164:5", Rule: "marker-target", Why: onType},
			{At: "v1/pod_volume_backup_types.go:144:73", Rule: "column-path",
				Why: "the field is in spec: the column stays empty"},
		}
	case "snapshotter":
		return []Mistake{
			{At: "volumegroupsnapshot/v1/types.go:382:5", Rule: "marker-stray", Why: commented},
			{At: "volumegroupsnapshot/v1beta2/types.go:382:5", Rule: "marker-stray", Why: commented},
			{At: "volumegroupsnapshot/v1/doc.go:18:15", Rule: "api-approved", Why: approval},
			{At: "volumesnapshot/v1/doc.go:18:15", Rule: "api-approved", Why: approval},
			{At: "volumegroupsnapshot/v1beta2/types.go:126:6", Rule: "version-storage", Why: storage},
			{At: "volumegroupsnapshot/v1beta2/types.go:169:6", Rule: "version-storage", Why: storage},
			{At: "volumegroupsnapshot/v1beta2/types.go:233:6", Rule: "version-storage", Why: storage},
			{At: "volumesnapshot/v1/types.go:431:6", Rule: "marker-unknown", Why: period},
		}
	}
	return nil
}

// advice are the rules of findings that depend on how a controller uses its types: what Go writes of a field that is
// not set, and the API server rejects or drops; fields of one version that a write through another one loses unless a
// webhook converts them; and rules that have used up half of their budget. They are true, and
// there are many: they are counted rather than listed. That each is true is what the circle test makes sure of, and
// that of costs.
var advice = [...]string{
	"json-null", "json-zero", "json-omitted", "json-empty", "json-null-element", "metadata-pruned", "type-precision",
	"default-replaces", "default-unused", "cel-absent", "cel-cost-share", "cel-message-absent", "cel-message-old-self",
	"tag-unenforced", "union-unread", "crd-size", "version-field",
}

// IsAdvice reports whether the findings of a rule are counted.
func IsAdvice(rule string) bool { return slices.Contains(advice[:], rule) }

// KnownAdvice returns how many findings of each such rule a case has.
func KnownAdvice(name string) map[string]int {
	return map[string]map[string]int{
		"kinds": {"crd-size": 2, "default-unused": 35, "json-empty": 20, "json-null": 99,
			"metadata-pruned": 2, "version-field": 11},
		"gateway-api": {"cel-absent": 1, "cel-cost-share": 2, "crd-size": 2, "json-null": 9,
			"json-omitted": 1, "union-unread": 3},
		"cluster-api": {"crd-size": 10, "json-null": 10, "json-null-element": 1, "json-omitted": 6,
			"json-zero": 13},
		"cert-manager": {"crd-size": 3, "json-null": 6, "json-zero": 1},
		"prometheus-operator": {"crd-size": 12, "json-null": 9, "json-omitted": 4, "json-zero": 2,
			"metadata-pruned": 4},
		"source-controller": {"json-null": 1, "json-null-element": 3, "json-zero": 12},
		"keda":              {"crd-size": 1, "json-null": 13, "json-zero": 2, "metadata-pruned": 1},
		"karpenter": {"cel-absent": 3, "cel-cost-share": 1, "json-null": 4, "json-omitted": 1,
			"json-zero": 1},
		"velero": {"json-null": 4, "json-null-element": 2, "json-zero": 2},
		"envoy-gateway": {"cel-absent": 12, "cel-cost-share": 15, "crd-size": 4, "default-replaces": 3,
			"default-unused": 1, "json-null": 14, "json-null-element": 8, "json-zero": 7, "metadata-pruned": 1,
			"type-precision": 2, "union-unread": 12},
		"cilium": {"crd-size": 4, "default-unused": 2, "json-null": 27, "json-null-element": 4, "json-omitted": 1,
			"json-zero": 8, "type-precision": 3, "version-field": 5},
		"capa": {"json-null": 3, "json-null-element": 1, "json-zero": 4},
		"eck": {"crd-size": 11, "json-null": 6, "json-omitted": 2, "json-zero": 31,
			"metadata-pruned": 25, "version-field": 5},
		"snapshotter":             {"json-null": 3, "version-field": 2},
		"source-controller-short": {"json-null": 1, "json-null-element": 3, "json-zero": 12},
		"gateway-api-bare": {"cel-absent": 1, "cel-cost-share": 2, "json-null": 9, "json-omitted": 1,
			"union-unread": 3},
		"prometheus-operator-short": {"crd-size": 12, "json-null": 9, "json-omitted": 4, "json-zero": 2},
		"keda-embedded":             {"crd-size": 1, "json-null": 13, "json-zero": 2},
	}[name]
}
