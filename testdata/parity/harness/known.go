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
	// Check is the id of the check.
	Check string
	// Why says in what way it is a mistake.
	Why string
}

// Matches reports whether the first line of a diagnostic is about the mistake.
func (m Mistake) Matches(line string) bool {
	return strings.Contains(line, "/"+m.At+": ") && strings.Contains(line, "["+m.Check+"]")
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
		noStatus  = "there is no status that a client can write there"
		operators = "a script adds the other operators to the enum after generation"
		storage   = "both versions say that they are stored: the API server rejects the CRD"
	)
	switch dir {
	case "gateway-api":
		return []Mistake{
			{At: "apis/v1/doc.go:22:15", Check: "api-approved", Why: approval},
		}
	case "cluster-api":
		return []Mistake{
			{At: "addons/v1beta1/clusterresourcesetbinding_types.go:173:4", Check: "status-missing", Why: noStatus},
		}
	case "karpenter":
		return []Mistake{
			{At: "v1/nodeclaim.go:40:141", Check: "cel-outside", Why: operators},
			{At: "v1/nodepool.go:227:141", Check: "cel-outside", Why: operators},
			{At: "v1alpha1/nodeoverlay.go:64:144", Check: "cel-outside", Why: operators},
		}
	case "prometheus-operator":
		return []Mistake{
			{At: "v1/prometheusrule_types.go:123:5", Check: "marker-unknown", Why: oneOf},
			{At: "v1/types.go:688:6", Check: "marker-unknown", Why: period},
			{At: "v1beta1/alertmanager_config_types.go:667:5", Check: "marker-unknown", Why: oneOf},
		}
	case "envoy-gateway":
		return []Mistake{
			{At: "v1alpha1/envoyproxy_types.go:708:5", Check: "marker-contradiction",
				Why: "the field above says both required and optional"},
			{At: "v1alpha1/wasm_types.go:81:45", Check: "enum-outside",
				Why: "the field allows ConfigMap, its type does not: no object can have it"},
			{At: "v1alpha1/envoyproxy_types.go:318:4", Check: "enum-constants",
				Why: "the constant EnvoyFilterRouter is not among the values, and nothing says whether that is meant"},
			{At: "v1alpha1/wasm_types.go:124:37", Check: "pattern-always",
				Why: "all parts are optional, and the $ at the end is missing: it matches every string"},
			{At: "v1alpha1/wasm_types.go:130:2", Check: "marker-unknown", Why: plus},
			{At: "v1alpha1/wasm_types.go:151:2", Check: "marker-unknown", Why: plus},
			{At: "v1alpha1/backendtrafficpolicy_types.go:215:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/bandwidthlimit_types.go:50:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/compression_types.go:69:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:26:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:35:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:59:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/connection_types.go:69:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/shared_types.go:721:37", Check: "keyword-half", Why: half},
			{At: "v1alpha1/shared_types.go:729:37", Check: "keyword-half", Why: half},
		}
	case "eck":
		return []Mistake{
			{At: "v1beta1/elasticsearch_types.go:64:2", Check: "type-empty", Why: kept},
		}
	case "cilium":
		return []Mistake{
			{At: "v2/types.go:106:2", Check: "type-marshaler", Why: marshaler},
			{At: "v2/types.go:212:4", Check: "status-missing", Why: noStatus},
			{At: "v2/clrp_types.go:74:6", Check: "marker-unknown", Why: oneOf},
			{At: "v2/clrp_types.go:80:6", Check: "marker-unknown", Why: oneOf},
		}
	case "capa":
		return []Mistake{
			{At: "v1beta1/types.go:282:6", Check: "marker-unknown", Why: pattern},
			{At: "v1beta2/types.go:566:6", Check: "marker-unknown", Why: pattern},
			{At: "v1beta1/awscluster_types.go:247:4", Check: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:87:4", Check: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:122:4", Check: "marker-target", Why: onList},
			{At: "v1beta1/awsidentity_types.go:167:4", Check: "marker-target", Why: onList},
			{At: "v1beta1/awsmachine_types.go:289:4", Check: "marker-target", Why: onList},
			{At: "v1beta1/awsmachinetemplate_types.go:54:4", Check: "marker-target", Why: onList},
		}
	case "keda":
		return []Mistake{
			{At: "eventing/v1alpha1/cloudeventsource_types.go:94:5", Check: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:88:5", Check: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:115:5", Check: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledjob_types.go:132:5", Check: "marker-target", Why: onType},
			{At: "keda/v1alpha1/scaledobject_types.go:187:5", Check: "marker-target", Why: onType},
		}
	case "velero":
		return []Mistake{
			{At: "v1/backupstoragelocation_types.go:164:5", Check: "marker-target", Why: onType},
			{At: "v1/pod_volume_backup_types.go:144:73", Check: "column-path",
				Why: "the field is in spec: the column stays empty"},
		}
	case "snapshotter":
		return []Mistake{
			{At: "volumegroupsnapshot/v1/doc.go:18:15", Check: "api-approved", Why: approval},
			{At: "volumesnapshot/v1/doc.go:18:15", Check: "api-approved", Why: approval},
			{At: "volumegroupsnapshot/v1beta2/types.go:126:6", Check: "version-storage", Why: storage},
			{At: "volumegroupsnapshot/v1beta2/types.go:169:6", Check: "version-storage", Why: storage},
			{At: "volumegroupsnapshot/v1beta2/types.go:233:6", Check: "version-storage", Why: storage},
			{At: "volumesnapshot/v1/types.go:431:6", Check: "marker-unknown", Why: period},
		}
	}
	return nil
}

// advice are the checks whose findings depend on how a controller uses its types: what Go writes of a field that is not
// set, and the API server rejects or drops; fields of one version that a write through another one loses unless a
// webhook converts them; a status that clients write with the spec; updates that get around a rule; rules that have
// used up half of their budget; and rules that are not decided. They are true, and there are many: they are counted
// rather than listed. That each is true is what the circle test makes sure of, and that of costs.
var advice = [...]string{
	"json-null", "json-zero", "json-omitted", "json-empty", "json-null-element", "metadata-pruned", "type-precision",
	"default-replaces", "default-unused", "cel-absent", "cel-cost-share", "cel-message-absent", "cel-message-old-self",
	"tag-unenforced", "union-unread", "crd-size", "version-field", "cel-runtime", "default-unreached",
	"immutable-optional", "patch-tag", "status-writable", "too-large",
}

// IsAdvice reports whether the findings of a check are counted.
func IsAdvice(check string) bool { return slices.Contains(advice[:], check) }

// KnownAdvice returns how many findings of each such check a case has.
func KnownAdvice(name string) map[string]int {
	return map[string]map[string]int{
		"kinds": {"crd-size": 2, "default-unreached": 23, "default-unused": 35, "immutable-optional": 34,
			"json-empty": 20, "metadata-pruned": 2, "version-field": 11},
		"gateway-api": {"cel-absent": 1, "crd-size": 1, "json-null": 3, "too-large": 1},
		"cluster-api": {"json-null": 4, "json-omitted": 1, "json-zero": 3},
		"prometheus-operator": {"crd-size": 6, "default-unreached": 1, "json-null": 3, "json-omitted": 2,
			"json-zero": 2, "metadata-pruned": 4},
		"source-controller": {"json-zero": 2},
		"keda":              {"crd-size": 1, "json-null": 2, "json-zero": 1},
		"karpenter": {"cel-absent": 3, "cel-cost-share": 1, "cel-runtime": 3, "json-null": 2,
			"json-zero": 1},
		"velero": {"status-writable": 13},
		"envoy-gateway": {"cel-absent": 12, "cel-cost-share": 15, "crd-size": 2, "default-replaces": 3,
			"default-unused": 1, "json-null": 2, "json-zero": 7, "metadata-pruned": 1, "patch-tag": 9,
			"union-unread": 3},
		"cilium": {"default-unused": 2, "immutable-optional": 1, "json-null": 13,
			"json-zero": 3, "status-writable": 1, "version-field": 5},
		"capa":                    {"default-unreached": 1, "json-null": 3},
		"eck":                     {"crd-size": 10, "json-null": 4, "json-zero": 17, "version-field": 5},
		"snapshotter":             {"immutable-optional": 8, "json-null": 3, "version-field": 2},
		"source-controller-short": {"json-zero": 2},
		"gateway-api-bare":        {"cel-absent": 1, "json-null": 3, "too-large": 1},
		"prometheus-operator-short": {"crd-size": 3, "default-unreached": 1, "json-null": 3, "json-omitted": 2,
			"json-zero": 2},
		"keda-embedded": {"crd-size": 1, "json-null": 2, "json-zero": 1},
	}[name]
}
