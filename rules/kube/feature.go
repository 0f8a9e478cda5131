package kube

// Feature is a part of the CRD API that came after rules did.
type Feature uint8

// The features. Before its version, an API server drops the field, or ignores the format.
const (
	MessageExpression Feature = iota
	RuleReason
	RuleFieldPath
	OptionalOldSelf
	SelectableFields
	NameFormats
)

// Since returns the first version whose API server has the feature by default, without a feature gate. Each was looked
// up in k8s.io/apiextensions-apiserver of the versions around it.
func (f Feature) Since() Minor {
	return [...]Minor{
		// pkg/apis/apiextensions/v1/types_jsonschema.go: the field is in 0.27.0 and not in 0.26.0. It never had a gate.
		MessageExpression: 27,
		// The same, in 0.28.0 and not in 0.27.0.
		RuleReason:    28,
		RuleFieldPath: 28,
		// The field is in 0.29.0, but up to 0.29 dropDisabledFields of
		// pkg/registry/customresourcedefinition/strategy.go drops it: CRDValidationRatcheting is off by default until
		// 1.30 (pkg/features/kube_features.go).
		OptionalOldSelf: 30,
		// In 0.30.0 the same holds for CustomResourceFieldSelectors, which is on by default from 1.31.
		SelectableFields: 31,
		// k8s-short-name and k8s-long-name were introduced in 1.34 (pkg/apiserver/validation/formats.go), but a server
		// of 1.34 knows the formats of the version before it only, as it does the functions of CEL.
		NameFormats: 35,
	}[f]
}
