package values

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// FormatExtendedResourceName has texts of the format k8s-extended-resource-name.
type FormatExtendedResourceName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatExtendedResourceNameSpec `json:"spec"`
}

type FormatExtendedResourceNameSpec struct {
	// +k8s:format=k8s-extended-resource-name
	Text string `json:"text" try:"k8s-extended-resource-name"`
	// +k8s:optional
	// +k8s:format=k8s-extended-resource-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-extended-resource-name"`
}

// FormatLabelKey has texts of the format k8s-label-key.
type FormatLabelKey struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatLabelKeySpec `json:"spec"`
}

type FormatLabelKeySpec struct {
	// +k8s:format=k8s-label-key
	Text string `json:"text" try:"k8s-label-key"`
	// +k8s:optional
	// +k8s:format=k8s-label-key
	Pointer *string `json:"pointer,omitempty" try:"k8s-label-key"`
}

// FormatLabelValue has texts of the format k8s-label-value.
type FormatLabelValue struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatLabelValueSpec `json:"spec"`
}

type FormatLabelValueSpec struct {
	// +k8s:format=k8s-label-value
	Text string `json:"text" try:"k8s-label-value"`
	// +k8s:optional
	// +k8s:format=k8s-label-value
	Pointer *string `json:"pointer,omitempty" try:"k8s-label-value"`
}

// FormatLongName has texts of the format k8s-long-name.
type FormatLongName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatLongNameSpec `json:"spec"`
}

type FormatLongNameSpec struct {
	// +k8s:format=k8s-long-name
	Text string `json:"text" try:"k8s-long-name"`
	// +k8s:optional
	// +k8s:format=k8s-long-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-long-name"`
}

// FormatLongNameCaseless has texts of the format k8s-long-name-caseless.
type FormatLongNameCaseless struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatLongNameCaselessSpec `json:"spec"`
}

type FormatLongNameCaselessSpec struct {
	// +k8s:format=k8s-long-name-caseless
	Text string `json:"text" try:"k8s-long-name-caseless"`
	// +k8s:optional
	// +k8s:format=k8s-long-name-caseless
	Pointer *string `json:"pointer,omitempty" try:"k8s-long-name-caseless"`
}

// FormatPrefixedLabelKey has texts of the format k8s-prefixed-label-key.
type FormatPrefixedLabelKey struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatPrefixedLabelKeySpec `json:"spec"`
}

type FormatPrefixedLabelKeySpec struct {
	// +k8s:format=k8s-prefixed-label-key
	Text string `json:"text" try:"k8s-prefixed-label-key"`
	// +k8s:optional
	// +k8s:format=k8s-prefixed-label-key
	Pointer *string `json:"pointer,omitempty" try:"k8s-prefixed-label-key"`
}

// FormatResourceFullyQualifiedName has texts of the format k8s-resource-fully-qualified-name.
type FormatResourceFullyQualifiedName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatResourceFullyQualifiedNameSpec `json:"spec"`
}

type FormatResourceFullyQualifiedNameSpec struct {
	// +k8s:format=k8s-resource-fully-qualified-name
	Text string `json:"text" try:"k8s-resource-fully-qualified-name"`
	// +k8s:optional
	// +k8s:format=k8s-resource-fully-qualified-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-resource-fully-qualified-name"`
}

// FormatResourcePoolName has texts of the format k8s-resource-pool-name.
type FormatResourcePoolName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatResourcePoolNameSpec `json:"spec"`
}

type FormatResourcePoolNameSpec struct {
	// +k8s:format=k8s-resource-pool-name
	Text string `json:"text" try:"k8s-resource-pool-name"`
	// +k8s:optional
	// +k8s:format=k8s-resource-pool-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-resource-pool-name"`
}

// FormatShortName has texts of the format k8s-short-name.
type FormatShortName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatShortNameSpec `json:"spec"`
}

type FormatShortNameSpec struct {
	// +k8s:format=k8s-short-name
	Text string `json:"text" try:"k8s-short-name"`
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-short-name"`
}

// FormatUUID has texts of the format k8s-uuid.
type FormatUUID struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatUUIDSpec `json:"spec"`
}

type FormatUUIDSpec struct {
	// +k8s:format=k8s-uuid
	Text string `json:"text" try:"k8s-uuid"`
	// +k8s:optional
	// +k8s:format=k8s-uuid
	Pointer *string `json:"pointer,omitempty" try:"k8s-uuid"`
}

// FormatPathSegmentName has texts of the format k8s-path-segment-name.
type FormatPathSegmentName struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatPathSegmentNameSpec `json:"spec"`
}

type FormatPathSegmentNameSpec struct {
	// +k8s:format=k8s-path-segment-name
	Text string `json:"text" try:"k8s-path-segment-name"`
	// +k8s:optional
	// +k8s:format=k8s-path-segment-name
	Pointer *string `json:"pointer,omitempty" try:"k8s-path-segment-name"`
}

// FormatsBelow has formats of keys, values and typedefs.
type FormatsBelow struct {
	// +k8s:opaqueType
	metav1.TypeMeta `json:",inline"`
	// +k8s:opaqueType
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FormatsBelowSpec `json:"spec"`
}

type FormatsBelowSpec struct {
	// +k8s:optional
	Named NameText `json:"named,omitempty" try:"k8s-short-name"`
	// +k8s:optional
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:format=k8s-label-value
	// +k8s:maxProperties=9
	Labels map[string]string `json:"labels,omitempty" try:"k8s-label-key"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:format=k8s-uuid
	IDs []string `json:"ids,omitempty" try:"k8s-uuid"`
}

// NameText has tags of its own.
//
// +k8s:format=k8s-short-name
type NameText string
